#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/joint_stiffness.hpp>
#include <catena/measure/parts/measured_system.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;

MeasuredSystem::MeasuredSystem(const System& system, MeasureSources sources)
    : system_(system), sources_(std::move(sources)) {
  const SystemLayout& layout = system.layout();
  q_size_ = layout.q_size;
  if (!sources_.reactions.text.empty()) joint_stiffness(system, sources_.reactions);
  // What a checkpoint keeps besides, the low parts of the positions, is of no use to a reader.
  const BodySystem* const bodies = bodies_of(system);
  if (bodies != nullptr) q_size_ = 7 * bodies->freedoms().blocks();
  if (bodies == nullptr) {
    body_names_ = system.body_names();
    bodies_ = static_cast<int>(system.bodies(system.initial_state()).size());
    return;
  }
  rows_.emplace(*bodies);
  bodies_ = q_size_ / 7;
  const Model& model = bodies->model();
  for (const Body& b : model.bodies()) {
    if (b.fixed) continue;
    inertia_.push_back({b.mass, b.inertia});
    body_names_.push_back(b.name);
  }
  sides_ = ReactionMeter(*bodies).sides();
  for (int c = 0; c < static_cast<int>(model.constraints().size()); ++c)
    if (const std::optional<MarkedJoint> joint = marked_joint(model, ConstraintId{c}))
      joints_.push_back(*joint);
}

bool MeasuredSystem::has(Needs needs) const {
  switch (needs) {
    case Needs::nothing:
      return true;
    case Needs::stepper:
      return sources_.steps != nullptr;
    case Needs::monitor:
      return sources_.monitor != nullptr;
    case Needs::bodies:
      return bodies_ > 0;
    case Needs::model:
      return rows_.has_value();
    case Needs::constraints:
      return system_.layout().lambda_size() > 0;
    case Needs::sides:
      return !sides_.empty();
    case Needs::discrete:
      return system_.layout().discrete_size > 0;
    case Needs::points:
      return rows_.has_value() && !sources_.points.empty();
    case Needs::markers:
      return !joints_.empty();
    case Needs::forces:
      return count(Items::force) > 0;
  }
  return false;
}

int MeasuredSystem::count(Items items) const {
  const SystemLayout& layout = system_.layout();
  switch (items) {
    case Items::one:
      return 1;
    case Items::body:
      return bodies_;
    case Items::row:
      return layout.lambda_size();
    case Items::side:
      return static_cast<int>(sides_.size());
    case Items::point:
      return !rows_ ? 0 : static_cast<int>(sources_.points.size());
    case Items::coordinate:
      return q_size_;
    case Items::velocity:
      return layout.v_size();
    case Items::discrete:
      return layout.discrete_size;
    case Items::joint:
      return static_cast<int>(joints_.size());
    case Items::constraint:
      return layout.pattern->dual_count();
    case Items::force:
      return !rows_ ? 0 : static_cast<int>(model_system()->model().forces().size());
  }
  return 0;
}

MeasuredSystem::Row MeasuredSystem::row(int row) const {
  const BlockPattern& pattern = *system_.layout().pattern;
  const int place = row + pattern.primal_dimension;
  const auto begin = pattern.dual_offset.begin();
  const auto behind = std::upper_bound(begin, begin + pattern.dual_count(), place);
  const int constraint = static_cast<int>(behind - begin) - 1;
  return {constraint, place - pattern.dual_offset[index(constraint)]};
}

std::string MeasuredSystem::item_name(Items items, int k) const {
  if (items == Items::body && index(k) < body_names_.size()) return body_names_[index(k)];
  if (items == Items::row) {
    const Row at = row(k);
    return system_.constraint_name(at.constraint) + ", row " + std::to_string(at.number);
  }
  if (items == Items::side)
    return system_.constraint_name(sides_[index(k)].constraint) + " on " +
           body_names_[index(sides_[index(k)].block)];
  if (items == Items::point) return sources_.points[index(k)].name;
  if (items == Items::joint) return system_.constraint_name(joints_[index(k)].constraint);
  if (items == Items::force) return model_system()->model().force_label(ForceId{k});
  if (items == Items::constraint) return system_.constraint_name(k);
  return std::to_string(k);
}

std::string MeasuredSystem::item_key(Items items, int k) const {
  if (items == Items::row) return plain_name(system_.constraint_name(row(k).constraint));
  if (items == Items::side) return plain_name(system_.constraint_name(sides_[index(k)].constraint));
  if (items == Items::joint) return plain_name(system_.constraint_name(joints_[index(k)].constraint));
  if (items == Items::force || items == Items::constraint) return plain_name(item_name(items, k));
  return item_name(items, k);
}

}  // namespace catena
