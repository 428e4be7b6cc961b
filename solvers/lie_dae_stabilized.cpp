#include <catena/solvers/detail/lie_dae_stabilized.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

// sqrt(W) of mechanisms of some reach: W G^T mu adds what mu does to lengths to what it does to angles. With I they are
// 1e12 apart a micrometre across, and the rows as good as dependent. In steps of 1024, so that W is exact.
double length_of_metric(double reach) { return std::exp2(10.0 * std::round(0.1 * std::log2(reach))); }

}  // namespace

void Stabilization::attach(const System& system, NewtonIteration& newton, StepperStatistics& statistics,
                           StepMemory& memory) {
  system_ = &system;
  newton_ = &newton;
  statistics_ = &statistics;
  projector_.reset();
  dynamics_.reset();
  kinematics_.reset();
  have_projector_ = false;
  const auto& level = system.layout().level;
  has_velocity_level_ = std::find(level.begin(), level.end(), Level::velocity) != level.end();
  slot_ = memory.add("mu", system.layout().lambda_size());
  alpha_ = memory.find("velocity rate");
}

void Stabilization::allocate(const ImplicitIterate&) {
  const auto n = static_cast<std::size_t>(system_->layout().v_size()),
             m = static_cast<std::size_t>(system_->layout().lambda_size());
  for (auto* x : {&mu_, &omega_, &velocity_rows_}) x->assign(m, 0.0);
  for (auto* x : {&normal_, &v_prime_, &a_prime_, &work_}) x->assign(n, 0.0);
  for (auto* x : {&projected_, &first_solution_, &input_, &product_}) x->assign(n + m, 0.0);
  if (exact_ && !dynamics_) {
    const auto pattern = newton_->kkt().matrix().shared_pattern();
    dynamics_ = std::make_unique<BlockMatrix>(pattern, Border::transposed);
    kinematics_ = std::make_unique<BlockMatrix>(pattern, Border::transposed);
  }
}

void Stabilization::scale(const Point& initial, double compliance) {
  // Of the rows that have a mu, beside that of lambda: they are not divided by h^2, and neither is the roundoff that
  // redundant rows leave in mu.
  constexpr double compliance_of_mu = 1e-4;
  make_projector(initial, std::max(proximal_, compliance_of_mu * compliance));
  compliance_ = compliance;
  have_projector_ = false;
}

void Stabilization::adjust(NewtonStep& step) {
  step.closing_solves = 0;  // close_positions() does that
  // Block by block it is the couplings left out that are slow, which no new matrix mends.
  if (!exact_) step.options.slow = 0.4;
}

void Stabilization::predict(const State& state, ImplicitIterate& iterate) {
  std::copy_n(slot_.of(state), mu_.size(), mu_.begin());
  back_ = iterate.weights.damping;
}

// The projector that the end of the last step has left, at q of the state. Making it again does not count.
bool Stabilization::keep_matrix(const State& state, ImplicitIterate&) {
  if (have_projector_) return true;
  Point at = point_of(state);
  return refresh_projector(at, has_velocity_level_).status == Status::ok;
}

// V = V' + W G^T mu at the iterate's q; a follows V.
void Stabilization::moved(ImplicitIterate& iterate) {
  std::copy(iterate.v.begin(), iterate.v.end(), v_prime_.begin());
  std::copy(iterate.a.begin(), iterate.a.end(), a_prime_.begin());
  evaluate_reaction(*system_, iterate.point(), mu_.data(), work_.data());
  for (std::size_t k = 0; k < work_.size(); ++k) {
    const double x = metric_[k] * metric_[k] * work_[k];
    iterate.v[k] += x;
    iterate.a[k] += x / back_;
  }
}

// The stabilized form looks at the velocity rows of all constraints as well.
void Stabilization::evaluate(const Point& at, Evaluation wanted) {
  const bool here = wanted.velocity == nullptr;
  if (here) wanted.velocity = velocity_rows_.data();
  system_->evaluate(at, wanted);
  if (!here) std::copy(wanted.velocity, wanted.velocity + mu_.size(), velocity_rows_.begin());
}

