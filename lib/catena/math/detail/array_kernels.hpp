// Loops over long arrays, by the instruction set that this machine has. Each has the same bits by all of them.
#pragma once

namespace catena::detail {

// Columns with a weight each. The weights are set for the first `count` alone: zeros for all would cost every call time.
struct WeightedColumns {
  static constexpr int most = 9;
  int count = 0;
  double weight[most];
  const double* column[most];
};

// The largest of some numbers, nan counting as nothing. not_finite: 0 where all are finite, else nan. Without initial values,
// whose constructor would be a function of its own in the copies for each instruction set.
struct LargestNumber {
  double value, not_finite;
};

struct ArrayKernels {
  // out_k = sum_j weight_j column_j[first + k] for k < count, from left to right. out may be a column from `first` on.
  void (*combine)(const WeightedColumns& of, int first, int count, double* out);
  // to_k += factor from_k; the two do not overlap.
  void (*add_multiple)(double factor, const double* from, int count, double* to);
  // to[j]_k += factor[j] from_k for j < 4; none of them overlap.
  void (*add_multiples)(const double* factor, const double* from, int count, double* const* to);
  // x <- -x. 0 where all of them are finite, else nan.
  double (*negate)(double* x, int count);
  // The largest |x_k|, at least `at_least`; nan counts as nothing.
  double (*largest)(const double* x, int count, double at_least);
  // Of |x_k|.
  LargestNumber (*largest_number)(const double* x, int count);
  // Of |x_k| factor per_k.
  LargestNumber (*largest_scaled)(const double* x, const double* per, double factor, int count);
  // The largest |x_k - y_k|; nan counts as nothing.
  double (*largest_difference)(const double* x, const double* y, int count);
  // out_b = the largest |x_k| of the six of block b; nan counts as nothing.
  void (*largest_of_sixes)(const double* x, int blocks, double* out);
  // The largest omega . omega of blocks of six velocities, of which the last three are omega; nan counts as nothing.
  double (*largest_turn)(const double* v, int blocks);
};

const ArrayKernels& array_kernels();

}  // namespace catena::detail
