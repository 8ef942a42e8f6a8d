// gounki sprt: what the counts of a match's pairs say, and whether they are enough.
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "arena/elo.h"
#include "arena/sprt.h"
#include "play/command_line.h"
#include "play/commands.h"
#include "play/options.h"
#include "play/strength_json.h"

namespace gounki::play {
namespace {

struct SprtOptions {
  std::string counts;
  arena::SprtConfig test;
  bool json = false;
};

// A sum of games must fit, so a count is at most 10^15.
std::int64_t read_count(const std::string& text) {
  std::int64_t count = 0;
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  const char* end = first == std::string::npos ? nullptr : text.data() + last + 1;
  const auto read = end ? std::from_chars(text.data() + first, end, count)
                        : std::from_chars_result{nullptr, std::errc::invalid_argument};
  if (read.ec != std::errc{} || read.ptr != end || count < 0 || count > 1'000'000'000'000'000)
    throw UsageError(fmt::format("COUNTS: \"{}\" is not a number of pairs", text));
  return count;
}

arena::PairCounts read_counts(const std::string& text) {
  std::vector<std::int64_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    counts.push_back(read_count(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  arena::PairCounts pairs{};
  if (counts.size() == 3)
    throw UsageError(
        "COUNTS: wins, draws and losses do not say which games were a pair, and without that their "
        "error is wrong; give the five counts of pairs that `gounki match` prints");
  if (counts.size() != pairs.size())
    throw UsageError(fmt::format("COUNTS: expected five numbers, of pairs that scored 0, ½, 1, 1½ "
                                 "and 2 points, found {}", counts.size()));
  std::copy(counts.begin(), counts.end(), pairs.begin());
  return pairs;
}

bool normalized(const arena::SprtConfig& test) { return test.model == "normalized"; }

// Pairs that a test takes on average if H0 is true, halfway, and if H1 is true.
std::array<double, 3> expected_pairs(const arena::SprtConfig& test) {
  return {arena::sprt_expected_pairs(test, test.elo0),
          arena::sprt_expected_pairs(test, (test.elo0 + test.elo1) / 2),
          arena::sprt_expected_pairs(test, test.elo1)};
}

void print_json(const SprtOptions& options, const arena::PairCounts& pairs,
                const arena::SprtResult& result) {
  Json out = {{"pairs", pairs}};
  out.update(sprt_json(options.test, result));
  add_strength(out, arena::estimate_strength(pairs));
  if (normalized(options.test)) out["expected_pairs"] = expected_pairs(options.test);
  fmt::print("{}\n", out.dump());
}

std::string verdict_text(const SprtOptions& options, const arena::SprtResult& result) {
  const std::string elo = normalized(options.test) ? "normalised Elo" : "Elo";
  switch (result.verdict) {
    case arena::SprtVerdict::kH1:
      return fmt::format("H1 accepted: the first player is better by {:g} {} rather than by {:g}",
                         options.test.elo1, elo, options.test.elo0);
    case arena::SprtVerdict::kH0:
      return fmt::format("H0 accepted: the first player is better by {:g} {} rather than by {:g}",
                         options.test.elo0, elo, options.test.elo1);
    case arena::SprtVerdict::kUndecided: break;
  }
  if (std::isinf(result.pairs_left)) return "undecided";
  return fmt::format("undecided: about {:.0f} more pairs if the difference is what these show",
                     std::max(1.0, result.pairs_left));
}

void print_text(const SprtOptions& options, const arena::PairCounts& pairs,
                const arena::SprtResult& result) {
  const arena::Strength strength = arena::estimate_strength(pairs);
  const arena::SprtConfig& test = options.test;
  fmt::print("{} pairs; of 0, ½, 1, 1½, 2 points: {}\n", strength.pairs, fmt::join(pairs, ", "));
  if (strength.pairs > 0) {
    fmt::print("{}\n", arena::to_string(strength));
    if (!strength.uniform)
      fmt::print("normalised Elo {:+.2f} ± {:.2f} (95 %)\n", strength.normalized_elo,
                 strength.normalized_error);
  }
  fmt::print("SPRT of {:g} against {:g} {}, alpha {:g}, beta {:g}\n", test.elo0, test.elo1,
             normalized(test) ? "normalised Elo" : "Elo", test.alpha, test.beta);
  if (normalized(test)) {
    const auto expected = expected_pairs(test);
    fmt::print("  takes about {:.0f} pairs where H0 is true, {:.0f} halfway, {:.0f} where H1 is\n",
               expected[0], expected[1], expected[2]);
  }
  fmt::print("LLR {:.3f}, bounds {:.3f} and {:.3f}\n{}\n", result.llr, result.lower, result.upper,
             verdict_text(options, result));
}

void run_sprt(const SprtOptions& options) {
  const arena::PairCounts pairs = read_counts(options.counts);
  const arena::SprtResult result = arena::sprt(pairs, options.test);
  options.json ? print_json(options, pairs, result) : print_text(options, pairs, result);
}

}  // namespace

void add_sprt(Program& program) {
  auto options = std::make_shared<SprtOptions>();
  Command command = program.add_command(
      "sprt", "Say from counts of pairs who is better, and whether they are enough (SPRT)");
  command.option("COUNTS", options->counts, "Pairs of 0, ½, 1, 1½ and 2 points: a,b,c,d,e",
                 {.required = true});
  add_param_options(command, options->test);
  command.flag("--json", options->json, "Print one JSON object");
  command.example("gounki sprt 365,16618,36229,16974,390 --elo0 0 --elo1 2");
  command.run([options] { run_sprt(*options); });
}

}  // namespace gounki::play
