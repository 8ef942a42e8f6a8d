#include <algorithm>
#include <array>
#include <optional>

#include "core/notation.h"
#include "core/record.h"
#include "core/record_text.h"
#include "core/text.h"

namespace gounki {
namespace {

bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

class RecordReader {
 public:
  RecordReader(std::string_view text, const Rules& rules) : text_(text), cursor_(text) {
    record_.rules = rules;
  }

  Expected<GameRecord> read() {
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark)
      cursor_.go_to(kByteOrderMark.size());
    if (auto done = read_tags(); !done) return tl::make_unexpected(done.error());
    if (auto done = read_moves(); !done) return tl::make_unexpected(done.error());
    return std::move(record_);
  }

 private:
  tl::unexpected<Error> wrong_at(std::size_t at, const std::string& what) const {
    return fail(line_and_column(text_, at) + ": " + what);
  }
  tl::unexpected<Error> expected(const std::string& what) const {
    return wrong_at(cursor_.at(), "expected " + what + ", found " + cursor_.found());
  }

  bool begins_line() const { return cursor_.at() == 0 || text_[cursor_.at() - 1] == '\n'; }
  void skip_line() { cursor_.go_to(std::min(text_.find('\n', cursor_.at()), text_.size())); }
  void skip_digits() {
    while (is_digit(cursor_.peek())) cursor_.advance();
  }

  // Skips what is no tag, move, number or result; comments go to `comment`.
  Expected<void> skip_to_content(std::string& comment) {
    for (;;) {
      cursor_.skip_spaces();
      const std::size_t start = cursor_.at();
      const char c = cursor_.peek();
      if (c == '{') {
        const std::size_t end = text_.find('}', cursor_.at());
        if (end == std::string_view::npos) return wrong_at(start, "this comment is never closed");
        add_comment(text_.substr(start + 1, end - start - 1), comment);
        cursor_.go_to(end + 1);
      } else if (c == ';') {
        skip_line();
        add_comment(text_.substr(start + 1, cursor_.at() - start - 1), comment);
      } else if (c == '%' && begins_line()) {
        skip_line();
      } else if (c == '$' || c == '!' || c == '?') {
        cursor_.advance();
        skip_digits();
      } else {
        return {};
      }
    }
  }
  static void add_comment(std::string_view text, std::string& comment) {
    for (const std::string& word : words_of(text)) comment += (comment.empty() ? "" : " ") + word;
  }

  Expected<void> read_tags() {
    for (;;) {
      if (auto done = skip_to_content(record_.opening_comment); !done) return done;
      if (cursor_.peek() != '[') break;
      if (auto done = read_tag(); !done) return done;
    }
    if (has_set_up_ && !has_fen_)
      return wrong_at(cursor_.at(), "the SetUp tag announces a position, but there is no FEN tag");
    return {};
  }

  Expected<void> read_tag() {
    cursor_.advance();
    cursor_.skip_spaces();
    const std::size_t start = cursor_.at();
    while (is_name(cursor_.peek())) cursor_.advance();
    const std::string name(text_.substr(start, cursor_.at() - start));
    if (name.empty()) return expected("the name of a tag");
    cursor_.skip_spaces();
    if (cursor_.peek() != '"') return expected("the value of " + name + " in quotes");
    const std::size_t quote = cursor_.at();
    cursor_.advance();
    std::string value;
    for (; cursor_.peek() != '"'; cursor_.advance()) {
      cursor_.accept('\\');
      const char c = cursor_.peek();
      if (cursor_.at_end() || c == '\n')
        return wrong_at(quote, "the value of " + name + " has no end");
      value += is_control(c) ? ' ' : c;
    }
    cursor_.advance();
    cursor_.skip_spaces();
    if (!cursor_.accept(']')) return expected("] after the value of " + name);
    return take_tag(name, value, quote);
  }

