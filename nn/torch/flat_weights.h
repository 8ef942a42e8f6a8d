// All tensors of a network side by side in one flat tensor, so that the optimizer and the average
// work on the whole at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "nn/safetensors.h"
#include "nn/weights.h"

namespace gounki::nn {

// Which part of the flat tensor belongs to which of a network's tensors: first the kernels, to which
// weight decay applies, then the other parameters, then the statistics of the batch norms.
class FlatLayout {
 public:
  explicit FlatLayout(const std::vector<WeightSpec>& specs);

  struct Part {
    WeightSpec spec;
    std::int64_t offset;
  };
  const std::vector<Part>& parts() const { return parts_; }
  std::int64_t kernels() const { return kernels_; }        // elements, from the beginning
  std::int64_t parameters() const { return parameters_; }  // elements, from the beginning
  std::int64_t size() const { return size_; }

  // The network's tensors by name, sharing the memory of `flat`. Parts that reach beyond it are
  // left out.
  std::map<std::string, at::Tensor> views(const at::Tensor& flat) const;
  void write(const at::Tensor& flat, std::string_view prefix, TensorFile& file) const;
  // Reads what `write` wrote; the file has been checked.
  void read(const TensorFile& file, std::string_view prefix, at::Tensor& flat) const;

 private:
  std::vector<Part> parts_;
  std::int64_t kernels_ = 0, parameters_ = 0, size_ = 0;
};

// Fills `flat` with the weights that a network begins with, from `seed` alone.
void initialize(const FlatLayout& layout, std::uint64_t seed, at::Tensor& flat);

}  // namespace gounki::nn
