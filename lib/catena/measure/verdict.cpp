#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/joined_memory.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/measure/detail/standstill.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

constexpr double half_a_turn = 3.141592653589793;

std::optional<Remark> on_energy(const System& system, const State& state, const EnergyBalance& balance,
                                const RunResult& result) {
  // A displacement that has grown e^20-fold, 5e8, may be that of an error of the first step.
  constexpr double growths = 20.0;
  const bool beside_initial =
      balance.has_forces() && balance.error().value > 0.1 * std::abs(balance.initial());
  if (!balance.broken() && !beside_initial) return {};
  const Oscillation fastest = fastest_oscillation(system, state);
  const double duration = result.t_end - result.t_begin;
  Remark remark{RemarkKey::energy, {"", "error of the energy balance [J]", balance.error().value}, {}};
  if (!balance.broken()) {
    if (!fastest.runs_away || !(fastest.rate * duration > growths)) return {};
    remark.culprit.name = system.velocity_block_name(fastest.block);
    remark.text = remark.culprit.name +
                  printed(
                      " runs away at %.3g 1/s on negative stiffness, e^%.3g-fold in this run, and the "
                      "balance of energy is off by %.3g J of %.3g J at the start: the motion shown has "
                      "no digit of the true one",
                      fastest.rate, fastest.rate * duration, balance.error().value, balance.initial());
    return remark;
  }
  remark.text = printed(
      "the balance of energy is off by %.3g J at t = %.6g s, %.2g of the energies exchanged: the motion "
      "shown is another one; ",
      balance.error().value, balance.error().t, balance.error().value / balance.exchanged());
  const double h = result.largest_step;
  const bool explained = fastest.unresolved_by(h);
  if (explained) {
    const StiffForce force = stiffest_force(system, fastest);
    remark.culprit.name = force.name.empty() ? system.velocity_block_name(fastest.block) : force.name;
  }
  remark.text += explained ? to_text(system, fastest, h) : "take a smaller step";
  return remark;
}

// Rows that the stepper promises to keep. Residuals of rates count with what they make of a gap within the run.
std::optional<Remark> on_promises(const System& system, const MonitorResult& seen, const RunResult& result,
                                  const Traits& traits, const TurnMeter& speeds) {
  constexpr double visible = 1e-3;  // of the largest body or arm, as for methods that promise nothing
  constexpr double noticed = 1e-2;  // of the largest velocity or acceleration
  const double size = visible * size_of_gaps(system.layout());
  const double duration = result.t_end - result.t_begin;
  const auto broken = [&](const char* what, const Peak& peak) {
    const std::string name = peak.constraint < 0 ? "" : system.constraint_name(peak.constraint);
    return Remark{RemarkKey::drift,
                  {name, what, peak.value},
                  printed("%s promises no %s, but leaves one of %.3g at t = %.6g s in ", traits.name.c_str(),
                          what, peak.value, peak.t) +
                      name};
  };
  if (traits.position_residual && seen.position.value > size)
    return broken("position residual", seen.position);
  if (traits.velocity_residual && seen.velocity.value * duration > size &&
      seen.velocity.value > noticed * speeds.velocity())
    return broken("velocity residual", seen.velocity);
  if (traits.acceleration_residual && 0.5 * seen.acceleration.value * duration * duration > size &&
      seen.acceleration.value > noticed * speeds.acceleration())
    return broken("acceleration residual", seen.acceleration);
  return {};
}

std::optional<Remark> on_steps(const RunResult& result) {
  constexpr double coarse = 0.1;
  const Culprit& error = result.largest_error;
  if (error.quantity.empty() || error.value <= coarse) return {};
  return Remark{RemarkKey::coarse_steps, error,
                printed("a step leaves out %.2g times the size of ", error.value) + error.name +
                    printed(", at t = %.6g s: take smaller steps, or --tolerance where the method has it",
                            result.t_largest_error)};
}

