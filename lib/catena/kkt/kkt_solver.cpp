#include <catena/kkt/kkt_solver.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;

namespace {

// Of a constraint: empty, or which of its rows has no entry.
std::string why_singular(const BlockMatrix& matrix, int dual) {
  const BlockPattern& p = matrix.pattern();
  const int rows = p.dual_size[static_cast<std::size_t>(dual)];
  std::vector<bool> acts(static_cast<std::size_t>(rows), false);
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    if (p.incidences[k].dual != dual) continue;
    const ConstBlockRef C = matrix.C(static_cast<int>(k));
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < C.cols; ++c)
        if (C(r, c) != 0.0) acts[static_cast<std::size_t>(r)] = true;
  }
  const auto idle = std::find(acts.begin(), acts.end(), false);
  if (idle == acts.end()) return {};
  return "its row " + (rows == 1 ? "" : std::to_string(idle - acts.begin() + 1) + " ") +
         "does not change with any velocity here";
}

}  // namespace

std::string KktSolver::attach(const System& system, const KktOptions& options) {
  system_ = &system;
  options_ = options;
  const auto pattern = system.layout().pattern;
  matrix_ = std::make_unique<BlockMatrix>(pattern, options.border);
  lanes_ = std::make_shared<const BlockLanes>(*pattern);
  solver_ = options.backend ? options.backend() : std::make_unique<BlockLdl>();
  if (solver_ == nullptr) return "the back end could not be made: its factory returns none";
  SolverOptions solver_options;
  solver_options.factorization = options.factorization;
  std::string refusal = solver_->analyze(pattern, options.border, solver_options);
  if (!refusal.empty()) return refusal;
  symmetric_.reset();
  fallback_.reset();
  factored_ = solver_.get();
  return {};
}

KktSolver KktSolver::sibling() const {
  KktSolver other;
  other.system_ = system_;
  other.options_ = options_;
  other.matrix_ = std::make_unique<BlockMatrix>(matrix_->shared_pattern(), matrix_->border());
  other.lanes_ = lanes_;
  other.solver_ = solver_->clone_analysis();
  other.factored_ = other.solver_.get();
  return other;
}

void KktSolver::update_proximal() { set_diagonal(options_.proximal, 0.0); }

void KktSolver::set_compliance(double epsilon) { set_diagonal(0.0, epsilon); }

// Norm rows have no such term: nothing makes them redundant. The diagonal of H nearly vanishes along a unit quaternion (0 at
// e = (1,0,0,0), then 1e-60 after a step), and so does C of a joint, but for roundoff. So a diagonal entry counts as at least
// 1e-3 of the largest of its block, both as energies of the characteristic lengths. Any small number serves: it changes the
// proximal term only, which refinement removes.
void KktSolver::set_diagonal(double proximal, double compliance) {
  const BlockPattern& p = matrix_->pattern();
  if (p.dual_dimension == 0) return;
  const std::vector<double>& scale = system_->layout().scale;
  // 1 / H of each component; 0 in a block without inertia.
  reciprocal_.resize(static_cast<std::size_t>(p.primal_dimension));
  for (int k = 0; k < p.primal_count(); ++k) {
    const ConstBlockRef H = std::as_const(*matrix_).H(k);
    const auto first = static_cast<std::size_t>(p.primal_offset[static_cast<std::size_t>(k)]);
    const double* const length = scale.data() + first;
    double* const per = reciprocal_.data() + first;
    double energy = 0.0;
    for (int j = 0; j < H.rows; ++j) energy = std::max(energy, std::abs(H(j, j)) * length[j] * length[j]);
    for (int j = 0; j < H.rows; ++j) {
      const double square = length[j] * length[j], inertia = std::abs(H(j, j));
      per[j] = energy == 0.0                       ? 0.0
               : inertia * square >= 1e-3 * energy ? 1.0 / inertia
                                                   : square / (1e-3 * energy);
    }
  }
  double *const e = matrix_->proximal(0), *const D = matrix_->D(0);  // the others lie behind
  std::fill(e, e + p.dual_dimension, 0.0);
  std::fill(D, D + p.dual_dimension, 0.0);
  if (proximal > 0.0) lanes_->add_squares_of_C(*matrix_, reciprocal_.data(), proximal, e);
  if (compliance > 0.0) lanes_->add_squares_of_C(*matrix_, reciprocal_.data(), compliance, D);
  for (int d = 0; d < p.dual_count(); ++d)
    if (p.is_norm(d)) *matrix_->proximal(d) = *matrix_->D(d) = 0.0;
}

