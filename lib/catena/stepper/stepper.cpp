#include <catena/kkt/detail/mass_defect.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/detail/state_guard.hpp>
#include <catena/stepper/stepper.hpp>
#include <catena/system/detail/fit.hpp>

#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

Outcome refused(std::string sentence) {
  return failure(Status::unsupported, {std::move(sentence), "refusal", 0.0});
}

Outcome not_attached(const Stepper& stepper) {
  return refused(stepper.traits().name + " has no system: call attach() first");
}

// What a state must be before a method may begin with it, and the masses where a user writes them.
std::string defect_of_start(const System& system, State& state) {
  std::string why = make_unit_quaternions(system, state);
  if (why.empty() && in_own_coordinates(system)) why = defect_of_mass(system, state);
  return why;
}

}  // namespace

std::string Stepper::refusal(const System& system) const {
  if (std::string defect = defect_of(system.layout()); !defect.empty()) return defect;
  const std::string &force = system.layout().reaction_force, &fewer = system.layout().fewer_velocities;
  if (!fewer.empty() && traits().coordinates == Coordinates::lagrangian)
    return traits().name + " works on the seven coordinates of rigid bodies, and does not take " + fewer;
  std::string sentence = refuses(system);
  if (sentence.empty() && !force.empty() && !traits().reaction_forces)
    sentence = traits().name + " does not take forces that depend on multipliers: " + force;
  return sentence;
}

Outcome Stepper::attach(const System& system) {
  std::string sentence = refusal(system);
  if (!sentence.empty()) return refused(std::move(sentence));
  system_ = &system;
  statistics_ = {};
  return set_up(system);
}

Outcome Stepper::begin_from(State& state, double h, bool first) {
  if (system_ == nullptr) return not_attached(*this);
  if (std::string misfit = misfit_of(system_->layout(), state); !misfit.empty())
    return refused(std::move(misfit));
  const PhaseTimer timer(statistics_.seconds_start);
  StateGuard guard(state);
  if (std::string defect = first ? defect_of_start(*system_, state) : ""; !defect.empty())
    return refused(std::move(defect));
  Outcome outcome = begin(state, h, first);
  if (outcome.status == Status::ok && first && system_->layout().discrete_size > 0)
    system_->start_discrete(state);
  if (outcome.status == Status::ok)
    guard.keep();
  else if (outcome.status != Status::unsupported)
    outcome.status = Status::inconsistent_start;
  return outcome;
}

Outcome Stepper::linearize_step(const State&, StepLinearization&) {
  return refused(traits().name + " has no derivative of its steps");
}

Outcome Stepper::step(State& state, double h) {
  if (system_ == nullptr) return not_attached(*this);
  if (!std::isfinite(h) || h == 0.0)
    return refused(printed("a step has a size that is a number other than 0; it is %g s",
                           std::isnan(h) ? std::abs(h) : h));
  const bool discrete = system_->layout().discrete_size > 0;
  if (discrete) before_step_ = state;
  Outcome outcome = take_step(state, h);
  if (outcome.status != Status::ok) return outcome;
  if (discrete) try {
      if (system_->update_discrete(state)) {
        Outcome again = exchanged(state, outcome.h_taken);
        if (again.status != Status::ok) {
          std::swap(state, before_step_);
          ++statistics_.rejected_steps;
          return failure(again.status, std::move(again.culprit));
        }
        if (!again.culprit.quantity.empty()) outcome.culprit = std::move(again.culprit);
      }
    } catch (...) {  // of an element's follow(), say: the step was not taken
      std::swap(state, before_step_);
      throw;
    }
  ++statistics_.steps;
  return outcome;
}

}  // namespace catena