  Expected<void> take_tag(const std::string& name, const std::string& value, std::size_t at) {
    if (name == "Result") {
      Cursor cursor(value);
      claimed_ = read_result(cursor);
      cursor.skip_spaces();
      if (!claimed_ || !cursor.at_end())
        return wrong_at(at, "expected 1-0, 0-1, 1/2-1/2 or * as the Result");
    } else if (name == "FEN") {
      const auto first = parse_position(value);
      if (!first) return wrong_at(at, first.error().message);
      record_.first = *first;
      has_fen_ = true;
    } else if (name == "SetUp") {
      has_set_up_ = value == "1";
    } else if (name == "Rules") {
      const auto rules = parse_rules_tag(value);
      if (!rules) return wrong_at(at, rules.error().message);
      record_.rules = *rules;
    } else {
      record_.tags.emplace_back(name, value);
    }
    return {};
  }

  // Reads "1-0", "0-1", "1/2-1/2" or "*", with spaces anywhere; where none stands nothing is read.
  static std::optional<Outcome> read_result(Cursor& cursor) {
    for (const Outcome outcome :
         {Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Ongoing}) {
      Cursor attempt = cursor;
      bool matches = true;
      for (const char c : to_string(outcome)) {
        attempt.skip_spaces();
        matches = matches && attempt.accept(c);
      }
      if (!matches) continue;
      cursor = attempt;
      return outcome;
    }
    return std::nullopt;
  }

  // Where the cursor stands, and in the reading of which ply.
  tl::unexpected<Error> wrong_in(const Game& game, const std::string& what) const {
    const bool white = game.position().side_to_move() == Side::White;
    return wrong_at(cursor_.at(), "ply " + std::to_string(game.moves().size() + 1) +
                                      (white ? " (White): " : " (Black): ") + what);
  }

  void skip_move_number() {
    skip_digits();
    cursor_.skip_spaces();
    while (cursor_.accept('.')) continue;
  }

  Expected<void> read_moves() {
    Game game(record_.first, record_.rules);
    std::vector<std::string> comments;
    for (;;) {
      std::string& comment = comments.empty() ? record_.opening_comment : comments.back();
      if (auto done = skip_to_content(comment); !done) return done;
      const std::size_t start = cursor_.at();
      if (const auto result = read_result(cursor_))
        return finish(game, *result, start, std::move(comments));
      if (is_digit(cursor_.peek()) || cursor_.peek() == '.') {
        skip_move_number();
        continue;
      }
      if (!is_letter(cursor_.peek()))
        return wrong_in(game, "expected a move or the result (1-0, 0-1, 1/2-1/2 or *), found " +
                                  cursor_.found());
      if (auto done = read_one_move(game); !done) return done;
      comments.emplace_back();
    }
  }

  Expected<void> read_one_move(Game& game) {
    if (game.is_over())
      return wrong_in(game, "the moves have ended the game before, " +
                                std::string(to_string(game.outcome())));
    std::size_t at = cursor_.at();
    const auto move = read_move(text_, at, game.position(), game.rules());
    cursor_.go_to(at);
    if (!move) return wrong_in(game, move.error().message);
    if (is_name(cursor_.peek()))
      return wrong_in(game, "expected a space after the move, found " + cursor_.found());
    game.play(*move);
    record_.moves.push_back(*move);
    return {};
  }

  Expected<void> finish(const Game& game, Outcome result, std::size_t at,
                        std::vector<std::string> comments) {
    std::string& last = comments.empty() ? record_.opening_comment : comments.back();
    if (auto done = skip_to_content(last); !done) return done;
    if (!cursor_.at_end()) return expected("the end after the result");
    if (claimed_ && *claimed_ != result)
      return wrong_at(at, "the moves end with " + std::string(to_string(result)) +
                              ", but the Result tag says " + std::string(to_string(*claimed_)));
    if (game.is_over() && result != Outcome::Ongoing && result != game.outcome())
      return wrong_at(at, "the result is given as " + std::string(to_string(result)) +
                              ", but the moves end the game " +
                              std::string(to_string(game.outcome())));
    const bool any = std::any_of(comments.begin(), comments.end(),
                                 [](const std::string& comment) { return !comment.empty(); });
    if (any) record_.comments = std::move(comments);
    record_.result = result;
    return {};
  }

  std::string_view text_;
  Cursor cursor_;
  GameRecord record_;
  std::optional<Outcome> claimed_;
  bool has_fen_ = false, has_set_up_ = false;
};

}  // namespace

Expected<GameRecord> parse_record(std::string_view text, const Rules& rules) {
  return RecordReader(text, rules).read();
}

}  // namespace gounki