KktReport Stabilization::solved(ImplicitIterate& iterate) {
  have_projector_ = false;
  if (newton_->refreshed()) {
    const KktReport r = refresh_projector(iterate.point(), false);
    ++statistics_->factorizations;
    if (r.status != Status::ok) return r;
    if (exact_) linearize_couplings(iterate.point(), iterate.xi.data(), mu_.data());
  }
  if (exact_) solve_coupled(iterate);
  return {};
}

// The changes of V count as well when the iteration is assessed.
void Stabilization::corrected(ImplicitIterate& iterate) {
  if (!exact_) correct_mu(iterate);
  const std::vector<double>& x = exact_ ? normal_ : projected_;
  double* correction = newton_->rhs();
  for (std::size_t k = 0; k < iterate.v.size(); ++k) correction[k] = std::abs(correction[k]) + std::abs(x[k]);
}

// alpha = (V - V_n) / h, where the table has V' for V.
void Stabilization::accept(State& state, const ImplicitIterate& iterate) {
  std::copy(mu_.begin(), mu_.end(), slot_.of(state));
  double* alpha = alpha_.of(state);
  for (std::size_t k = 0; k < v_prime_.size(); ++k) alpha[k] += (iterate.v[k] - v_prime_[k]) / iterate.h;
}

std::size_t Stabilization::matrix_numbers() const {
  return static_cast<std::size_t>(system_->layout().lambda_size());
}
void Stabilization::write_matrix_numbers(double* out) const { std::copy(mu_.begin(), mu_.end(), out); }
void Stabilization::matrix_made_again(const Point& at, const double* xi, const double* numbers) {
  if (exact_) linearize_couplings(at, xi, numbers);
}

// The projector at a point. Rows at velocity level have no mu; omega sees them as well.
KktReport Stabilization::refresh_projector(const Point& at, bool with_velocity_level) {
  Linearization lin;
  lin.matrix = &projector_->matrix();
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
  if (has_velocity_level_) decouple_velocity_level(with_velocity_level);
  return projector_->factorize();
}

void Stabilization::decouple_velocity_level(bool with_velocity_level) {
  BlockMatrix& m = projector_->matrix();
  const BlockPattern& p = m.pattern();
  const auto at_velocity_level = [&](int d) {
    return system_->layout().level[static_cast<std::size_t>(d)] == Level::velocity;
  };
  for (int d = 0; d < p.dual_count(); ++d)
    if (at_velocity_level(d))
      std::fill(m.D(d), m.D(d) + p.dual_size[static_cast<std::size_t>(d)], with_velocity_level ? 0.0 : 1.0);
  if (with_velocity_level) return;
  const auto set_zero = [](const BlockRef& b) {
    for (int i = 0; i < b.rows; ++i)
      for (int j = 0; j < b.cols; ++j) b(i, j) = 0.0;
  };
  for (std::size_t k = 0; k < p.incidences.size(); ++k)
    if (at_velocity_level(p.incidences[k].dual)) {
      set_zero(m.C(static_cast<int>(k)));
      set_zero(m.Bt(static_cast<int>(k)));
    }
}

// H = W^-1 once and for all, and the proximal term or compliance of its rows.
void Stabilization::make_projector(const Point& initial, double compliance) {
  if (!projector_) projector_ = std::make_unique<KktSolver>(newton_->kkt().sibling());
  BlockMatrix& m = projector_->matrix();
  m.set_zero();
  const SystemLayout& layout = system_->layout();
  metric_.assign(layout.scale.size(), 1.0);
  for (int k = 0; k < m.pattern().primal_count(); ++k) {
    const BlockRef H = m.H(k);
    double* length = metric_.data() + m.pattern().primal_offset[static_cast<std::size_t>(k)];
    if (layout.reach > 0.0)
      std::fill_n(length, 3, length_of_metric(layout.reach));  // bodies: lengths come first
    for (int i = 0; i < H.rows; ++i) H(i, i) = 1.0 / (length[i] * length[i]);
  }
  Linearization lin;
  lin.matrix = &m;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(initial, wanted);
  if (compliance > proximal_)
    projector_->set_compliance(compliance);
  else
    projector_->update_proximal();
}

