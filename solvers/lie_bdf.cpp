#include <catena/math/detail/index.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const GuardSet& lie_bdf_guards() {
  static const GuardSet set{&dependent_rows_guard, &pole_guard};
  return set;
}

// Steps grow by at most 2, and only where the order may change as well (keep()).
constexpr double largest_growth_of_steps = 2.0;

StepController bdf_controller() {
  return {.of_error = 0.25, .smallest_factor = 0.2, .largest_factor = 1.0, .kept_factor = 1.2};
}

}  // namespace

void visit(OptionVisitor& visitor, LieBdfOptions& o) {
  visit_error_control(visitor, o, ErrorPer::second);
  visitor.integer({"max_order", "1", "the largest order; 3 and 4 are not A-stable", 1, bdf_largest_order},
                  o.max_order);
  visitor.integer({"max_newton_iterations", "1", "a step that needs more is cut", 1, 1000},
                  o.max_newton_iterations);
  visit_guards(visitor, o.guards, lie_bdf_guards());
}

LieBdf::LieBdf(LieBdfOptions options, LinearSolverFactory backend, LinearSolverFactory fallback)
    : ProjectedImplicitStepper(bdf_controller(), tolerances_of(options), options.initial_step),
      options_(std::move(options)),
      backend_(std::move(backend)),
      fallback_(std::move(fallback)) {
  traits_.name = "lie_bdf";
  traits_.summary =
      "BDF of orders 1 to 4 on the Lie group, implicit, step and order control, index 3 with projection";
  traits_.order_q = traits_.order_v = traits_.order_lambda = options_.max_order;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
  traits_.variable_step = traits_.velocity_constraints = traits_.reaction_forces = traits_.far_turns = true;
  traits_.chooses_step = options_.control == LieBdfOptions::Control::adaptive;
}

std::string LieBdf::refuses(const System&) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  return adaptive() ? no_step_small_enough(options_) : endless_max_step(options_.max_step);
}

Outcome LieBdf::set_up(const System& system) {
  Outcome outcome = attach_equations(system, backend_, {.options = options_.guards});
  resisted_.attach(system);
  if (outcome.status != Status::ok) return outcome;
  KktOptions kkt;
  // Forces that depend on multipliers make B another matrix than C^T.
  if (!system.layout().reaction_force.empty()) {
    kkt.factorization = Factorization::ldu;
    kkt.border = Border::separate;
  }
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  if (std::string refusal = matrix_.attach(system, kkt); !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  v_last_ = memory_.add("velocity of the history", n_);
  mean_v_ = memory_.add("mean velocities", largest * n_);
  mean_a_ = memory_.add("mean accelerations", largest * n_);
  sizes_ = memory_.add("sizes of steps", largest);
  order_slot_ = memory_.add("order", 1);
  kept_ = memory_.add("steps kept", 1);
  contraction_slot_ = memory_.add("contraction", 1);
  end_ = now_;
  for (auto* x : {&backwards_v_, &backwards_a_}) x->assign(index(largest * n_), 0.0);
  for (auto* x : {&xi_, &mean_v_now_, &mean_a_now_, &v_known_, &a_known_, &bracket_, &raw_x_, &raw_v_})
    x->assign(index(n_), 0.0);
  x_.assign(index(n_ + m_), 0.0);
  of_rows_.assign(velocity_level_ ? x_.size() : 0, 0.0);
  allocate_states();
  return {};
}

// Derivatives are others now: the history begins anew.
Outcome LieBdf::exchanged(State& state, double h) {
  Outcome outcome = ProjectedImplicitStepper::exchanged(state, h);
  if (outcome.status == Status::ok) {
    sizes_.value(state) = 0.0;
    ++statistics_.restarts;
  }
  return outcome;
}

void LieBdf::keep(State& state, double h) {
  choose_order(state);
  const auto shift = [&](const MemorySlot& slot, const std::array<const double*, largest>& before,
                         const std::vector<double>& now) {
    double* const to = slot.of(state);
    for (int i = largest - 1; i > 0; --i)
      if (before[index(i - 1)] != to + i * n_) std::copy_n(before[index(i - 1)], n_, to + i * n_);
    std::copy(now.begin(), now.end(), to);
  };
  shift(mean_v_, means_v_, mean_v_now_);
  shift(mean_a_, means_a_, mean_a_now_);
  std::copy_n(h_.begin(), largest, sizes_.of(state));
  std::copy(end_.v.begin(), end_.v.end(), v_last_.of(state));
  order_slot_.value(state) = next_order_;
  kept_.value(state) = next_kept_;
  contraction_slot_.value(state) = iteration_.contraction();
  ProjectedImplicitStepper::keep(state, h);
}

// The order by which the next step can be longest, looked for when a step of this order and size has its whole history.
// Another order must promise more than this one, a higher one most of all, which is less stable.
void LieBdf::choose_order(const State& state) {
  next_error_ = -1.0;
  next_order_ = order_;
  const int kept = from_start_ ? 0 : static_cast<int>(kept_.value(state));
  const bool chooses = kept >= order_;
  next_kept_ = chooses ? 0 : kept + 1;
  errors_.controller().largest_factor = chooses ? largest_growth_of_steps : 1.0;
  if (!adaptive() || !chooses) return;
  constexpr double of_lower = 1.1, of_higher = 1.25;
  const auto factor = [](double error, int order) {
    return std::pow(std::max(error, StepController::least_error), -1.0 / order);
  };
  double best = factor(local_error(state, h_[0]).root_mean_square(error_components()), order_);
  for (const auto& [order, handicap] : {std::pair{order_ - 1, of_lower}, std::pair{order_ + 1, of_higher}}) {
    if (order < 1 || order > options_.max_order) continue;
    estimate_error(order);
    const double error = local_error(state, h_[0]).root_mean_square(error_components());
    const double possible = factor(error, order) / handicap;
    if (!(possible > best)) continue;
    best = possible;
    next_order_ = order;
    next_error_ = error;
  }
  errors_.controller().of_error = 1.0 / next_order_;
}

double LieBdf::error_for_next(double error) { return next_error_ >= 0.0 ? next_error_ : error; }

}  // namespace catena