KktReport KktSolver::factorize() {
  factored_ = solver_.get();
  return interpret(solver_->factorize(*matrix_));
}

KktReport KktSolver::factorize_symmetric(double* x) {
  // Libraries that take this matrix at all factorise both triangles.
  if (!symmetric_ && options_.factorization != Factorization::ldlt &&
      dynamic_cast<const BlockLdl*>(solver_.get()) != nullptr) {
    symmetric_ = std::make_unique<BlockLdl>();
    symmetric_->analyze(matrix_->shared_pattern(), Border::transposed,
                        {.factorization = Factorization::ldlt});
  }
  if (!symmetric_) return x == nullptr ? factorize() : factorize_and_solve(x);
  factored_ = symmetric_.get();
  return interpret(x == nullptr ? symmetric_->factorize(*matrix_)
                                : symmetric_->factorize_and_solve(*matrix_, x));
}

KktReport KktSolver::factorize_and_solve(double* x) {
  factored_ = solver_.get();
  return interpret(solver_->factorize_and_solve(*matrix_, x));
}

void KktSolver::find_weakest_row(KktReport& report) const {
  if (report.weakest_dual >= 0 || matrix_->pattern().dual_count() == 0) return;
  BlockLdl own;
  SolverOptions solver_options;
  solver_options.factorization =
      matrix_->border() == Border::transposed ? Factorization::ldlt : Factorization::ldu;
  own.analyze(matrix_->shared_pattern(), matrix_->border(), solver_options);
  const FactorReport f = own.factorize(*matrix_);
  report.weakest_dual = f.weakest_dual;
  report.weakest_dual_ratio = f.weakest_dual_ratio;
}

KktReport KktSolver::interpret(const FactorReport& f) {
  KktReport report;
  const BlockPattern& p = matrix_->pattern();
  report.offending_primal = f.wrong_sign_primal;
  report.pivot_growth = f.pivot_growth;
  report.weakest_dual = f.weakest_dual;
  report.weakest_dual_ratio = f.weakest_dual_ratio;
  report.indefinite = f.negative_pivots > p.dual_dimension;
  if (f.status == FactorStatus::ok) return report;
  report.status = f.status == FactorStatus::not_finite ? Status::not_finite : Status::singular_kkt;
  report.culprit.quantity = "pivot";
  if (f.culprit < 0) return report;
  report.culprit.name =
      f.culprit_is_dual ? system_->constraint_name(f.culprit) : system_->velocity_block_name(f.culprit);
  if (f.culprit_is_dual && report.status == Status::singular_kkt)
    report.culprit.why = why_singular(*matrix_, f.culprit);
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
  const bool ok = fallback_->factorize(*matrix_).status == FactorStatus::ok;
  if (ok)
    factored_ = fallback_.get();
  else if (factored_ == fallback_.get())
    factored_ = solver_.get();
  return ok;
}

void KktSolver::solve(double* x) { factored_->solve(x); }

void KktSolver::solve_transposed(double* x) { factored_->solve_transposed(x); }

