#include <catena/assembly/parts/body_system.hpp>
#include <catena/measure/detail/energy_balance.hpp>

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
  assessed_ = bodies != nullptr;
  if (!assessed_) return;
  if (bodies->model().forces().empty())
    meter_.reset();
  else
    meter_.emplace(system);
  at_rest_.assign(static_cast<std::size_t>(system.layout().v_size()), 0.0);
  rows_.assign(static_cast<std::size_t>(system.layout().lambda_size()), 0.0);
}

void EnergyBalance::begin(const System& system) {
  attach(system);
  initial_ = initial_potential_ = exchanged_ = held_ = states_ = 0.0;
  error_ = {};
  of_meter_ = {};
}

// remember() comes before.
void EnergyBalance::resume(const System& system, const State&) {
  const bool assessed = assessed_;
  attach(system);
  assessed_ = assessed_ && assessed;
  if (meter_) meter_->read(of_meter_.data());
}

// Whether rows move where the bodies do not.
bool EnergyBalance::constraints_do_work(double t, const State& state) {
  if (rows_.empty()) return false;
  Point at = point_of(state);
  at.t = t;
  at.v = at_rest_.data();
  Evaluation wanted;
  wanted.velocity = rows_.data();
  system_->evaluate(at, wanted);
  return std::any_of(rows_.begin(), rows_.end(), [](double row) { return row != 0.0; });
}

bool EnergyBalance::observe(const State& state) {
  if (!assessed_) return true;
  const Energy& energy = monitor_.energy();
  const bool first = states_ == 0.0;
  if (first) {
    initial_ = energy.total();
    initial_potential_ = energy.potential;
    begin_ = state.t;
    assessed_ = !constraints_do_work(state.t, state);
    if (!assessed_) return true;
  }
  const bool work_known = !meter_ || meter_->add(state);
  if (work_known) states_ += 1.0;
  exchanged_ = std::max({exchanged_, energy.kinetic, std::abs(energy.potential - initial_potential_),
                         meter_ ? meter_->work_of_size() : 0.0});
  if (!work_known) return true;
  const double gain = energy.total() - initial_ - (meter_ ? meter_->work() : 0.0);
  const double doubt = meter_ ? meter_->doubt() : 0.0;
  const double error = std::max(0.0, std::abs(gain) - doubt);
  const bool was_broken = broken();
  if (error > error_.value) error_ = {error, state.t, -1};
  if (error <= much * exchanged_ || states_ < first_states) held_ = exchanged_;
  if (!was_broken && broken()) {  // drives that have begun in the meantime
    constexpr int instants = 16;
    for (int k = 1; k <= instants && assessed_; ++k)
      assessed_ = !constraints_do_work(begin_ + (state.t - begin_) * k / instants, state);
    if (!assessed_) {
      error_ = {};
      return true;
    }
  }
  if (!(gain - doubt > nonsense * held_) || states_ < first_states) return true;
  const SystemLayout& layout = system_->layout();
  const auto fastest = std::max_element(state.v.begin(), state.v.end(),
                                        [](double a, double b) { return std::abs(a) < std::abs(b); });
  fastest_ = layout.pattern->block_of(static_cast<int>(fastest - state.v.begin()));
  return false;
}

bool EnergyBalance::broken() const { return assessed_ && error_.value > much * exchanged_; }

Outcome EnergyBalance::failure() const {
  if (fastest_ < 0) return {};
  return catena::failure(Status::unstable, {system_->velocity_block_name(fastest_) + ", the fastest",
                                            "energy beyond the balance [J]", error_.value});
}

std::vector<double> EnergyBalance::memory() const {
  std::vector<double> memory{initial_,     initial_potential_, begin_,  exchanged_,           held_,
                             error_.value, error_.t,           states_, assessed_ ? 1.0 : 0.0};
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
  begin_ = m[2];
  exchanged_ = m[3];
  held_ = m[4];
  error_ = {m[5], m[6], -1};
  states_ = m[7];
  assessed_ = m[8] != 0.0;
  std::copy(m + 9, m + 9 + PowerMeter::numbers, of_meter_.begin());
  return true;
}

}  // namespace catena::detail
