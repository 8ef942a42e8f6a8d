// gounki evaluate as a user runs it.
#include <cmath>
#include <string>

#include <catch2/catch.hpp>

#include "core/files.h"
#include "nn/network_evaluator.h"
#include "program.h"
#include "selfplay/npz.h"
#include "selfplay/shard.h"

using namespace gounki;
using namespace gounki::play;
using Catch::Matchers::Contains;

TEST_CASE("evaluate writes what players are told") {
  const TemporaryFolder folder;
  const std::string run = (folder / "run").string(), out = (folder / "out.npz").string();
  const Ran played = gounki_program(
      "selfplay \"$golden/../../configs/ci.toml\" --run " + run +
      " --groups 1 --threads 1 --set selfplay.games_per_group=2 --set search.visits=2");
  INFO(played.err);
  REQUIRE(played.status == 0);
  const std::string samples = run + "/samples/00000000.npz";

  const Ran ran = gounki_program("evaluate " + run + " " + samples + " " + out);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  CHECK(ran.err.empty());
  const auto shard = selfplay::load_shard(samples);
  REQUIRE(shard);
  CHECK_THAT(ran.out, Contains("step-00000000.safetensors says of " +
                               std::to_string(shard->samples.size()) + " samples"));

  const auto arrays = selfplay::parse_npz(read_file(out));
  REQUIRE(arrays);
  CHECK_FALSE(arrays->contains("planes"));
  const auto plies = selfplay::values_of<float>(arrays->at("plies_left"));
  const auto logits = selfplay::values_of<float>(arrays->at("policy_logits"));
  REQUIRE(plies.size() == shard->samples.size());
  const auto network = nn::load_network(run);
  REQUIRE(network);
  std::size_t first = 0;
  for (std::size_t i = 0; i < plies.size(); ++i) {
    const selfplay::Sample& sample = shard->samples[i];
    mcts::Leaf leaf;
    leaf.position = sample.position;
    leaf.repetitions = sample.repetitions;
    leaf.moves = legal_moves(sample.position);
    const mcts::Leaf* leaves[] = {&leaf};
    mcts::Evaluation evaluation[1];
    (*network)->evaluate(leaves, evaluation);
    CHECK(evaluation[0].plies_left == plies[i]);
    // The ratio of two priors follows from their logits.
    const std::size_t last = sample.policy.size() - 1;
    CHECK(std::log(evaluation[0].priors[0] / evaluation[0].priors[last]) ==
          Approx(logits[first] - logits[first + last]).margin(1e-4));
    first += sample.policy.size();
  }

  INFO("a checkpoint is the same network, and planes come where they are asked for");
  const Ran planes = gounki_program("evaluate --json --planes " + run +
                                    "/checkpoints/step-00000000.safetensors " + samples + " " + out);
  CHECK_THAT(planes.out, Contains("\"step\":0,\"samples\":"));
  const auto again = selfplay::parse_npz(read_file(out));
  REQUIRE(again);
  CHECK(again->contains("planes"));
  CHECK(again->at("policy_logits").data == arrays->at("policy_logits").data);

  INFO("a damaged shard is named and nothing is written");
  write_file_atomically(folder / "bad.npz", read_file(samples).substr(0, 900));
  const Ran bad = gounki_program("evaluate " + run + " " + (folder / "bad.npz").string() + " " +
                                 (folder / "none.npz").string());
  CHECK(bad.status == 1);
  CHECK_THAT(bad.err, Contains("bad.npz: "));
  CHECK(folder.names() == std::vector<std::string>{"bad.npz", "out.npz", "run"});
}
