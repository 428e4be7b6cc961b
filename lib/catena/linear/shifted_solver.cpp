#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/shifted_solver.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {

double stiffest(const LinearMotion& motion) {
  const BlockPattern& p = *motion.system->layout().pattern;
  double largest = 0.0;
  for (int b = 0; b < p.primal_count(); ++b) {
    const ConstBlockRef K = std::as_const(*motion.stiffness).H(b), M = std::as_const(*motion.mass).H(b);
    for (int i = 0; i < K.rows; ++i)
      if (M(i, i) > 0.0) largest = std::max(largest, std::abs(K(i, i)) / M(i, i));
  }
  return largest;
}

ShiftedSolver::ShiftedSolver(const LinearMotion& motion, bool symmetric)
    : motion_(motion), n_(motion.system->layout().v_size()) {
  KktOptions options;
  // A proximal term makes rows a little soft, and a step of refinement makes them as much stiffer again. In a chain of 1e5
  // bodies the softest combination of rows is (pi / 2e5)^2 = 2.5e-10 of one of them; of redundant rows the pivot is the
  // term, which must remain above the roundoff of the elimination.
  options.proximal = 1e-14;
  if (!symmetric) options.factorization = Factorization::ldu, options.border = Border::separate;
  refusal_ = kkt_.attach(*motion.system, options);
  work_.resize(n_ + motion.system->layout().lambda_size());
  rhs_ = residual_ = work_;
}

KktReport ShiftedSolver::factorize(double sigma) {
  fill_shifted(motion_, sigma, kkt_.matrix());
  kkt_.update_proximal();
  const KktReport report = kkt_.factorize();
  if (report.status == Status::ok) refines_ = residual() > sufficient;
  return report;
}

int ShiftedSolver::below() const {
  const BlockMatrix& matrix = kkt_.matrix();
  BlockLdl ldl;
  if (!ldl.analyze(matrix.shared_pattern(), matrix.border(), {}).empty()) return -1;
  const FactorReport report = ldl.factorize(matrix);
  if (report.status != FactorStatus::ok || report.negative_pivots < 0) return -1;
  return report.negative_pivots - matrix.pattern().dual_dimension;
}

void ShiftedSolver::solve(double* b) {
  ++solves;
  if (!refines_) return kkt_.solve(b);
  std::copy(b, b + rhs_.size(), rhs_.data());
  kkt_.solve(b);
  kkt_.matrix().multiply(b, residual_.data());
  residual_ = rhs_ - residual_;
  kkt_.solve(residual_.data());
  Eigen::Map<Eigen::VectorXd>(b, rhs_.size()) += residual_;
}

void ShiftedSolver::solve_upper(const double* b, double* x) {
  std::copy(b, b + n_, work_.data());
  work_.tail(work_.size() - n_).setZero();
  for (Eigen::Index k = 0; k < n_ && motion_.idle_count > 0; ++k)
    if (motion_.idle[index(k)] != 0) work_(k) = 0.0;
  solve(work_.data());
  std::copy(work_.data(), work_.data() + n_, x);
}

double ShiftedSolver::residual() {
  for (Eigen::Index k = 0; k < n_; ++k) rhs_(k) = scattered(index(k)) - 0.5;
  rhs_.tail(rhs_.size() - n_).setZero();
  work_ = rhs_;
  kkt_.solve(work_.data());
  kkt_.matrix().multiply(work_.data(), residual_.data());
  return (rhs_ - residual_).head(n_).norm() / rhs_.norm();
}

}  // namespace catena::detail
