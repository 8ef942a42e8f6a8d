#include "core/record.h"

#include <algorithm>
#include <array>

#include "core/notation.h"

namespace gounki {
namespace {

constexpr std::size_t kLineWidth = 80;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct RuleSwitch {
  std::string_view off;
  bool Rules::*on;
};
constexpr std::array<RuleSwitch, 3> kRuleSwitches{{
    {"no-null-moves", &Rules::null_moves},
    {"no-repetition-draw", &Rules::repetition_draw},
    {"no-quiet-draw", &Rules::quiet_draw},
}};

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool follows_from_fields(std::string_view tag) {
  return tag == "Result" || tag == "SetUp" || tag == "FEN" || tag == "Rules";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const bool separates = c == ' ' || is_control(c);
    if (!separates && !inside) words.emplace_back();
    if (!separates) words.back() += c;
    inside = !separates;
  }
  return words;
}

// ---------------------------------------------------------------------------------------- writing

std::string tag_text(std::string_view name, std::string_view value) {
  std::string text = "[" + std::string(name) + " \"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += is_control(c) ? ' ' : c;
  }
  return text + "\"]\n";
}

// Words in lines of at most kLineWidth bytes.
class LineWriter {
 public:
  explicit LineWriter(std::string& out) : out_(out) {}

  void word(const std::string& word) {
    // Simple readers take a line that begins so for a tag or for an escape, also inside a comment.
    const bool may_begin_line = word[0] != '[' && word[0] != '%';
    if (used_ > 0 && used_ + 1 + word.size() > kLineWidth && may_begin_line) end_line();
    if (used_ > 0) append(" ");
    append(word);
  }
  void end_line() {
    if (used_ > 0) out_ += '\n';
    used_ = 0;
  }
  // In braces; braces know no escape, so what holds a closing one runs from ; to the line's end.
  void comment(const std::string& text) {
    std::vector<std::string> words = words_of(text);
    if (words.empty()) return;
    if (text.find('}') == std::string::npos) {
      words.front().insert(0, 1, '{');
      words.back() += '}';
      for (const std::string& w : words) word(w);
      return;
    }
    if (used_ > 0) append(" ");
    append(";");
    for (const std::string& w : words) {
      if (used_ > 1 && used_ + 1 + w.size() > kLineWidth) {
        end_line();
        append(";");
      }
      append(" " + w);
    }
    end_line();
  }

 private:
  void append(const std::string& text) {
    out_ += text;
    used_ += text.size();
  }
  std::string& out_;
  std::size_t used_ = 0;
};

std::string rules_text(const Rules& rules) {
  std::string text;
  for (const RuleSwitch& s : kRuleSwitches)
    if (!(rules.*s.on)) text += (text.empty() ? "" : ",") + std::string(s.off);
  return text;
}

void write_moves(const GameRecord& record, std::string& out) {
  LineWriter line(out);
  line.comment(record.opening_comment);
  Position position = record.first;
  int number = position.ply() / 2 + 1;
  bool needs_number = true;
  for (std::size_t i = 0; i < record.moves.size(); ++i) {
    const bool white = position.side_to_move() == Side::White;
    std::string move = to_string(record.moves[i], position);
    if (white || needs_number) move = std::to_string(number) + (white ? ". " : "... ") + move;
    line.word(move);
    const std::string comment = i < record.comments.size() ? record.comments[i] : "";
    line.comment(comment);
    needs_number = !comment.empty();
    position = position.after(record.moves[i]);
    number += !white;
  }
  line.word(std::string(to_string(record.result)));
  line.end_line();
}

// ---------------------------------------------------------------------------------------- reading

class RecordReader {
 public:
  RecordReader(std::string_view text, const Rules& rules) : text_(text) { record_.rules = rules; }

