#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/measure/detail/contradicting_dimensions.hpp>
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
namespace {

// [s]; the largest of those that the stepper has chosen.
double step_of(const RunResult& result) { return result.chosen_steps ? result.largest_step : result.step; }

// A jump is seen some steps behind it, when velocities have left their rows.
std::string trouble_before(const System& system, const State& last, double step) {
  // The nearest trouble first: ten steps that a method chooses may be the whole run.
  for (const double steps : {0.01, 0.1, 1.0, 10.0})
    if (std::string why =
            trouble_of_elements(system, last, last.t - steps * step, last.t + std::min(steps, 2.0) * step);
        !why.empty())
      return why;
  return {};
}

}  // namespace

std::string trouble_of_elements(const System& system, const State& at_state, double from, double to) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return {};
  const Model& model = bodies->model();
  const auto trouble_of = [&](const Model::ElementRef& at) -> std::string {
    try {
      const ElementPool& pool = *model.pools()[static_cast<std::size_t>(at.pool)];
      BodyFrame<double> f[max_bodies_per_element];
      bodies->frames_of(at_state, pool, at.element, f);
      // What has no value there has been named already.
      if (!pool.defect_at(at.element, f, at_state.t).empty()) return {};
      return pool.trouble_near(at.element, f, from, to);
    } catch (...) {  // a function of a user's that has no value at one of these times
      return {};
    }
  };
  for (std::size_t k = 0; k < model.constraints().size(); ++k)
    if (const std::string why = trouble_of(model.constraints()[k]); !why.empty())
      return model.constraint_label(ConstraintId{static_cast<int>(k)}) + ": " + why;
  for (std::size_t k = 0; k < model.forces().size(); ++k)
    if (const std::string why = trouble_of(model.forces()[k]); !why.empty())
      return model.force_label(ForceId{static_cast<int>(k)}) + ": " + why;
  return {};
}

void find_cause(const System& system, const State& last, RunResult& result) {
  const Status why = result.reason();
  const double step = step_of(result);
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
    if (why == Status::inconsistent_start && result.steps == 0)
      if (const std::string open = contradicting_dimensions(system, last); !open.empty()) {
        result.message += (result.message.empty() ? "" : "; ") + open;
        return;
      }
    // A row without a number has been named already.
    if (std::optional<Culprit> lost =
            why == Status::not_finite ? std::nullopt : no_position(system, last, step)) {
      result.message = lost->why;
      result.culprit = std::move(*lost);
      return;
    }
    if (const std::string trouble = trouble_before(system, last, step); !trouble.empty()) {
      result.message += (result.message.empty() ? "" : "; ") + trouble;
      return;
    }
    if (const std::string makers = negative_dampers(system, system.initial_state()); !makers.empty()) {
      result.message += (result.message.empty() ? "" : "; ") + makers;
      return;
    }
    if (why != Status::unstable)
      if (const std::string open = contradicting_dimensions_near(system, last); !open.empty()) {
        result.message += (result.message.empty() ? "" : "; ") + open;
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

namespace {

bool holds_velocities(const System& system, const std::string& constraint) {
  const std::vector<Level>& level = system.layout().level;
  for (int d = 0; d < static_cast<int>(level.size()); ++d)
    if (level[static_cast<std::size_t>(d)] == Level::velocity && system.constraint_name(d) == constraint)
      return true;
  return false;
}

}  // namespace

void end_for_open_joint(const System& system, const State& last, bool fails, RunResult& result) {
  if (result.status != Status::ok) return;
  const auto open = std::find_if(result.remarks.begin(), result.remarks.end(), [&](const Remark& remark) {
    if (remark.key != RemarkKey::drift) return false;
    const Culprit& left = remark.culprit;
    return left.quantity == "position residual" ||
           (left.quantity == "velocity residual" && holds_velocities(system, left.name));
  });
  if (open == result.remarks.end()) return;
  // Steps that converge with an open joint, where a drive asks for positions that there are not.
  std::optional<Culprit> lost = no_position(system, last, step_of(result));
  if (!lost && !fails) return;
  if (!lost) {
    lost = std::move(open->culprit);
    lost->why = std::move(open->text);
  }
  result.status = Status::unstable;
  result.message = lost->why;
  result.culprit = std::move(*lost);
  result.remarks.erase(open);
}

}  // namespace catena::detail
