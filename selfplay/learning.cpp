#include "selfplay/learning.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include "core/files.h"
#include "nn/encoder.h"
#include "nn/parity.h"
#include "nn/safetensors.h"
#include "selfplay/network.h"
#include "selfplay/shard.h"

namespace gounki::selfplay {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kParityPositions = 32;
constexpr const char* kIterationKey = "run.iteration";
constexpr const char* kPlayStepKey = "run.play_step";

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Expected<std::int64_t> read_number(const std::map<std::string, std::string>& metadata,
                                   const char* key) {
  const auto found = metadata.find(key);
  if (found == metadata.end()) return fail(std::string("metadata \"") + key + "\" is missing");
  const std::string& text = found->second;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    return fail(std::string("metadata \"") + key + "\" is not a number");
  return number;
}

// Adds up losses, for their mean.
class LossSum {
 public:
  void add(const nn::Losses& losses) {
    ++count_;
    nn::Losses::for_each([&](const char*, auto field) { sum_.*field += losses.*field; });
  }
  nn::Losses mean() const {
    nn::Losses mean = sum_;
    if (count_ > 0)
      nn::Losses::for_each(
          [&](const char*, auto field) { mean.*field /= static_cast<double>(count_); });
    return mean;
  }
  std::int64_t count() const { return count_; }

 private:
  nn::Losses sum_;
  std::int64_t count_ = 0;
};

}  // namespace

fs::path save_checkpoint(const RunFolder& run, const RunConfig& config,
                         const nn::Learner& learner) {
  nn::Checkpoint checkpoint = learner.checkpoint();
  checkpoint.config = essence_to_toml(config);
  const fs::path path = nn::checkpoint_path(run.path(), checkpoint.step);
  nn::save_checkpoint(checkpoint, path);
  return path;
}

RunLearner::RunLearner(const RunFolder& run, const RunConfig& config, nn::Backend& backend,
                       int threads, const Events& events)
    : run_(run), config_(config), backend_(backend), events_(events) {
  if (fs::exists(run.learner_path())) restore(backend, threads);
  if (!learner_) learner_ = first_learner(backend, config, threads);
}

void RunLearner::restore(nn::Backend& backend, int threads) {
  const fs::path path = run_.learner_path();
  const auto read = [&]() -> Expected<void> {
    const auto state = nn::parse_safetensors(read_file(path));
    if (!state) return tl::make_unexpected(state.error());
    const auto saved_iteration = read_number(state->metadata, kIterationKey);
    const auto saved_play_step = read_number(state->metadata, kPlayStepKey);
    if (!saved_iteration) return tl::make_unexpected(saved_iteration.error());
    if (!saved_play_step) return tl::make_unexpected(saved_play_step.error());
    auto learner = backend.restore_learner(*state, config_.learner, threads);
    if (!learner) return tl::make_unexpected(learner.error());
    learner_ = std::move(*learner);
    iteration = *saved_iteration;
    play_step = *saved_play_step;
    return {};
  }();
  restored_ = read.has_value();
  if (restored_) return;
  fs::path aside = path;
  aside += ".damaged";
  fs::rename(path, aside);
  tell(events_.damaged, path.string() + ": " + read.error().message +
                            "; put aside, and learning begins anew with the samples there are");
}

nn::Losses RunLearner::step(const ReplayWindow& window) {
  std::vector<Sample> samples =
      draw_samples(window, config_, learner_->steps());
  const nn::Batch batch = make_batch(samples, config_.replay.targets());
  last_planes_.assign(batch.planes.begin(),
                      batch.planes.begin() + std::min(batch.size, kParityPositions) * nn::kInputSize);
  try {
    return learner_->step(batch);
  } catch (const Failure& failure) {
    const fs::path folder = run_.path() / "bad";
    const fs::path path = folder / ("step-" + std::to_string(learner_->steps()) + ".npz");
    std::error_code ignored;  // writing the file says what is wrong
    fs::create_directories(folder, ignored);
    write_file_atomically(path, to_bytes(Shard{learner_->steps(), std::move(samples)}));
    throw Failure(std::string(failure.what()) + "; the batch is in " + path.string());
  }
}

StepsTaken RunLearner::learn_until(std::int64_t target, const ReplayWindow& window,
                                   const std::atomic<int>& stop) {
  const auto begin = Clock::now();
  auto told = begin;
  LossSum all, recent;
  while (steps() < target && stop.load() == kGoOn) {
    const nn::Losses losses = step(window);
    all.add(losses);
    recent.add(losses);
    if (steps() % config_.run.save_steps == 0 && steps() < target) {
      save_checkpoint();
      save_state();
    }
    const double seconds = seconds_since(told);
    if (seconds < 1.0 && steps() < target) continue;
    const auto samples = static_cast<double>(recent.count() * config_.learner.batch);
    tell(events_.learner_progress,
         LearnerProgress{steps(), target, recent.mean(), seconds > 0 ? samples / seconds : 0});
    told = Clock::now();
    recent = {};
  }
  return {all.count(), all.mean(), config_.learner.rate(steps() - 1), seconds_since(begin)};
}

void RunLearner::save_state() const {
  nn::TensorFile state = learner_->state();
  state.metadata[kIterationKey] = std::to_string(iteration);
  state.metadata[kPlayStepKey] = std::to_string(play_step);
  write_file_atomically(run_.learner_path(), nn::to_bytes(state));
}

void RunLearner::check_parity() {
  if (last_planes_.empty()) {
    last_planes_.resize(nn::kInputSize);
    nn::encode(Position::start(), 0, std::span<float, nn::kInputSize>(last_planes_));
  }
  const int positions = static_cast<int>(last_planes_.size()) / nn::kInputSize;
  nn::check_parity(*learner_, *backend_.serve(learner_->checkpoint()), last_planes_.data(), positions);
}

void RunLearner::save_checkpoint() {
  check_parity();
  tell(events_.checkpoint_written, selfplay::save_checkpoint(run_, config_, *learner_));
}

}  // namespace gounki::selfplay
