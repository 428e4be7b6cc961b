#include <catena/measure/parts/monitor.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void raise(Peak& peak, double value, double t, int constraint) {
  // Written so that nan is taken and kept.
  if (value <= peak.value || std::isnan(peak.value)) return;
  peak = {value, t, constraint};
}

}  // namespace

bool MonitorResult::energy_error_is_absolute() const {
  // Both kinetic and potential energy reach kinetic_max; a total below a few thousand roundings of it is zero.
  return std::abs(energy_initial.total()) <= 1e-12 * kinetic_max || energy_initial.total() == 0.0;
}

double MonitorResult::energy_balance() const {
  if (work_known != WorkKnown::yes) return no_number;
  return energy_final.total() - energy_initial.total() - work.total();
}

double MonitorResult::energy_error_max() const {
  return energy_error_is_absolute() ? energy_error.value
                                    : energy_error.value / std::abs(energy_initial.total());
}

const std::array<NamedPeak, 4>& named_peaks() {
  static const std::array<NamedPeak, 4> peaks{
      {{"peaks/energy_error", "J", "largest absolute energy/error of all steps so far",
        &MonitorResult::energy_error},
       {"peaks/position_residual", "m or rad", "largest residuals/position of all steps so far",
        &MonitorResult::position},
       {"peaks/velocity_residual", "m/s or rad/s", "largest residuals/velocity of all steps so far",
        &MonitorResult::velocity},
       {"peaks/acceleration_residual", "m/s^2 or rad/s^2",
        "largest residuals/acceleration of all steps so far", &MonitorResult::acceleration}}};
  return peaks;
}

void Monitor::attach(const System& system) {
  system_ = &system;
  meter_.emplace(system);
  work_ = WorkMeter::is_wanted(system) ? std::make_unique<WorkMeter>(system) : nullptr;
}

void Monitor::begin(const System& system) {
  attach(system);
  result_ = {};
  error_ = {};
  of_work_ = {};
  fastest_ = -1;
}

void Monitor::resume(const System& system, const State& state) {
  attach(system);
  if (work_) {
    work_->read(of_work_.data());
    work_->observe(state);
  }
  look(state);
  if (result_.states > 0) balance(state.t);
}

void Monitor::step(const AcceptedStep& step) { work_->step(step); }

void Monitor::look(const State& state) {
  t_ = state.t;
  energy_ = system_->energy(point_of(state));
  residuals_ = (*meter_)(state);
}

// Of the state seen last.
void Monitor::balance(double t) {
  result_.energy_final = energy_;
  result_.work = work(t);
  result_.work_known = work_ ? work_->known() : WorkKnown::yes;
  const double gain = energy_.total() - result_.energy_initial.total();
  raise(error_, std::abs(gain - result_.work.total()), t, -1);
  result_.energy_error = result_.work_known == WorkKnown::yes ? error_ : Peak{no_number, t, -1};
}

std::vector<double> Monitor::memory() const {
  const MonitorResult& r = result_;
  std::vector<double> memory{r.energy_initial.kinetic,
                             r.energy_initial.potential,
                             r.energy_final.kinetic,
                             r.energy_final.potential,
                             r.kinetic_max,
                             static_cast<double>(r.states)};
  for (const Peak& p : {error_, r.position, r.velocity, r.acceleration})
    memory.insert(memory.end(), {p.value, p.t, static_cast<double>(p.constraint)});
  std::array<double, WorkMeter::numbers> of_work = of_work_;
  if (work_) work_->write(of_work.data());
  memory.insert(memory.end(), of_work.begin(), of_work.end());
  return memory;
}

bool Monitor::remember(const std::vector<double>& memory) {
  if (memory.size() != this->memory().size()) return false;
  const double* m = memory.data();
  result_.energy_initial = {m[0], m[1]};
  result_.energy_final = {m[2], m[3]};
  result_.kinetic_max = m[4];
  result_.states = static_cast<long>(m[5]);
  m += 6;
  for (Peak* p : {&error_, &result_.position, &result_.velocity, &result_.acceleration}) {
    *p = {m[0], m[1], static_cast<int>(m[2])};
    m += 3;
  }
  std::copy_n(m, of_work_.size(), of_work_.begin());
  return true;
}

bool Monitor::observe(const State& state) {
  look(state);
  if (work_) work_->observe(state);
  if (result_.states++ == 0) {
    result_.energy_initial = energy_;
    result_.position.t = result_.velocity.t = result_.acceleration.t = error_.t = state.t;
  }
  balance(state.t);
  result_.kinetic_max = std::max(result_.kinetic_max, energy_.kinetic);
  raise(result_.position, residuals_.position.value, state.t, residuals_.position.constraint);
  raise(result_.velocity, residuals_.velocity.value, state.t, residuals_.velocity.constraint);
  raise(result_.acceleration, residuals_.acceleration.value, state.t, residuals_.acceleration.constraint);
  if (std::isfinite(energy_.total()))
    return std::isfinite(residuals_.position.value) && std::isfinite(residuals_.velocity.value);
  const SystemLayout& layout = system_->layout();
  fastest_ = layout.pattern->block_of(fastest_component(layout, state.v.data()));
  return false;
}

Outcome Monitor::failure() const {
  for (const auto& [row, what] : {std::pair{residuals_.position, "position residual"},
                                  std::pair{residuals_.velocity, "velocity residual"}})
    if (!std::isfinite(row.value))
      return catena::failure(Status::not_finite, {system_->constraint_name(row.constraint), what, row.value});
  if (fastest_ < 0) return {};
  const bool kinetic = !std::isfinite(energy_.kinetic);
  return catena::failure(Status::not_finite,
                         {system_->velocity_block_name(fastest_) + ", the fastest",
                          kinetic ? "kinetic energy of the whole" : "potential energy of the whole",
                          kinetic ? energy_.kinetic : energy_.potential});
}

}  // namespace catena
