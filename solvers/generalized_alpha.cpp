#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/generalized_alpha_memory.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace catena {

void visit(OptionVisitor& visitor, GeneralizedAlphaOptions& o) {
  visitor.real({"rho_inf", "1", "spectral radius at infinite frequency: 1 keeps energy (index 2), less damps",
                0.0, 1.0},
               o.rho_inf);
  visit_choice(visitor, {"index", "", "constraints enforced at position (3) or velocity level (2)"}, o.index,
               {"3", "2"});
  visit_choice(visitor, {"newton", "", "quasi: LDLT of the symmetric part; exact: LDU of the whole matrix"},
               o.newton, {"quasi", "exact"});
  visit_choice(visitor, {"jacobian", "", "when the matrix is made anew"}, o.jacobian,
               {"every_iteration", "every_step", "when_slow"});
  visitor.real({"newton_tolerance", "1", "largest scaled correction that counts as converged", 1e-15, 1e-2},
               o.newton_tolerance);
  visitor.integer({"max_newton_iterations", "1", "after these the step is cut", 1, 100},
                  o.max_newton_iterations);
  visitor.flag({"perturbed_start", "", "start a and v so that lambda is of order 2 from the first step"},
               o.perturbed_start);
  visitor.real({"proximal", "1", "dual proximal term relative to the local Schur scale", 0.0, 1e-6},
               o.proximal);
}

GeneralizedAlpha::GeneralizedAlpha(GeneralizedAlphaOptions options, LinearSolverFactory backend,
                                   LinearSolverFactory fallback)
    : options_(options), backend_(std::move(backend)), fallback_(std::move(fallback)) {
  const double rho = options_.rho_inf;
  c_.alpha_m = (2.0 * rho - 1.0) / (1.0 + rho);
  c_.alpha_f = rho / (1.0 + rho);
  const double alpha = c_.alpha_m - c_.alpha_f;
  c_.beta = 0.25 * (1.0 - alpha) * (1.0 - alpha);
  c_.gamma = 0.5 - alpha;
}

const Traits& GeneralizedAlpha::traits() const {
  static const Traits index_3 = [] {
    Traits t;
    t.name = "generalized_alpha";
    t.summary = "generalized-alpha on the Lie group, index 3 or 2, with 1/h scaling";
    t.order_q = t.order_v = t.order_lambda = 2;
    t.position_residual = true;
    t.velocity_constraints = true;
    return t;
  }();
  static const Traits index_2 = [] {
    Traits t = index_3;
    t.position_residual = false;
    t.velocity_residual = true;
    return t;
  }();
  return index_three() ? index_3 : index_2;
}

std::string GeneralizedAlpha::refuses(const System& system) const {
  const auto& level = system.layout().level;
  if (index_three() && options_.rho_inf == 1.0 &&
      std::find(level.begin(), level.end(), Level::position) != level.end())
    return "with rho_inf = 1 and index = 3 the multipliers grow without bound: take rho_inf of 0.95 at most, "
           "or "
           "index = 2";
  return {};
}

Outcome GeneralizedAlpha::attach(const System& system) {
  system_ = &system;
  statistics_ = {};
  rhs_ = {};
  KktOptions kkt;
  const bool exact = options_.newton == GeneralizedAlphaOptions::Newton::exact;
  kkt.factorization = exact ? Factorization::ldu : Factorization::ldlt;
  // Index 3 has B = C^T exactly; at velocity level C has terms of order h that only LDU can take.
  const auto& level = system.layout().level;
  const bool velocity_rows =
      !index_three() || std::find(level.begin(), level.end(), Level::velocity) != level.end();
  kkt.border = exact && velocity_rows ? Border::separate : Border::transposed;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  const std::string refusal = matrix_.attach(system, kkt);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  has_velocity_rows_ = index_three() && velocity_rows;
  return {};
}

