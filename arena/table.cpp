#include "arena/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace gounki::arena {
namespace {

constexpr double kForEver = 86'400.0;

std::size_t number_of(Side side) { return static_cast<std::size_t>(side); }

std::optional<double> seconds_from(std::string_view text) {
  double seconds = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || !(seconds >= 0.0 && seconds <= kForEver)) return std::nullopt;
  return seconds;
}

}  // namespace

Expected<TimeControl> parse_time_control(std::string_view text) {
  const std::size_t plus = text.find('+');
  const auto seconds = seconds_from(text.substr(0, plus));
  const auto increment =
      plus == std::string_view::npos ? std::optional(0.0) : seconds_from(text.substr(plus + 1));
  if (!seconds || !increment || *seconds + *increment <= 0.0)
    return fail("\"" + std::string(text) +
                "\" is no clock; expected SECONDS or SECONDS+INCREMENT, such as 60+0.5");
  return TimeControl{*seconds, *increment};
}

std::string to_string(const TimeControl& control) {
  char text[64];
  std::snprintf(text, sizeof text, "%g+%g", control.seconds, control.increment);
  return text;
}

Table::Table(const Game& opening, const TableConfig& config, const TimeControls& controls)
    : config_(config), game_(opening), controls_(controls) {
  played_.start = opening.positions().front();
  played_.rules = opening.rules();
  played_.opening_plies = static_cast<int>(opening.moves().size());
  played_.values.resize(opening.moves().size());
  for (const Side side : {Side::White, Side::Black})
    if (const auto& control = controls_[number_of(side)])
      left_[number_of(side)] = control->seconds + control->increment;
  if (controls_[0] || controls_[1]) played_.seconds.resize(opening.moves().size());
  if (game_.is_over()) end(game_.outcome(), Ending::Rules);
  else if (played_.opening_plies >= config_.ply_cap) end(Outcome::Draw, Ending::PlyCap);
}

std::optional<Clocks> Table::clocks() const {
  const auto clock_of = [&](Side side) {
    const auto& control = controls_[number_of(side)];
    return control ? mcts::Clock{left_[number_of(side)], control->increment, 0}
                   : mcts::Clock{kForEver, 0.0, 0};
  };
  if (!controls_[number_of(side_to_move())]) return std::nullopt;
  return Clocks{clock_of(side_to_move()), clock_of(~side_to_move())};
}

Expected<void> Table::play(const Choice& choice, double seconds) {
  const Side mover = side_to_move();
  if (choice.fault != Fault::None) {
    end_by_fault(choice.fault, choice.fault_text);
    return {};
  }
  if (loses_on_time(seconds)) return {};
  if (auto legal = game_.play_checked(choice.move); !legal) return legal;
  std::optional<mcts::WhiteValue>& value = played_.values.emplace_back();
  if (choice.value)
    value = mcts::WhiteValue{static_cast<float>(to_thousandths(choice.value->for_white(mover).v))};
  if (controls_[0] || controls_[1]) played_.seconds.push_back(to_thousandths(seconds));
  if (game_.is_over()) {
    end(game_.outcome(), Ending::Rules);
  } else {
    adjudicate(choice, mover);
  }
  return {};
}

// Takes the time of a move off its player's clock, and adds what the move adds.
bool Table::loses_on_time(double seconds) {
  const auto& control = controls_[number_of(side_to_move())];
  if (!control) return false;
  double& left = left_[number_of(side_to_move())];
  const double late = seconds - left;
  if (1000.0 * late > config_.time_margin) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f s too late", late);
    end_by_fault(Fault::TimeLoss, text);
    return true;
  }
  left = std::max(0.0, -late) + control->increment;
  return false;
}

// What a player that moved says of the position before its move holds for the game.
void Table::adjudicate(const Choice& choice, Side mover) {
  if (config_.end_proven && choice.proof.known()) {
    const Outcome result = choice.proof.is_draw() ? Outcome::Draw
                           : win_for(choice.proof.is_win() ? mover : ~mover);
    return end(result, Ending::Proven);
  }
  const double value = choice.value ? choice.value->for_white(mover).v : 0.0;
  const auto count = [&](int& plies, bool goes_on) {
    plies = choice.value && goes_on ? plies + 1 : 0;
    return plies;
  };
  const int ply = static_cast<int>(game_.moves().size());
  if (config_.win_value > 0.0) {
    if (count(for_white_, value >= config_.win_value) >= config_.win_plies)
      return end(Outcome::WhiteWins, Ending::Agreed);
    if (count(for_black_, value <= -config_.win_value) >= config_.win_plies)
      return end(Outcome::BlackWins, Ending::Agreed);
  }
  if (config_.draw_value > 0.0 &&
      count(for_draw_, ply >= config_.draw_from && std::abs(value) <= config_.draw_value) >=
          config_.draw_plies)
    return end(Outcome::Draw, Ending::Agreed);
  if (ply >= config_.ply_cap) end(Outcome::Draw, Ending::PlyCap);
}

void Table::end(Outcome result, Ending ending) {
  played_.moves = game_.moves();
  played_.result = result;
  played_.ending = ending;
  over_ = true;
}

void Table::end_by_fault(Fault fault, const std::string& text) {
  played_.fault = fault;
  played_.fault_text = text;
  end(win_for(~side_to_move()), Ending::Fault);
}

}  // namespace gounki::arena
