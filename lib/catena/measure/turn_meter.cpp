#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/array_kernels.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/measure/detail/turn_meter.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

double speed_of(const BodyFreedoms& freedoms, int block, const double* v) {
  double own[6];
  if (!freedoms.all_six()) freedoms.expand(block, v, own);
  const double* omega = (freedoms.all_six() ? v + 6 * block : own) + 3;
  return std::sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
}

}  // namespace

void TurnMeter::attach(const System& system) {
  const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system);
  freedoms_ = bodies == nullptr ? nullptr : &bodies->freedoms();
  bodies_ = bodies;
  counting_.clear();
  if (bodies == nullptr) return;
  const Model& model = bodies->model();
  const auto look_at = [&](const std::vector<Model::ElementRef>& elements, bool is_force) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const ElementPool& pool = *model.pools()[index(elements[k].pool)];
      int moving = 0;
      for (int i = 0; i < pool.bodies(); ++i)
        if (const BodyId body = pool.body(elements[k].element, i); body != ground)
          moving += model.bodies()[index(static_cast<int>(body))].fixed ? 0 : 1;
      if (pool.follows_motion() && moving == pool.bodies() && moving > 1)
        counting_.push_back({elements[k], static_cast<int>(k), is_force});
    }
  };
  look_at(model.constraints(), false);
  look_at(model.forces(), true);
}

void TurnMeter::begin(const System& system) {
  attach(system);
  any_ = false;
  largest_ = between_ = {};
  block_ = -1;
  velocity_ = acceleration_ = 0.0;
}

void TurnMeter::resume(const System& system, const State& state) {
  attach(system);
  before_ = state;
  fastest_before_ = fastest(state);
  any_ = true;
}

double TurnMeter::fastest(const State& state) const {
  if (freedoms_ == nullptr) return 0.0;
  if (freedoms_->all_six())
    return std::sqrt(array_kernels().largest_turn(state.v.data(), freedoms_->blocks()));
  double largest = 0.0;
  for (int k = 0; k < freedoms_->blocks(); ++k)
    largest = std::max(largest, speed_of(*freedoms_, k, state.v.data()));
  return largest;
}

bool TurnMeter::observe(const State& state) {
  velocity_ = largest_of(state.v, velocity_);
  acceleration_ = largest_of(state.a, acceleration_);
  if (freedoms_ == nullptr) return true;
  const double h = any_ ? state.t - before_.t : 0.0, now = fastest(state);
  // No body turns further, in nearly all steps.
  const double bound = 0.5 * h * (fastest_before_ + now);
  if (bound > largest_.value) look_at_bodies(state, h);
  if (2.0 * bound > std::max(half_a_turn, between_.value)) look_between(state, h);
  before_.t = state.t;
  if (!counting_.empty()) before_.q = state.q;
  before_.v = state.v;
  fastest_before_ = now;
  any_ = true;
  return true;
}

void TurnMeter::look_at_bodies(const State& state, double h) {
  for (int k = 0; k < freedoms_->blocks(); ++k) {
    const double turn =
        0.5 * h * (speed_of(*freedoms_, k, before_.v.data()) + speed_of(*freedoms_, k, state.v.data()));
    if (!(turn > largest_.value)) continue;
    largest_ = {turn, state.t, -1};
    block_ = k;
  }
}

void TurnMeter::look_between(const State& state, double h) {
  for (std::size_t k = 0; k < counting_.size(); ++k) {
    const double turn = 0.5 * h * (rate_between(counting_[k], before_) + rate_between(counting_[k], state));
    if (turn > between_.value) between_ = {turn, state.t, static_cast<int>(k)};
  }
}

// Of the bodies against the first of them.
double TurnMeter::rate_between(const Counting& one, const State& state) const {
  const ElementPool& pool = *bodies_->model().pools()[index(one.at.pool)];
  BodyFrame<double> f[max_bodies_per_element];
  bodies_->frames_of(state, pool, one.at.element, f);
  double largest = 0.0;
  for (int i = 1; i < pool.bodies(); ++i)
    largest = std::max(largest, norm(f[i].direction(f[i].omega) - f[0].direction(f[0].omega)));
  return largest;
}

std::string TurnMeter::label_between() const {
  // What a checkpoint says may be of another model.
  if (between_.constraint < 0 || index(between_.constraint) >= counting_.size()) return {};
  const Counting& one = counting_[index(between_.constraint)];
  const Model& model = bodies_->model();
  return one.is_force ? model.force_label(ForceId{one.number})
                      : model.constraint_label(ConstraintId{one.number});
}

std::vector<double> TurnMeter::memory() const {
  return {largest_.value, largest_.t,   static_cast<double>(block_),
          between_.value, between_.t,   static_cast<double>(between_.constraint),
          velocity_,      acceleration_};
}

bool TurnMeter::remember(const std::vector<double>& memory) {
  if (memory.size() != this->memory().size()) return false;
  largest_ = {memory[0], memory[1], -1};
  block_ = static_cast<int>(memory[2]);
  between_ = {memory[3], memory[4], static_cast<int>(memory[5])};
  velocity_ = memory[6];
  acceleration_ = memory[7];
  return true;
}

}  // namespace catena::detail