// The arrays of a step, made after start() has given its own back: the peak of memory stands there.
void GeneralizedAlpha::make_work_arrays() {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  const auto nq = static_cast<std::size_t>(layout.q_size);
  q_.resize(nq);
  q_before_.resize(nq);
  for (auto* x : {&v_, &a_, &vdot_, &xi_, &v_n_, &a_n_, &v_before_, &vdot_before_, &work_}) x->assign(n, 0.0);
  lambda_.assign(m, 0.0);
  rhs_.assign(n + m, 0.0);
  velocity_rows_.assign(has_velocity_rows_ ? m : 0, 0.0);
}

// The compliance is a function of the system and of State::memory alone, so that a run continued from a
// copied State by another stepper object carries the same bits.
void GeneralizedAlpha::set_compliance(double epsilon) {
  const State initial = system_->initial_state();
  Linearization lin;
  lin.matrix = &matrix_.kkt().matrix();
  lin.mass = (1.0 - c_.alpha_m) / (1.0 - c_.alpha_f);
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.t = initial.t;
  at.q = initial.q.data();
  at.v = initial.v.data();
  system_->evaluate(at, wanted);
  // Without redundant rows a proximal term is enough, and leaves residuals at roundoff.
  if (epsilon > options_.proximal)
    matrix_.kkt().set_compliance(epsilon);
  else
    matrix_.kkt().update_proximal();
  inertia_ = matrix_.kkt().largest_inertia();
  matrix_.h = 0.0;
}

Outcome GeneralizedAlpha::step(State& state, double h) {
  const SystemLayout& layout = system_->layout();
  if (state.memory.size() != Memory::size(layout.v_size(), layout.lambda_size()))
    return failure(Status::unsupported, {"the state was not started by this stepper: call start()", "memory",
                                         static_cast<double>(state.memory.size())});
  if (rhs_.empty()) {  // a resumed run
    set_compliance(Memory::of(state).compliance());
    make_work_arrays();
  }
  Outcome outcome = attempt(state, h);
  if (outcome.status != Status::ok) {
    matrix_.h = 0.0;  // whatever is in the matrix now is of no use to the next attempt
    h_taken_ = 0.0;
    ++statistics_.rejected_steps;
    return outcome;
  }
  accept(state, h);
  ++statistics_.steps;
  outcome.h_taken = h;
  outcome.h_next = h;
  return outcome;
}

Outcome GeneralizedAlpha::attempt(const State& state, double h) {
  const double t = state.t + h;
  NewtonMonitor monitor(*system_,
                        {options_.newton_tolerance, options_.max_newton_iterations, options_.jacobian});
  const KktReport prediction = predict(state, h);
  if (prediction.status != Status::ok) return failure(prediction.status, prediction.culprit);
  move(state, h);
  bool refresh = matrix_.h != h || options_.jacobian != JacobianUpdate::when_slow;
  while (true) {
    matrix_.fresh = refresh;
    if (refresh) {
      const KktReport r = refresh_and_solve(t, h);
      if (residuals_.finite && r.status != Status::ok) return failure(r.status, r.culprit);
    } else {
      evaluate(t, h, nullptr);
    }
    if (!residuals_.finite) {
      evaluate(t, h, nullptr);  // the solution may stand where the residuals stood
      return failure(Status::not_finite, worst_residual(h));
    }
    if (!refresh) {
      const PhaseTimer timer(statistics_.seconds_solve);
      matrix_.kkt().solve(rhs_.data());
    }
    ++statistics_.solves;
    ++statistics_.newton_iterations;
    correct();
    move(state, h);
    const auto verdict = monitor.observe(rhs_.data(), c_.beta * h * h, q_.data(), v_.data(), lambda_.data(),
                                         residuals_, matrix_.fresh);
    if (verdict == NewtonMonitor::Verdict::failed) return not_converged(monitor, t, h);
    if (verdict == NewtonMonitor::Verdict::converged) return check_velocity_level(t, h);
    refresh = verdict == NewtonMonitor::Verdict::refresh;
  }
}

