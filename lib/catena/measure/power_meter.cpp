#include <catena/math/detail/scattered.hpp>
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
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = 2.0 * scattered(k, 0.2654435769 * number) - 1.0;
}

}  // namespace

double PowerMeter::power_of(int force, const State& state, double* size) const {
  return bodies_->force_power(force, state.t, state.q.data(), state.v.data(),
                              state.discrete.empty() ? nullptr : state.discrete.data(), size);
}

PowerMeter::PowerMeter(const System& system) : system_(system) {
  const int drives = DriveMeter::count(system);
  if (drives > 0) {
    drives_.emplace(system);
    drive_power_.resize(static_cast<std::size_t>(system.layout().pattern->dual_count()));
  }
  const BodySystem* model_system = bodies_of(system);
  if (model_system == nullptr) return;
  bodies_.emplace(*model_system);
  constexpr int probes = 3;
  constexpr double roundoff = 1e-12;  // of the power of the wrenches, some thousand units in the last place
  State probe = system.initial_state();
  const int forces = static_cast<int>(model_system->model().forces().size());
  std::vector<char> supplies(static_cast<std::size_t>(forces), 0);
  for (int n = 0; n < probes; ++n) {
    set_velocities(probe.v, n);
    for (int k = 0; k < forces; ++k) {
      double size = 0.0;
      const double power = power_of(k, probe, &size);
      if (!(std::abs(power) <= roundoff * size) || size == 0.0) supplies[static_cast<std::size_t>(k)] = 1;
    }
  }
  for (int k = 0; k < forces; ++k)
    if (supplies[static_cast<std::size_t>(k)] != 0) suppliers_.push_back(k);
  const long bodies = std::max(1, system.layout().pattern->primal_count());
  // A few forces cost nothing beside the steps of the smallest systems.
  every_ = std::max(1L, (bodies_per_force * (static_cast<long>(suppliers_.size()) + drives) - 30) / bodies);
}

bool PowerMeter::add(const State& state) {
  if (bodies_ && suppliers_.empty() && !drives_) return true;
  const bool first = states_ == 0.0;
  const long states = static_cast<long>(states_);
  states_ += 1.0;
  if (states % every_ != 0) return false;
  double power = 0.0, absolute = 0.0;
  const auto count = [&](double p) {
    power += p;
    absolute += std::abs(p);
  };
  for (const int k : suppliers_) count(power_of(k, state));
  if (!bodies_) count(system_.power(point_of(state)).value_or(0.0));
  if (drives_) {
    const double* q = bodies_ ? bodies_->unit_poses(state.q.data(), unit_q_) : state.q.data();
    (*drives_)(state.t, q, state.lambda.data(), state.discrete.empty() ? nullptr : state.discrete.data(),
               drive_power_.data());
    for (const double p : drive_power_) count(p);
    moved_ = moved_ || drives_->moving();
    multiplied_ = multiplied_ || std::any_of(state.lambda.begin(), state.lambda.end(),
                                             [](double lambda) { return lambda != 0.0; });
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
  const double all[numbers] = {
      work_,  turnover_, t_,          power_,    states_, moved_ ? 1.0 : 0.0, multiplied_ ? 1.0 : 0.0,
      doubt_, t_pair_,   power_pair_, work_pair_};
  std::copy(all, all + numbers, memory);
}

void PowerMeter::read(const double* memory) {
  work_ = memory[0];
  turnover_ = memory[1];
  t_ = memory[2];
  power_ = memory[3];
  states_ = memory[4];
  moved_ = memory[5] != 0.0;
  multiplied_ = memory[6] != 0.0;
  doubt_ = memory[7];
  t_pair_ = memory[8];
  power_pair_ = memory[9];
  work_pair_ = memory[10];
}

}  // namespace catena::detail
