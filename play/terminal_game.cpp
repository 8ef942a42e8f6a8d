#include "play/terminal_game.h"

#include <algorithm>
#include <istream>
#include <ostream>
#include <vector>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ostr.h>

#include "core/files.h"
#include "core/notation.h"
#include "core/random.h"
#include "play/options.h"

namespace gounki::play {
namespace {

constexpr std::string_view kHelp = R"(A move is the square a stack leaves and the square it goes to; * tells a deployment:
  c2-c4  b7xc6  c1-c2+  c8-OUT      marks may be missing: c2 c4, c8 out
  c2*c3,d4,e5                       a deployment, landing squares in order
Commands:
  moves        the legal moves, numbered; a number plays one
  hint         what the player would play for you
  undo         take your last move back
  board, flip  show the board, turn it round
  save FILE    write the game as a record
  resign, quit
)";

std::string side_name(Side side) { return side == Side::White ? "White" : "Black"; }

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// By their text, which is the order in which they are listed and numbered.
std::vector<std::pair<std::string, Move>> sorted_moves(const Game& game) {
  std::vector<std::pair<std::string, Move>> moves;
  for (const Move move : game.legal_moves()) moves.emplace_back(to_string(move, game.position()), move);
  std::sort(moves.begin(), moves.end());
  return moves;
}

std::string fault_text(const arena::Choice& choice) {
  return fmt::format("{}, {}", to_string(choice.fault), choice.fault_text);
}

// The number that a text is, from 1 on; 0 when it is none.
std::size_t number_in(const std::string& text) {
  const bool digits = !text.empty() && text.size() < 4 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::stoul(text) : 0;
}

}  // namespace

TerminalGame::TerminalGame(Game game, arena::Player& opponent, Side person, std::uint64_t seed,
                           BoardStyle style, bool ponder)
    : first_ply_(static_cast<int>(game.moves().size())), game_(std::move(game)),
      opponent_(opponent), person_(person), seed_(seed), style_(style), ponder_(ponder) {}

void TerminalGame::run(std::istream& in, std::ostream& out) {
  fmt::print(out, "You play {} against {}. `help` lists the commands.\n", side_name(person_),
             opponent_.name());
  opponent_.follow_game();
  show_board(out);
  while (!game_.is_over()) {
    if (!persons_turn()) {
      if (!play_opponents_move(out)) return;
      continue;
    }
    if (ponder_) opponent_.ponder(game_);
    fmt::print(out, "{}> ", side_name(person_));
    out.flush();
    std::string line;
    if (!std::getline(in, line)) {
      fmt::print(out, "\nNo more input, the game stays unfinished.\n");
      return;
    }
    if (!handle(trimmed(line), out)) return;
  }
  fmt::print(out, "{}  {}\n", to_string(game_.outcome()), outcome_text(game_));
}

arena::Choice TerminalGame::ask_player() {
  const arena::Turn turn{&game_, derive_seed({seed_, game_.moves().size()})};
  arena::Choice choice;
  opponent_.choose({&turn, 1}, {&choice, 1});
  return choice;
}

bool TerminalGame::play_opponents_move(std::ostream& out) {
  const arena::Choice choice = ask_player();
  if (choice.fault != arena::Fault::None) {
    fmt::print(out, "{} has no move: {}. The game stays unfinished.\n", opponent_.name(),
               fault_text(choice));
    return false;
  }
  const std::string value =
      choice.value ? fmt::format(" (it values its position at {:+.2f} of -1 to 1)", choice.value->v) : "";
  fmt::print(out, "{} plays {}{}\n", side_name(~person_), to_string(choice.move, game_.position()),
             value);
  game_.play(choice.move);
  show_board(out);
  return true;
}

void TerminalGame::give_hint(std::ostream& out) {
  const arena::Choice choice = ask_player();
  fmt::print(out, "{}\n", choice.fault == arena::Fault::None
                              ? to_string(choice.move, game_.position())
                              : "no hint: " + fault_text(choice));
}

void TerminalGame::show_board(std::ostream& out) {
  style_.marked = squares_of_last_move(game_);
  out << board_view(game_.position(), style_);
}

bool TerminalGame::handle(const std::string& line, std::ostream& out) {
  const auto space = line.find(' ');
  const std::string word = line.substr(0, space);
  if (line.empty()) return true;
  if (line == "quit" || line == "exit") return false;
  if (line == "resign") {
    resigned_ = win_for(~person_);
    fmt::print(out, "{}  you resign\n", to_string(*resigned_));
    return false;
  }
  if (line == "help" || line == "?") out << kHelp;
  else if (line == "moves") list_moves(out);
  else if (line == "undo") take_back(out);
  else if (line == "board") show_board(out);
  else if (line == "hint") give_hint(out);
  else if (word == "save") save(space == std::string::npos ? "" : trimmed(line.substr(space)), out);
  else if (line == "flip") {
    style_.flip = !style_.flip;
    show_board(out);
  } else {
    play_persons_move(line, out);
  }
  return true;
}

void TerminalGame::play_persons_move(const std::string& text, std::ostream& out) {
  const auto moves = sorted_moves(game_);
  const std::size_t number = number_in(text);
  Expected<Move> move = number >= 1 && number <= moves.size()
                            ? Expected<Move>(moves[number - 1].second)
                            : parse_move(text, game_.position(), game_.rules());
  if (!move) {
    fmt::print(out, "{}\n", move.error().message);
    return;
  }
  game_.play(*move);
  if (game_.is_over()) show_board(out);
}

void TerminalGame::list_moves(std::ostream& out) const {
  const auto moves = sorted_moves(game_);
  for (std::size_t i = 0; i < moves.size(); ++i)
    fmt::print(out, "{:>3} {:<14}{}", i + 1, moves[i].first,
               i % 4 == 3 || i + 1 == moves.size() ? "\n" : "");
}

void TerminalGame::take_back(std::ostream& out) {
  const int played = static_cast<int>(game_.moves().size()) - first_ply_;
  if (played < 2) {
    fmt::print(out, "You have no move to take back.\n");
    return;
  }
  game_.undo();
  game_.undo();
  show_board(out);
}

GameRecord TerminalGame::record() const {
  GameRecord record;
  const std::string player = opponent_.name();
  record.tags = {{"Event", "A game in the terminal"},
                 {"White", person_ == Side::White ? "a person" : player},
                 {"Black", person_ == Side::White ? player : "a person"}};
  record.first = game_.positions().front();
  record.rules = game_.rules();
  record.moves = game_.moves();
  record.result = resigned_.value_or(game_.outcome());
  return record;
}

void TerminalGame::save(const std::string& file, std::ostream& out) const {
  if (file.empty()) {
    fmt::print(out, "Save where? `save game.pgn`\n");
    return;
  }
  try {
    write_file_atomically(file, to_string(record()));
    fmt::print(out, "Saved to {}\n", file);
  } catch (const Failure& failure) {
    fmt::print(out, "{}\n", failure.what());
  }
}

}  // namespace gounki::play
