#include <catena/math/detail/index.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const GuardSet& radau_guards() {
  static const GuardSet set{&dependent_rows_guard, &pole_guard};
  return set;
}

// The error falls with h^4. RADAU5 bounds the growth by 8 and keeps steps that would grow by less than a fifth.
StepController controller() {
  return {.of_error = 0.25, .smallest_factor = 0.2, .largest_factor = 8.0, .kept_factor = 1.2};
}

}  // namespace

void visit(OptionVisitor& visitor, RadauOptions& o) {
  visit_error_control(visitor, o);
  visit_choice(
      visitor,
      {"newton", "",
       "simplified: one real matrix of masses and rows; whole: damping and stiffness as well, real and "
       "complex; automatic: whole where stiffness makes simplified slow"},
      o.newton, {"automatic", "simplified", "whole"});
  visitor.integer({"max_newton_iterations", "1", "a step that needs more is cut", 1, 1000},
                  o.max_newton_iterations);
  visit_guards(visitor, o.guards, radau_guards());
}

Radau::Radau(RadauOptions options, LinearSolverFactory backend)
    : ProjectedImplicitStepper(controller(), tolerances_of(options), options.initial_step),
      options_(std::move(options)),
      backend_(std::move(backend)) {
  traits_.name = "radau";
  traits_.summary =
      "Radau IIA of three stages on the Lie group, implicit, step control, index 3 with projection";
  traits_.order_q = traits_.order_v = traits_.order_lambda = 5;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
  traits_.variable_step = traits_.velocity_constraints = traits_.far_turns = true;
  traits_.chooses_step = options_.control == RadauOptions::Control::adaptive;
}

std::string Radau::refuses(const System&) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  return adaptive() ? no_step_small_enough(options_) : endless_max_step(options_.max_step);
}

Outcome Radau::set_up(const System& system) {
  Outcome outcome = attach_equations(system, backend_, {.options = options_.guards});
  if (outcome.status != Status::ok) return outcome;
  KktOptions kkt;
  kkt.backend = backend_;
  if (std::string refusal = kkt_.attach(system, kkt); !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  real_.reset();
  complex_.reset();
  a_before_ = memory_.add("accelerations before", n_);
  contraction_slot_ = memory_.add("contraction", 1);
  matrix_slot_ = memory_.add("matrix", 1);
  used_slot_ = memory_.add("matrix of the last step", 1);
  wait_slot_ = memory_.add("wait", 1);
  stiff_.attach(system);
  const int along = static_cast<int>(stiff_.size());
  tau_slot_ = memory_.add("forces", along);
  tau_before_ = memory_.add("forces before", along);
  for (Stage& stage : stages_) {
    stage.at = now_;
    stage.xi.assign(index(n_), 0.0);
    stage.x.assign(index(n_ + m_), 0.0);
    stage.tau.assign(stiff_.size(), 0.0);
    stage.rest.assign(stiff_.size(), 0.0);
  }
  middle_ = now_;
  middle_xi_.assign(index(n_), 0.0);
  for (auto* x : {&sum_, &product_}) x->assign(index(n_ + m_), 0.0);
  allocate_states();
  return {};
}

void Radau::keep(State& state, double h) {
  std::copy(state.a.begin(), state.a.end(), a_before_.of(state));
  contraction_slot_.value(state) = iteration_.contraction();
  if (used_ == Matrix::rows) {
    const bool again = matrix_of(used_slot_.value(state)) == Matrix::rows;
    const std::vector<double>& tau = stages_.back().tau;
    std::copy_n(again ? tau_slot_.of(state) : tau.data(), tau.size(), tau_before_.of(state));
    std::copy(tau.begin(), tau.end(), tau_slot_.of(state));
  }
  matrix_slot_.value(state) = static_cast<double>(next_);
  used_slot_.value(state) = static_cast<double>(used_);
  wait_slot_.value(state) = wait_;
  ProjectedImplicitStepper::keep(state, h);
}

}  // namespace catena