// Index 3 does not see the velocity rows: they stay of order h^2 while the method is stable, and grow without
// bound where it is not (rho_inf near one on stiff chains of hinges), although every step converges. Looked at
// in every fourth step.
Outcome GeneralizedAlpha::check_velocity_level(double t, double h) {
  constexpr int interval = 4;
  constexpr double lost = 0.02;  // of the largest velocity
  if (!index_three() || lambda_.empty() || statistics_.steps % interval != interval - 1) return {};
  Point at;
  at.t = t;
  at.q = q_.data();
  at.v = v_.data();
  Evaluation wanted;
  double* rows = rhs_.data() + v_.size();
  wanted.velocity = rows;
  system_->evaluate(at, wanted);
  int worst = 0;
  for (int k = 1; k < static_cast<int>(lambda_.size()); ++k)
    if (std::abs(rows[k]) > std::abs(rows[worst])) worst = k;
  double speed = 0.0;
  for (const double v : v_) speed = std::max(speed, std::abs(v));
  // What Newton's tolerance lets a velocity differ by, a hundredfold: systems at rest are not unstable.
  const std::vector<double>& scale = system_->layout().scale;
  const double noise = 100.0 * options_.newton_tolerance * *std::max_element(scale.begin(), scale.end()) / h;
  if (std::abs(rows[worst]) <= lost * speed + noise) return {};
  return failure(Status::unstable,
                 {matrix_.kkt().owner(static_cast<int>(v_.size()) + worst),
                  "velocity residual; take a smaller rho_inf, a smaller step or index = 2", rows[worst]});
}

// Effective v_n and a_n, and a first guess of a_{n+1} and lambda_{n+1}.
KktReport GeneralizedAlpha::predict(const State& state, double h) {
  const Memory memory = Memory::of(state);
  const double ratio = h / memory.h();
  const bool first = memory.steps() == 0.0;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    v_n_[k] = state.v[k] + (first ? ratio * ratio * memory.a_before()[k] : 0.0);
    // a_n stands for v' at t_n + (alpha_m - alpha_f) h: another h, another instant
    a_n_[k] = ratio == 1.0 ? memory.a()[k] : state.a[k] + ratio * (memory.a()[k] - state.a[k]);
    a_[k] = first ? a_n_[k] : a_n_[k] + ratio * (memory.a()[k] - memory.a_before()[k]);
  }
  for (std::size_t k = 0; k < lambda_.size(); ++k)
    lambda_[k] =
        first ? state.lambda[k] : state.lambda[k] + ratio * (state.lambda[k] - memory.lambda_before()[k]);
  if (ratio == 1.0 || first || !index_three()) return {};
  return change_velocity_level(state, ratio);
}

// At index 3 the velocities of the method are v + h^2 w, w normal to the constraints (see make_consistent()):
// another h, another offset. What a projection onto the constraints takes away is the one of the last step.
KktReport GeneralizedAlpha::change_velocity_level(const State& state, double ratio) {
  matrix_.h = 0.0;
  std::copy(state.v.begin(), state.v.end(), work_.begin());
  double change = 0.0;
  const KktReport report = ConsistentValues(*system_, matrix_.kkt())
                               .project_velocities(state.t, state.q.data(), work_.data(), change);
  set_compliance(Memory::of(state).compliance());
  for (std::size_t k = 0; k < v_n_.size(); ++k) v_n_[k] += (ratio * ratio - 1.0) * (state.v[k] - work_[k]);
  return report;
}

// q, v and v' of the iterate from its a.
void GeneralizedAlpha::move(const State& state, double h) {
  const double to = 1.0 / (1.0 - c_.alpha_f);
  for (std::size_t k = 0; k < a_.size(); ++k) {
    xi_[k] = h * (v_n_[k] + h * ((0.5 - c_.beta) * a_n_[k] + c_.beta * a_[k]));
    v_[k] = v_n_[k] + h * ((1.0 - c_.gamma) * a_n_[k] + c_.gamma * a_[k]);
    vdot_[k] = to * ((1.0 - c_.alpha_m) * a_[k] + c_.alpha_m * a_n_[k] - c_.alpha_f * state.a[k]);
  }
  system_->retract(state.q.data(), xi_.data(), q_.data());
}

