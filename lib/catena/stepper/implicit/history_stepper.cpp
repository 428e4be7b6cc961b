#include <catena/stepper/detail/compliance.hpp>
#include <catena/stepper/detail/consistent_start.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/detail/state_guard.hpp>
#include <catena/stepper/implicit/parts/history_stepper.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;

Outcome HistoryStepper::attach_iteration(const System& system, const KktOptions& kkt,
                                         std::vector<RowKind> rows) {
  system_ = &system;
  statistics_ = {};
  initial_.release();
  compliance_ = none;
  taken_ = {};
  const std::string refusal = newton_.attach(system, kkt, std::move(rows), statistics_);
  if (!refusal.empty()) return failure(Status::unsupported, {refusal, "analysis", 0.0});
  memory_.clear();
  steps_ = memory_.add("steps", 1);
  h_ = memory_.add("h", 1);
  contraction_ = memory_.add("contraction", 1);
  compliance_slot_ = memory_.add("compliance", 1);
  return {};
}

Outcome HistoryStepper::begin(State& state, double h, bool first) {
  const PhaseTimer timer(statistics_.seconds_start);
  newton_.release();
  taken_ = {};
  StateGuard guard(state);
  Outcome outcome = make_consistent(state, h, first);
  if (outcome.status != Status::ok) {
    outcome.status = Status::inconsistent_start;
    return outcome;
  }
  set_compliance(compliance_slot_.value(state), h);
  allocate(state);
  started(state, h);
  guard.keep();
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
  compliance_slot_.value(state) = compliance_of_start(*system_, r, numerics_.proximal, h, outcome.culprit);
  begin_history(state, h, consistent, outcome);
  return outcome;
}

// Without redundant rows a proximal term is enough, and leaves residuals at roundoff.
void HistoryStepper::hold_rows(KktSolver& kkt, double compliance) const {
  if (compliance > numerics_.proximal)
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

Outcome HistoryStepper::step(State& state, double h) {
  if (!memory_.fits(state)) return not_started(state);
  if (!newton_.allocated()) allocate(state);  // a resumed run
  const bool scaled = numerics_.scaling == RowScaling::natural || scaled_for_ == h;
  const double epsilon = compliance_slot_.value(state);
  if (compliance_ != epsilon || !scaled) set_compliance(epsilon, h);
  Outcome outcome = attempt(state, h);
  if (outcome.status != Status::ok) return reject(std::move(outcome));
  const bool discrete = system_->layout().discrete_size > 0;
  if (discrete) before_ = state;
  accept(state, h);
  if (discrete && system_->update_discrete(state)) {  // derivatives are others now: begin anew
    outcome = make_consistent(state, h, false);
    compliance_ = none;
    if (outcome.status != Status::ok) {
      std::swap(state, before_);
      return reject(std::move(outcome));
    }
  }
  guards_.accept(state);
  ++statistics_.steps;
  outcome.h_taken = outcome.h_next = h;
  return outcome;
}

Outcome HistoryStepper::reject(Outcome outcome) {
  rejected();
  taken_ = {};
  ++statistics_.rejected_steps;
  return outcome;
}

void HistoryStepper::take_end(State& state, double h, const End& end) {
  h_.value(state) = h;
  steps_.value(state) = 1.0;
  contraction_.value(state) = newton_.contraction();
  q_before_.swap(state.q);
  state.q.swap(end.q);
  std::copy(state.v.begin(), state.v.end(), v_before_.begin());
  std::copy(state.a.begin(), state.a.end(), a_before_.begin());
  std::copy(end.v.begin(), end.v.end(), state.v.begin());
  std::copy(end.a.begin(), end.a.end(), state.a.begin());
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
