#include <catena/linear/detail/idle.hpp>
#include <catena/math/detail/index.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

// f(row block, column block, number of the first row, number of the first column, of all blocks of H.
template <class F>
void each_block(const BlockMatrix& A, F&& f) {
  const BlockPattern& p = A.pattern();
  const auto at = [&](int b) { return p.primal_offset[index(b)]; };
  for (int b = 0; b < p.primal_count(); ++b) f(A.H(b), at(b), at(b));
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const auto [i, j] = p.couplings[k];
    f(A.H_upper(static_cast<int>(k)), at(i), at(j));
    f(A.H_lower(static_cast<int>(k)), at(j), at(i));
  }
}

double largest_entry(const BlockMatrix& A) {
  double largest = 0.0;
  each_block(A, [&](const ConstBlockRef& H, int, int) {
    for (int i = 0; i < H.rows; ++i)
      for (int j = 0; j < H.cols; ++j) largest = std::max(largest, std::abs(H(i, j)));
  });
  return largest;
}

double asymmetry(const BlockMatrix& A) {
  const BlockPattern& p = A.pattern();
  double largest = 0.0;
  for (int b = 0; b < p.primal_count(); ++b) {
    const ConstBlockRef H = A.H(b);
    for (int i = 0; i < H.rows; ++i)
      for (int j = 0; j < i; ++j) largest = std::max(largest, std::abs(H(i, j) - H(j, i)));
  }
  for (int k = 0; k < static_cast<int>(p.couplings.size()); ++k) {
    const ConstBlockRef upper = A.H_upper(k), lower = A.H_lower(k);
    for (int i = 0; i < upper.rows; ++i)
      for (int j = 0; j < upper.cols; ++j) largest = std::max(largest, std::abs(upper(i, j) - lower(j, i)));
  }
  return largest;
}

}  // namespace

MatrixKinds look_at_matrices(const LinearMotion& motion) {
  // K of potential forces at a balance that is exact to LinearizeOptions::tolerance of the forces is symmetric to as much;
  // follower forces are not symmetric by their own size.
  constexpr double inexact = 1e-6;
  return {.undamped = largest_entry(*motion.damping) == 0.0,
          .symmetric = asymmetry(*motion.stiffness) <= inexact * largest_entry(*motion.stiffness)};
}

void find_idle(LinearMotion& motion) {
  const BlockPattern& p = *motion.system->layout().pattern;
  std::vector<std::uint8_t> used(index(p.primal_dimension), 0);
  for (const BlockMatrix* A : {motion.damping.get(), motion.stiffness.get()})
    each_block(*A, [&](const ConstBlockRef& H, int row, int column) {
      for (int i = 0; i < H.rows; ++i)
        for (int j = 0; j < H.cols; ++j)
          if (H(i, j) != 0.0) used[index(row + i)] = used[index(column + j)] = 1;
    });
  each_block(*motion.mass, [&](const ConstBlockRef& H, int row, int column) {
    for (int i = 0; i < H.rows; ++i)
      for (int j = 0; j < H.cols; ++j)
        // Turns of one body are idle together: their inertia may couple them.
        if (H(i, j) != 0.0 && (row != column || (i < 3) != (j < 3)))
          used[index(row + i)] = used[index(column + j)] = 1;
  });
  for (std::size_t k = 0; k < p.incidences.size(); ++k)
    for (const BlockMatrix* A : {motion.mass.get(), motion.stiffness.get()}) {
      const ConstBlockRef C = A->C(static_cast<int>(k));
      const int column = p.primal_offset[index(p.incidences[k].primal)];
      for (int i = 0; i < C.rows; ++i)
        for (int j = 0; j < C.cols; ++j)
          if (C(i, j) != 0.0) used[index(column + j)] = 1;
    }
  motion.idle.assign(used.size(), 0);
  motion.idle_count = 0;
  for (int b = 0; b < p.primal_count(); ++b) {
    if (p.primal_size[index(b)] != 6) continue;
    const int o = p.primal_offset[index(b)] + 3;
    if (used[index(o)] != 0 || used[index(o + 1)] != 0 || used[index(o + 2)] != 0) continue;
    for (int k = o; k < o + 3; ++k) motion.idle[index(k)] = 1;
    motion.idle_count += 3;
  }
}

}  // namespace catena::detail
