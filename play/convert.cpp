// gounki convert: between our texts and those of other public Gounki programs, and from records to
// samples.
#include <algorithm>
#include <array>
#include <memory>

#include <spdlog/fmt/fmt.h>

#include "core/files.h"
#include "core/notation.h"
#include "core/public_notation.h"
#include "core/record.h"
#include "core/text.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/options.h"
#include "selfplay/config.h"
#include "selfplay/record_samples.h"
#include "selfplay/shard.h"

namespace gounki::play {
namespace {

constexpr std::size_t kNotesShown = 10;

struct ConvertOptions : RulesOptions {
  std::string in, out, from, to;
  std::string position = "start", side = "white";
};

struct Converted {
  std::string text;  // or the bytes of a file that is none
  std::vector<std::string> notes;  // what the text left open, or what gets lost
};

std::string_view first_word(std::string_view text) {
  const auto start = std::find_if_not(text.begin(), text.end(), is_space);
  return {start, std::find_if(start, text.end(), is_space)};
}

std::string_view last_word(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const auto start = std::find_if(text.rbegin(), text.rend(), is_space).base();
  return {start, text.end()};
}

bool looks_like_board(std::string_view text) {
  const std::string_view word = first_word(text);
  return word.size() == 2 && std::string_view("BNV").find(word[0]) != std::string_view::npos &&
         is_digit(word[1]);
}

bool looks_like_position(std::string_view text) {
  const std::string_view word = first_word(text);
  return word == "start" || (is_letter(word[0]) && word.find('/') != std::string_view::npos);
}

// Moves alone, without the result that ends a record.
bool looks_like_moves(std::string_view text) {
  const std::string_view word = last_word(text);
  return is_letter(first_word(text)[0]) && word != "1-0" && word != "0-1" && word != "1/2-1/2" &&
         word != "*";
}

bool looks_like_record(std::string_view) { return true; }  // nothing else is left

bool never(std::string_view) { return false; }

// The forms that files may have. A file is taken for the first that it looks like, whatever is wrong
// in it. What has no counterpart is only written.
struct Kind {
  const char *name, *help, *counterpart;
  bool (*looks_like)(std::string_view text);
};
constexpr std::array<Kind, 5> kKinds{{
    {"board", "boards of other programs, 64 codes each", "position", looks_like_board},
    {"position", "positions as --position takes them, one a line", "board", looks_like_position},
    {"moves", "games of other programs, as moves alone", "record", looks_like_moves},
    {"record", "game records", "moves", looks_like_record},
    {"samples", "a sample shard (.npz) to learn from, of records; --to only", nullptr, never},
}};

GameRecord read_game(std::string_view text, const ConvertOptions& options, const Position& first,
                     const std::string& place) {
  GameRecord record =
      value_or_throw<Failure>(parse_record(text, options.rules()), options.in + ": " + place);
  if (record.first.same_board(first)) return record;
  throw Failure(fmt::format("{}: {}: begins at {}, which moves alone do not tell; give that as "
                            "--position and convert the position too", options.in, place,
                            to_string(record.first)));
}

void note_losses(const GameRecord& record, const std::string& place, Converted& out) {
  const Outcome made = record.replay().outcome();
  if (record.moves.empty())
    out.notes.push_back(place + ": has no moves and is left out");
  else if (record.result != made)
    out.notes.push_back(fmt::format("{}: the result {} is lost, the moves do not make it", place,
                                    to_string(record.result)));
}

Converted record_to_moves(std::string_view text, const ConvertOptions& options) {
  const Position first = value_or_throw<Failure>(parse_position(options.position), "--position");
  Converted out;
  int number = 0;
  for (const std::string_view game : split_records(text)) {
    const std::string place = fmt::format("game {}", ++number);
    const GameRecord record = read_game(game, options, first, place);
    note_losses(record, place, out);
    if (record.moves.empty()) continue;
    if (!out.text.empty()) out.text += '\n';
    out.text += to_public_text(record);
  }
  return out;
}

Converted moves_to_record(std::string_view text, const ConvertOptions& options) {
  const Position first = value_or_throw<Failure>(parse_position(options.position), "--position");
  PublicGames read =
      value_or_throw<Failure>(parse_public_games(text, first, options.rules()), options.in);
  Converted out;
  out.notes = std::move(read.notes);
  for (const GameRecord& game : read.games) {
    if (!out.text.empty()) out.text += '\n';
    out.text += to_string(game);
  }
  return out;
}

Converted position_to_board(std::string_view text, const ConvertOptions& options) {
  Converted out;
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string place = fmt::format("line {}", ++number);
    at = end + 1;
    if (std::all_of(line.begin(), line.end(), is_space)) continue;
    const Position position =
        value_or_throw<Failure>(parse_position(line), options.in + ": " + place);
    if (position.side_to_move() == Side::Black)
      out.notes.push_back(place + ": that Black is to move is lost, a board does not tell");
    if (!out.text.empty()) out.text += '\n';
    out.text += to_public_board(position);
  }
  return out;
}

Converted board_to_position(std::string_view text, const ConvertOptions& options) {
  const Side side = options.side == "black" ? Side::Black : Side::White;
  Converted out;
  for (const Position& position :
       value_or_throw<Failure>(parse_public_boards(text, side), options.in))
    out.text += to_string(position) + "\n";
  return out;
}

Converted record_to_samples(std::string_view text, const ConvertOptions& options) {
  Converted out;
  selfplay::Shard shard;
  std::int64_t number = 0;
  for (const std::string_view game : split_records(text)) {
    const std::string place = fmt::format("game {}", number + 1);
    const auto record = value_or_throw<Failure>(parse_record(game, options.rules()),
                                                options.in + ": " + place);
    const auto samples = value_or_throw<Failure>(
        selfplay::samples_of(record, number++, selfplay::SelfplaySection().capped_weight),
        options.in + ": " + place);
    if (samples.empty())
      out.notes.push_back(fmt::format(
          "{}: has no {} and is left out", place,
          record.result == Outcome::Ongoing ? "result" : "move to learn from"));
    shard.samples.insert(shard.samples.end(), samples.begin(), samples.end());
  }
  if (shard.samples.empty()) throw Failure(options.in + ": no game has a move to learn from");
  out.text = selfplay::to_bytes(shard);
  return out;
}

struct Conversion {
  std::string_view from, to;
  Converted (*convert)(std::string_view text, const ConvertOptions& options);
};
constexpr std::array<Conversion, 5> kConversions{{
    {"record", "moves", record_to_moves},
    {"record", "samples", record_to_samples},
    {"moves", "record", moves_to_record},
    {"position", "board", position_to_board},
    {"board", "position", board_to_position},
}};

const Kind& kind_of(std::string_view text, const ConvertOptions& options) {
  return *std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& kind) {
    return options.from.empty() ? kind.looks_like(text) : options.from == kind.name;
  });
}

