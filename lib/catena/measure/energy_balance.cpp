#include <catena/assembly/parts/body_system.hpp>
#include <catena/measure/detail/energy_balance.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

constexpr double much = 0.1;       // of the energies exchanged: a motion with such an error is another one
constexpr double nonsense = 10.0;  // times what was exchanged while the balance held
// A motion from rest has exchanged nothing at its first states.
constexpr double first_states = 10.0;

}  // namespace

void EnergyBalance::attach(const System& system) {
  system_ = &system;
  fastest_ = -1;
  const BodySystem* bodies = bodies_of(system);
  has_forces_ = bodies != nullptr && !bodies->model().forces().empty();
  meter_.reset();
  if (bodies == nullptr) {
    const State at = system.initial_state();
    assessed_ = system.power(point_of(at)).has_value();
  } else {
    assessed_ = true;
  }
  if (assessed_ && (has_forces_ || bodies == nullptr || DriveMeter::count(system) > 0))
    meter_.emplace(system);
}

void EnergyBalance::begin(const System& system) {
  attach(system);
  initial_ = initial_potential_ = exchanged_ = held_ = states_ = 0.0;
  error_ = {};
  of_meter_ = {};
}

// remember() comes before.
void EnergyBalance::resume(const System& system, const State&) {
  attach(system);
  if (meter_) meter_->read(of_meter_.data());
}

bool EnergyBalance::observe(const State& state) {
  if (!assessed_) return true;
  const Energy& energy = monitor_.energy();
  const bool first = states_ == 0.0;
  if (first) {
    initial_ = energy.total();
    initial_potential_ = energy.potential;
  }
  const bool work_known = !meter_ || meter_->add(state);
  if (work_known) states_ += 1.0;
  exchanged_ = std::max({exchanged_, energy.kinetic, std::abs(energy.potential - initial_potential_),
                         meter_ ? meter_->work_of_size() : 0.0});
  if (!work_known) return true;
  const double gain = energy.total() - initial_ - (meter_ ? meter_->work() : 0.0);
  const double doubt = meter_ ? meter_->doubt() : 0.0;
  const double error = std::max(0.0, std::abs(gain) - doubt);
  if (error > error_.value) error_ = {error, state.t, -1};
  if (error <= much * exchanged_ || states_ < first_states) held_ = exchanged_;
  if (meter_ && !meter_->is_complete()) return true;
  if (!(gain - doubt > nonsense * held_) || states_ < first_states) return true;
  const SystemLayout& layout = system_->layout();
  fastest_ = layout.pattern->block_of(fastest_component(layout, state.v.data()));
  return false;
}

bool EnergyBalance::broken() const {
  return assessed_ && (!meter_ || meter_->is_complete()) && error_.value > much * exchanged_;
}

Outcome EnergyBalance::failure() const {
  if (fastest_ < 0) return {};
  return catena::failure(Status::unstable, {system_->velocity_block_name(fastest_) + ", the fastest",
                                            "energy beyond the balance [J]", error_.value});
}

std::vector<double> EnergyBalance::memory() const {
  std::vector<double> memory{initial_,     initial_potential_, exchanged_, held_,
                             error_.value, error_.t,           states_};
  std::array<double, PowerMeter::numbers> of_meter = of_meter_;
  if (meter_) meter_->write(of_meter.data());
  memory.insert(memory.end(), of_meter.begin(), of_meter.end());
  return memory;
}

bool EnergyBalance::remember(const std::vector<double>& memory) {
  if (memory.size() != this->memory().size()) return false;
  const double* m = memory.data();
  initial_ = m[0];
  initial_potential_ = m[1];
  exchanged_ = m[2];
  held_ = m[3];
  error_ = {m[4], m[5], -1};
  states_ = m[6];
  std::copy(m + 7, m + 7 + PowerMeter::numbers, of_meter_.begin());
  return true;
}

}  // namespace catena::detail
