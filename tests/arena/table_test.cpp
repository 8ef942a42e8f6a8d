#include "arena/table.h"

#include <catch2/catch.hpp>

#include "core/notation.h"

namespace gounki::arena {
namespace {

TEST_CASE("clocks are read and written") {
  const auto full = parse_time_control("60+0.5");
  REQUIRE(full);
  CHECK(*full == TimeControl{60.0, 0.5});
  CHECK(to_string(*full) == "60+0.5");
  CHECK(*parse_time_control("90") == TimeControl{90.0, 0.0});
  CHECK(*parse_time_control("0+1") == TimeControl{0.0, 1.0});
  for (const char* text : {"", "x", "-1", "60+", "+1", "60+-1", "60 + 1", "nan", "inf", "1e9", "0", "60+1+1"}) {
    INFO(text);
    CHECK_FALSE(parse_time_control(text));
  }
}

Choice first_legal(const Table& table, std::optional<float> value = {}) {
  Choice choice;
  choice.move = table.game().legal_moves()[0];
  if (value) choice.value = mcts::MoverValue{*value};
  return choice;
}

// A value that speaks for White, as the side to move says it.
float for_white(const Table& table, float value) {
  return table.side_to_move() == Side::White ? value : -value;
}

TEST_CASE("a clock counts down and grows by its increment") {
  Table table(Game(), {}, {TimeControl{10.0, 1.0}, std::nullopt});
  REQUIRE(table.clocks());
  CHECK(table.clocks()->own.left == 11.0);
  CHECK(table.clocks()->own.increment == 1.0);
  CHECK(table.clocks()->other.left > 80'000.0);
  REQUIRE(table.play(first_legal(table), 4.0));
  CHECK_FALSE(table.clocks());  // Black has none
  REQUIRE(table.play(first_legal(table), 100.0));
  CHECK(table.clocks()->own.left == Approx(8.0));
  CHECK_FALSE(table.over());
}

TEST_CASE("who oversteps the clock by more than the margin loses on time") {
  TableConfig config;
  config.time_margin = 50;
  const TimeControls controls{TimeControl{1.0, 0.0}, TimeControl{1.0, 0.0}};
  Table late(Game(), config, controls);
  REQUIRE(late.play(first_legal(late), 0.5));
  REQUIRE(late.play(first_legal(late), 1.06));
  REQUIRE(late.over());
  CHECK(late.played().result == Outcome::WhiteWins);
  CHECK(late.played().ending == Ending::Fault);
  CHECK(late.played().fault == Fault::TimeLoss);
  CHECK(late.played().fault_text == "0.060 s too late");
  CHECK(late.played().moves.size() == 1);
  CHECK(late.played().seconds == std::vector<double>{0.5});

  Table just(Game(), config, controls);
  REQUIRE(just.play(first_legal(just), 1.04));
  CHECK_FALSE(just.over());
}

TEST_CASE("a fault loses the game for the side to move and keeps what was played") {
  for (const Fault fault : {Fault::Crash, Fault::Stall, Fault::IllegalMove, Fault::Garbage}) {
    Table table((Game()), {});
    REQUIRE(table.play(first_legal(table), 0.0));
    Choice choice;
    choice.fault = fault;
    choice.fault_text = "what happened";
    REQUIRE(table.play(choice, 0.0));
    REQUIRE(table.over());
    CHECK(table.played().result == Outcome::WhiteWins);
    CHECK(table.played().fault == fault);
    CHECK(table.played().fault_text == "what happened");
    CHECK(table.played().moves.size() == 1);
    CHECK(fault_from(to_string(fault)) == fault);
  }
}

TEST_CASE("an illegal move without a fault is an error") {
  Table table((Game()), {});
  Choice choice;
  choice.move = Move(Square(7, 7), Template::move(Direction::Left, 3));
  CHECK_FALSE(table.play(choice, 0.0));
}

TEST_CASE("a proven result ends a game where that is asked for") {
  for (const bool end_proven : {false, true}) {
    TableConfig config;
    config.end_proven = end_proven;
    Table table((Game()), config);
    REQUIRE(table.play(first_legal(table), 0.0));
    Choice choice = first_legal(table);
    choice.proof = mcts::Proof::loss(6);
    REQUIRE(table.play(choice, 0.0));
    CHECK(table.over() == end_proven);
    if (!end_proven) continue;
    CHECK(table.played().result == Outcome::WhiteWins);
    CHECK(table.played().ending == Ending::Proven);
    CHECK(table.played().moves.size() == 2);
  }
  TableConfig config;
  config.end_proven = true;
  Table drawn((Game()), config);
  Choice choice = first_legal(drawn);
  choice.proof = mcts::Proof::draw(6);
  REQUIRE(drawn.play(choice, 0.0));
  CHECK(drawn.played().result == Outcome::Draw);
}

TEST_CASE("players that agree for long enough end a game") {
  TableConfig config;
  config.win_value = 0.9;
  config.win_plies = 4;
  for (const float ahead : {0.95f, -0.95f}) {
    Table table((Game()), config);
    for (int ply = 0; ply < 3; ++ply)
      REQUIRE(table.play(first_legal(table, for_white(table, ahead)), 0.0));
    REQUIRE(table.play(first_legal(table, for_white(table, ahead / 2)), 0.0));  // begins anew
    for (int ply = 0; ply < 3; ++ply) {
      REQUIRE(table.play(first_legal(table, for_white(table, ahead)), 0.0));
      CHECK_FALSE(table.over());
    }
    REQUIRE(table.play(first_legal(table, for_white(table, ahead)), 0.0));
    REQUIRE(table.over());
    CHECK(table.played().ending == Ending::Agreed);
    CHECK(table.played().result == (ahead > 0 ? Outcome::WhiteWins : Outcome::BlackWins));
  }
}

TEST_CASE("a player without an opinion agrees with nothing") {
  TableConfig config;
  config.win_value = 0.5;
  config.win_plies = 2;
  Table table((Game()), config);
  for (int ply = 0; ply < 10; ++ply) {
    const bool white = table.side_to_move() == Side::White;
    REQUIRE(table.play(white ? first_legal(table, 1.0f) : first_legal(table), 0.0));
  }
  CHECK_FALSE(table.over());
}

TEST_CASE("a game without a difference is drawn by agreement from a ply on") {
  TableConfig config;
  config.draw_value = 0.1;
  config.draw_plies = 4;
  config.draw_from = 6;
  Table table((Game()), config);
  int plies = 0;
  for (; !table.over(); ++plies) REQUIRE(table.play(first_legal(table, 0.05f), 0.0));
  CHECK(plies == 9);  // plies 6, 7, 8 and 9
  CHECK(table.played().ending == Ending::Agreed);
  CHECK(table.played().result == Outcome::Draw);
}

TEST_CASE("an opening that is as long as the cap is a draw at once") {
  TableConfig config;
  config.ply_cap = 2;
  Game opening;
  opening.play(opening.legal_moves()[0]);
  opening.play(opening.legal_moves()[0]);
  const Table table(opening, config);
  REQUIRE(table.over());
  CHECK(table.played().ending == Ending::PlyCap);
  CHECK(table.played().plies() == 0);
}

}  // namespace
}  // namespace gounki::arena