std::optional<Remark> on_turns(const System& system, const TurnMeter& turns) {
  const Peak& largest = turns.largest();
  if (!(largest.value > half_a_turn)) return {};
  const std::string name = system.velocity_block_name(turns.block());
  return Remark{RemarkKey::turn,
                {name, "turn within a step [rad]", largest.value},
                name + printed(" turns by %.3g rad within a step, at t = %.6g s: beyond half a turn neither "
                               "counted turns nor states inside the step are right",
                               largest.value, largest.t)};
}

std::optional<Remark> on_matrices(const StepperStatistics& s) {
  const long count = s.indefinite_factorizations;
  if (count == 0 && s.dropped_geometric_stiffness == 0) return {};
  return Remark{
      RemarkKey::indefinite,
      {"", "indefinite matrices", static_cast<double>(count)},
      printed("%ld matrices were indefinite: negative stiffness, compression of joints or fast spin is "
              "stronger than inertia within a step, and the motion that it makes is not resolved; take a "
              "smaller step",
              std::max(count, s.dropped_geometric_stiffness))};
}

// A run that shows a mechanism at rest: seldom what was meant.
std::optional<Remark> on_standstill(const System& system, const State& state, const RunResult& result,
                                    const TurnMeter& speeds) {
  // Of a body, or of its turn in radians; of 1 m/s^2 or rad/s^2, so that a short run is not taken for one at rest.
  constexpr double visible = 1e-9;
  const double moved = speeds.velocity() * (result.t_end - result.t_begin);
  if (result.steps == 0 || !(moved <= visible * std::min(1.0, size_of_gaps(system.layout()))) ||
      !(speeds.acceleration() <= visible))
    return {};
  const std::string reason = standstill_reason(system, state);
  return Remark{RemarkKey::standstill,
                {"", "largest velocity", speeds.velocity()},
                "nothing moves: the run begins at rest, and no force acts along any free motion" +
                    (reason.empty() ? "" : "; " + reason)};
}

}  // namespace

void RunVerdict::begin(const System& system) {
  system_ = &system;
  energy_.begin(system);
  turns_.begin(system);
}

void RunVerdict::resume(const System& system, const State& state) {
  system_ = &system;
  energy_.resume(system, state);
  turns_.resume(system, state);
}

bool RunVerdict::observe(const State& state) {
  turns_.observe(state);
  return energy_.observe(state);
}

std::vector<Remark> RunVerdict::remarks(const State& state, const RunResult& result,
                                        const StepperStatistics& statistics, const Traits& traits) const {
  std::vector<std::optional<Remark>> found;
  if (system_ != nullptr)
    // Rows that are not kept name a joint: where they contradict each other, that is why the balance is off.
    found = {on_promises(*system_, monitor_.result(), result, traits, turns_),
             on_energy(*system_, state, energy_, result), on_steps(result), on_turns(*system_, turns_),
             on_standstill(*system_, state, result, turns_)};
  found.push_back(on_matrices(statistics));  // of a start that failed as well
  std::vector<Remark> all;
  for (std::optional<Remark>& one : found)
    if (one) all.push_back(std::move(*one));
  const auto on_balance = [](const Remark& remark) { return remark.key == RemarkKey::energy; };
  if (system_ == nullptr || all.empty() || std::any_of(all.begin(), all.end(), on_balance)) return all;
  // The balance, which says the cause itself, is not assessed where the work of the forces is not known well enough.
  const Oscillation fastest = fastest_oscillation(*system_, state);
  if (fastest.unresolved_by(result.largest_step))
    all.front().text += "; " + to_text(*system_, fastest, result.largest_step);
  return all;
}

std::vector<double> RunVerdict::memory() const { return joined_memory(energy_, turns_); }

bool RunVerdict::remember(const std::vector<double>& memory) {
  return remember_joined(memory, energy_, turns_);
}

}  // namespace catena::detail
