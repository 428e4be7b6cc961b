#include <catena/kkt/kkt_solver.hpp>
#include <catena/sparse/block_ldl.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {

std::string KktSolver::attach(const System& system, const KktOptions& options) {
  system_ = &system;
  options_ = options;
  const auto pattern = system.layout().pattern;
  matrix_ = std::make_unique<BlockMatrix>(pattern, options.border);
  solver_ = options.backend ? options.backend() : std::make_unique<BlockLdl>();
  SolverOptions solver_options;
  solver_options.factorization = options.factorization;
  std::string refusal = solver_->analyze(pattern, options.border, solver_options);
  if (!refusal.empty()) return refusal;
  fallback_.reset();
  using_fallback_ = false;
  return {};
}

KktSolver KktSolver::sibling() const {
  KktSolver other;
  other.system_ = system_;
  other.options_ = options_;
  other.matrix_ = std::make_unique<BlockMatrix>(matrix_->shared_pattern(), matrix_->border());
  other.solver_ = solver_->clone_analysis();
  return other;
}

void KktSolver::update_proximal() {
  const BlockPattern& p = matrix_->pattern();
  for (int d = 0; d < p.dual_count(); ++d) {
    double* e = matrix_->proximal(d);
    std::fill(e, e + p.dual_size[static_cast<std::size_t>(d)], 0.0);
  }
  if (options_.proximal <= 0.0) return;
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const ConstBlockRef C = std::as_const(*matrix_).C(static_cast<int>(k));
    const ConstBlockRef H = std::as_const(*matrix_).H(p.incidences[k].primal);
    double* e = matrix_->proximal(p.incidences[k].dual);
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) {
        const double h = std::abs(H(j, j));
        if (h > 0.0) e[i] += options_.proximal * C(i, j) * C(i, j) / h;
      }
  }
}

KktReport KktSolver::factorize() {
  using_fallback_ = false;
  return interpret(solver_->factorize(*matrix_));
}

KktReport KktSolver::factorize_and_solve(double* x) {
  using_fallback_ = false;
  return interpret(solver_->factorize_and_solve(*matrix_, x));
}

KktReport KktSolver::interpret(const FactorReport& f) {
  KktReport report;
  const BlockPattern& p = matrix_->pattern();
  report.offending_primal = f.wrong_sign_primal;
  report.indefinite = f.negative_pivots > p.dual_dimension;
  if (f.status == FactorStatus::ok) return report;
  report.status = f.status == FactorStatus::not_finite ? Status::not_finite : Status::singular_kkt;
  report.culprit.quantity = "pivot";
  if (f.culprit >= 0)
    report.culprit.name =
        f.culprit_is_dual ? system_->constraint_name(f.culprit) : system_->velocity_block_name(f.culprit);
  return report;
}

bool KktSolver::factorize_with_fallback() {
  if (!options_.fallback) return false;
  if (!fallback_) {
    fallback_ = options_.fallback();
    SolverOptions solver_options;
    solver_options.factorization = Factorization::ldu;
    if (!fallback_->analyze(matrix_->shared_pattern(), matrix_->border(), solver_options).empty()) {
      fallback_.reset();
      return false;
    }
  }
  using_fallback_ = fallback_->factorize(*matrix_).status == FactorStatus::ok;
  return using_fallback_;
}

void KktSolver::solve(double* x) { (using_fallback_ ? fallback_ : solver_)->solve(x); }

double KktSolver::solve_refined(double* x) {
  if (rhs_.empty()) {
    rhs_.resize(static_cast<std::size_t>(dimension()));
    refinement_ = RefinementWorkspace(matrix_->pattern());
  }
  std::copy(x, x + dimension(), rhs_.begin());
  LinearSolver& solver = *(using_fallback_ ? fallback_ : solver_);
  solver.solve(x);
  return refine(*matrix_, solver, rhs_.data(), x, RefinementOptions{}, refinement_).after.total();
}

void KktSolver::release_workspace() {
  rhs_ = {};
  refinement_ = RefinementWorkspace();
}

std::string KktSolver::owner(int component) const {
  const BlockPattern& p = matrix_->pattern();
  const bool dual = component >= p.primal_dimension;
  const std::vector<int>& offset = dual ? p.dual_offset : p.primal_offset;
  const auto after = std::upper_bound(offset.begin(), offset.end(), component);
  const int block = static_cast<int>(after - offset.begin()) - 1;
  return dual ? system_->constraint_name(block) : system_->velocity_block_name(block);
}

std::size_t KktSolver::bytes() const { return matrix_->bytes() + solver_->bytes(); }

}  // namespace catena
