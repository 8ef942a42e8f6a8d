// The policy/value network as the rest of the program sees it: plain floats in and out. Networks are
// learned by LibTorch, in a module of its own (nn/torch) that backend() loads, and asked without it
// (nn/cpu), unless there is a GPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/move.h"
#include "core/params.h"
#include "nn/encoder.h"
#include "nn/safetensors.h"

namespace gounki::nn {

struct NetworkConfig {
  int blocks = 4;
  int channels = 32;
  int value_channels = 8;
  int value_hidden = 64;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = NetworkConfig;
    visit("blocks", &C::blocks, Range{1, 80}, "Residual blocks of two 3x3 convolutions.");
    visit("channels", &C::channels, Range{8, 1024}, "Channels of the residual trunk.");
    visit("value_channels", &C::value_channels, Range{1, 256},
          "Channels that the value and plies-left heads take from the trunk.");
    visit("value_hidden", &C::value_hidden, Range{1, 4096}, "Hidden units of those heads.");
  }
  bool operator==(const NetworkConfig&) const = default;
};

// Weights for playing, with what is needed to use them.
struct Checkpoint {
  NetworkConfig network;
  int encoder_version = kEncoderVersion;
  std::int64_t step = 0;      // learner steps taken
  std::string config;         // the run's effective config as TOML, for the record
  TensorFile weights;         // tensors only; the metadata is made from the fields above
};

void save_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);
// An error names the file and says what is wrong: damaged, another encoder, another shape.
Expected<Checkpoint> load_checkpoint(const std::filesystem::path& path);
// The newest checkpoint of a run folder (DIR/checkpoints/step-NNNNNNNN.safetensors).
Expected<std::filesystem::path> newest_checkpoint(const std::filesystem::path& run);
// The checkpoint that is meant where a network is named: the file, or the newest of a run folder.
Expected<std::filesystem::path> checkpoint_of(const std::filesystem::path& file_or_run);
// All of them, newest first.
std::vector<std::filesystem::path> checkpoints(const std::filesystem::path& run);
std::filesystem::path checkpoint_path(const std::filesystem::path& run, std::int64_t step);

// A network made ready to be asked. May be called from several threads at once, each of which then
// runs on one core. A batch gives the same bits each time; on the processor, a position does, whatever
// the batch that it is in.
class ServedNetwork {
 public:
  virtual ~ServedNetwork() = default;
  // n positions of kInputSize floats in; out n x 2048 policy logits by policy index (also of illegal
  // moves), n x 3 logits of win, draw, loss for the side to move, n plies left.
  virtual void forward(const float* planes, int n, float* policy, float* wdl,
                       float* plies_left) const = 0;
  // Whether it calculates in half precision.
  virtual bool half_precision() const { return false; }
};

// A batch to learn from. Everything is from the side to move's point of view.
struct Batch {
  int size = 0;
  std::vector<float> planes;  // size x kInputSize
  // The legal moves of sample i, by canonical policy index, and the target, which sums to 1 over them,
  // are the entries policy_offsets[i] … policy_offsets[i + 1] - 1.
  std::vector<std::int32_t> policy_offsets{0};  // size + 1
  std::vector<std::uint16_t> policy_index;
  std::vector<float> policy;
  std::vector<float> wdl;         // size x 3: win, draw, loss; sums to 1
  std::vector<float> plies_left;  // size; negative where unknown, which the loss leaves out
  // The opponent's next move, by policy index as the opponent sees it; negative where there is none,
  // which the loss leaves out.
  std::vector<std::int32_t> reply;  // size
  std::vector<float> weight;        // size
};

// Throws a Failure that names what does not fit: sizes, a value that is not finite, an index out of
// range, weights that sum to 0.
void check_batch(const Batch& batch);

struct LearnerConfig {
  int batch = 256;
  std::string optimizer = "sgd";
  double learning_rate = 0.02;
  int warmup_steps = 100;
  std::int64_t decay_steps = 0;
  double decay_to = 0.1;
  double momentum = 0.9;
  double second_momentum = 0.99;
  double weight_decay = 1e-4;
  double gradient_clip = 4.0;
  double value_weight = 1.0;
  double plies_weight = 0.1;
  double reply_weight = 0.15;
  double average_decay = 0.99;

  bool is_adamw() const { return optimizer == "adamw"; }
  // The rate of step `step`, counted from 0.
  double rate(std::int64_t step) const;
  // What the ranges below cannot say.
  Expected<void> check() const;

