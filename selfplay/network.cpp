#include "selfplay/network.h"

#include <utility>

#include "core/random.h"
#include "nn/growth.h"
#include "nn/network_evaluator.h"
#include "selfplay/seeds.h"

namespace gounki::selfplay {

PlayingNetwork serve(nn::Backend& backend, const nn::Checkpoint& checkpoint) {
  const std::string name = nn::checkpoint_path("", checkpoint.step).stem().string();
  return {std::make_shared<nn::NetworkEvaluator>(backend.serve(checkpoint), name),
          checkpoint.step};
}

std::unique_ptr<nn::Learner> first_learner(nn::Backend& backend, const RunConfig& config,
                                           int threads) {
  const auto seed = static_cast<std::uint64_t>(config.run.seed);
  auto learner = backend.make_learner(config.network, config.learner,
                                      derive_seed({seed, kNetworkSeed}), threads);
  const auto weights = first_weights(config);
  if (!weights) return learner;
  nn::TensorFile state = learner->state();
  nn::begin_with(*weights, config.network, state);
  auto begun = backend.restore_learner(state, config.learner, threads);
  if (!begun) throw Failure("run.begin_with: " + begun.error().message);
  return std::move(*begun);
}

NewestNetwork::NewestNetwork(RunFolder run, nn::Backend& backend, const Events& events)
    : run_(std::move(run)), backend_(backend), events_(events) {}

PlayingNetwork NewestNetwork::get() {
  for (const std::filesystem::path& path : nn::checkpoints(run_.path())) {
    if (path == path_) return network_;
    if (damaged_.contains(path)) continue;
    if (const auto checkpoint = nn::load_checkpoint(path)) {
      path_ = path;
      return network_ = serve(backend_, *checkpoint);
    } else {
      damaged_.insert(path);
      tell(events_.damaged, checkpoint.error().message);
    }
  }
  if (network_.evaluator) return network_;
  throw Failure("no checkpoint in " + (run_.path() / "checkpoints").string() + " can be read");
}

}  // namespace gounki::selfplay
