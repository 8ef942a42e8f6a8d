// The inner loops of a network on the processor, once for each instruction set. All sum in the same
// order with fused multiply-adds, so each gives the same bits, and the result for one board does not
// depend on the boards beside it.
//
// 3x3 convolutions use Winograd's algorithm F(4x4, 3x3) (Lavin and Gray 2015): a board is 4 tiles of
// 4x4 outputs; a tile's 6x6 inputs are transformed to 36 points, each point is multiplied by a matrix
// of its own over the channels, and the products are transformed back. That takes a quarter of the
// multiplications.
#pragma once

namespace gounki::nn::cpu {

inline constexpr int kBoardSquares = 64;
inline constexpr int kTiles = 4;
inline constexpr int kPoints = 36;

// Activations are [board][square][channel]. Points are [point][board][tile][channel]; from one point
// to the next are `stride` floats.
struct Points {
  float* data;
  int boards, channels, stride;
};

struct Kernels {
  const char* name;
  // Numbers of channels are multiples of this.
  int vector;
  // A matrix of `depth` rows is packed in panels of this many columns, [panel][depth][column]; what
  // remains of the columns in panels of `vector`.
  int panel;
  // c[rows][columns] = a[rows][depth] times b, which is packed.
  void (*multiply)(const float* a, int rows, int depth, const float* b, int columns, float* c);
  void (*transform_in)(const float* in, Points out);
  // Adds the bias of each channel and, where it is not null, `residual`, laid out as `out` is.
  void (*transform_out)(Points in, const float* bias, const float* residual, bool relu, float* out);
  // For the gradient of the weights: the points of the outputs' gradient, and the products of one
  // point's inputs with it, c[a_columns][b_columns] += transposed a[rows][a_columns] times
  // b[rows][b_columns].
  void (*transform_gradient)(const float* in, Points out);
  void (*add_products)(const float* a, int a_columns, const float* b, int b_columns, int rows, float* c);
  // For batch norms, over rows of channels. The sums of a channel, and of its squared distances from
  // `mean`.
  void (*column_sums)(const float* x, int rows, int channels, float* sums);
  void (*column_squares)(const float* x, const float* mean, int rows, int channels, float* sums);
  // out = x * factor + term, both by channel, plus `residual` where it is not null.
  void (*scale)(const float* x, const float* factor, const float* term, const float* residual, bool relu,
                int rows, int channels, float* out);
  // g = gradient where `out`, what a relu gave, is above 0; with the sums of g, and of g times the
  // distance of x from `mean`.
  void (*relu_gradient)(const float* gradient, const float* out, const float* x, const float* mean, int rows,
                        int channels, float* g, float* sums, float* products);
  // out = g * a + (x * b + term), where a, b and term are by channel.
  void (*combine)(const float* g, const float* x, const float* a, const float* b, const float* term, int rows,
                  int channels, float* out);
  // Nothing but multiply-adds on registers, `rounds` times as many as `peak_multiply_adds` says: as fast
  // as a core can go with these instructions. `sums` are that many floats, in and out.
  int peak_multiply_adds;
  void (*run_at_peak)(long rounds, float* sums);
};

// Each is defined in a source file of its own, compiled for its instruction set. The last two exist
// on x86-64 only and must not be called where the processor lacks the instructions.
extern const Kernels kPortableKernels, kAvx2Kernels, kAvx512Kernels;

}  // namespace gounki::nn::cpu