  Expected<GameRecord> read() {
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
    if (auto done = read_tags(); !done) return tl::make_unexpected(done.error());
    if (auto done = read_moves(); !done) return tl::make_unexpected(done.error());
    return std::move(record_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool at_end() const { return at_ >= text_.size(); }

  tl::unexpected<Error> wrong_at(std::size_t at, const std::string& what) const {
    const std::string_view before = text_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    return fail("line " + std::to_string(line) + ", column " +
                std::to_string(character_number(text_.substr(start), at - start)) + ": " + what);
  }
  tl::unexpected<Error> expected(const std::string& what) const {
    return wrong_at(at_, "expected " + what + ", found " + found_at(text_, at_));
  }

  void skip_spaces() {
    while (!at_end() && is_space(peek())) ++at_;
  }
  bool begins_line() const { return at_ == 0 || text_[at_ - 1] == '\n'; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  // Skips what is no tag, move, number or result; comments go to `comment`.
  Expected<void> skip_to_content(std::string& comment) {
    for (;;) {
      skip_spaces();
      const std::size_t start = at_;
      const char c = peek();
      if (c == '{') {
        const std::size_t end = text_.find('}', at_);
        if (end == std::string_view::npos) return wrong_at(start, "this comment is never closed");
        add_comment(text_.substr(start + 1, end - start - 1), comment);
        at_ = end + 1;
      } else if (c == ';') {
        skip_line();
        add_comment(text_.substr(start + 1, at_ - start - 1), comment);
      } else if (c == '%' && begins_line()) {
        skip_line();
      } else if (c == '$' || c == '!' || c == '?') {
        do ++at_;
        while (is_digit(peek()));
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
      if (peek() != '[') break;
      if (auto done = read_tag(); !done) return done;
    }
    if (has_set_up_ && !has_fen_)
      return wrong_at(at_, "the SetUp tag announces a position, but there is no FEN tag");
    return {};
  }

  Expected<void> read_tag() {
    ++at_;
    skip_spaces();
    const std::size_t start = at_;
    while (is_name(peek())) ++at_;
    const std::string name(text_.substr(start, at_ - start));
    if (name.empty()) return expected("the name of a tag");
    skip_spaces();
    if (peek() != '"') return expected("the value of " + name + " in quotes");
    const std::size_t quote = at_++;
    std::string value;
    for (; peek() != '"'; ++at_) {
      if (peek() == '\\' && at_ + 1 < text_.size()) ++at_;
      if (at_end() || peek() == '\n') return wrong_at(quote, "the value of " + name + " has no end");
      value += is_control(peek()) ? ' ' : peek();
    }
    ++at_;
    skip_spaces();
    if (peek() != ']') return expected("] after the value of " + name);
    ++at_;
    return take_tag(name, value, quote);
  }

  Expected<void> take_tag(const std::string& name, const std::string& value, std::size_t at) {
    if (name == "Result") {
      std::size_t end = 0;
      claimed_ = read_result(value, end);
      if (!claimed_ || value.find_first_not_of(" \t", end) != std::string::npos)
        return wrong_at(at, "expected 1-0, 0-1, 1/2-1/2 or * as the Result");
    } else if (name == "FEN") {
      const auto first = parse_position(value);
      if (!first) return wrong_at(at, first.error().message);
      record_.first = *first;
      has_fen_ = true;
    } else if (name == "SetUp") {
      has_set_up_ = value == "1";
    } else if (name == "Rules") {
      return take_rules(value, at);
    } else {
      record_.tags.emplace_back(name, value);
    }
    return {};
  }

  Expected<void> take_rules(std::string_view value, std::size_t at) {
    std::string words(value);
    std::replace(words.begin(), words.end(), ',', ' ');
    record_.rules = Rules();
    for (const std::string& word : words_of(words)) {
      const auto* s = std::find_if(kRuleSwitches.begin(), kRuleSwitches.end(),
                                   [&word](const RuleSwitch& each) { return each.off == word; });
      if (s == kRuleSwitches.end())
        return wrong_at(at, "unknown rule \"" + word +
                                "\", known: no-null-moves, no-repetition-draw, no-quiet-draw");
      record_.rules.*s->on = false;
    }
    return {};
  }

  // Reads "1-0", "0-1", "1/2-1/2" or "*", with spaces anywhere, at `at` and moves it behind.
  static const Outcome* read_result(std::string_view text, std::size_t& at) {
    struct Form { std::string_view text; Outcome outcome; };
    static constexpr std::array<Form, 4> kForms{{{"1-0", Outcome::WhiteWins},
                                                 {"0-1", Outcome::BlackWins},
                                                 {"1/2-1/2", Outcome::Draw},
                                                 {"*", Outcome::Ongoing}}};
    for (const Form& form : kForms) {
      std::size_t i = at;
      bool matches = true;
      for (const char c : form.text) {
        while (i < text.size() && is_space(text[i])) ++i;
        matches = matches && i < text.size() && text[i] == c;
        ++i;
      }
      if (!matches) continue;
      at = i;
      return &form.outcome;
    }
    return nullptr;
  }

  std::string ply_name(const Position& position) const {
    return "ply " + std::to_string(record_.moves.size() + 1) + " (" +
           (position.side_to_move() == Side::White ? "White" : "Black") + "): ";
  }

  void skip_move_number() {
    while (is_digit(peek())) ++at_;
    skip_spaces();
    while (peek() == '.') ++at_;
  }

  Expected<void> read_moves() {
    Game game(record_.first, record_.rules);
    std::vector<std::string> comments;
    for (;;) {
      std::string& comment = comments.empty() ? record_.opening_comment : comments.back();
      if (auto done = skip_to_content(comment); !done) return done;
      const std::size_t start = at_;
      if (const Outcome* result = read_result(text_, at_))
        return finish(game, *result, start, std::move(comments));
      if (is_digit(peek()) || peek() == '.') {
        skip_move_number();
        continue;
      }
      if (!is_letter(peek())) {
        return wrong_at(at_, ply_name(game.position()) +
                                 "expected a move or the result (1-0, 0-1, 1/2-1/2 or *), found " +
                                 found_at(text_, at_));
      }
      if (auto done = read_one_move(game); !done) return done;
      comments.emplace_back();
    }
  }

  Expected<void> read_one_move(Game& game) {
    const std::string ply = ply_name(game.position());
    if (game.is_over())
      return wrong_at(at_, ply + "the moves have ended the game before, " +
                               std::string(to_string(game.outcome())));
    const auto move = read_move(text_, at_, game.position(), game.rules());
    if (!move) return wrong_at(at_, ply + move.error().message);
    if (is_name(peek()))
      return wrong_at(at_, ply + "expected a space after the move, found " + found_at(text_, at_));
    game.play(*move);
    record_.moves.push_back(*move);
    return {};
  }

  Expected<void> finish(const Game& game, Outcome result, std::size_t at,
                        std::vector<std::string> comments) {
    std::string& last = comments.empty() ? record_.opening_comment : comments.back();
    if (auto done = skip_to_content(last); !done) return done;
    if (!at_end()) return expected("the end after the result");
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
  std::size_t at_ = 0;
  GameRecord record_;
  const Outcome* claimed_ = nullptr;
  bool has_fen_ = false, has_set_up_ = false;
};

// The place behind the next `end`, or the end of the text.
std::size_t behind(std::string_view text, std::size_t at, char end) {
  return std::min(text.find(end, at), text.size() - 1) + 1;
}

// The place behind the tag that begins at text[at], or behind its line where the tag has no end.
std::size_t behind_tag(std::string_view text, std::size_t at) {
  bool quoted = false;
  for (; at < text.size() && text[at] != '\n'; ++at) {
    if (quoted && text[at] == '\\') ++at;
    else if (text[at] == '"') quoted = !quoted;
    else if (text[at] == ']' && !quoted) break;
  }
  return std::min(at + 1, text.size());
}

}  // namespace

const std::string* GameRecord::tag(std::string_view name) const {
  const auto found =
      std::find_if(tags.begin(), tags.end(), [name](const Tag& tag) { return tag.first == name; });
  return found == tags.end() ? nullptr : &found->second;
}

Game GameRecord::replay() const {
  Game game(first, rules);
  for (const Move move : moves) game.play(move);
  return game;
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::WhiteWins: return "1-0";
    case Outcome::BlackWins: return "0-1";
    case Outcome::Draw: return "1/2-1/2";
    case Outcome::Ongoing: break;
  }
  return "*";
}

std::string to_string(const GameRecord& record) {
  std::string out;
  for (const auto& [name, value] : record.tags)
    if (!follows_from_fields(name)) out += tag_text(name, value);
  out += tag_text("Result", to_string(record.result));
  if (record.first != Position::start()) {
    out += tag_text("SetUp", "1");
    out += tag_text("FEN", to_string(record.first));
  }
  if (const std::string rules = rules_text(record.rules); !rules.empty())
    out += tag_text("Rules", rules);
  out += '\n';
  write_moves(record, out);
  return out;
}

Expected<GameRecord> parse_record(std::string_view text, const Rules& rules) {
  return RecordReader(text, rules).read();
}

std::vector<std::string_view> split_records(std::string_view text) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark)
    text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string_view> records;
  std::size_t start = 0;
  bool in_moves = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (c == '[' && in_moves) {
      records.push_back(text.substr(start, at - start));
      start = at;
      in_moves = false;
    }
    if (c == '{') at = behind(text, at, '}');
    else if (c == ';' || (c == '%' && begins_line)) at = behind(text, at, '\n');
    else if (c == '[') at = behind_tag(text, at);
    else {
      in_moves = in_moves || !is_space(c);
      ++at;
    }
  }
  const std::string_view rest = text.substr(start);
  if (!std::all_of(rest.begin(), rest.end(), is_space)) records.push_back(rest);
  return records;
}

}  // namespace gounki
