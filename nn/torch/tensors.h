// Between the files' tensors and LibTorch's, and what every call into LibTorch needs.
#pragma once

#include <string>
#include <utility>

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include "core/error.h"
#include "nn/safetensors.h"

namespace gounki::nn {

// Both are F32 and copy; the device of `to_tensor` is the CPU.
at::Tensor to_tensor(const Tensor& tensor);
Tensor from_tensor(const at::Tensor& tensor);

// Sets the number of cores that LibTorch's operators use in the calling thread.
void use_threads(int threads);

// Runs `work` and turns LibTorch's exceptions, whose messages hold stack traces, into a Failure.
template <class Work>
auto guarded(const char* what, Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (const c10::Error& error) {
    throw Failure(std::string(what) + ": LibTorch says: " + error.what_without_backtrace());
  }
}

}  // namespace gounki::nn
