#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/failure_cause.hpp>
#include <catena/measure/detail/joined_memory.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/measure/detail/standstill.hpp>
#include <catena/measure/detail/unresolved_functions.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

// By how much steps of order p change the exponent of what grows as e^(r t): h^p r^(p + 1) t, divided by p (p + 1), which
// is within a factor of 2 of what the methods leave out.
double missed_growth(double rate, double duration, double h, int order) {
  const double p = std::max(1, order);
  return std::pow(h * rate, p) * rate * duration / (p * (p + 1.0));
}

// What a drive says of a kink of its target within the run; empty: there is none.
std::string kink_in_run(const System& system, const State& state, const RunResult& result) {
  constexpr int most = 100;  // that are looked at, of all elements
  int count = 0;
  for (const double t : system.break_points()) {
    if (!(t > result.t_begin) || !(t < result.t_end)) continue;
    if (++count > most) break;
    const double h = result.largest_step;
    if (std::string why = trouble_of_elements(system, state, t - h, t + h); !why.empty()) return why;
  }
  return {};
}

template <class Fastest>
std::optional<Remark> on_energy(const System& system, const State& state, const Fastest& find_fastest,
                                const EnergyBalance& balance, const RunResult& result, const Traits& traits) {
  // A displacement that has grown e^20-fold, 5e8, may be that of an error of the first step.
  constexpr double growths = 20.0;
  constexpr double noticed = 0.1;  // of the exponent, which makes a displacement wrong by as much
  const bool beside_initial =
      balance.has_forces() && balance.error().value > 0.1 * std::abs(balance.initial());
  if (!balance.broken() && !beside_initial) return {};
  const Oscillation fastest = find_fastest();
  const double duration = result.t_end - result.t_begin;
  Remark remark{RemarkKey::energy, {"", "error of the energy balance [J]", balance.error().value}, {}};
  if (!balance.broken()) {
    const double growth = fastest.rate * duration;
    const bool wrong = missed_growth(fastest.rate, duration, result.largest_step, traits.order_v) > noticed;
    if (!fastest.runs_away || !(wrong || growth > growths)) return {};
    remark.culprit.name = system.velocity_block_name(fastest.block);
    remark.text = remark.culprit.name +
                  printed(
                      " runs away at %.3g 1/s on negative stiffness, e^%.3g-fold in this run, and the "
                      "balance of energy is off by %.3g J of %.3g J at the start: ",
                      fastest.rate, growth, balance.error().value, balance.initial()) +
                  (wrong ? printed("the motion shown has no digit of the true one; take steps below %.2g s",
                                   0.5 / fastest.rate)
                         : "what the start is off by, roundoff included, has grown as much");
    return remark;
  }
  constexpr double unlike = 1e6;  // beyond it the energies exchanged are no measure
  const double part = balance.error().value / balance.exchanged();
  remark.text = printed("the balance of energy is off by %.3g J at t = %.6g s", balance.error().value,
                        balance.error().t) +
                (part < unlike ? printed(", %.2g of the energies exchanged", part) : "") + ": ";
  const double h = result.largest_step;
  if (const std::string kink = kink_in_run(system, state, result); !kink.empty()) {
    remark.text += "a jump of velocities does work that no power has; " + kink;
    return remark;
  }
  remark.text += "the motion shown is another one; ";
  const bool explained = fastest.unresolved_by(h);
  if (explained) {
    const StiffForce force = stiffest_force(system, fastest);
    remark.culprit.name = force.name.empty() ? system.velocity_block_name(fastest.block) : force.name;
  }
  remark.text += explained ? to_text(system, fastest, h)
                           : "take a smaller step, or max_step of a method that chooses its steps";
  return remark;
}