// x and -dmu / h~ from the rows in projected_.
void Stabilization::solve_projector() {
  std::fill(projected_.begin(), projected_.end() - static_cast<std::ptrdiff_t>(mu_.size()), 0.0);
  projector_->solve(projected_.data());
  ++statistics_->solves;
}

void Stabilization::clear_rows(Level level, double* rows) const {
  const BlockPattern& p = *system_->layout().pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (system_->layout().level[i] == level)
      std::fill_n(rows + p.dual_offset[i] - p.primal_dimension, p.dual_size[i], 0.0);
  }
}

// -(G V + g_t) / h~ of the rows that have a mu.
void Stabilization::negative_velocity_rows(double* rows) const {
  if (mu_.empty()) return;
  const double* D = projector_->matrix().D(0);
  for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] = -(velocity_rows_[k] + D[k] * mu_[k]) / back_;
  if (has_velocity_level_) clear_rows(Level::velocity, rows);
}

// mu and V from the velocity rows at the iterate; a follows V.
void Stabilization::correct_mu(ImplicitIterate& iterate) {
  const std::size_t n = iterate.v.size();
  {
    const PhaseTimer timer(statistics_->seconds_evaluate);
    Evaluation wanted;
    wanted.velocity = velocity_rows_.data();
    system_->evaluate(iterate.point(), wanted);
  }
  const PhaseTimer timer(statistics_->seconds_solve);
  negative_velocity_rows(projected_.data() + n);
  solve_projector();
  for (std::size_t k = 0; k < n; ++k) {
    iterate.v[k] += back_ * projected_[k];
    iterate.a[k] += projected_[k];
  }
  for (std::size_t k = 0; k < mu_.size(); ++k) mu_[k] -= back_ * projected_[n + k];
}

// The matrices of the products in solve_coupled().
void Stabilization::linearize_couplings(const Point& iterate, const double* xi, const double* mu) {
  Linearization lin;
  lin.matrix = dynamics_.get();
  lin.mass = 1.0;
  lin.damping = back_;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = iterate;
  system_->evaluate(at, wanted);
  lin = {};
  lin.matrix = kinematics_.get();
  lin.stiffness = back_;
  lin.increment = xi;
  lin.position_rows = lin.velocity_rows = {0.0, 1.0, back_};
  at.a = nullptr;
  at.lambda = mu;
  at.forces = false;
  system_->evaluate(at, wanted);
}

// Newton's system as it is; the correction comes with the solution for x = 0. Contracts by about h |Omega| a sweep.
void Stabilization::solve_coupled(const ImplicitIterate& iterate) {
  constexpr int most_sweeps = 60;
  constexpr double enough = 1e-13;
  const PhaseTimer timer(statistics_->seconds_solve);
  const std::size_t size_v = iterate.v.size();
  const auto n = static_cast<std::ptrdiff_t>(size_v);
  double* solution = newton_->rhs();
  double* rows = projected_.data() + n;
  std::copy_n(solution, first_solution_.size(), first_solution_.begin());
  std::fill(normal_.begin(), normal_.end(), 0.0);
  std::fill(input_.begin() + n, input_.end(), 0.0);
  double last = 0.0;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    // mu for this delta
    std::copy(solution, solution + n, input_.begin());
    kinematics_->multiply(input_.data(), product_.data());
    for (std::size_t k = 0; k < size_v; ++k)
      work_[k] = metric_[k] * metric_[k] * product_[k];  // h~ K_mu delta
    negative_velocity_rows(rows);
    for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] -= product_[size_v + k];
    std::copy(work_.begin(), work_.end(), input_.begin());
    dynamics_->multiply(input_.data(), product_.data());
    for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] -= product_[size_v + k];
    if (has_velocity_level_) clear_rows(Level::velocity, rows);
    solve_projector();
    double change = 0.0, size = 0.0;
    for (std::size_t k = 0; k < size_v; ++k) {
      change = std::max(change, std::abs(projected_[k] - normal_[k]) / metric_[k]);
      size = std::max({size, std::abs(projected_[k]) / metric_[k], std::abs(solution[k]) / metric_[k]});
      normal_[k] = projected_[k];
    }
    if (change <= enough * size || (sweep > 3 && !(change < last))) break;
    last = change;
    // delta and lambda for this mu
    for (std::size_t k = 0; k < size_v; ++k) input_[k] = work_[k] + normal_[k];
    dynamics_->multiply(input_.data(), product_.data());
    clear_rows(Level::position, product_.data() + n);
    newton_->kkt().solve(product_.data());
    ++statistics_->solves;
    for (std::size_t k = 0; k < product_.size(); ++k) solution[k] = first_solution_[k] - product_[k];
  }
  for (std::size_t k = 0; k < mu_.size(); ++k) mu_[k] -= back_ * rows[k];
}

