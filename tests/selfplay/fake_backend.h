// A backend without LibTorch: a network whose outputs are a hash of its inputs and its weights, and
// a learner whose weights are a hash of all the batches that it has seen. So two runs with equal
// files have seen equal data in equal order.
#pragma once

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "core/random.h"
#include "nn/network.h"
#include "nn/weights.h"

namespace fake {

using namespace gounki;

inline std::uint64_t hash_bytes(const void* data, std::size_t size, std::uint64_t hash) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001B3ULL;
  return hash;
}

template <class T>
std::uint64_t hash_values(const std::vector<T>& values, std::uint64_t hash) {
  return hash_bytes(values.data(), values.size() * sizeof(T), hash);
}

// Tensors of the right shapes, filled from a seed.
inline std::map<std::string, nn::Tensor> make_weights(const nn::NetworkConfig& network,
                                                      std::uint64_t seed) {
  std::map<std::string, nn::Tensor> tensors;
  Rng rng(seed);
  for (const nn::WeightSpec& spec : nn::weight_specs(network)) {
    nn::Tensor tensor{"F32", spec.shape, {}};
    std::vector<float> values(static_cast<std::size_t>(spec.size()));
    for (float& value : values) value = static_cast<float>(rng.uniform());
    tensor.data.resize(values.size() * sizeof(float));
    std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    tensors.emplace(spec.name, std::move(tensor));
  }
  return tensors;
}

class ServedNetwork : public nn::ServedNetwork {
 public:
  explicit ServedNetwork(std::uint64_t seed) : seed_(seed) {}

  void forward(const float* planes, int n, float* policy, float* wdl,
               float* plies_left) const override {
    for (int i = 0; i < n; ++i) {
      Rng rng(hash_bytes(planes + i * nn::kInputSize, nn::kInputSize * sizeof(float), seed_));
      for (int k = 0; k < Move::kIndices; ++k)
        policy[i * Move::kIndices + k] = static_cast<float>(rng.uniform());
      for (int k = 0; k < 3; ++k) wdl[3 * i + k] = static_cast<float>(rng.uniform());
      plies_left[i] = static_cast<float>(20 * rng.uniform());
    }
  }

 private:
  std::uint64_t seed_;
};

inline std::uint64_t hash_of(const nn::Checkpoint& checkpoint) {
  std::uint64_t hash = 0;
  for (const auto& [name, tensor] : checkpoint.weights.tensors) hash = hash_values(tensor.data, hash);
  return hash;
}

class Learner : public nn::Learner {
 public:
  std::uint64_t differs_by = 0;  // from what its checkpoints say when they are served

  Learner(nn::NetworkConfig network, std::uint64_t hash, std::int64_t steps,
          std::int64_t fails_at_step)
      : network_(network), hash_(hash), steps_(steps), fails_at_step_(fails_at_step) {}

  nn::Losses step(const nn::Batch& batch) override {
    if (steps_ == fails_at_step_) throw Failure("the loss is not finite at step 3");
    hash_ = hash_values(batch.planes, hash_);
    hash_ = hash_values(batch.policy, hash_);
    hash_ = hash_values(batch.policy_index, hash_);
    hash_ = hash_values(batch.reply, hash_);
    hash_ = hash_values(batch.wdl, hash_);
    hash_ = hash_values(batch.plies_left, hash_);
    hash_ = hash_values(batch.weight, hash_);
    ++steps_;
    nn::Losses losses;
    losses.total = 1.0 / static_cast<double>(steps_);
    return losses;
  }
  std::int64_t steps() const override { return steps_; }
  nn::Checkpoint checkpoint() const override {
    nn::Checkpoint checkpoint;
    checkpoint.network = network_;
    checkpoint.step = steps_;
    checkpoint.weights.tensors = make_weights(network_, hash_);
    return checkpoint;
  }
  void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) override {
    ServedNetwork(hash_of(checkpoint()) + differs_by).forward(planes, n, policy, wdl, plies_left);
  }
  nn::TensorFile state() const override {
    nn::TensorFile file;
    file.metadata = {{"hash", std::to_string(hash_)},
                     {"steps", std::to_string(steps_)},
                     {"network", nn::network_to_json(network_)}};
    file.tensors = make_weights(network_, hash_);
    return file;
  }

 private:
  nn::NetworkConfig network_;
  std::uint64_t hash_;
  std::int64_t steps_;
  std::int64_t fails_at_step_;
};

class Backend : public nn::Backend {
 public:
  std::int64_t fails_at_step = -1;  // of the learner; never
  std::uint64_t learner_differs_by = 0;
  int pretended_gpus = 0;

  int gpus() const override { return pretended_gpus; }

  std::unique_ptr<nn::ServedNetwork> serve(const nn::Checkpoint& checkpoint) override {
    return std::make_unique<ServedNetwork>(hash_of(checkpoint));
  }
  std::unique_ptr<nn::ServedNetwork> serve_with_libtorch(
      const nn::Checkpoint& checkpoint) override {
    return serve(checkpoint);
  }
  std::unique_ptr<nn::Learner> make_learner(const nn::NetworkConfig& network,
                                            const nn::LearnerConfig&, std::uint64_t seed,
                                            int) override {
    auto learner = std::make_unique<Learner>(network, seed, 0, fails_at_step);
    learner->differs_by = learner_differs_by;
    return learner;
  }
  Expected<std::unique_ptr<nn::Learner>> restore_learner(const nn::TensorFile& state,
                                                         const nn::LearnerConfig&,
                                                         int) override {
    if (!state.metadata.contains("hash")) return fail("the learner's hash is missing");
    const auto network = nn::network_from_json(state.metadata.at("network"));
    if (!network) return tl::make_unexpected(network.error());
    return std::make_unique<Learner>(*network, std::stoull(state.metadata.at("hash")),
                                     std::stoll(state.metadata.at("steps")), fails_at_step);
  }
  std::string description() const override { return "a fake"; }
};

}  // namespace fake
