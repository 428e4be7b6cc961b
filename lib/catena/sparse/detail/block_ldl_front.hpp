// What the kernels of lanes and of dense fronts share. Included by *.isa.cpp files only.
#pragma once
#include <catena/math/parts/pack.hpp>
#include <catena/math/parts/scalar.hpp>
#include <catena/sparse/detail/block_ldl_plan.hpp>
#include <catena/sparse/detail/block_ldl_traffic.hpp>
#include <catena/sparse/detail/unroll.hpp>

CATENA_BEGIN_DETAIL_ISA
namespace ldl_front {

using namespace catena::detail::ldl;

// Inspects one pivot block of one front with an unusual sign or size.
// reciprocal: its reciprocal pivots, `stride` apart; expected: their sign.
inline void inspect(const double* reciprocal, int size, int stride, bool dual, int block, const int* position,
                    TaskReport& report) {
  for (int i = 0; i < size; ++i) {
    const double r = reciprocal[i * stride];
    const double p = 1.0 / r;
    const bool finite = __builtin_isfinite(r) && r != 0.0;
    if (!finite || !__builtin_isfinite(p)) {
      if (report.culprit < 0 || position[block] < position[report.culprit]) {
        report.culprit = block;
        report.culprit_not_finite = __builtin_isnan(r) || r == 0.0;
      }
      return;
    }
    if ((r < 0.0) == dual) continue;
    if (dual) {
      --report.negative_change;
      continue;
    }
    ++report.negative_change;
    if (report.wrong_primal < 0 || position[block] < position[report.wrong_primal])
      report.wrong_primal = block;
  }
}

// Kernels of one batch; `factor`: where its factor is or goes. Defined in block_ldl_lanes.isa.cpp and
// block_ldl_dense.isa.cpp, sweeps in block_ldl_sweeps.isa.cpp and block_ldl_dense_sweeps.isa.cpp.
template <bool Symmetric>
void factor_lanes(const Plan&, const Numbers&, const Batch&, double* factor, double* scratch, double* work,
                  TaskReport&, Traffic&);
template <bool Symmetric>
void forward_lanes(const Plan&, const Numbers&, const Batch&, const double* factor, double* scratch,
                   double* x, Traffic&);
template <bool Symmetric>
void backward_lanes(const Plan&, const Numbers&, const Batch&, double* x, Traffic&);
template <bool Symmetric>
void factor_dense(const Plan&, const Numbers&, const Batch&, double* scratch, double* work, TaskReport&);
template <bool Symmetric>
void forward_dense(const Plan&, const Numbers&, const Batch&, double* scratch, double* work, const double* x);
template <bool Symmetric>
void backward_dense(const Plan&, const Numbers&, const Batch&, double* work, double* x);

}  // namespace ldl_front
CATENA_END_DETAIL_ISA
