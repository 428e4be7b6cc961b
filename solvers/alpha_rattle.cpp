#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/detail/newton_options.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const GuardSet& alpha_rattle_guards() {
  static const GuardSet set{&dependent_rows_guard, &pole_guard};
  return set;
}

}  // namespace

void visit(OptionVisitor& visitor, AlphaRattleOptions& o) {
  visitor.real({"rho_inf", "1", "spectral radius of the applied forces at infinite frequency", 0.0, 1.0},
               o.rho_inf);
  visit_choice(
      visitor,
      {"index", "",
       "holonomic constraints: 3, on positions and velocities with two multipliers; 2, on velocities"},
      o.index, {"3", "2"});
  visit_choice(visitor, {"jacobian", "", "when the matrix is made anew"}, o.jacobian,
               {"every_iteration", "every_step"});
  visit_newton(visitor, o.newton_tolerance, o.max_newton_iterations);
  visit_choice(
      visitor,
      {"start", "",
       "source: M a_0 = (1 - alpha) f_0 + alpha f_1, solved with the first step; consistent: a_0 = M^-1 f_0"},
      o.start, {"source", "consistent"});
  visit_scaling(visitor, o.scaling);
  visit_mass_jacobian(visitor, o.mass_jacobian);
  visit_proximal(visitor, o.proximal);
  visit_tolerance(visitor, o);
  visit_guards(visitor, o.guards, alpha_rattle_guards());
}

AlphaRattle::AlphaRattle(AlphaRattleOptions options, LinearSolverFactory backend,
                         LinearSolverFactory fallback)
    : HistoryStepper({options.proximal, options.scaling, options.newton_tolerance}),
      options_(std::move(options)),
      backend_(std::move(backend)),
      fallback_(std::move(fallback)),
      c_(AlphaCoefficients::of(options_.rho_inf)) {
  traits_.name = "alpha_rattle";
  traits_.summary = "alpha-RATTLE: generalized-alpha of the forces, constraints by impulses, index 3 or 2";
  traits_.order_q = traits_.order_v = traits_.order_lambda = 2;
  traits_.lambda_at = 0.5;
  traits_.position_residual = options_.index == AlphaRattleOptions::Index::three;
  traits_.velocity_residual = true;
  traits_.variable_step = true;
  traits_.velocity_constraints = true;
  if (!(options_.tolerance > 0.0)) return;
  traits_.chooses_step = true;
  control_errors(options_.tolerance, options_.kinds, traits_.order_q, options_.max_step);
}

std::string AlphaRattle::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  const std::vector<std::uint8_t>& norm_row = system.layout().pattern->norm_row;
  if (std::any_of(norm_row.begin(), norm_row.end(), [](std::uint8_t flag) { return flag != 0; }))
    return "alpha_rattle divides forces by the mass matrix, which is singular in seven coordinates a body: "
           "take "
           "discrete_action, or bodies in R3 x SO(3)";
  if (options_.rho_inf < 0.01 && options_.start == AlphaRattleOptions::Start::source)
    return "with rho_inf = 0 the first step does not determine a_0 of start = source: take start = "
           "consistent";
  return {};
}

Outcome AlphaRattle::set_up(const System& system) {
  KktOptions kkt;  // B and C belong to different instants
  kkt.factorization = Factorization::ldu;
  kkt.border = Border::separate;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  const SystemLayout& layout = system.layout();
  std::vector<RowKind> kinds;
  two_.clear();
  has_two_ = has_one_ = false;
  for (std::size_t d = 0; d < layout.level.size(); ++d) {
    const bool two = options_.index == AlphaRattleOptions::Index::three && layout.level[d] == Level::position;
    kinds.push_back(two ? RowKind::position : RowKind::velocity);
    two_.insert(two_.end(), static_cast<std::size_t>(layout.pattern->dual_size[d]), two ? 1 : 0);
    (two ? has_two_ : has_one_) = true;
  }
  Outcome outcome = attach_iteration(system, kkt, std::move(kinds));
  if (outcome.status != Status::ok) return outcome;
  if (mixed()) rates_kkt_ = std::make_unique<KktSolver>(newton_.kkt().sibling());
  mass_end_.attach(layout.pattern);
  if (has_one_) mass_half_.attach(layout.pattern);
  if (has_two_) mass_n_.attach(layout.pattern);
  const int n = layout.v_size(), m = layout.lambda_size();
  slots_.a = memory_.add("a", n);
  slots_.a_before = memory_.add("a before", n);
  slots_.vdot = memory_.add("acceleration of forces", n);
  slots_.lambda = memory_.add("first multipliers", m);
  slots_.lambda_1 = memory_.add("second multipliers", m);
  slots_.middle_before = memory_.add("multipliers before", m);
  guards_.attach({system, statistics_, traits().order_lambda}, alpha_rattle_guards(), options_.guards,
                 memory_);
  return outcome;
}

