#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/jump_meter.hpp>

#include <algorithm>
#include <iterator>
#include <limits>

namespace catena::detail {

const ElementPool& JumpMeter::pool_of(const Watched& one) const {
  return *bodies_->model().pools()[index(one.at.pool)];
}

void JumpMeter::attach(const System& system) {
  bodies_ = bodies_of(system);
  watched_.clear();
  if (bodies_ == nullptr) return;
  const Model& model = bodies_->model();
  const auto watch = [&](const std::vector<Model::ElementRef>& elements, bool is_force) {
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (model.pools()[index(elements[k].pool)]->may_jump(elements[k].element))
        watched_.push_back({.at = elements[k], .number = static_cast<int>(k), .is_force = is_force});
  };
  watch(model.constraints(), false);
  watch(model.forces(), true);
}

void JumpMeter::begin(const System& system) {
  attach(system);
  has_before_ = false;
  first_ = -1;
  t_ = 0.0;
}

void JumpMeter::resume(const System& system, const State& state) {
  attach(system);
  for (Watched& one : watched_) bodies_->frames_of(state, pool_of(one), one.at.element, one.before);
  has_before_ = true;
}

bool JumpMeter::observe(const State& state) {
  for (std::size_t k = 0; k < watched_.size() && first_ < 0; ++k) {
    Watched& one = watched_[k];
    const ElementPool& pool = pool_of(one);
    BodyFrame<double> now[max_bodies_per_element];
    bodies_->frames_of(state, pool, one.at.element, now);
    if (has_before_ && pool.jumped(one.at.element, one.before, now)) {
      first_ = static_cast<int>(k);
      t_ = state.t;
    }
    std::copy(std::begin(now), std::end(now), one.before);
  }
  has_before_ = true;
  return true;
}

std::string JumpMeter::label() const {
  const Watched& one = watched_[index(first_)];
  const Model& model = bodies_->model();
  return one.is_force ? model.force_label(ForceId{one.number})
                      : model.constraint_label(ConstraintId{one.number});
}

std::string JumpMeter::what() const { return pool_of(watched_[index(first_)]).jump(); }

std::vector<double> JumpMeter::memory() const { return {static_cast<double>(first_), t_}; }

bool JumpMeter::remember(const std::vector<double>& memory) {
  if (memory.size() != 2 || !(memory[0] >= -1.0 && memory[0] <= std::numeric_limits<int>::max()))
    return false;
  first_ = static_cast<int>(memory[0]);
  t_ = memory[1];
  return true;
}

}  // namespace catena::detail
