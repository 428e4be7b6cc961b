#include <catena/assembly/parts/body_system.hpp>
#include <catena/measure/detail/power_meter.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

// The power of a force takes some 150 ns, a step 500 ns and more a body: where it is taken at every state, there is one
// such force to fifteen bodies at most, so that it costs 2 % of a run.
constexpr long bodies_per_force = 15;

// Velocities that differ in all components, [-1, 1) m/s and rad/s.
void set_velocities(std::vector<double>& v, int number) {
  for (std::size_t k = 0; k < v.size(); ++k) {
    const double turn = 0.618033988749895 * static_cast<double>(k + 1) + 0.2654435769 * number;
    v[k] = 2.0 * (turn - std::floor(turn)) - 1.0;
  }
}

}  // namespace

PowerMeter::PowerMeter(const System& system)
    : measured_(std::make_unique<const MeasuredSystem>(system, MeasureSources{})), now_(*measured_) {
  constexpr int probes = 3;
  constexpr double roundoff = 1e-12;  // of the power of the wrenches, some thousand units in the last place
  State probe = system.initial_state();
  const int forces = static_cast<int>(bodies_of(system)->model().forces().size());
  std::vector<char> supplies(static_cast<std::size_t>(forces), 0);
  for (int n = 0; n < probes; ++n) {
    set_velocities(probe.v, n);
    now_.move_to(probe, {});
    for (int k = 0; k < forces; ++k) {
      double size = 0.0;
      const double power = now_.force_power(k, &size);
      if (!(std::abs(power) <= roundoff * size) || size == 0.0) supplies[static_cast<std::size_t>(k)] = 1;
    }
  }
  for (int k = 0; k < forces; ++k)
    if (supplies[static_cast<std::size_t>(k)] != 0) suppliers_.push_back(k);
  const long bodies = std::max(1, system.layout().pattern->primal_count());
  // A few forces cost nothing beside the steps of the smallest systems.
  every_ = std::max(1L, (bodies_per_force * static_cast<long>(suppliers_.size()) - 30) / bodies);
}

bool PowerMeter::add(const State& state) {
  if (suppliers_.empty()) return true;
  const bool first = states_ == 0.0;
  const long states = static_cast<long>(states_);
  states_ += 1.0;
  if (states % every_ != 0) return false;
  now_.move_to(state, {});
  double power = 0.0, absolute = 0.0;
  for (const int k : suppliers_) {
    const double p = now_.force_power(k);
    power += p;
    absolute += std::abs(p);
  }
  if (!first) {
    work_ += 0.5 * (state.t - t_) * (power_ + power);
    turnover_ += (state.t - t_) * absolute;
  }
  t_ = state.t;
  power_ = power;
  if (states / every_ % 2 != 0) return false;
  if (!first) doubt_ += std::abs(work_ - work_pair_ - 0.5 * (t_ - t_pair_) * (power_pair_ + power_));
  t_pair_ = t_;
  power_pair_ = power_;
  work_pair_ = work_;
  return true;
}

void PowerMeter::write(double* memory) const {
  const double all[numbers] = {work_,  turnover_, t_,          power_,    states_,
                               doubt_, t_pair_,   power_pair_, work_pair_};
  std::copy(all, all + numbers, memory);
}

void PowerMeter::read(const double* memory) {
  work_ = memory[0];
  turnover_ = memory[1];
  t_ = memory[2];
  power_ = memory[3];
  states_ = memory[4];
  doubt_ = memory[5];
  t_pair_ = memory[6];
  power_pair_ = memory[7];
  work_pair_ = memory[8];
}

}  // namespace catena::detail
