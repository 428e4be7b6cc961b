#include <catena/math/detail/named_error.hpp>
#include <catena/measure/detail/failure_cause.hpp>
#include <catena/measure/detail/negative_dampers.hpp>
#include <catena/measure/detail/no_position.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/measure/detail/wrong_derivatives.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace catena::detail {

void find_cause(const System& system, const State& last, RunResult& result) {
  const Status why = result.reason();
  const double step = result.chosen_steps ? result.largest_step : result.step;
  const auto is_drift = [](const Remark& remark) { return remark.key == RemarkKey::drift; };
  const auto drift = std::find_if(result.remarks.begin(), result.remarks.end(), is_drift);
  if (why == Status::ok && drift != result.remarks.end())
    // Steps that converge with an open joint, where a drive asks for positions that there are not.
    if (std::optional<Culprit> lost = no_position(system, last, step)) {
      result.status = Status::unstable;
      result.message = lost->why;
      result.culprit = std::move(*lost);
      result.remarks.erase(drift);
    }
  if (why != Status::newton_not_converged && why != Status::singular_kkt && why != Status::unstable &&
      why != Status::step_too_small && why != Status::inconsistent_start &&
      !(why == Status::not_finite && result.culprit.why.empty()))
    return;
  try {
    const DerivativeCheck check = find_wrong_derivatives(system, system.initial_state());
    if (!check.faults.empty()) {
      const DerivativeFault& first = check.faults.front();
      result.message = to_text(system, first);
      result.culprit = {first.owner, first.quantity, first.given,
                        result.message.substr(first.owner.size() + 2)};
      return;
    }
    // A row without a number has been named already.
    if (std::optional<Culprit> lost =
            why == Status::not_finite ? std::nullopt : no_position(system, last, step)) {
      result.message = lost->why;
      result.culprit = std::move(*lost);
      return;
    }
    if (const std::string makers = negative_dampers(system, system.initial_state()); !makers.empty()) {
      result.message += (result.message.empty() ? "" : "; ") + makers;
      return;
    }
    if (result.chosen_steps) return;
    // What steps that are too long have made of the state may have other forces.
    const State begin = system.initial_state();
    for (const State* const at : {&begin, &last})
      if (const Oscillation fastest = fastest_oscillation(system, *at); fastest.unresolved_by(result.step)) {
        result.message += (result.message.empty() ? "" : "; ") + to_text(system, fastest, result.step);
        return;
      }
  } catch (const NamedError&) {  // an element that throws at a state near these
  }
}

}  // namespace catena::detail
