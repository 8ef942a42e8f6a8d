#include "nn/torch/served_network.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/move.h"
#include "nn/torch/tensors.h"
#include "nn/weights.h"

namespace gounki::nn {
namespace {

constexpr auto kChannelsLast = at::MemoryFormat::ChannelsLast;
constexpr bool kDoNotWait = true;  // copies between host and GPU are queued in the stream

// A convolution that keeps 8x8, with bias and perhaps a relu.
struct Convolution {
  at::Tensor weight, bias;
  bool relu;

  at::Tensor operator()(const at::Tensor& in) const {
    at::Tensor out = at::conv2d(in, weight, bias, 1, weight.size(2) / 2);
    return relu ? out.relu_() : out;
  }
};

struct Linear {
  at::Tensor weight, bias;
  at::Tensor operator()(const at::Tensor& in) const { return at::addmm(bias, in, weight.t()); }
};

// The network on one device.
class FoldedNetwork {
 public:
  // In single precision on the device.
  struct Answers {
    at::Tensor policy, wdl, plies_left;
  };

  FoldedNetwork(const Checkpoint& checkpoint, c10::Device device)
      : device_(device),
        stem_(folded(checkpoint, "stem", true)),
        policy_(convolution(tensor(checkpoint, "policy.weight"), tensor(checkpoint, "policy.bias"), false)),
        value_(folded(checkpoint, "value", true)),
        hidden_(linear(checkpoint, "hidden")),
        wdl_(linear(checkpoint, "wdl")),
        plies_(linear(checkpoint, "plies")) {
    for (int i = 0; i < checkpoint.network.blocks; ++i) {
      const std::string block = "block" + std::to_string(i);
      blocks_.push_back({folded(checkpoint, block + ".first", true),
                         folded(checkpoint, block + ".second", false)});
    }
    // Other streams will use the weights, and do not wait for this one.
    c10::Stream(c10::Stream::DEFAULT, device_).synchronize();
  }

  c10::Device device() const { return device_; }

  // Of n x kPlanes x 8 x 8 in single precision on the host, page-locked where the device is a GPU. The
  // stream has still work to do when this returns.
  Answers ask(const at::Tensor& planes) const {
    const std::int64_t n = planes.size(0);
    const at::Tensor in = planes.to(device_, kDoNotWait);  // converted there, not on the host
    at::Tensor x = stem_(in.to(number_type()).contiguous(kChannelsLast));
    for (const Block& block : blocks_) x = block.second(block.first(x)).add_(x).relu_();

    // Channels last is the order of the policy index and of the hidden layer's weights.
    const at::Tensor hidden = hidden_(value_(x).permute({0, 2, 3, 1}).reshape({n, -1})).relu_();
    return {policy_(x).permute({0, 2, 3, 1}).to(at::kFloat).contiguous(),
            wdl_(hidden).to(at::kFloat),
            at::softplus(plies_(hidden).to(at::kFloat)) * kPliesUnit};
  }

 private:
  struct Block { Convolution first, second; };

  at::ScalarType number_type() const { return device_.is_cuda() ? at::kHalf : at::kFloat; }

  static at::Tensor tensor(const Checkpoint& checkpoint, const std::string& name) {
    return to_tensor(checkpoint.weights.tensors.at(name));
  }

  Convolution convolution(const at::Tensor& weight, const at::Tensor& bias, bool relu) const {
    return {weight.to(device_, number_type()).contiguous(kChannelsLast), bias.to(device_, number_type()),
            relu};
  }

  // The convolution with its batch norm made part of weights and bias.
  Convolution folded(const Checkpoint& checkpoint, const std::string& name, bool relu) const {
    const auto get = [&](const char* part) { return tensor(checkpoint, name + part).to(at::kDouble); };
    const at::Tensor factor = get(".scale") / (get(".variance") + kNormEpsilon).sqrt();
    const at::Tensor weight = get(".weight") * factor.view({-1, 1, 1, 1});
    const at::Tensor bias = get(".shift") - get(".mean") * factor;
    return convolution(weight, bias, relu);
  }

  Linear linear(const Checkpoint& checkpoint, const std::string& name) const {
    return {tensor(checkpoint, name + ".weight").to(device_, number_type()),
            tensor(checkpoint, name + ".bias").to(device_, number_type())};
  }

