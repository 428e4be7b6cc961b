// The stabilized form of lie_dae: V' = V - W G^T mu takes q onto the constraints, V keeps G V + g_t = 0; W = I, but for
// mechanisms far from the size of a metre the square of their size on lengths. With x the change of W G^T mu and all
// changes divided by h~ (of V) or h~^2 (of q), Newton's system is
//     H delta + G^T dlambda = -r   - (M + h~ D) (h~ K_mu delta + x)        K_mu = W d(G^T mu)/dq
//     G delta               = -g / h~^2
//     G x = -(G V + g_t) / h~ - (G T^-1 + h~ N + h~ G K_mu) delta,    x = W G^T dmu
// the first two rows with the matrix of index 3, the last with the projector [W^-1 G^T; G 0]. quasi: one after the
// other, the last one at the new q; exact: repeated until nothing moves, products with the couplings in between.
#include <catena/solvers/lie_dae_memory.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>
#include <cmath>

namespace catena {
namespace {

// sqrt(W) of mechanisms of some reach: W G^T mu adds what mu does to lengths to what it does to angles. With I they are
// 1e12 apart a micrometre across, and the rows as good as dependent. In steps of 1024, with rounding of no number.
double length_of_metric(double reach) { return std::exp2(10.0 * std::round(0.1 * std::log2(reach))); }

}  // namespace

// The projector at the iterate. Rows at velocity level have no mu; omega sees them as well.
KktReport LieDae::refresh_projector(bool with_velocity_level) {
  BlockMatrix& m = projector_->matrix();
  Linearization lin;
  lin.matrix = &m;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(iterate(), wanted);
  if (has_velocity_level_) decouple_velocity_level(with_velocity_level);
  ++statistics_.factorizations;
  return projector_->factorize();
}

void LieDae::decouple_velocity_level(bool with_velocity_level) {
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
void LieDae::make_projector(const Point& initial, double compliance) {
  if (!projector_) projector_ = std::make_unique<KktSolver>(newton_.kkt().sibling());
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
  if (compliance > options_.proximal)
    projector_->set_compliance(compliance);
  else
    projector_->update_proximal();
}

// V = V' + W G^T mu at the iterate's q.
void LieDae::find_velocities() {
  Point at;
  at.t = t_;
  at.q = q_.data();
  at.lambda = mu_.data();
  at.discrete = discrete_;
  at.forces = false;
  Evaluation wanted;
  wanted.balance = v_.data();
  system_->evaluate(at, wanted);
  for (std::size_t k = 0; k < v_.size(); ++k) v_[k] = metric_[k] * metric_[k] * v_[k] + v_prime_[k];
}

// x and -dmu / h~ from the rows that stand in projected_.
void LieDae::solve_projector() {
  std::fill(projected_.begin(), projected_.begin() + static_cast<std::ptrdiff_t>(v_.size()), 0.0);
  projector_->solve(projected_.data());
  ++statistics_.solves;
}

void LieDae::clear_rows(Level level, double* rows) const {
  const BlockPattern& p = *system_->layout().pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    if (system_->layout().level[i] == level)
      std::fill_n(rows + p.dual_offset[i] - p.primal_dimension, p.dual_size[i], 0.0);
  }
}

// -(G V + g_t) / h~ of the rows that have a mu.
void LieDae::negative_velocity_rows(double* rows) const {
  if (mu_.empty()) return;
  const double* D = projector_->matrix().D(0);
  for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] = -(velocity_rows_[k] + D[k] * mu_[k]) / h_tilde_;
  if (has_velocity_level_) clear_rows(Level::velocity, rows);
}

// mu and V from the velocity rows at the iterate; a follows V.
void LieDae::correct_mu() {
  const std::size_t n = v_.size();
  {
    const PhaseTimer timer(statistics_.seconds_evaluate);
    Evaluation wanted;
    wanted.velocity = velocity_rows_.data();
    system_->evaluate(iterate(), wanted);
  }
  const PhaseTimer timer(statistics_.seconds_solve);
  negative_velocity_rows(projected_.data() + n);
  solve_projector();
  for (std::size_t k = 0; k < n; ++k) {
    v_[k] += h_tilde_ * projected_[k];
    a_[k] += projected_[k];
  }
  for (std::size_t k = 0; k < mu_.size(); ++k) mu_[k] -= h_tilde_ * projected_[n + k];
}

// The matrices of the products in sweep_to_the_end(), at the iterate.
void LieDae::linearize_couplings(const Point& iterate, const double* xi, const double* mu) {
  Linearization lin;
  lin.matrix = dynamics_.get();
  lin.mass = 1.0;
  lin.damping = h_tilde_;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = iterate;
  system_->evaluate(at, wanted);
  lin = {};
  lin.matrix = kinematics_.get();
  lin.stiffness = h_tilde_;
  lin.increment = xi;
  lin.position_rows = lin.velocity_rows = {0.0, 1.0, h_tilde_};
  at.a = nullptr;
  at.lambda = mu;
  at.forces = false;
  system_->evaluate(at, wanted);
}