// (A + P) x = b leaves b - A x = P x, and P is in the rows of constraints alone: [H B; C -D - P], so that it is -P lambda. With
// (A + P) d = P x the sum x + d leaves P d.
double KktSolver::solve_repeatedly(double* x) {
  const BlockPattern& p = matrix_->pattern();
  const auto n = static_cast<std::size_t>(p.primal_dimension), m = static_cast<std::size_t>(p.dual_dimension);
  solve(x);
  if (m == 0) return 0.0;
  rhs_.resize(n + m);
  std::copy_n(x, n + m, rhs_.begin());
  const double* const proximal = std::as_const(*matrix_).proximal(0);
  constexpr double roundoff = 1e-16;
  constexpr int most = 3;
  double change_before = 1.0, next = 1.0;
  for (int k = 0; k < most && next > roundoff; ++k) {
    std::fill_n(rhs_.begin(), n, 0.0);
    for (std::size_t r = 0; r < m; ++r) rhs_[n + r] *= -proximal[r];
    solve(rhs_.data());
    double change = 0.0, largest = 0.0;
    for (std::size_t r = n; r < n + m; ++r) {
      change = std::max(change, std::abs(rhs_[r]));
      largest = std::max(largest, std::abs(x[r]));
    }
    for (std::size_t i = 0; i < n + m; ++i) x[i] += rhs_[i];
    change = change > 0.0 ? change / largest : 0.0;
    next = change * (change / change_before);
    if (!(change < 0.1 * change_before)) break;  // multipliers that redundant rows leave open
    change_before = change;
  }
  return next;
}

double KktSolver::solve_refined(double* x) {
  if (!refining_) {
    refining_ = true;
    rhs_.resize(static_cast<std::size_t>(dimension()));
    refinement_ = RefinementWorkspace(matrix_->pattern());
  }
  std::copy(x, x + dimension(), rhs_.begin());
  LinearSolver& solver = *factored_;
  const auto solved = [&] {
    solver.solve(x);
    return refine(*matrix_, solver, rhs_.data(), x, RefinementOptions{}, refinement_).after.total();
  };
  const auto largest = [&] {
    double most = 0.0;
    for (int i = 0; i < dimension(); ++i) most = std::max(most, std::abs(x[i]));
    return most;
  };
  double error = solved();
  for (int attempt = 0; attempt < 2 && error > resistant; ++attempt) {
    const double before = largest();
    scale_proximal(1e-2);
    const bool factorised = solver.factorize(*matrix_).status == FactorStatus::ok;
    if (factorised) {
      std::copy(rhs_.begin(), rhs_.end(), x);
      const double now = solved();
      // Contradictory rows have no solution: their multipliers grow by the factor 100 by which the term shrinks. Those
      // of a solvable system change by a part of themselves; 10 lies between.
      if (largest() <= 10.0 * before) {
        error = now;
        continue;
      }
    }
    scale_proximal(1e2);
    solver.factorize(*matrix_);
    break;
  }
  return error;
}

void KktSolver::scale_proximal(double factor) {
  const BlockPattern& p = matrix_->pattern();
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(d)]; ++i) matrix_->proximal(d)[i] *= factor;
}

void KktSolver::scale_compliance(double factor) {
  const BlockPattern& p = matrix_->pattern();
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(d)]; ++i) matrix_->D(d)[i] *= factor;
}

void KktSolver::release_workspace() {
  refining_ = false;
  rhs_ = std::vector<double>();  // = {} keeps the memory
  refinement_ = RefinementWorkspace();
}

std::string KktSolver::owner(int component) const {
  const BlockPattern& p = matrix_->pattern();
  const int block = p.block_of(component);
  return component >= p.primal_dimension ? system_->constraint_name(block)
                                         : system_->velocity_block_name(block);
}

double KktSolver::largest_inertia() const {
  const BlockPattern& p = matrix_->pattern();
  const std::vector<double>& scale = system_->layout().scale;
  double largest = 0.0;
  for (int k = 0; k < p.primal_count(); ++k) {
    const ConstBlockRef H = std::as_const(*matrix_).H(k);
    const int offset = p.primal_offset[static_cast<std::size_t>(k)];
    for (int i = 0; i < H.rows; ++i)
      largest = std::max(largest, std::abs(H(i, i)) * scale[static_cast<std::size_t>(offset + i)]);
  }
  return largest;
}

std::size_t KktSolver::bytes() const {
  return matrix_->bytes() + solver_->bytes() + (symmetric_ ? symmetric_->bytes() : 0);
}

}  // namespace catena