// Takes the gap that a compliance allows out again, by moves that mu makes up for, so that V and the balance do
// not change.
void Stabilization::close_positions(const State& state, ImplicitIterate& iterate) {
  constexpr int passes = 2;  // each leaves the projector's compliance of the gap, and what is nonlinear in it
  const std::size_t n = iterate.v.size();
  for (int pass = 0; pass < passes; ++pass) {
    double* rows = projected_.data() + n;
    Evaluation wanted;
    wanted.position = rows;
    system_->evaluate(iterate.point(), wanted);
    for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] /= -back_;
    if (has_velocity_level_) clear_rows(Level::velocity, rows);
    solve_projector();
    system_->inverse_tangent(iterate.xi.data(), projected_.data(), work_.data());
    // V' moves by work, and xi by h~ times that; V stays.
    for (std::size_t k = 0; k < n; ++k) {
      iterate.u[k] += work_[k] / back_;
      iterate.xi[k] += back_ * work_[k];
      iterate.v[k] = v_prime_[k] + work_[k];
      iterate.a[k] = a_prime_[k] + work_[k] / back_;
    }
    for (std::size_t k = 0; k < mu_.size(); ++k) mu_[k] += rows[k];
    system_->retract(state.q.data(), iterate.xi.data(), iterate.q.data());
    moved(iterate);
  }
}

// The last digits of G V + g_t = 0, then omega, which makes a the consistent acceleration.
Outcome Stabilization::finish(const State& state, ImplicitIterate& iterate) {
  constexpr int most_corrections = 5;
  const std::size_t n = iterate.v.size();
  const auto finite = [&] {
    return std::all_of(projected_.begin(), projected_.end(), [](double x) { return std::isfinite(x); });
  };
  const auto refresh = [&](bool with_velocity_level) {
    ++statistics_->factorizations;
    return refresh_projector(iterate.point(), with_velocity_level);
  };
  KktReport report = refresh(false);
  if (report.status == Status::ok && compliance_ > proximal_) {
    // Corrections of V behind the last moved() belong to mu.
    close_positions(state, iterate);
    report = refresh(false);  // the one that keep_matrix() makes
  }
  if (report.status == Status::ok) correct_mu(iterate);
  if (report.status == Status::ok && has_velocity_level_) report = refresh(true);
  if (report.status != Status::ok) return failure(report.status, report.culprit);
  have_projector_ = true;
  std::fill(omega_.begin(), omega_.end(), 0.0);
  double last = 0.0;
  for (int k = 0; k < most_corrections; ++k) {
    Evaluation wanted;
    wanted.acceleration = projected_.data() + n;
    system_->evaluate(iterate.point(), wanted);
    double largest = 0.0;
    for (std::size_t j = n; j < projected_.size(); ++j) largest = std::max(largest, std::abs(projected_[j]));
    if (k > 0 && largest >= 0.5 * last) break;  // roundoff is reached
    last = largest;
    for (std::size_t j = n; j < projected_.size(); ++j) projected_[j] = -projected_[j];
    solve_projector();
    if (!finite()) return failure(Status::not_finite, {"", "acceleration", largest});
    for (std::size_t j = 0; j < n; ++j) iterate.a[j] += projected_[j];
    for (std::size_t j = 0; j < omega_.size(); ++j) omega_[j] -= projected_[n + j];
  }
  return {};
}

}  // namespace catena::detail