Outcome AlphaRattle::attempt(const State& state, double h) {
  int bad = predict(state, h);
  move(state, h);
  const auto evaluate = [&](const Evaluation& wanted) {
    evaluate_at(iterate(state, h), wanted);
    if (mixed()) silence_one(wanted, h);
  };
  if (bad < 0 && mixed()) {
    const KktReport r = factor_rates(state, h);
    if (r.status != Status::ok) return failure(r.status, r.culprit);
  }
  NewtonStep step = newton_step(h);
  step.contraction = contraction_.value(state);
  step.discrete = state.discrete.empty() ? nullptr : state.discrete.data();
  step.dependent_rows = held() ? nullptr : guards_.dependent_rows(state.t);
  newton_.begin(step);
  while (bad < 0 && newton_.solve(evaluate)) {
    correct();
    move(state, h);
    if (has_two_) bad = correct_rates(state, h);
    if (mixed()) move(state, h);  // R_h has changed
    newton_.assess(q_.data(), v_.data(), lambda_.data());
  }
  if (bad < 0) {
    Outcome outcome = newton_.outcome(evaluate);
    if (outcome.status == Status::ok) {
      bad = finish(state, h);
      if (bad < 0 && !(left_ <= options_.newton_tolerance)) outcome = rates_not_converged(state, h);
    }
    if (bad < 0) {
      outcome = assess(state, h, std::move(outcome));
      if (outcome.status == Status::ok && estimates()) {
        find_end(state, h);
        estimate_error_by_ends(state, h, {xi_, v_, a_after_});
        if (too_large()) return too_inaccurate();
      }
      return outcome;
    }
  }
  return failure(Status::singular_kkt,
                 {system_->velocity_block_name(bad), "mass matrix not positive definite", 0.0});
}

Outcome AlphaRattle::assess(const State& state, double h, Outcome outcome) {
  Point end = iterate(state, h);
  for (std::size_t k = 0; k < lambda_.size(); ++k) node_[k] = middle_multiplier(k);
  end.lambda = node_.data();
  StepAttempt attempt = attempt_of(state, end, h, slots_.middle_before.of(state));
  attempt.multipliers_behind_state = attempt.first ? 0.0 : 0.5 * h_before(state);
  attempt.multipliers_behind_end = 0.5 * h;
  GuardWorkspace workspace{newton_.rhs(), rate_.data(), work_.data(), q_before_.data(),
                           rates_kkt(),   {},           statistics_};
  workspace.weights.mass = AlphaWeights(c_, 0.0).mass;
  if (!mixed()) workspace.weights = mass_and_rows(h);
  outcome = guards_.assess(std::move(outcome), attempt, workspace);
  rows_at_end_ = outcome.status == Status::ok && has_two_ && !mixed() && !workspace.matrix_used &&
                 options_.mass_jacobian == MassJacobian::exact && system_->layout().constant_mass;
  return outcome;
}

