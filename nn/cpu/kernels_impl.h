// The kernels, written once over a vector type. Included by one source file for each instruction set,
// which is compiled with flags that others are not: so everything here has internal linkage, and no
// header with inline functions is used.
#pragma once

#include "nn/cpu/kernels.h"

namespace gounki::nn::cpu {
namespace {

// V is the vector type, with kFloats, load, all (the same number in all), store, +, -, fma(a, b, c) =
// a * b + c, positive_part, which keeps what is not a number, and where_positive(y, x), which is x where
// y > 0 and else 0. kRows x kWidth vectors of sums must
// fit the registers.
template <class V, int kRows, int kWidth>
struct Loops {
  static constexpr int kPanel = V::kFloats * kWidth;

  // `rows` rows of a times one panel of `width` vectors.
  template <int rows, int width>
  static void multiply_block(const float* a, int depth, const float* b, float* c, int columns) {
    V sums[rows][width];
    for (auto& row : sums)
      for (V& sum : row) sum = V::all(0.0f);
    for (int k = 0; k < depth; ++k) {
      V factors[width];
      for (int w = 0; w < width; ++w) factors[w] = V::load(b + k * width * V::kFloats + w * V::kFloats);
      for (int r = 0; r < rows; ++r) {
        const V x = V::all(a[r * depth + k]);
        for (int w = 0; w < width; ++w) sums[r][w] = fma(x, factors[w], sums[r][w]);
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int w = 0; w < width; ++w) sums[r][w].store(c + r * columns + w * V::kFloats);
  }

  template <int width>
  static void multiply_panel(const float* a, int rows, int depth, const float* b, float* c, int columns) {
    int r = 0;
    for (; r + kRows <= rows; r += kRows)
      multiply_block<kRows, width>(a + r * depth, depth, b, c + r * columns, columns);
    for (; r + kTiles <= rows; r += kTiles)
      multiply_block<kTiles, width>(a + r * depth, depth, b, c + r * columns, columns);
    for (; r < rows; ++r) multiply_block<1, width>(a + r * depth, depth, b, c + r * columns, columns);
  }

  static void multiply(const float* a, int rows, int depth, const float* b, int columns, float* c) {
    int first = 0;
    for (; first + kPanel <= columns; first += kPanel)
      multiply_panel<kWidth>(a, rows, depth, b + first * depth, c + first, columns);
    for (; first < columns; first += V::kFloats)
      multiply_panel<1>(a, rows, depth, b + first * depth, c + first, columns);
  }

  template <int rows, int width>
  static void add_products_block(const float* a, int a_columns, const float* b, int b_columns, int depth,
                                 float* c) {
    V sums[rows][width];
    for (int r = 0; r < rows; ++r)
      for (int w = 0; w < width; ++w) sums[r][w] = V::load(c + r * b_columns + w * V::kFloats);
    for (int k = 0; k < depth; ++k) {
      V factors[width];
      for (int w = 0; w < width; ++w) factors[w] = V::load(b + k * b_columns + w * V::kFloats);
      for (int r = 0; r < rows; ++r) {
        const V x = V::all(a[k * a_columns + r]);
        for (int w = 0; w < width; ++w) sums[r][w] = fma(x, factors[w], sums[r][w]);
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int w = 0; w < width; ++w) sums[r][w].store(c + r * b_columns + w * V::kFloats);
  }

  template <int width>
  static void add_products_panel(const float* a, int a_columns, const float* b, int b_columns, int rows,
                                 float* c) {
    int r = 0;
    for (; r + kRows <= a_columns; r += kRows)
      add_products_block<kRows, width>(a + r, a_columns, b, b_columns, rows, c + r * b_columns);
    for (; r + 4 <= a_columns; r += 4)
      add_products_block<4, width>(a + r, a_columns, b, b_columns, rows, c + r * b_columns);
    for (; r < a_columns; r += 2)  // numbers of channels are even
      add_products_block<2, width>(a + r, a_columns, b, b_columns, rows, c + r * b_columns);
  }

  static void add_products(const float* a, int a_columns, const float* b, int b_columns, int rows,
                           float* c) {
    int first = 0;
    for (; first + kPanel <= b_columns; first += kPanel)
      add_products_panel<kWidth>(a, a_columns, b + first, b_columns, rows, c + first);
    for (; first < b_columns; first += V::kFloats)
      add_products_panel<1>(a, a_columns, b + first, b_columns, rows, c + first);
  }

  // One column of B^T d, six values to six; both with a step between them.
  static void points_of(const V* d, int in_step, V* out, int out_step) {
    const V d0 = d[0], d1 = d[in_step], d2 = d[2 * in_step], d3 = d[3 * in_step], d4 = d[4 * in_step],
            d5 = d[5 * in_step];
    const V two = V::all(2.0f), four = V::all(4.0f), minus_four = V::all(-4.0f), minus_five = V::all(-5.0f);
    const V even = fma(minus_four, d2, d4), odd = fma(minus_four, d1, d3);
    const V even2 = d4 - d2, odd2 = d3 - d1;
    out[0] = fma(four, d0, fma(minus_five, d2, d4));
    out[out_step] = even + odd;
    out[2 * out_step] = even - odd;
    out[3 * out_step] = fma(two, odd2, even2);
    out[4 * out_step] = fma(V::all(-2.0f), odd2, even2);
    out[5 * out_step] = fma(four, d1, fma(minus_five, d3, d5));
  }

  // One column of A^T m, six values to four.
  static void outputs_of(const V* m, int in_step, V* out, int out_step) {
    const V m0 = m[0], m1 = m[in_step], m2 = m[2 * in_step], m3 = m[3 * in_step], m4 = m[4 * in_step],
            m5 = m[5 * in_step];
    const V sum = m1 + m2, difference = m1 - m2, sum2 = m3 + m4, difference2 = m3 - m4;
    out[0] = (m0 + sum) + sum2;
    out[out_step] = fma(V::all(2.0f), difference2, difference);
    out[2 * out_step] = fma(V::all(4.0f), sum2, sum);
    out[3 * out_step] = fma(V::all(8.0f), difference2, difference) + m5;
  }

  // One column of A y, four values to six.
  static void gradient_points_of(const V* y, int in_step, V* out, int out_step) {
    const V y0 = y[0], y1 = y[in_step], y2 = y[2 * in_step], y3 = y[3 * in_step];
    const V four = V::all(4.0f);
    const V even = y0 + y2, odd = y1 + y3, even2 = fma(four, y2, y0), half_odd2 = fma(four, y3, y1);
    out[0] = y0;
    out[out_step] = even + odd;
    out[2 * out_step] = even - odd;
    out[3 * out_step] = fma(V::all(2.0f), half_odd2, even2);
    out[4 * out_step] = fma(V::all(-2.0f), half_odd2, even2);
    out[5 * out_step] = y3;
  }

  static void transform_in(const float* in, Points out) {
    for (int row = 0; row < out.boards * kTiles; ++row) {
      const float* board = in + (row / kTiles) * kBoardSquares * out.channels;
      const int rank = row % kTiles / 2 * 4 - 1, file = row % 2 * 4 - 1;  // of the tile's first input
      for (int c = 0; c < out.channels; c += V::kFloats) {
        V d[kPoints], half[kPoints];
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) {
            const int y = rank + i, x = file + j;
            const bool outside = y < 0 || y > 7 || x < 0 || x > 7;
            d[i * 6 + j] = outside ? V::all(0.0f) : V::load(board + (y * 8 + x) * out.channels + c);
          }
        for (int j = 0; j < 6; ++j) points_of(d + j, 6, half + j, 6);
        for (int i = 0; i < 6; ++i) points_of(half + i * 6, 1, d + i * 6, 1);
        for (int p = 0; p < kPoints; ++p) d[p].store(out.data + p * out.stride + row * out.channels + c);
      }
    }
  }

  // The square of a tile's first output; squares of one board follow those of the one before.
  static int first_output(int row) {
    return (row / kTiles) * kBoardSquares + row % kTiles / 2 * 32 + row % 2 * 4;
  }

  static void transform_out(Points in, const float* bias, const float* residual, bool relu, float* out) {
    for (int row = 0; row < in.boards * kTiles; ++row) {
      const int first = first_output(row);
      for (int c = 0; c < in.channels; c += V::kFloats) {
        V m[kPoints], half[4 * 6], tile[4 * 4];
        for (int p = 0; p < kPoints; ++p) m[p] = V::load(in.data + p * in.stride + row * in.channels + c);
        for (int j = 0; j < 6; ++j) outputs_of(m + j, 6, half + j, 6);
        for (int i = 0; i < 4; ++i) outputs_of(half + i * 6, 1, tile + i * 4, 1);
        for (int i = 0; i < 16; ++i) {
          const int at = (first + i / 4 * 8 + i % 4) * in.channels + c;
          V y = tile[i] + V::load(bias + c);
          if (residual != nullptr) y = y + V::load(residual + at);
          if (relu) y = positive_part(y);
          y.store(out + at);
        }
      }
    }
  }

  static void transform_gradient(const float* in, Points out) {
    for (int row = 0; row < out.boards * kTiles; ++row) {
      const int first = first_output(row);
      for (int c = 0; c < out.channels; c += V::kFloats) {
        V tile[4 * 4], half[6 * 4], points[kPoints];
        for (int i = 0; i < 16; ++i) tile[i] = V::load(in + (first + i / 4 * 8 + i % 4) * out.channels + c);
        for (int j = 0; j < 4; ++j) gradient_points_of(tile + j, 4, half + j, 4);
        for (int i = 0; i < 6; ++i) gradient_points_of(half + i * 4, 1, points + i * 6, 1);
        for (int p = 0; p < kPoints; ++p) points[p].store(out.data + p * out.stride + row * out.channels + c);
      }
    }
  }

  static void column_sums(const float* x, int rows, int channels, float* sums) {
    for (int c = 0; c < channels; c += V::kFloats) {
      V sum = V::all(0.0f);
      for (int r = 0; r < rows; ++r) sum = sum + V::load(x + r * channels + c);
      sum.store(sums + c);
    }
  }

  static void column_squares(const float* x, const float* mean, int rows, int channels, float* sums) {
    for (int c = 0; c < channels; c += V::kFloats) {
      const V m = V::load(mean + c);
      V sum = V::all(0.0f);
      for (int r = 0; r < rows; ++r) {
        const V distance = V::load(x + r * channels + c) - m;
        sum = fma(distance, distance, sum);
      }
      sum.store(sums + c);
    }
  }

  static void scale(const float* x, const float* factor, const float* term, const float* residual, bool relu,
                    int rows, int channels, float* out) {
    for (int c = 0; c < channels; c += V::kFloats) {
      const V f = V::load(factor + c), t = V::load(term + c);
      for (int at = c; at < rows * channels; at += channels) {
        V y = fma(V::load(x + at), f, t);
        if (residual != nullptr) y = y + V::load(residual + at);
        if (relu) y = positive_part(y);
        y.store(out + at);
      }
    }
  }

  static void relu_gradient(const float* gradient, const float* out, const float* x, const float* mean,
                            int rows, int channels, float* g, float* sums, float* products) {
    for (int c = 0; c < channels; c += V::kFloats) {
      const V m = V::load(mean + c);
      V sum = V::all(0.0f), product = V::all(0.0f);
      for (int at = c; at < rows * channels; at += channels) {
        const V kept = where_positive(V::load(out + at), V::load(gradient + at));
        kept.store(g + at);
        sum = sum + kept;
        product = fma(kept, V::load(x + at) - m, product);
      }
      sum.store(sums + c);
      product.store(products + c);
    }
  }

  static void combine(const float* g, const float* x, const float* a, const float* b, const float* term,
                      int rows, int channels, float* out) {
    for (int c = 0; c < channels; c += V::kFloats) {
      const V va = V::load(a + c), vb = V::load(b + c), t = V::load(term + c);
      for (int at = c; at < rows * channels; at += channels)
        fma(V::load(g + at), va, fma(V::load(x + at), vb, t)).store(out + at);
    }
  }

  // As many sums as `multiply` holds, none of which waits for another.
  static void run_at_peak(long rounds, float* sums) {
    V s[kRows][kWidth];
    for (int r = 0; r < kRows; ++r)
      for (int w = 0; w < kWidth; ++w) s[r][w] = V::load(sums + (r * kWidth + w) * V::kFloats);
    const V x = V::all(0.5f), y = V::all(1.0f);
    for (long round = 0; round < rounds; ++round)
      for (int r = 0; r < kRows; ++r)
        for (int w = 0; w < kWidth; ++w) s[r][w] = fma(s[r][w], x, y);
    for (int r = 0; r < kRows; ++r)
      for (int w = 0; w < kWidth; ++w) s[r][w].store(sums + (r * kWidth + w) * V::kFloats);
  }

  static constexpr Kernels kernels(const char* name) {
    return {name,
            V::kFloats,
            kPanel,
            multiply,
            transform_in,
            transform_out,
            transform_gradient,
            add_products,
            column_sums,
            column_squares,
            scale,
            relu_gradient,
            combine,
            kRows * kWidth * V::kFloats,
            run_at_peak};
  }
};

}  // namespace
}  // namespace gounki::nn::cpu
