// Begins a network with the weights of another one, which may be smaller.
#pragma once

#include "core/error.h"
#include "nn/network.h"

namespace gounki::nn {

// What keeps a checkpoint's network from becoming one of shape `to`: it is larger in some way.
Expected<void> can_grow(const NetworkConfig& from, const NetworkConfig& to);

// `state` is that of a new learner of shape `to` (Learner::state). Puts the checkpoint's weights in the
// place of its own, so that its network says what the checkpoint's says, but for rounding: what is new
// is heard by nothing that is old. The idea is that of Chen, Goodfellow and Shlens, "Net2Net" (ICLR
// 2016); here
//   - new channels and hidden units keep the weights by which they listen, and all that was there
//     before listens to them with weight 0;
//   - new blocks come last and add nothing at first: the scale of their second batch norm is 0.
// None of these zeros stops learning, since what they are multiplied with is not 0. What only learns,
// such as the reply, begins anew. Precondition: can_grow.
void begin_with(const Checkpoint& from, const NetworkConfig& to, TensorFile& state);

}  // namespace gounki::nn