// The powers of a step are taken at its ends, and in its middle by methods beyond order 2: what a method of long steps has of them.
// The balance of energy is not assessed beyond that.
std::optional<Remark> on_work(const System& system, const State& state, const Monitor& monitor,
                              const EnergyBalance& balance, const RunResult& result) {
  constexpr double noticed = 0.1;   // of all that was done, as of the balance
  constexpr double visible = 1e-6;  // of the energies: less is roundoff of powers that cancel
  const WorkMeter* meter = monitor.work_meter();
  if (meter == nullptr || monitor.result().work_known != WorkKnown::yes) return {};
  const double doubt = meter->error_of_rule(), done = meter->turnover();
  const bool in_doubt =
      doubt > noticed * done &&
      doubt > visible * (balance.exchanged() + std::abs(balance.initial())) + balance.nothing();
  // A gap that is no proof against the motion, because the rule may leave as much over kinks and pulses, is said all the same.
  const double gap = monitor.result().energy_error.value;
  const bool open = !balance.broken() && gap > noticed * balance.exchanged() + balance.nothing();
  if (!in_doubt && !open) return {};
  if (!in_doubt)
    return Remark{RemarkKey::work,
                  {"", "error of the energy balance [J]", gap},
                  printed("the balance of energy is open by %.3g J of %.3g J exchanged, as much as the rule "
                          "for the work may "
                          "leave over a kink or a pulse: compare with a smaller step or tolerance",
                          gap, balance.exchanged())};
  const std::string kink = kink_in_run(system, state, result);
  return Remark{RemarkKey::work,
                {"", "uncertainty of the work [J]", doubt},
                printed("the work of forces and drives may be off by %.3g J of %.3g J: ", doubt, done) +
                    (kink.empty() ? printed("steps of %.2g s are too long for their powers; take a smaller "
                                            "step, or max_step of a method that chooses its steps",
                                            result.largest_step)
                                  : kink)};
}

