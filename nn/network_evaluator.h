// A network as the search's evaluator: encodes the leaves, asks, keeps the legal moves' logits.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "mcts/evaluator.h"
#include "nn/network.h"

namespace gounki::nn {

class NetworkEvaluator : public mcts::Evaluator {
 public:
  NetworkEvaluator(std::unique_ptr<ServedNetwork> network, std::string name);
  void evaluate(std::span<const mcts::Leaf* const> leaves,
                std::span<mcts::Evaluation> out) override;
  std::string name() const override;

 private:
  std::unique_ptr<ServedNetwork> network_;
  std::string name_;
};

// The network that ships with the program: the file that GOUNKI_REFERENCE names or, where it is not set,
// share/gounki/models/reference.safetensors beside the program's folder.
Expected<std::filesystem::path> reference_network();

// Loads a checkpoint file, or the newest of a run folder, and serves it.
Expected<std::shared_ptr<NetworkEvaluator>> load_network(const std::filesystem::path& file_or_run);

}  // namespace gounki::nn