// Residuals at the iterate into rhs_ as they stand on the right-hand side, and the matrix where asked for.
void GeneralizedAlpha::evaluate(double t, double h, Linearization* linearization) {
  const PhaseTimer timer(statistics_.seconds_evaluate);
  ++statistics_.evaluations;
  const SystemLayout& layout = system_->layout();
  double* rows = rhs_.data() + layout.v_size();
  Point at;
  at.t = t;
  at.q = q_.data();
  at.v = v_.data();
  at.a = vdot_.data();
  at.lambda = lambda_.data();
  Evaluation wanted;
  wanted.balance = rhs_.data();
  wanted.position = index_three() ? rows : nullptr;
  wanted.velocity = !index_three() ? rows : velocity_rows_.empty() ? nullptr : velocity_rows_.data();
  wanted.linearization = linearization;
  system_->evaluate(at, wanted);

  residuals_ = {};
  residuals_.inertia = inertia_ / (c_.beta * h * h);
  bool finite = true;
  const auto include = [&finite](double& largest, double x) {
    largest = std::max(largest, std::abs(x));
    finite = finite && x - x == 0.0;
  };
  for (int k = 0; k < layout.v_size(); ++k) include(residuals_.balance, rhs_[static_cast<std::size_t>(k)]);
  const BlockPattern& p = *layout.pattern;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const int first = p.dual_offset[i] - p.primal_dimension;
    const bool position = index_three() && layout.level[i] == Level::position;
    const double scale = position ? 1.0 / (c_.beta * h * h) : 1.0 / (c_.gamma * h);
    double& largest = position ? residuals_.position : residuals_.velocity;
    const double* D = matrix_.kkt().matrix().D(d) - first;
    for (int r = first; r < first + p.dual_size[i]; ++r) {
      if (index_three() && !position) rows[r] = velocity_rows_[static_cast<std::size_t>(r)];
      rows[r] = scale * rows[r] - D[r] * lambda_[static_cast<std::size_t>(r)];
      include(largest, rows[r] / scale);
    }
  }
  residuals_.finite = finite;
  for (double& x : rhs_) x = -x;
}

KktReport GeneralizedAlpha::refresh_and_solve(double t, double h) {
  Linearization lin;
  lin.matrix = &matrix_.kkt().matrix();
  lin.mass = (1.0 - c_.alpha_m) / (1.0 - c_.alpha_f);
  lin.damping = c_.gamma * h;
  lin.stiffness = c_.beta * h * h;
  lin.increment = xi_.data();
  if (options_.newton == GeneralizedAlphaOptions::Newton::exact) {
    lin.velocity_rows = {0.0, 1.0, c_.beta * h / c_.gamma};
    if (!index_three()) lin.position_rows = lin.velocity_rows;
  }
  const double evaluated = statistics_.seconds_evaluate, begin = seconds_now();
  const KktReport report = matrix_.refresh_and_solve(
      [&](const std::uint8_t* without) {
        lin.without_geometric_stiffness = without;
        evaluate(t, h, &lin);
      },
      rhs_.data(), statistics_);
  statistics_.seconds_factorize += seconds_now() - begin - (statistics_.seconds_evaluate - evaluated);
  matrix_.h = h;
  return report;
}

// delta / (beta h^2) and the change of lambda stand in rhs; a moves by T^-1(xi) of the first.
void GeneralizedAlpha::correct() {
  system_->inverse_tangent(xi_.data(), rhs_.data(), work_.data());
  for (std::size_t k = 0; k < a_.size(); ++k) a_[k] += work_[k];
  const double* change = rhs_.data() + a_.size();
  for (std::size_t k = 0; k < lambda_.size(); ++k) lambda_[k] += change[k];
}