// Rows that the stepper promises to keep. Residuals of rates count with what they make of a gap within the run.
std::optional<Remark> on_promises(const System& system, const MonitorResult& seen, const RunResult& result,
                                  const Traits& traits, const TurnMeter& speeds) {
  constexpr double visible =
      1e-3;  // of the largest body or arm of the joint, as for methods that promise nothing
  constexpr double noticed = 1e-2;  // of the largest velocity or acceleration
  const auto size = [&](const Peak& peak) {
    return visible * (peak.constraint < 0 ? size_of_gaps(system.layout())
                                          : size_of_gaps(system.layout(), peak.constraint));
  };
  const double duration = result.t_end - result.t_begin;
  const auto broken = [&](const char* what, const Peak& peak) {
    const std::string name = peak.constraint < 0 ? "" : system.constraint_name(peak.constraint);
    return Remark{RemarkKey::drift,
                  {name, what, peak.value},
                  printed("%s promises no %s, but leaves one of %.3g at t = %.6g s in ", traits.name.c_str(),
                          what, peak.value, peak.t) +
                      name};
  };
  if (traits.position_residual && seen.position.value > size(seen.position))
    return broken("position residual", seen.position);
  // Rows of velocities every method promises to keep.
  const int of_velocity = seen.velocity.constraint;
  const bool by_itself =
      of_velocity >= 0 && system.layout().level[static_cast<std::size_t>(of_velocity)] == Level::velocity;
  if ((traits.velocity_residual || by_itself) && seen.velocity.value * duration > size(seen.velocity) &&
      seen.velocity.value > noticed * speeds.velocity())
    return broken("velocity residual", seen.velocity);
  if (traits.acceleration_residual &&
      0.5 * seen.acceleration.value * duration * duration > size(seen.acceleration) &&
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

// An oscillation whose energy is kept while its phase is not, which a balance of energy cannot show, and a growth of the wrong
// rate. Errors of steps that add up to less than a body's size say that the force is not excited, unless accelerations are those of
// its oscillation.
template <class Fastest>
std::optional<Remark> on_phase(const System& system, const Fastest& find_fastest,
                               const EnergyBalance& balance, const MonitorResult& monitored,
                               const TurnMeter& speeds, const RunResult& result, const Traits& traits) {
  constexpr double seen = 0.5;       // of a body's size
  constexpr double excited = 0.3;    // of w times the velocity; of a slower motion its rate over w is left
  constexpr double visible = 1e-2;   // of a body's size: an amplitude
  constexpr double noticed = 0.1;    // of the exponent of what grows
  constexpr double off = 0.5;        // [rad]
  constexpr double constant = 12.0;  // of methods of order 2: frequencies are low by (h w)^2 / 12
  const double h = result.largest_step, duration = result.t_end - result.t_begin;
  const Culprit& error = result.largest_error;
  if (traits.chooses_step || error.quantity.empty()) return {};
  const double errors = error.value * duration / h;  // of all steps, at most
  constexpr double displaced = 0.1;                  // of a body's size: what runs away has begun to
  if (!(errors > visible * off)) return {};
  const Oscillation fastest = find_fastest();
  if (fastest.block < 0) return {};
  const std::string name = system.velocity_block_name(fastest.block);
  if (fastest.runs_away) {
    if (!(errors > displaced)) return {};
    const double missed = missed_growth(fastest.rate, duration, h, traits.order_v);
    if (!(missed > noticed)) return {};
    return Remark{
        RemarkKey::coarse_steps,
        {name, "error of the exponent of its growth", missed},
        name + printed(" runs away at %.3g 1/s on negative stiffness, and the steps make the exponent of its "
                       "growth wrong by %.2g: take steps below %.2g s",
                       fastest.rate, missed,
                       h * std::pow(noticed / missed, 1.0 / std::max(1, traits.order_v)))};
  }
  const double size = system.layout().scale[static_cast<std::size_t>(
      system.layout().pattern->primal_offset[static_cast<std::size_t>(fastest.block)])];
  const bool oscillates = speeds.acceleration() >= excited * fastest.rate * speeds.velocity() &&
                          speeds.velocity() >= visible * size * fastest.rate;
  if (!(errors > seen) && !oscillates) return {};
  // What forces or the method have damped has lost its phase long before.
  constexpr double kept = 0.1;  // of the energies exchanged
  if (!(std::abs(monitored.work.total()) + balance.error().value <= kept * balance.exchanged())) return {};
  const int order = std::max(1, traits.order_v);
  const double phase = fastest.rate * duration * std::pow(h * fastest.rate, order) / constant;
  if (!(phase > off)) return {};
  const StiffForce force = stiffest_force(system, fastest);
  return Remark{
      RemarkKey::coarse_steps,
      {name, "error of the phase [rad]", phase},
      name + printed(" can oscillate at %.3g rad/s", fastest.rate) +
          (force.name.empty() ? "" : " on " + force.name) +
          printed(
              ", %.2g within a step: over this run its phase is wrong by %.2g rad; take steps below %.2g s",
              h * fastest.rate, phase, h * std::pow(off / phase, 1.0 / order))};
}

std::optional<Remark> on_turns(const System& system, const TurnMeter& turns, const Traits& traits) {
  const Peak& largest = turns.largest();
  if (traits.far_turns || !(largest.value > half_a_turn)) return {};
  const std::string name = system.velocity_block_name(turns.block());
  return Remark{RemarkKey::turn,
                {name, "turn within a step [rad]", largest.value},
                name + printed(" turns by %.3g rad within a step, at t = %.6g s: beyond half a turn neither "
                               "counted turns nor states inside the step are right",
                               largest.value, largest.t)};
}

// Of two bodies each of which may turn by less.
std::optional<Remark> on_counted_turns(const TurnMeter& turns, const RunResult& result) {
  const Peak& largest = turns.largest_between();
  if (!(largest.value > half_a_turn)) return {};
  const std::string name = turns.label_between();
  if (name.empty()) return {};
  return Remark{
      RemarkKey::turn,
      {name, "turn within a step [rad]", largest.value},
      name + printed(": its bodies turn by %.3g rad against each other within a step, at t = %.6g s, "
                     "and beyond half a turn it counts too few turns: take steps below %.2g s",
                     largest.value, largest.t, result.largest_step * half_a_turn / largest.value)};
}

std::optional<Remark> on_jumps(const JumpMeter& jumps) {
  if (!jumps.any()) return {};
  const std::string name = jumps.label();
  return Remark{RemarkKey::jump,
                {name, "time of the jump [s]", jumps.t()},
                name + printed(" jumps at t = %.6g s: ", jumps.t()) + jumps.what()};
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
  // Of a body, or of its turn in radians. Of 1 m/s^2 or rad/s^2, so that a short run is not taken for one at rest: more than
  // the roundoff of positions over h^2 with steps of 1e-5 s.
  constexpr double visible = 1e-9, accelerates = 1e-5;
  // A step over a whole stroke of a drive has rest at both of its ends. Starts move positions by the gaps of the model, 1e-9.
  constexpr double displaced = 1e-6;
  const std::vector<double> first = system.initial_state().q;
  double stroke = 0.0;
  for (std::size_t k = 0; k < first.size(); ++k) stroke = std::max(stroke, std::abs(state.q[k] - first[k]));
  const double moved = speeds.velocity() * (result.t_end - result.t_begin);
  if (result.steps == 0 || result.status != Status::ok ||
      stroke > displaced * std::min(1.0, size_of_gaps(system.layout())) ||
      !(moved <= visible * std::min(1.0, size_of_gaps(system.layout()))) ||
      !(speeds.acceleration() <= accelerates))
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
  jumps_.begin(system);
}

void RunVerdict::resume(const System& system, const State& state) {
  system_ = &system;
  energy_.resume(system, state);
  turns_.resume(system, state);
  jumps_.resume(system, state);
}

bool RunVerdict::observe(const State& state) {
  turns_.observe(state);
  jumps_.observe(state);
  const bool holds = energy_.observe(state);
  if (energy_.error().value > 2.0 * error_there_ && energy_.error().t == state.t && energy_.broken()) {
    broken_at_ = state;
    error_there_ = energy_.error().value;
  }
  return holds;
}

// A force that is stiff for a while only, as a stop, is seen where the balance breaks, or within the step before.
Oscillation RunVerdict::fastest(const State& last, double step) const {
  Oscillation fastest = fastest_oscillation(*system_, last);
  if (broken_at_.q.empty()) return fastest;
  State there = broken_at_;
  std::vector<double> moved(there.v.size());
  for (const double part : {0.0, -0.25, -0.5, -0.75, 0.25, 0.5}) {
    for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = part * step * broken_at_.v[k];
    system_->retract(broken_at_.q.data(), moved.data(), there.q.data());
    Oscillation then = fastest_oscillation(*system_, there);
    if (then.rate > 2.0 * fastest.rate) fastest = std::move(then);
  }
  return fastest;
}

std::vector<Remark> RunVerdict::remarks(const State& state, const RunResult& result,
                                        const StepperStatistics& statistics, const Traits& traits) const {
  std::vector<std::optional<Remark>> found;
  if (system_ != nullptr)
    // Rows that are not kept name a joint: where they contradict each other, that is why the balance is off.
    found = {
        on_promises(*system_, monitor_.result(), result, traits, turns_),
        on_energy(
            *system_, state, [&] { return fastest(state, result.largest_step); }, energy_, result, traits),
        on_work(*system_, state, monitor_, energy_, result),
        on_steps(result),
        on_functions(*system_, result),
        on_turns(*system_, turns_, traits),
        on_counted_turns(turns_, result),
        on_jumps(jumps_),
        on_standstill(*system_, state, result, turns_)};
  found.push_back(on_matrices(statistics));  // of a start that failed as well
  std::vector<Remark> all;
  for (std::optional<Remark>& one : found)
    if (one) all.push_back(std::move(*one));
  if (system_ != nullptr && all.empty())
    if (std::optional<Remark> phase = on_phase(
            *system_, [&] { return fastest(state, result.largest_step); }, energy_, monitor_.result(), turns_,
            result, traits))
      return {std::move(*phase)};
  const auto on_balance = [](const Remark& remark) { return remark.key == RemarkKey::energy; };
  if (system_ == nullptr || all.empty() || std::any_of(all.begin(), all.end(), on_balance)) return all;
  // The balance, which says the cause itself, is not assessed where the work of the forces is not known well enough.
  if (const Oscillation there = fastest(state, result.largest_step); there.unresolved_by(result.largest_step))
    all.front().text += "; " + to_text(*system_, there, result.largest_step);
  return all;
}

std::vector<double> RunVerdict::memory() const { return joined_memory(energy_, turns_, jumps_); }

bool RunVerdict::remember(const std::vector<double>& memory) {
  return remember_joined(memory, energy_, turns_, jumps_);
}

}  // namespace catena::detail
