#include <catena/stepper/detail/compliance.hpp>
#include <catena/stepper/detail/consistent_start.hpp>
#include <catena/stepper/detail/for_each_part.hpp>
#include <catena/stepper/detail/largest_error.hpp>
#include <catena/stepper/implicit/parts/history_stepper.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;

Outcome HistoryStepper::attach_iteration(const System& system, const KktOptions& kkt,
                                         std::vector<RowKind> rows, bool droppable) {
  initial_.release();
  compliance_ = none;
  taken_ = {};
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_, droppable);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  memory_.clear();
  steps_ = memory_.add("steps", 1);
  h_ = memory_.add("h", 1);
  contraction_ = memory_.add("contraction", 1);
  compliance_slot_ = memory_.add("compliance", 1);
  if (!controlled()) return {};
  multipliers_->attach(system);
  if (std::string wrong = control_->attach(system, memory_, false); !wrong.empty())
    return failure(Status::unsupported, {std::move(wrong), "analysis", 0.0});
  return {};
}

Outcome HistoryStepper::begin(State& state, double h, bool first) {
  Outcome outcome = begin_steps_of(state, h, first);
  if (!first || !controlled()) return outcome;
  // v'' of the history before t_0 is found over the length of a step: a shorter one sees it better.
  constexpr int attempts = 10;
  constexpr double wanted = 0.1;  // of the tolerance
  for (int k = 0; k < attempts && outcome.status == Status::ok; ++k) {
    const double error = error_at_start(state, h);
    if (!(error > 1.0)) break;
    h *= std::max(0.1, std::pow(wanted / error, 1.0 / order_));
    outcome = begin_steps_of(state, h, true);
  }
  outcome.h_next = proposed_step(state);
  return outcome;
}

bool HistoryStepper::trace(NewtonTrace* to) {
  newton_.trace(to);
  return true;
}

double HistoryStepper::proposed_step(const State& state) const {
  return controlled() && memory_.fits(state) ? control_->proposed(state) : 0.0;
}

// The step is kept where it would grow by less than a fifth: a step of another size costs a factorisation more, for the
// offset of the velocities.
void HistoryStepper::control_errors(double tolerance, const KindTolerances& kinds, int order,
                                    double max_step) {
  order_ = order;
  StepController controller = StepController::filter(order);  // the error of a step falls with h^(order + 1)
  controller.kept_factor = 1.2;
  // Below 1 + sqrt(2), beyond which BDF2 is no longer stable at zero (Hairer, Norsett, Wanner, Solving ODEs I, III.5).
  // From rest, where the error of q begins at zero, longer strides put errors into v that no estimate of q sees
  // (docs/theory/tables.md).
  controller.largest_factor = 2.0;
  control_.emplace(controller,
                   ErrorTolerances{.atol_position = tolerance, .max_step = max_step, .kinds = kinds});
  multipliers_.emplace(kinds, tolerance);
}

double HistoryStepper::note_error(const double* increment, double h) {
  const SystemLayout& layout = system_->layout();
  error_ = largest_error(increment, layout.scale);
  if (!controlled()) return in_tolerances_;
  LocalError sum;
  for (std::size_t k = 0; k < layout.scale.size(); ++k)
    sum.add(increment[k] / h, control_->position_tolerance(k, 0.0), static_cast<int>(k));
  in_tolerances_ = sum.root_mean_square(layout.scale.size());
  return in_tolerances_;
}

Outcome HistoryStepper::too_inaccurate() {
  ++statistics_.rejected_by_error;
  return failure(Status::step_too_small, {newton_.kkt().owner(error_.component),
                                          "local error of the step in tolerances", in_tolerances_});
}

Outcome HistoryStepper::begin_steps_of(State& state, double h, bool first) {
  newton_.release();
  taken_ = {};
  Outcome outcome = make_consistent(state, h, first);
  if (outcome.status != Status::ok) return outcome;
  set_compliance(compliance_slot_.value(state), h);
  allocate(state);
  started(state, h);
  return outcome;
}

void HistoryStepper::allocate(const State& state) {
  q_before_.assign(state.q.size(), 0.0);
  for (auto* x : {&v_before_, &a_before_, &rate_}) x->assign(state.v.size(), 0.0);
  make_work_arrays(state);
  newton_.allocate();
}

Outcome HistoryStepper::make_consistent(State& state, double h, bool first) {
  Outcome outcome;  // with a remark where rows look redundant
  ConsistentValues consistent(*system_, newton_.kkt(), state.discrete.data());
  const KktReport r =
      make_consistent_values(consistent, newton_.kkt(), state, first || traits().position_residual);
  if (r.status != Status::ok) return failure(r.status, r.culprit);
  memory_.begin(state);
  h_.value(state) = h;
  compliance_slot_.value(state) = compliance_of_start(*system_, newton_.kkt(), r, h, outcome.culprit);
  if (controlled()) control_->begin(state, h);
  begin_history(state, h, consistent, outcome);
  return outcome;
}

// Without redundant rows a proximal term is enough, and leaves residuals at roundoff.
void HistoryStepper::hold_rows(KktSolver& kkt, double compliance) const {
  if (numerics_.compliant && compliance > numerics_.proximal)
    kkt.set_compliance(compliance);
  else
    kkt.update_proximal();
}

