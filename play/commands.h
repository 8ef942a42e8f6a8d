// The subcommands of gounki. Each function declares one with its options on the program and hangs
// its work on it; nothing runs before the whole command line is read.
#pragma once

namespace gounki::play {

class Program;

void add_train(Program& program);
void add_selfplay(Program& program);
void add_learn(Program& program);
void add_match(Program& program);
void add_report(Program& program);
void add_openings(Program& program);
void add_rate(Program& program);
void add_sprt(Program& program);
void add_play(Program& program);
void add_search(Program& program);
void add_analyze(Program& program);
void add_moves(Program& program);
void add_perft(Program& program);
void add_replay(Program& program);
void add_show(Program& program);
void add_inspect(Program& program);
void add_convert(Program& program);
void add_evaluate(Program& program);
void add_bench(Program& program);
void add_ugi(Program& program);

}  // namespace gounki::play
