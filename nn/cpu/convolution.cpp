#include "nn/cpu/convolution.h"

#include <algorithm>

namespace gounki::nn::cpu {
namespace {

// The matrix G of F(4x4, 3x3): a 3x3 kernel w has the points G w G^T.
constexpr double kG[6][3] = {{1.0 / 4, 0, 0},
                             {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                             {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                             {1.0 / 24, 1.0 / 12, 1.0 / 6},
                             {1.0 / 24, -1.0 / 12, 1.0 / 6},
                             {0, 0, 1}};

// Each thread has one, which grows as needed.
struct Workspace {
  Floats points, products;

  static Workspace& of_this_thread() {
    static thread_local Workspace workspace;
    return workspace;
  }
};

// From one point's numbers to the next's. Without a gap the same number of each point would fall on
// the same few lines of the cache.
constexpr int with_gap(int size) { return size + 16; }

int points_stride(int boards, int channels) { return with_gap(boards * kTiles * channels); }

Points room_for(Floats& floats, int boards, int channels) {
  const int stride = points_stride(boards, channels);
  return {grown(floats, static_cast<std::size_t>(kPoints) * stride), boards, channels, stride};
}

void points_of_kernel(const double* w, double* points) {
  double half[6][3];
  for (int i = 0; i < 6; ++i)
    for (int x = 0; x < 3; ++x) half[i][x] = kG[i][0] * w[x] + kG[i][1] * w[3 + x] + kG[i][2] * w[6 + x];
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      points[i * 6 + j] = half[i][0] * kG[j][0] + half[i][1] * kG[j][1] + half[i][2] * kG[j][2];
}

}  // namespace

int boards_at_once(int channels) {
  constexpr int kFloats = 64 << 10;
  return std::clamp(kFloats / (2 * points_stride(1, channels) * kPoints), 1, 6);
}

Convolution3x3::Convolution3x3(const double* weight, const double* bias, int inputs, int outputs,
                               const Kernels& kernels)
    : kernels_(&kernels),
      shape_{padded(inputs, kernels), padded(outputs, kernels), kernels.panel, kernels.vector},
      stride_(with_gap(shape_.size())),
      matrices_(static_cast<std::size_t>(kPoints) * stride_),
      bias_(static_cast<std::size_t>(shape_.columns)) {
  for (int o = 0; o < outputs; ++o)
    for (int i = 0; i < inputs; ++i) {
      double points[kPoints];
      points_of_kernel(weight + (static_cast<std::size_t>(o) * inputs + i) * 9, points);
      float* place = &matrices_[shape_.position(i, o)];
      for (int p = 0; p < kPoints; ++p)
        place[static_cast<std::size_t>(p) * stride_] = static_cast<float>(points[p]);
    }
  if (bias != nullptr) std::copy_n(bias, outputs, bias_.begin());
}

void Convolution3x3::run(const float* in, int boards, const float* residual, bool relu, float* out) const {
  Workspace& space = Workspace::of_this_thread();
  const Points points = room_for(space.points, boards, shape_.depth);
  const Points products = room_for(space.products, boards, shape_.columns);
  kernels_->transform_in(in, points);
  for (int p = 0; p < kPoints; ++p)
    kernels_->multiply(points.data + p * points.stride, boards * kTiles, shape_.depth,
                       &matrices_[static_cast<std::size_t>(p) * stride_], shape_.columns,
                       products.data + p * products.stride);
  kernels_->transform_out(products, bias_.data(), residual, relu, out);
}

WeightGradient::WeightGradient(int inputs, int outputs, const Kernels& kernels)
    : kernels_(&kernels), inputs_(inputs), outputs_(outputs), stride_(with_gap(inputs * outputs)),
      points_(static_cast<std::size_t>(kPoints) * stride_) {}

void WeightGradient::add(const float* in, const float* out_gradient, int boards) {
  Workspace& space = Workspace::of_this_thread();
  const Points points = room_for(space.points, boards, inputs_);
  const Points gradients = room_for(space.products, boards, outputs_);
  kernels_->transform_in(in, points);
  kernels_->transform_gradient(out_gradient, gradients);
  for (int p = 0; p < kPoints; ++p)
    kernels_->add_products(points.data + p * points.stride, inputs_, gradients.data + p * gradients.stride,
                           outputs_, boards * kTiles,
                           &points_[static_cast<std::size_t>(p) * stride_]);
}

void WeightGradient::add(const WeightGradient& other) {
  for (std::size_t i = 0; i < points_.size(); ++i) points_[i] += other.points_[i];
}

void WeightGradient::write(float* weight_gradient) const {
  for (int i = 0; i < inputs_; ++i)
    for (int o = 0; o < outputs_; ++o) {
      // G^T points G.
      const float* points = &points_[static_cast<std::size_t>(i) * outputs_ + o];
      double half[3][6] = {};
      for (int p = 0; p < kPoints; ++p)
        for (int y = 0; y < 3; ++y) half[y][p % 6] += kG[p / 6][y] * points[static_cast<std::size_t>(p) * stride_];
      float* out = weight_gradient + (static_cast<std::size_t>(o) * inputs_ + i) * 9;
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) {
          double sum = 0.0;
          for (int j = 0; j < 6; ++j) sum += half[y][j] * kG[j][x];
          out[y * 3 + x] = static_cast<float>(sum);
        }
    }
}

}  // namespace gounki::nn::cpu