// Newton's system as it is; correction() comes with the solution for x = 0. Contracts by about h |Omega| a sweep.
void LieDae::solve_coupled(bool refresh) {
  if (refresh) linearize_couplings(iterate(), xi_.data(), mu_.data());
  constexpr int most_sweeps = 60;
  constexpr double enough = 1e-13;
  const PhaseTimer timer(statistics_.seconds_solve);
  const auto n = static_cast<std::ptrdiff_t>(v_.size());
  double* solution = newton_.rhs();
  double* rows = projected_.data() + n;
  std::copy(solution, solution + n + static_cast<std::ptrdiff_t>(lambda_.size()), first_solution_.begin());
  std::fill(normal_.begin(), normal_.end(), 0.0);
  std::fill(input_.begin() + n, input_.end(), 0.0);
  double last = 0.0;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    // mu for this delta
    std::copy(solution, solution + n, input_.begin());
    kinematics_->multiply(input_.data(), product_.data());
    for (std::size_t k = 0; k < v_.size(); ++k)
      work_[k] = metric_[k] * metric_[k] * product_[k];  // h~ K_mu delta
    negative_velocity_rows(rows);
    for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] -= product_[v_.size() + k];
    std::copy(work_.begin(), work_.end(), input_.begin());
    dynamics_->multiply(input_.data(), product_.data());
    for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] -= product_[v_.size() + k];
    if (has_velocity_level_) clear_rows(Level::velocity, rows);
    solve_projector();
    double change = 0.0, size = 0.0;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      change = std::max(change, std::abs(projected_[k] - normal_[k]) / metric_[k]);
      size = std::max({size, std::abs(projected_[k]) / metric_[k], std::abs(solution[k]) / metric_[k]});
      normal_[k] = projected_[k];
    }
    if (change <= enough * size || (sweep > 3 && !(change < last))) break;
    last = change;
    // delta and lambda for this mu
    for (std::size_t k = 0; k < v_.size(); ++k) input_[k] = work_[k] + normal_[k];
    dynamics_->multiply(input_.data(), product_.data());
    clear_rows(Level::position, product_.data() + n);
    newton_.kkt().solve(product_.data());
    ++statistics_.solves;
    for (std::size_t k = 0; k < product_.size(); ++k) solution[k] = first_solution_[k] - product_[k];
  }
  for (std::size_t k = 0; k < mu_.size(); ++k) mu_[k] -= h_tilde_ * rows[k];
}

// The changes of V count as well when Newton is judged.
void LieDae::show_all_corrections() {
  const std::vector<double>& x = exact() ? normal_ : projected_;
  double* correction = newton_.rhs();
  for (std::size_t k = 0; k < v_.size(); ++k) correction[k] = std::abs(correction[k]) + std::abs(x[k]);
}

// After Newton: takes the gap that a compliance allows out again, by moves that mu makes up for, so that V and the
// balance stand as they are.
void LieDae::close_positions(const State& state) {
  constexpr int passes = 2;  // each leaves the projector's compliance of the gap, and what is nonlinear in it
  const std::size_t n = v_.size();
  for (int pass = 0; pass < passes; ++pass) {
    double* rows = projected_.data() + n;
    Evaluation wanted;
    wanted.position = rows;
    system_->evaluate(iterate(), wanted);
    for (std::size_t k = 0; k < mu_.size(); ++k) rows[k] /= -h_tilde_;
    if (has_velocity_level_) clear_rows(Level::velocity, rows);
    solve_projector();
    system_->inverse_tangent(xi_.data(), projected_.data(), work_.data());
    for (std::size_t k = 0; k < n; ++k) v_prime_[k] += work_[k];
    for (std::size_t k = 0; k < mu_.size(); ++k) mu_[k] += rows[k];
    move(state);
  }
}

// After Newton: the last digits of G V + g_t = 0, then omega, which makes a the consistent acceleration.
Outcome LieDae::find_omega(const State& state) {
  constexpr int most_corrections = 5;
  const std::size_t n = v_.size();
  const auto finite = [&] {
    return std::all_of(projected_.begin(), projected_.end(), [](double x) { return std::isfinite(x); });
  };
  KktReport report = refresh_projector(false);
  if (report.status == Status::ok && compliance_ > options_.proximal) {
    close_positions(state);
    report = refresh_projector(false);  // the one that find_projector() makes
  }
  if (report.status == Status::ok) correct_mu();
  if (report.status == Status::ok && has_velocity_level_) report = refresh_projector(true);
  if (report.status != Status::ok) return failure(report.status, report.culprit);
  have_projector_ = true;
  std::fill(omega_.begin(), omega_.end(), 0.0);
  double last = 0.0;
  for (int k = 0; k < most_corrections; ++k) {
    Evaluation wanted;
    wanted.acceleration = projected_.data() + n;
    system_->evaluate(iterate(), wanted);
    double largest = 0.0;
    for (std::size_t j = n; j < projected_.size(); ++j) largest = std::max(largest, std::abs(projected_[j]));
    if (k > 0 && largest >= 0.5 * last) break;  // roundoff is reached
    last = largest;
    for (std::size_t j = n; j < projected_.size(); ++j) projected_[j] = -projected_[j];
    solve_projector();
    if (!finite()) return failure(Status::not_finite, {"", "acceleration", largest});
    for (std::size_t j = 0; j < n; ++j) a_[j] += projected_[j];
    for (std::size_t j = 0; j < omega_.size(); ++j) omega_[j] -= projected_[n + j];
  }
  return {};
}

}  // namespace catena
