#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/energy_balance.hpp>
#include <catena/system/detail/row_length.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

constexpr double much = 0.1;  // of the energies exchanged: a motion with such an error is another one
constexpr double nonsense =
    10.0;  // times what was exchanged while the balance held, or what there was to be exchanged
// Slower than by a billionth of their sizes a second the bodies of a mechanism do not move: what it exchanges then is
// roundoff, as is a part of 1e-12 of the energy at the start, and of what weights and other forces do along their sizes.
constexpr double at_rest = 1e-9, of_roundoff = 1e-12;
// Roundoff of the way that a sliding joint has gone, over a step of some 20 us, is a speed as well [1/s].
constexpr double of_way = 1e-11;
// A motion from rest has exchanged nothing at its first states.
constexpr double first_states = 10.0;

// What the forces at a state, weights among them, would do along the sizes of what they act on [J].
double work_of_loads(const System& system, const State& state) {
  const SystemLayout& layout = system.layout();
  std::vector<double> forces(index(layout.v_size()));
  Evaluation wanted;
  wanted.balance = forces.data();
  system.evaluate(point_of(state), wanted);
  double work = 0.0;
  for (std::size_t k = 0; k < forces.size(); ++k)
    if (std::isfinite(forces[k])) work += std::abs(forces[k]) * layout.scale[k];
  return work;
}

}  // namespace

void EnergyBalance::attach(const System& system) {
  system_ = &system;
  fastest_ = -1;
  const BodySystem* bodies = bodies_of(system);
  has_forces_ = bodies != nullptr && !bodies->model().forces().empty();
  rest_ = mass_ = rest_on_way_ = 0.0;
  if (bodies == nullptr) return;
  const double gravity = norm(bodies->model().gravity);
  int block = 0;
  for (const Body& body : bodies->model().bodies()) {
    if (body.fixed) continue;
    const SystemLayout& layout = system.layout();
    const double size = layout.scale[static_cast<std::size_t>(
        layout.pattern->primal_offset[static_cast<std::size_t>(block++)])];
    const double m_r2 = body.mass * size * size;
    mass_ += body.mass;
    rest_ += 0.5 * at_rest * at_rest * m_r2 + of_roundoff * gravity * std::sqrt(body.mass * m_r2);
  }
}

void EnergyBalance::begin(const System& system) {
  attach(system);
  exchanged_ = held_ = states_ = released_ = 0.0;
  error_ = {};
}

// remember() comes before.
void EnergyBalance::resume(const System& system, const State& state) {
  attach(system);
  rest_ += of_roundoff * work_of_loads(system, state);  // no checkpoint has it
}

bool EnergyBalance::observe(const State& state) {
  const MonitorResult& seen = monitor_.result();
  const WorkMeter* meter = monitor_.work_meter();
  if (seen.work_known == WorkKnown::no_power) return true;
  const double slow = of_way * largest_open_length(system_->layout(), point_of(state));
  rest_on_way_ = 0.5 * mass_ * slow * slow;
  const Energy& energy = monitor_.energy();
  exchanged_ =
      std::max({exchanged_, energy.kinetic, std::abs(energy.potential - seen.energy_initial.potential),
                meter != nullptr ? meter->turnover() : 0.0});
  if (meter != nullptr && !meter->is_settled()) return true;
  states_ += 1.0;
  const double gain = energy.total() - seen.energy_initial.total() - seen.work.total();
  const double doubt = meter != nullptr ? meter->doubt() : 0.0;
  const double error = std::max(0.0, std::abs(gain) - doubt);
  if (error > error_.value) {
    error_ = {error, state.t, -1};
    // Forces are evaluated where the verdict would go against the run alone.
    if (broken()) rest_ = std::max(rest_, of_roundoff * work_of_loads(*system_, state));
  }
  released_ = std::max(released_, seen.energy_initial.potential - energy.potential);
  if (error <= much * exchanged() || states_ < first_states) held_ = exchanged();
  if (seen.work_known != WorkKnown::yes) return true;
  if (!(gain - doubt > nonsense * std::min(held_, there_was()) + nothing()) || states_ < first_states)
    return true;
  const SystemLayout& layout = system_->layout();
  fastest_ = layout.pattern->block_of(fastest_component(layout, state.v.data()));
  return false;
}

bool EnergyBalance::broken() const {
  return monitor_.result().work_known == WorkKnown::yes && error_.value > much * exchanged() + nothing();
}

// Steps that are far too long for a spring or a damper exchange energies that there are not, before the balance has ever held.
double EnergyBalance::exchanged() const { return std::min(exchanged_, there_was()); }

double EnergyBalance::there_was() const {
  const MonitorResult& seen = monitor_.result();
  const WorkMeter* meter = monitor_.work_meter();
  const double supplied = meter != nullptr ? 0.5 * (meter->turnover() + seen.work.total()) : 0.0;
  return seen.energy_initial.kinetic + std::abs(seen.energy_initial.potential) + released_ + supplied;
}

double EnergyBalance::nothing() const { return rest_ + rest_on_way_ + of_roundoff * std::abs(initial()); }

Outcome EnergyBalance::failure() const {
  if (fastest_ < 0) return {};
  return catena::failure(Status::unstable, {system_->velocity_block_name(fastest_) + ", the fastest",
                                            "energy beyond the balance [J]", error_.value});
}

std::vector<double> EnergyBalance::memory() const {
  return {exchanged_, held_, error_.value, error_.t, states_, released_};
}

bool EnergyBalance::remember(const std::vector<double>& memory) {
  if (memory.size() != this->memory().size()) return false;
  exchanged_ = memory[0];
  held_ = memory[1];
  error_ = {memory[2], memory[3], -1};
  states_ = memory[4];
  released_ = memory[5];
  return true;
}

}  // namespace catena::detail