const Conversion& conversion_for(std::string_view text, const ConvertOptions& options) {
  const Kind& from = kind_of(text, options);
  const std::string_view to =
      options.to.empty() ? std::string_view(from.counterpart) : std::string_view(options.to);
  const auto found = std::find_if(
      kConversions.begin(), kConversions.end(),
      [&](const Conversion& conversion) { return conversion.from == from.name && conversion.to == to; });
  if (found != kConversions.end()) return *found;
  std::string expected;
  for (const Conversion& conversion : kConversions)
    if (conversion.from == from.name)
      expected += fmt::format("{}{}", expected.empty() ? "" : " or ", conversion.to);
  throw UsageError(fmt::format("{}: is read as {} ({}), of which {} cannot be made; expected --to {}",
                               options.in, from.name, from.help, to, expected));
}

void run_convert(const ConvertOptions& options) {
  const std::string text =
      options.in == "-" ? read_file("/dev/stdin") : read_record_file(options.in);
  if (std::all_of(text.begin(), text.end(), is_space))
    throw Failure(options.in + ": holds nothing to convert");
  const Converted converted = conversion_for(text, options).convert(text, options);
  for (std::size_t i = 0; i < std::min(converted.notes.size(), kNotesShown); ++i)
    fmt::print(stderr, "{}: {}\n", options.in, converted.notes[i]);
  if (converted.notes.size() > kNotesShown)
    fmt::print(stderr, "{}: and {} more notes\n", options.in, converted.notes.size() - kNotesShown);
  if (options.out == "-") fmt::print("{}", converted.text);
  else write_file_atomically(options.out, converted.text);
}

std::string kinds_help() {
  std::string out = "Kinds for --from and --to:\n";
  for (const Kind& kind : kKinds) out += fmt::format("  {:<10} {}\n", kind.name, kind.help);
  return out;
}

}  // namespace

void add_convert(Program& program) {
  auto options = std::make_shared<ConvertOptions>();
  Command command = program.add_command(
      "convert", "Convert records and positions to the texts of other programs and back, records to samples");
  std::vector<std::string> read, written;
  for (const Kind& kind : kKinds) {
    written.push_back(kind.name);
    if (kind.counterpart != nullptr) read.push_back(kind.name);
  }
  command.option("IN", options->in, "A file, or - for the standard input", {.required = true});
  command.option("OUT", options->out, "A file, or - for the standard output", {.required = true});
  command.option("--from", options->from, "What IN holds; what it looks like unless given",
                 {.type = "KIND", .choices = read});
  command.option("--to", options->to, "What OUT is to hold; the counterpart of IN unless given",
                 {.type = "KIND", .choices = written});
  command.option("--position", options->position, "Where moves begin, which they do not tell");
  command.option("--side", options->side, "Who is to move on a board, which it does not tell",
                 {.choices = {"white", "black"}});
  add_rules_options(command, *options);
  command.example("gounki convert game.pgn game.txt", kinds_help());
  command.run([options] { run_convert(*options); });
}

}  // namespace gounki::play
