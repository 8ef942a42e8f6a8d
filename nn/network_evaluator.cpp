#include "nn/network_evaluator.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

#include "nn/softmax.h"

namespace gounki::nn {
namespace {

constexpr const char* kReferenceVariable = "GOUNKI_REFERENCE";
constexpr const char* kReferencePlace = "share/gounki/models/reference.safetensors";

// A network's answers for one batch. Each thread keeps its own and grows it as needed.
struct Buffers {
  std::vector<float> planes, policy, wdl, plies_left;

  void resize(std::size_t n) {
    planes.resize(n * kInputSize);
    policy.resize(n * Move::kIndices);
    wdl.resize(n * 3);
    plies_left.resize(n);
  }
};

// Reads the answer for one leaf; false when something in it is not finite.
bool read_answer(const mcts::Leaf& leaf, const float* policy, const float* wdl, float plies_left,
                 mcts::Evaluation& out) {
  std::array<float, 3> chances{wdl[0], wdl[1], wdl[2]};
  out.priors.resize(static_cast<std::size_t>(leaf.moves.size()));
  for (int i = 0; i < leaf.moves.size(); ++i) out.priors[i] = policy[leaf.moves[i].index()];
  out.plies_left = plies_left;
  const bool finite = softmax(chances) && softmax(out.priors) && std::isfinite(plies_left);
  out.wdl = {chances[0], chances[1], chances[2]};
  return finite;
}

}  // namespace

NetworkEvaluator::NetworkEvaluator(std::unique_ptr<ServedNetwork> network, std::string name)
    : network_(std::move(network)), name_(std::move(name)) {}

std::string NetworkEvaluator::name() const { return name_; }

void NetworkEvaluator::evaluate(std::span<const mcts::Leaf* const> leaves,
                                std::span<mcts::Evaluation> out) {
  if (leaves.empty()) return;
  static thread_local Buffers buffers;
  buffers.resize(leaves.size());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    encode(leaves[i]->position, leaves[i]->repetitions,
           std::span<float, kInputSize>(buffers.planes.data() + i * kInputSize, kInputSize));
  network_->forward(buffers.planes.data(), static_cast<int>(leaves.size()), buffers.policy.data(),
                    buffers.wdl.data(), buffers.plies_left.data());
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (!read_answer(*leaves[i], &buffers.policy[i * Move::kIndices], &buffers.wdl[i * 3],
                     buffers.plies_left[i], out[i]))
      throw Failure(name_ + ": an output is not finite; the checkpoint's weights are unusable");
}

Expected<std::filesystem::path> reference_network() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const char* named = std::getenv(kReferenceVariable);
  const fs::path path = named != nullptr ? fs::path(named)
                                         : program.parent_path().parent_path() / kReferencePlace;
  if (fs::is_regular_file(path, error)) return path;
  return fail("the network that ships is not at " + path.string() + "; name its file in " +
              kReferenceVariable);
}

Expected<std::shared_ptr<NetworkEvaluator>> load_network(const std::filesystem::path& file_or_run) {
  const auto file = checkpoint_of(file_or_run);
  if (!file) return tl::make_unexpected(file.error());
  const auto checkpoint = load_checkpoint(*file);
  if (!checkpoint) return tl::make_unexpected(checkpoint.error());
  const std::string name = "network " + file->stem().string() + " (" +
                           std::to_string(checkpoint->network.blocks) + "x" +
                           std::to_string(checkpoint->network.channels) + ")";
  try {
    return std::make_shared<NetworkEvaluator>(serve(*checkpoint), name);
  } catch (const Failure& failure) {
    return fail(failure.what());
  }
}

}  // namespace gounki::nn
