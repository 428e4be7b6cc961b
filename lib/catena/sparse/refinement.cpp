#include <catena/math/detail/index.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace catena::detail {
namespace {

// Rows of a dense block, or of its transpose: r -= a x, m += |a||x|, s += sum of |a|.
struct Rows {
  double *residual, *absolute, *sum;

  void add(const ConstBlockRef& a, const double* x) const {
    constexpr int stride = BlockMatrix::stride;
    const double* entry = a.data;
    for (int i = 0; i < a.rows; ++i) {
      double r = residual[i], m = absolute[i], s = sum[i];
      for (int j = 0; j < a.cols; ++j, entry += stride) {
        const double product = *entry * x[j];
        r -= product;
        m += std::fabs(product);
        s += std::fabs(*entry);
      }
      residual[i] = r;
      absolute[i] = m;
      sum[i] = s;
    }
  }
  void add_transposed(const ConstBlockRef& a, const double* x) const {
    constexpr int stride = BlockMatrix::stride;
    for (int j = 0; j < a.cols; ++j) {
      const double* entry = a.data + j * stride;
      double r = residual[j], m = absolute[j], s = sum[j];
      for (int i = 0; i < a.rows; ++i, entry += a.cols * stride) {
        const double product = *entry * x[i];
        r -= product;
        m += std::fabs(product);
        s += std::fabs(*entry);
      }
      residual[j] = r;
      absolute[j] = m;
      sum[j] = s;
    }
  }
  void add(int i, double a, double x) const {
    const double product = a * x;
    residual[i] -= product;
    absolute[i] += std::fabs(product);
    sum[i] += std::fabs(a);
  }
};

}  // namespace

RefinementWorkspace::RefinementWorkspace(const BlockPattern& pattern) {
  for (std::vector<double>* v : {&residual, &absolute, &row_sum, &next})
    v->assign(index(pattern.dimension()), 0.0);
}

BackwardError backward_error(const BlockMatrix& matrix, const double* rhs, const double* x,
                             RefinementWorkspace& work) {
  const BlockPattern& p = matrix.pattern();
  const int n = p.dimension();
  assert(static_cast<int>(work.residual.size()) == n);
  std::copy(rhs, rhs + n, work.residual.begin());
  std::fill(work.absolute.begin(), work.absolute.end(), 0.0);
  std::fill(work.row_sum.begin(), work.row_sum.end(), 0.0);
  auto at = [&](int offset) {
    return Rows{work.residual.data() + offset, work.absolute.data() + offset, work.row_sum.data() + offset};
  };
  for (int b = 0; b < p.primal_count(); ++b) {
    const int o = p.primal_offset[index(b)];
    at(o).add(matrix.H(b), x + o);
  }
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const int i = p.primal_offset[index(p.couplings[k].i)], j = p.primal_offset[index(p.couplings[k].j)];
    at(i).add(matrix.H_upper(static_cast<int>(k)), x + j);
    at(j).add(matrix.H_lower(static_cast<int>(k)), x + i);
  }
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const int d = p.dual_offset[index(p.incidences[k].dual)];
    const int b = p.primal_offset[index(p.incidences[k].primal)];
    at(d).add(matrix.C(static_cast<int>(k)), x + b);
    at(b).add_transposed(matrix.Bt(static_cast<int>(k)), x + d);
  }
  for (int d = 0; d < p.dual_count(); ++d) {
    const int o = p.dual_offset[index(d)];
    for (int i = 0; i < p.dual_size[index(d)]; ++i) at(o).add(i, -matrix.D(d)[i], x[o + i]);
  }

  double largest = 0.0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::fabs(x[i]));
  const double tiny = 1000.0 * n * std::numeric_limits<double>::epsilon();
  BackwardError error;
  bool finite = true;
  for (int i = 0; i < n; ++i) {
    const double r = std::fabs(work.residual[index(i)]), ax = work.absolute[index(i)];
    finite = finite && std::isfinite(r);
    if (r == 0.0) continue;
    const double b = std::fabs(rhs[i]), bound = work.row_sum[index(i)] * largest;
    if (ax + b > tiny * (bound + b))
      error.omega_1 = std::max(error.omega_1, r / (ax + b));
    else
      error.omega_2 = std::max(error.omega_2, r / (ax + bound));
  }
  if (!finite) error.omega_1 = std::numeric_limits<double>::quiet_NaN();
  return error;
}

RefinementReport refine(const BlockMatrix& matrix, LinearSolver& solver, const double* rhs, double* x,
                        const RefinementOptions& options, RefinementWorkspace& work) {
  const int n = matrix.pattern().dimension();
  RefinementReport report;
  report.before = report.after = backward_error(matrix, rhs, x, work);
  const auto patient = [&] {
    return report.after.total() > options.tolerable && report.steps < options.patience;
  };
  while (!(report.after.total() <= options.target) && (report.steps < options.max_steps || patient())) {
    std::copy(work.residual.begin(), work.residual.end(), work.next.begin());
    solver.solve(work.next.data());
    ++report.steps;
    for (int i = 0; i < n; ++i) work.next[index(i)] += x[i];
    const BackwardError error = backward_error(matrix, rhs, work.next.data(), work);
    const bool better = error.total() < report.after.total();
    const double remaining = patient() ? std::max(0.9, options.stagnation) : options.stagnation;
    const bool stagnant = !(error.total() <= remaining * report.after.total());
    if (better) {
      std::copy(work.next.begin(), work.next.end(), x);
      report.after = error;
    }
    if (stagnant) break;
  }
  report.converged = report.after.total() <= options.target;
  return report;
}

}  // namespace catena::detail