void GeneralizedAlpha::accept(State& state, double h) {
  const Memory memory = Memory::of(state);
  std::copy(a_n_.begin(), a_n_.end(), memory.a_before());
  std::copy(a_.begin(), a_.end(), memory.a());
  std::copy(state.lambda.begin(), state.lambda.end(), memory.lambda_before());
  memory.h() = h;
  memory.steps() = 1.0;
  q_before_.swap(state.q);
  state.q.swap(q_);
  std::copy(state.a.begin(), state.a.end(), vdot_before_.begin());
  std::copy(state.v.begin(), state.v.end(), v_before_.begin());
  std::copy(v_.begin(), v_.end(), state.v.begin());
  std::copy(vdot_.begin(), vdot_.end(), state.a.begin());
  std::copy(lambda_.begin(), lambda_.end(), state.lambda.begin());
  state.t += h;
  h_taken_ = h;
}

// Cubic Hermite interpolation, of the increment in the chart at q_n and of v with its derivatives.
void GeneralizedAlpha::interpolate(double s, double* q, double* v) const {
  assert(h_taken_ > 0.0 && "no step was taken last");
  const double h = h_taken_;
  const double from = s * (1.0 - s) * (1.0 - s), to = s * s * (s - 1.0), end = s * s * (3.0 - 2.0 * s);
  std::vector<double> rate(v_.size()), increment(v_.size());
  system_->inverse_tangent(xi_.data(), v_.data(), rate.data());
  for (std::size_t k = 0; k < v_.size(); ++k) {
    increment[k] = end * xi_[k] + h * (from * v_before_[k] + to * rate[k]);
    v[k] = (1.0 - end) * v_before_[k] + end * v_[k] + h * (from * vdot_before_[k] + to * vdot_[k]);
  }
  system_->retract(q_before_.data(), increment.data(), q);
}

Outcome GeneralizedAlpha::failure(Status status, Culprit culprit) const {
  Outcome o;
  o.status = status;
  o.culprit = std::move(culprit);
  return o;
}

// The worst of the residuals that evaluate() left in rhs_, each relative to what its kind is made of: forces
// to the largest multiplier, rows to the size of a body. The first that is not finite wins.
Culprit GeneralizedAlpha::worst_residual(double h) const {
  const SystemLayout& layout = system_->layout();
  const BlockPattern& p = *layout.pattern;
  double force = 0.0, length = 0.0;
  for (const double x : lambda_) force = std::max(force, std::abs(x));
  for (const double x : layout.scale) length = std::max(length, x);
  if (force == 0.0) force = 1.0;
  double largest = -1.0, value = 0.0;
  int worst = 0;
  const char* quantity = "";
  const auto look_at = [&](int component, const char* kind, double factor, double unit) {
    const double x = -factor * rhs_[static_cast<std::size_t>(component)];
    const double size = std::isfinite(x) ? std::abs(x) / unit : std::numeric_limits<double>::infinity();
    if (size <= largest) return;
    largest = size;
    value = x;
    worst = component;
    quantity = kind;
  };
  for (int k = 0; k < layout.v_size(); ++k) look_at(k, "force balance", 1.0, force);
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const bool position = index_three() && layout.level[i] == Level::position;
    for (int r = p.dual_offset[i]; r < p.dual_offset[i] + p.dual_size[i]; ++r)
      if (position)
        look_at(r, "position residual", c_.beta * h * h, length);
      else
        look_at(r, "velocity residual", c_.gamma * h, length / h);
  }
  return {matrix_.kkt().owner(worst), quantity, value};
}

Outcome GeneralizedAlpha::not_converged(const NewtonMonitor& monitor, double t, double h) {
  const double correction = monitor.correction();
  if (!std::isfinite(correction))
    return failure(Status::not_finite,
                   {matrix_.kkt().owner(monitor.worst_component()), "Newton correction", correction});
  evaluate(t, h, nullptr);
  return failure(Status::newton_not_converged, worst_residual(h));
}

}  // namespace catena