// The compliance is a function of the system, of State::memory and, with rows that are not scaled naturally, of h
// alone, so that a run continued from a copied State by another stepper object carries the same bits.
void HistoryStepper::set_compliance(double epsilon, double h) {
  const Point at = initial_.of(*system_);
  Linearization lin = mass_and_rows(h);
  lin.matrix = &newton_.kkt().matrix();
  Evaluation wanted;
  wanted.linearization = &lin;
  system_->evaluate(at, wanted);
  hold_rows(newton_.kkt(), epsilon);
  newton_.measure_inertia();
  guards_.scale(newton_.kkt());
  compliance_ = epsilon;
  scaled_for_ = h;
  scaled(at, epsilon);
  if (numerics_.scaling == RowScaling::natural) initial_.release();
}

Outcome HistoryStepper::take_step(State& state, double h) {
  if (!memory_.fits(state)) return not_started(state);
  if (!newton_.allocated()) allocate(state);  // a resumed run
  const double asked = h;
  for (bool rejected = false;; rejected = true) {
    const bool scaled = numerics_.scaling == RowScaling::natural || scaled_for_ == h;
    const double epsilon = compliance_slot_.value(state);
    if (compliance_ != epsilon || !scaled) set_compliance(epsilon, h);
    error_ = {};
    in_tolerances_ = 0.0;
    Outcome outcome = attempt(state, h);
    if (outcome.status == Status::ok && controlled() && multipliers_->wanted())
      outcome = assess_multipliers(std::move(outcome), state, h);
    if (outcome.status == Status::ok) {
      accept(state, h);
      guards_.accept(state);
      outcome.error = error_;
      outcome.h_taken = h;
      outcome.h_next = controlled() ? control_->accept(state, h, asked, in_tolerances_, rejected) : h;
      return outcome;
    }
    const bool cut = controlled() && (too_large() || recoverable(outcome.status));
    outcome = reject(std::move(outcome));
    if (!cut) return outcome;
    h = control_->cut(h, in_tolerances_);
    if (ErrorControl::vanishes(h, state.t, asked)) return outcome;
  }
}

// The multipliers of the method are wrong by what separates them from those of its positions and velocities, to leading order:
// these have the order of q and v.
Outcome HistoryStepper::assess_multipliers(Outcome outcome, const State& state, double h) {
  if (held())
    return failure(Status::unsupported,
                   {"multipliers of redundant rows are not unique, and have no errors that "
                    "control_lambda could see: leave it out",
                    "analysis", 0.0});
  if (!traits().position_residual && !traits().velocity_residual)
    return failure(
        Status::unsupported,
        {"with constraints at acceleration level positions and velocities drift, and no step is short enough "
         "for multipliers: leave control_lambda out, or take another index",
         "analysis", 0.0});
  end_ = state;
  copy_end(state.t + h, end_);
  const LocalError error = (*multipliers_)(end_, end_.lambda.data(), multipliers_->belonging_to(end_));
  const double of_multipliers = error.root_mean_square(end_.lambda.size());
  if (of_multipliers <= in_tolerances_) return outcome;
  in_tolerances_ = of_multipliers;  // one that is no number as well
  if (!too_large()) return outcome;
  ++statistics_.rejected_by_error;
  return failure(Status::step_too_small, {error.worst < 0 ? "" : newton_.kkt().owner(error.worst),
                                          "local error of a multiplier in tolerances", error.largest});
}

// Derivatives are others now: the history begins anew. Guards keep what they remember.
Outcome HistoryStepper::exchanged(State& state, double h) {
  ErrorControl::Numbers control{};
  if (controlled()) control = control_->numbers(state);
  Outcome outcome = make_consistent(state, h, false);
  compliance_ = none;
  if (outcome.status != Status::ok) {
    give_up();
    return outcome;
  }
  if (controlled()) control_->resume(state, control);
  guards_.accept(state);
  return outcome;
}

Outcome HistoryStepper::reject(Outcome outcome) {
  give_up();
  ++statistics_.rejected_steps;
  return outcome;
}

void HistoryStepper::give_up() {
  rejected();
  taken_ = {};
}

void HistoryStepper::estimate_error_by_ends(const State& state, double h, const Ends& ends) {
  const StepEnds step{
      h, state.q.data(), ends.xi.data(), state.v.data(), ends.v.data(), state.a.data(), ends.a.data()};
  increment_error(*system_, step, v_before_.data(), a_before_.data());
  note_error(a_before_.data(), h);
}

void HistoryStepper::take_end(State& state, double h, const End& end) {
  if (estimates_ && !error_.known() && traits().order_q <= 2)
    estimate_error_by_ends(state, h, {end.xi, end.v, end.a});
  h_.value(state) = h;
  steps_.value(state) = 1.0;
  contraction_.value(state) = newton_.contraction();
  q_before_.swap(state.q);
  state.q.swap(end.q);
  v_before_.swap(state.v);
  a_before_.swap(state.a);
  for_each_part(*system_, [&](const SystemPart& part) {
    std::copy(end.v.data() + part.first, end.v.data() + part.last, state.v.data() + part.first);
    std::copy(end.a.data() + part.first, end.a.data() + part.last, state.a.data() + part.first);
  });
  state.t += h;
  taken_ = {h,           q_before_.data(), end.xi.data(), v_before_.data(), end.v.data(), a_before_.data(),
            end.a.data()};
}

StepAttempt HistoryStepper::attempt_of(const State& state, const Point& end, double h,
                                       const double* lambda_before) const {
  return {*system_,
          state,
          end,
          h,
          h_before(state) == h,
          first(state),
          lambda_before,
          held(),
          numerics_.newton_tolerance};
}

void HistoryStepper::interpolate(double theta, double* q, double* v) const {
  interpolate_on_group(*system_, taken_, theta, rate_.data(), q, v);
}

}  // namespace catena
