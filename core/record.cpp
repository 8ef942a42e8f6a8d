#include "core/record.h"

#include <algorithm>
#include <array>

#include "core/notation.h"
#include "core/record_text.h"
#include "core/text.h"

namespace gounki {
namespace {

constexpr std::size_t kLineWidth = 80;

struct RuleSwitch {
  std::string_view off;
  bool Rules::*on;
};
constexpr std::array<RuleSwitch, 3> kRuleSwitches{{
    {"no-null-moves", &Rules::null_moves},
    {"no-repetition-draw", &Rules::repetition_draw},
    {"no-quiet-draw", &Rules::quiet_draw},
}};

bool follows_from_fields(std::string_view tag) {
  return tag == "Result" || tag == "SetUp" || tag == "FEN" || tag == "Rules";
}

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

std::string to_rules_tag(const Rules& rules) {
  std::string text;
  for (const RuleSwitch& s : kRuleSwitches)
    if (!(rules.*s.on)) text += (text.empty() ? "" : ",") + std::string(s.off);
  return text;
}

Expected<Rules> parse_rules_tag(std::string_view value) {
  std::string words(value);
  std::replace(words.begin(), words.end(), ',', ' ');
  Rules rules;
  for (const std::string& word : words_of(words)) {
    const auto* s = std::find_if(kRuleSwitches.begin(), kRuleSwitches.end(),
                                 [&word](const RuleSwitch& each) { return each.off == word; });
    if (s == kRuleSwitches.end())
      return fail("unknown rule \"" + word + "\", known: " + to_rules_tag({false, false, false}));
    rules.*s->on = false;
  }
  return rules;
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
  if (record.rules != Rules()) out += tag_text("Rules", to_rules_tag(record.rules));
  out += '\n';
  write_moves(record, out);
  return out;
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
