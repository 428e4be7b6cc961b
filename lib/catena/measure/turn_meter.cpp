#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/measure/detail/turn_meter.hpp>

#include <cmath>

namespace catena::detail {

void TurnMeter::attach(const System& system) {
  const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system);
  freedoms_ = bodies == nullptr ? nullptr : &bodies->freedoms();
}

void TurnMeter::begin(const System& system) {
  attach(system);
  any_ = false;
  largest_ = {};
  block_ = -1;
  velocity_ = acceleration_ = 0.0;
}

void TurnMeter::resume(const System& system, const State& state) {
  attach(system);
  t_ = state.t;
  any_ = true;
}

bool TurnMeter::observe(const State& state) {
  velocity_ = largest_of(state.v, velocity_);
  acceleration_ = largest_of(state.a, acceleration_);
  const double h = any_ ? state.t - t_ : 0.0;
  t_ = state.t;
  any_ = true;
  if (freedoms_ == nullptr || !(h > 0.0)) return true;
  const double bound = largest_.value / h;
  double fastest = bound * bound;
  const bool all_six = freedoms_->all_six();
  // That of no body is faster, in nearly all steps.
  if (all_six && array_kernels().largest_turn(state.v.data(), freedoms_->blocks()) <= fastest) return true;
  int block = -1;
  double own[6];
  for (int k = 0; k < freedoms_->blocks(); ++k) {
    if (!all_six) freedoms_->expand(k, state.v.data(), own);
    const double* omega = (all_six ? state.v.data() + 6 * k : own) + 3;
    const double square = omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2];
    if (!(square > fastest)) continue;
    fastest = square;
    block = k;
  }
  if (block < 0) return true;
  largest_ = {h * std::sqrt(fastest), state.t, -1};
  block_ = block;
  return true;
}

std::vector<double> TurnMeter::memory() const {
  return {largest_.value, largest_.t, static_cast<double>(block_), velocity_, acceleration_};
}

bool TurnMeter::remember(const std::vector<double>& memory) {
  if (memory.size() != this->memory().size()) return false;
  largest_ = {memory[0], memory[1], -1};
  block_ = static_cast<int>(memory[2]);
  velocity_ = memory[3];
  acceleration_ = memory[4];
  return true;
}

}  // namespace catena::detail