  template <class Visit>
  static void describe(Visit&& visit) {
    using C = LearnerConfig;
    visit("batch", &C::batch, Range{1, 65536}, "Samples in a step.");
    visit("optimizer", &C::optimizer, Range{},
          "\"sgd\" (with Nesterov momentum) or \"adamw\" (Loshchilov and Hutter 2019; its rates are some "
          "ten times smaller).");
    visit("learning_rate", &C::learning_rate, Range{0, 10}, "After the warm-up.");
    visit("warmup_steps", &C::warmup_steps, Range{0, 1e9},
          "Steps over which the learning rate rises to its value.");
    visit("decay_steps", &C::decay_steps, Range{0, 1e15},
          "Steps over which the rate then falls, along half a wave of the cosine; 0 keeps it.");
    visit("decay_to", &C::decay_to, Range{0, 1}, "What is left of the rate after those steps.");
    visit("momentum", &C::momentum, Range{0, 1}, "Of the gradient; AdamW's first beta.");
    visit("second_momentum", &C::second_momentum, Range{0, 0.999999},
          "Of the gradient's square: AdamW's second beta.");
    visit("weight_decay", &C::weight_decay, Range{0, 1},
          "On weights, not on biases and norms: L2 for SGD, decoupled for AdamW.");
    visit("gradient_clip", &C::gradient_clip, Range{0, 1e9}, "Largest gradient norm; 0 for none.");
    visit("value_weight", &C::value_weight, Range{0, 1000}, "Weight of the win/draw/loss loss.");
    visit("plies_weight", &C::plies_weight, Range{0, 1000},
          "Weight of the plies-left loss; 0 leaves it out.");
    visit("reply_weight", &C::reply_weight, Range{0, 1000},
          "Weight of the loss of an auxiliary head, for learning only, that foretells the opponent's "
          "reply (KataGo: 0.15); 0 leaves it out.");
    visit("average_decay", &C::average_decay, Range{0, 1},
          "Decay of the average of weights that plays; 0 plays with the last weights.");
  }
};

// Means over the batch, in nats where they are entropies.
struct Losses {
  double total = 0, policy = 0, value = 0, plies = 0, reply = 0;
  double policy_entropy = 0;   // of the targets: the least that `policy` can be
  double value_accuracy = 0;   // share of samples whose likeliest of win, draw, loss is the target's
  double gradient_norm = 0;    // before clipping

  // visit(name, member) for each.
  template <class Visit>
  static void for_each(Visit&& visit) {
    using L = Losses;
    visit("total", &L::total);
    visit("policy", &L::policy);
    visit("value", &L::value);
    visit("plies", &L::plies);
    visit("reply", &L::reply);
    visit("policy_entropy", &L::policy_entropy);
    visit("value_accuracy", &L::value_accuracy);
    visit("gradient_norm", &L::gradient_norm);
  }
};

class Learner {
 public:
  virtual ~Learner() = default;
  // One step of gradient descent. Throws a Failure when a loss or gradient is not finite, leaving the
  // weights as they were.
  virtual Losses step(const Batch& batch) = 0;
  virtual std::int64_t steps() const = 0;
  // The averaged weights, for playing.
  virtual Checkpoint checkpoint() const = 0;
  // What these weights say by LibTorch's plain operators, batch norms and all: what every served form
  // is held against. Shapes as ServedNetwork::forward has them.
  virtual void forward(const float* planes, int n, float* policy, float* wdl, float* plies_left) = 0;
  // Everything that another learner needs to go on to the same bits: weights, optimizer, averages,
  // counters.
  virtual TensorFile state() const = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  // As nn::serve does.
  virtual std::unique_ptr<ServedNetwork> serve(const Checkpoint& checkpoint) = 0;
  // The GPUs that networks are served on; 0 where that is the processor.
  virtual int gpus() const = 0;
  // By LibTorch's operators, wherever it runs: what `serve` does on a GPU.
  virtual std::unique_ptr<ServedNetwork> serve_with_libtorch(const Checkpoint& checkpoint) = 0;
  // Weights begin at random, from `seed`. `threads` cores work on a step.
  virtual std::unique_ptr<Learner> make_learner(const NetworkConfig& network,
                                                const LearnerConfig& config, std::uint64_t seed,
                                                int threads) = 0;
  virtual Expected<std::unique_ptr<Learner>> restore_learner(const TensorFile& state,
                                                             const LearnerConfig& config,
                                                             int threads) = 0;
  // Such as "LibTorch 1.13.1, CPU, OpenBLAS 0.3.21"; says so when a fast BLAS is missing.
  virtual std::string description() const = 0;
};

// Loads LibTorch at the first call (about 0.75 s). Throws a Failure that says what is missing.
Backend& backend();

// Makes a network ready to be asked: by LibTorch on GPUs where there are some (and GOUNKI_DEVICE is not
// cpu), or else by the processor (nn/cpu), which does not need LibTorch.
std::unique_ptr<ServedNetwork> serve(const Checkpoint& checkpoint);

}  // namespace gounki::nn