  c10::Device device_;
  Convolution stem_;
  std::vector<Block> blocks_;
  Convolution policy_, value_;
  Linear hidden_, wdl_, plies_;
};

// Memory of the host that grows as needed. A GPU reads and writes it while the thread goes on where it
// is page-locked.
class HostBuffer {
 public:
  // `rows` x `width`, of which nothing is known.
  at::Tensor get(std::int64_t rows, std::int64_t width, bool page_locked) {
    const std::int64_t size = rows * width;
    if (!memory_.defined() || memory_.numel() < size || page_locked != page_locked_)
      memory_ = at::empty({size}, at::TensorOptions(at::kFloat).pinned_memory(page_locked));
    page_locked_ = page_locked;
    return memory_.narrow(0, 0, size).view({rows, width});
  }

 private:
  at::Tensor memory_;
  bool page_locked_ = false;
};

// What a thread has of its own.
class Lane {
 public:
  static Lane& of_this_thread() {
    static thread_local Lane lane;
    return lane;
  }

  // Counts the threads up.
  std::size_t number() const { return number_; }

  // The thread's stream on its device: a GPU's from the pool, or else the only one that there is.
  c10::Stream stream(c10::Device device) {
    if (!stream_ || stream_->device_type() != device.type() ||
        (device.is_cuda() && stream_->device() != device)) {
      const c10::impl::VirtualGuardImpl type(device.type());
      stream_ = device.is_cuda() ? type.getStreamFromGlobalPool(device) : type.getStream(device);
    }
    return *stream_;
  }

  HostBuffer planes, policy, wdl, plies_left;

 private:
  Lane() {
    static std::atomic<std::size_t> threads = 0;
    number_ = threads++;
  }

  std::size_t number_;
  std::optional<c10::Stream> stream_;
};

// Leaves the core to other threads meanwhile, of which self-play has more than cores.
void wait_for(const c10::Stream& stream) {
  while (!stream.query()) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

class TorchNetwork : public ServedNetwork {
 public:
  TorchNetwork(const Checkpoint& checkpoint, const std::vector<c10::Device>& devices) {
    for (const c10::Device device : devices) replicas_.emplace_back(checkpoint, device);
  }

  void forward(const float* planes, int n, float* policy, float* wdl,
               float* plies_left) const override {
    guarded("network", [&] {
      const c10::InferenceMode inference;
      use_threads(1);
      Lane& lane = Lane::of_this_thread();
      ask(replicas_[lane.number() % replicas_.size()], lane, planes, n, policy, wdl, plies_left);
    });
  }

  bool half_precision() const override { return replicas_.front().device().is_cuda(); }

 private:
  static void ask(const FoldedNetwork& network, Lane& lane, const float* planes, int n, float* policy,
                  float* wdl, float* plies_left) {
    const bool page_locked = network.device().is_cuda();
    const c10::Stream stream = lane.stream(network.device());
    const c10::StreamGuard on_stream(stream);  // and on its device
    const at::Tensor in = lane.planes.get(n, kInputSize, page_locked);
    std::memcpy(in.data_ptr<float>(), planes, in.nbytes());
    const FoldedNetwork::Answers answers = network.ask(in.view({n, kPlanes, 8, 8}));

    struct Output {
      const at::Tensor& on_device;
      at::Tensor on_host;
      float* out;
    };
    const Output outputs[] = {
        {answers.policy, lane.policy.get(n, Move::kIndices, page_locked), policy},
        {answers.wdl, lane.wdl.get(n, 3, page_locked), wdl},
        {answers.plies_left, lane.plies_left.get(n, 1, page_locked), plies_left}};
    for (const Output& output : outputs)
      output.on_host.copy_(output.on_device.view(output.on_host.sizes()), kDoNotWait);
    wait_for(stream);
    for (const Output& output : outputs)
      std::memcpy(output.out, output.on_host.data_ptr<float>(), output.on_host.nbytes());
  }

  std::vector<FoldedNetwork> replicas_;
};

}  // namespace

std::unique_ptr<ServedNetwork> make_served_network(const Checkpoint& checkpoint,
                                                   const std::vector<c10::Device>& devices) {
  const c10::InferenceMode inference;
  return std::make_unique<TorchNetwork>(checkpoint, devices);
}

}  // namespace gounki::nn