// a_n as this step needs it, a first guess of a_{n+1} and of the multipliers, and what the reactions are made of.
int AlphaRattle::predict(const State& state, double h) {
  const double ratio = h / h_before(state);
  const bool at_start = first(state);
  const double *last_a = slots_.a.of(state), *a_before = slots_.a_before.of(state),
               *vdot = slots_.vdot.of(state);
  const double *last_one = slots_.lambda.of(state), *last_other = slots_.lambda_1.of(state),
               *middle_before = slots_.middle_before.of(state);
  theta_ = at_start && options_.start == AlphaRattleOptions::Start::source ? c_.theta_of_start() : 0.0;
  const AlphaWeights w(c_, theta_);
  c_position_ = w.mass / (2.0 * w.beta);
  c_velocity_ = w.mass / w.gamma;
  for (std::size_t k = 0; k < v_.size(); ++k) {
    // a_n represents v' at t_n + (alpha_m - alpha_f) h: another h, another instant
    a_n_[k] = vdot[k] + ratio * (last_a[k] - vdot[k]);
    a_[k] = at_start ? a_n_[k] : a_n_[k] + ratio * (last_a[k] - a_before[k]);
  }
  for (std::size_t k = 0; k < lambda_.size(); ++k) {
    const double one = last_one[k], other = last_other[k];
    const double middle = two_[k] ? 0.5 * (one + other) : one;
    const double ahead = at_start ? 0.0 : ratio * (middle - middle_before[k]);
    lambda_[k] = one + ahead;
    lambda_1_[k] = two_[k] ? other + ahead : 0.0;
    lambda_[k] *= impulse(k);
  }
  const int bad = fill_reactions(state, h);
  if (bad >= 0) return bad;
  compute_reactions();
  if (has_two_) std::copy(r_0_.begin(), r_0_.end(), r_1_.begin());
  for (std::size_t k = 0; k < v_.size(); ++k)
    total_[k] = a_[k] + r_0_[k] / (2.0 * w.beta) + r_h_[k] / w.gamma;
  return -1;
}

// Multipliers and v' at t_{n+1}: those of the middle of the step and of the last one, extrapolated.
void AlphaRattle::find_end(const State& state, double h) {
  // From t_n + h/2 to t_{n+1}, in distances to the last. Before the first step state.lambda is of t_0.
  const double ahead = first(state) ? 1.0 : h / (h + h_before(state));
  for (std::size_t k = 0; k < lambda_.size(); ++k) {
    const double middle = middle_multiplier(k);
    node_[k] = middle + ahead * (middle - state.lambda[k]);
  }
  if (rows_at_end_) {
    const KktSolver& kkt = newton_.kkt();
    std::fill(work_.begin(), work_.end(), 0.0);
    kkt.lanes().add_C_transposed(kkt.matrix(), node_.data(), -1.0, work_.data());
    mass_end_.solve(work_.data());
    rows_t_ = state.t + h;
    std::copy(q_.begin(), q_.end(), rows_q_.begin());
  } else {
    reaction(state.t + h, q_.data(), state.discrete.data(), node_.data(), mass_end_, work_.data());
  }
  for (std::size_t k = 0; k < v_.size(); ++k) a_after_[k] = vdot_[k] + work_[k];
}

void AlphaRattle::copy_end(double t, State& end) const {
  end.t = t;
  end.q = q_;
  end.v = v_;
  end.a = a_after_;
  end.lambda = node_;
}

void AlphaRattle::accept(State& state, double h) {
  if (!estimates()) find_end(state, h);
  double *last_one = slots_.lambda.of(state), *last_other = slots_.lambda_1.of(state),
         *middle_before = slots_.middle_before.of(state);
  for (std::size_t k = 0; k < lambda_.size(); ++k) {
    last_one[k] = lambda_[k] / impulse(k);
    last_other[k] = lambda_1_[k];
    middle_before[k] = state.lambda[k];  // of the middle of the last step; before the first of t_0
    state.lambda[k] = middle_multiplier(k);
  }
  std::copy(a_n_.begin(), a_n_.end(), slots_.a_before.of(state));
  std::copy(a_.begin(), a_.end(), slots_.a.of(state));
  std::copy(vdot_.begin(), vdot_.end(), slots_.vdot.of(state));
  take_end(state, h, {q_, xi_, v_, a_after_});
}

}  // namespace catena
