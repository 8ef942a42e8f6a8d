#include "mcts/signature.h"

#include <array>

#include "core/notation.h"
#include "mcts/evaluators.h"

namespace gounki::mcts {
namespace {

constexpr int kVisits = 4000;

// From the start to the end of games; the last are close to a draw by quiet plies, and nearly
// empty.
constexpr std::array kPositions{
    "start",
    "r,s,r,s,x,s,r,s/s,r,s,rr,s,r,s,r/x8/x8/x8/x3,R,x4/R,S,x,S,R,S,R,S/S,R,S,R,S,R,S,R w 0 2",
    "r,s,r,s,r,s,r,s/s,r,s,r,s,r,x,r/x6,s,x/x8/x8/x8/R,S,R,S,R,SSR,x2/S,R,S,R,S,R,S,R b 1 3",
    "r,s,r,s,x,s,r,s/s,r,x,rr,s,r,s,r/x2,s,x5/x8/x8/x8/R,S,R,S,SRR,S,RR,S/S,R,S,x2,R,S,x b 0 5",
    "x,s,r,s,r,s,x,s/s,rr,x,r,s,rr,s,r/x2,s,x5/x8/x2,RR,x5/x8/x,S,SR,S,R,S,SR,S/"
    "S,x2,R,S,R,x,R b 0 7",
    "sr,x,r,x,r,s,r,s/s,sr,x,ssr,x,r,s,r/x8/x8/x8/x3,S,x4/SR,x,RR,x,SR,S,SR,S/S,R,S,x2,R,x,R b 0 9",
    "x2,sr,x,r,x,r,s/s,rr,x2,s,sr,s,r/x8/x3,ssr,x4/x8/x6,R,RR/R,S,SR,S,SSR,x2,S/"
    "S,R,x,R,S,x3 w 0 12",
    "r,x,r,s,x,s,r,x/s,x,s,x,s,r,ssr,x/r,x,rr,x5/s,x7/x7,S/x3,RR,x,S,x2/RR,S,S,S,x2,R,x/"
    "S,x2,R,S,R,S,R b 0 13",
    "r,x2,s,x2,sr,s/s,x2,rr,s,x2,sr/x,srr,s,x,r,x3/x8/x6,RR,x/x,R,x3,S,x2/R,S,x,S,SRR,x2,S/"
    "SSR,x4,R,S,x w 2 16",
    "x,s,r,s,r,x,sr,x/x2,s,r,s,x3/x6,r,x/x2,srr,x3,s,sr/x,S,R,x,R,x3/x3,R,S,R,x2/"
    "RR,SSR,x2,S,x2,S/S,x5,S,R b 0 21",
    "x,s,r,x,s,x,r,s/x,r,sr,r,s,rr,x2/s,x5,s,x/x8/SSR,x4,s,r,x/x3,SRR,x4/x3,S,SSR,x2,S/"
    "x,R,x4,S,R w 0 22",
    "r,s,x,s,x2,s,x/x2,s,x,s,r,s,s/x8/srr,x6,R/x4,RR,x,R,x/x,R,x2,S,RRR,x2/x,S,x3,S,x2/"
    "S,x,S,x3,S,x w 0 28",
    "x2,r,x,r,s,x,s/x7,s/sr,x,R,x,ssr,x3/x,s,S,S,R,x2,r/x,s,x3,R,r,x/x,R,x2,S,r,S,S/"
    "S,x,RR,x2,S,x2/x2,S,x5 b 0 31",
    "x6,r,s/x,r,x2,s,x,s,r/x2,ss,x2,s,x2/x4,r,RR,x2/x3,r,x4/ssr,x2,SSR,x2,R,x/R,S,x5,S/"
    "x,SR,x2,S,x3 w 0 34",
    "x8/s,x,ss,x5/x8/x8/x8/x8/x4,SS,x2,S/x8 w 94 150",
    "x8/x8/x8/x2,sr,x5/x8/x5,SSR,x2/x8/x8 b 4 60",
};

std::int64_t run_part(const std::string& algorithm, const std::string& position,
                      const std::function<void(const SignaturePart&)>& on_search) {
  SearchConfig config;
  config.algorithm = algorithm;
  config.visits = kVisits;
  // Noise draws the random numbers into the signature too.
  config.root_noise_weight = 0.25;
  config.gumbel_noise = 1.0;
  Search search(config);
  search.start(Game(parse_position(position).value()), 1);
  Search* const searches[] = {&search};
  HashEvaluator evaluator;
  run_in_lock_step(searches, evaluator);

  SignaturePart part{algorithm, position, search.result(), 0};
  // Almost every visit makes one node, whatever the search does. Counting the visits of the root's
  // n-th move n times tells apart where they went.
  part.count = part.result.nodes + part.result.seldepth;
  for (std::size_t i = 0; i < part.result.moves.size(); ++i)
    part.count += static_cast<std::int64_t>(i + 1) * part.result.moves[i].visits;
  if (on_search) on_search(part);
  return part.count;
}

}  // namespace

std::int64_t search_signature(const std::function<void(const SignaturePart&)>& on_search) {
  std::int64_t signature = 0;
  for (const char* algorithm : {"puct", "gumbel"})
    for (const char* position : kPositions) signature += run_part(algorithm, position, on_search);
  return signature;
}

}  // namespace gounki::mcts
