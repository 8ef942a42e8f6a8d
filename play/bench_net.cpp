#include "play/bench_net.h"

#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

#include "nn/cpu/choice.h"
#include "nn/cpu/cpu_network.h"
#include "nn/network_speed.h"
#include "play/console.h"
#include "play/evaluators.h"
#include "play/options.h"

namespace gounki::play {
namespace {

nn::NetworkConfig shape_from_text(const std::string& text) {
  nn::NetworkConfig network;
  const auto x = text.find('x');
  if (x == std::string::npos)
    throw UsageError("--network " + text + ": expected blocks x channels, such as 4x32");
  value_or_throw<UsageError>(set_param(network, "blocks", text.substr(0, x)), "--network " + text);
  value_or_throw<UsageError>(set_param(network, "channels", text.substr(x + 1)), "--network " + text);
  return network;
}

nn::Checkpoint network_of(const NetBenchOptions& options) {
  if (!options.model.empty() && !options.network.empty())
    throw UsageError("--network and --model: give one of the two");
  if (!options.model.empty()) return load_model(options.model);
  return nn::random_checkpoint(
      options.network.empty() ? nn::NetworkConfig{} : shape_from_text(options.network), 1);
}

std::string shape_text(const nn::NetworkConfig& network) {
  return fmt::format("{}x{}", network.blocks, network.channels);
}

// How much of the core's peak the direct arithmetic of so many positions/s would take.
double share_of_peak(const nn::NetworkSpeed& speed, double positions_per_second) {
  return speed.gflops(positions_per_second) / speed.core_peak_gflops;
}

// Batch 1 against the best, by the position.
double share_of_batch_1(const nn::FormSpeed& form) {
  return form.batches.front().positions_per_second / form.best().positions_per_second;
}

Json form_json(const nn::NetworkSpeed& speed, const nn::FormSpeed& form) {
  Json batches = Json::array();
  for (const nn::BatchSpeed& batch : form.batches)
    batches.push_back(
        {{"batch", batch.batch},
         {"positions_per_second", batch.positions_per_second},
         {"gflops", speed.gflops(batch.positions_per_second)},
         {"share_of_peak", share_of_peak(speed, batch.positions_per_second)}});
  Json out = {{"form", form.name}, {"best_batch", form.best().batch},
              {"batch_1_share", share_of_batch_1(form)}};
  if (form.peak_gflops > 0) {
    out["peak_gflops"] = form.peak_gflops;
    out["executed_multiply_adds"] = form.executed_multiply_adds;
    out["executed_share_of_peak"] = 2e-9 * form.executed_multiply_adds *
                                    form.best().positions_per_second / speed.core_peak_gflops;
  }
  out["batches"] = std::move(batches);
  return out;
}

void print_json(const nn::NetworkConfig& network, const nn::NetworkSpeed& speed) {
  Json forms = Json::array();
  for (const nn::FormSpeed& form : speed.forms) forms.push_back(form_json(speed, form));
  const nn::FormSpeed& best = speed.best();
  Json out = {{"network", shape_text(network)},
              {"direct_multiply_adds", speed.direct_multiply_adds},
              {"peak_gflops", speed.core_peak_gflops},
              {"forms", std::move(forms)},
              {"best", {{"form", best.name},
                        {"batch", best.best().batch},
                        {"positions_per_second", best.best().positions_per_second},
                        {"share_of_peak", share_of_peak(speed, best.best().positions_per_second)},
                        {"batch_1_share", share_of_batch_1(best)}}},
              {"one_thread", speed.one_thread},
              {"two_threads", speed.two_threads},
              {"beside_us", speed.beside_us},
              {"forward_us", speed.forward_us}};
  if (!speed.libtorch_problem.empty()) out["libtorch_problem"] = speed.libtorch_problem;
  fmt::print("{}\n", out.dump());
}

void print_forms(const nn::NetworkSpeed& speed) {
  fmt::print("\n{:>6}", "batch");
  for (const nn::FormSpeed& form : speed.forms) fmt::print("  {:>18}", form.name);
  fmt::print("\n");
  for (std::size_t b = 0; b < speed.forms.front().batches.size(); ++b) {
    fmt::print("{:>6}", speed.forms.front().batches[b].batch);
    for (const nn::FormSpeed& form : speed.forms) {
      const double rate = form.batches[b].positions_per_second;
      fmt::print("  {:>10}/s {:>3.0f} %", count_text(rate), 100 * share_of_peak(speed, rate));
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

void print_text(const nn::NetworkConfig& network, const nn::NetworkSpeed& speed) {
  fmt::print("{}: {:.2f} million multiply-adds a position in plain convolutions\n",
             shape_text(network), 1e-6 * speed.direct_multiply_adds);
  for (const nn::FormSpeed& form : speed.forms)
    if (form.peak_gflops > 0)
      fmt::print("{}: one core's peak {:.1f} GFLOP/s; {:.2f} million multiply-adds in its matrices\n",
                 form.name, form.peak_gflops, 1e-6 * form.executed_multiply_adds);
  if (!speed.libtorch_problem.empty()) fmt::print("without LibTorch: {}\n", speed.libtorch_problem);
  fmt::print("positions/s on one core, and the plain arithmetic of so many as a share of {:.1f} GFLOP/s:\n",
             speed.core_peak_gflops);
  print_forms(speed);

  const nn::FormSpeed& best = speed.best();
  const double rate = best.best().positions_per_second;
  fmt::print("best: {}, batch {}: {}/s, {:.1f} GFLOP/s, {:.0f} % of the peak", best.name,
             best.best().batch, count_text(rate), speed.gflops(rate),
             100 * share_of_peak(speed, rate));
  if (best.executed_multiply_adds > 0)
    fmt::print(" ({:.0f} % really multiplied)",
               100 * 2e-9 * best.executed_multiply_adds * rate / speed.core_peak_gflops);
  fmt::print("\nbatch 1: {:.0f} % of that a position\n", 100 * share_of_batch_1(best));
  fmt::print("two threads: {}/s, {:.2f} times one\n", count_text(speed.two_threads),
             speed.two_threads / speed.one_thread);
  fmt::print("beside the network, in batches of {}: {:.2f} µs a position, {:.1f} % of its {:.1f} µs\n",
             nn::kBesideBatch, speed.beside_us, 100 * speed.beside_us / speed.forward_us,
             speed.forward_us);
}

// What was measured here is better than the trial by which kernels are chosen otherwise.
void remember_fastest(const nn::NetworkConfig& network, const nn::NetworkSpeed& speed) {
  const nn::cpu::Kernels* fastest = nullptr;
  double most = 0;
  for (const nn::cpu::Kernels& kernels : nn::cpu::usable_kernels())
    for (const nn::FormSpeed& form : speed.forms)
      if (form.name == kernels.name && form.best().positions_per_second > most) {
        most = form.best().positions_per_second;
        fastest = &kernels;
      }
  nn::cpu::kernel_choices().remember(network, *fastest);
}

}  // namespace

void run_net_bench(const NetBenchOptions& options, bool json) {
  const nn::Checkpoint checkpoint = network_of(options);
  const nn::NetworkSpeed speed = [&] {
    Console console;
    return nn::measure_network(checkpoint, options.seconds, [&](double done) {
      console.progress(fmt::format("measuring: {:.0f} of {} s", done, options.seconds));
    });
  }();
  remember_fastest(checkpoint.network, speed);
  if (json)
    print_json(checkpoint.network, speed);
  else
    print_text(checkpoint.network, speed);
}

}  // namespace gounki::play
