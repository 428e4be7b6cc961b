#include <catena/math/detail/index.hpp>
#include <catena/model/detail/joint_axes.hpp>
#include <catena/model/rows/axes.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// Only two rows of sines are two components of one axis.
bool holds_axes(const ElementPool& pool) {
  const std::vector<RowGroup>& groups = pool.plan().groups;
  return pool.bodies() == 2 && pool.level() == Level::position &&
         std::any_of(groups.begin(), groups.end(),
                     [](const RowGroup& g) { return g.meaning.unit == RowUnit::sine && g.rows == 2; });
}

// The shortest turn in the world that brings the unit vector `from` to `to`.
Quat turn_between(const Vec3& from, const Vec3& to) {
  const Vec3 normal = cross(from, to);
  const double sine = norm(normal), angle = std::atan2(sine, dot(from, to));
  const Vec3 about = sine > 0.0 ? Vec3((1.0 / sine) * normal) : rows::across(from);
  return exponential(Vec3(angle * about));
}

class Walk {
 public:
  Walk(Model& model, const std::vector<JointAxes>& axes, const std::vector<char>& still)
      : model_(model), axes_(axes), still_(still), links_(index(model.body_count()) + 1) {
    for (std::size_t k = 0; k < model.constraints().size(); ++k) {
      const Model::ElementRef& ref = model.constraints()[k];
      const ElementPool& pool = *model.pools()[index(ref.pool)];
      if (pool.bodies() != 2) continue;
      const BodyId a = pool.body(ref.element, 0), b = pool.body(ref.element, 1);
      links_[place(a)].push_back({static_cast<int>(k), b});
      links_[place(b)].push_back({static_cast<int>(k), a});
    }
    axes_of_.assign(model.constraints().size(), -1);
    for (std::size_t k = 0; k < axes.size(); ++k)
      axes_of_[index(static_cast<int>(axes[k].joint))] = static_cast<int>(k);
    seen_.assign(links_.size(), 0);
  }

  void operator()() {
    const int n = model_.body_count();
    see(ground);
    for (int b = 0; b < n; ++b)
      if (model_.body(BodyId{b}).fixed || still_[index(b)] != 0) see(BodyId{b});
    walk();
    for (int b = 0; b < n; ++b)  // parts that nothing still belongs to
      if (seen_[index(b)] == 0) {
        see(BodyId{b});
        walk();
      }
  }

 private:
  struct Link {
    int joint;
    BodyId to;
  };
  std::size_t place(BodyId id) const {
    return id == ground ? links_.size() - 1 : index(static_cast<int>(id));
  }
  void see(BodyId id) {
    if (std::exchange(seen_[place(id)], 1) == 0) queue_.push_back(id);
  }
  void walk() {
    for (; next_ < queue_.size(); ++next_)
      for (const Link& link : links_[place(queue_[next_])]) {
        if (seen_[place(link.to)] != 0) continue;
        if (const int k = axes_of_[index(link.joint)]; k >= 0) turn(axes_[index(k)], link.to);
        see(link.to);
      }
  }
  void turn(const JointAxes& joint, BodyId moved) {
    constexpr double far = 0.5;  // the cosine of 60 degrees: rows keep half of their gradient
    if (joint.cosine(model_) >= far || joint.opposed(model_)) return;
    turn_axis(model_, joint, joint.bodies[0] == moved ? 0 : 1);
  }

  Model& model_;
  const std::vector<JointAxes>& axes_;
  const std::vector<char>& still_;
  std::vector<std::vector<Link>> links_;  // of each body, those of the ground last
  std::vector<int> axes_of_;              // by joint; -1: none
  std::vector<char> seen_;
  std::vector<BodyId> queue_;
  std::size_t next_ = 0;
};

}  // namespace

Vec3 JointAxes::axis_in_world(const Model& model, int i) const {
  return model.initial_frame(bodies[index(i)]).direction(axis[index(i)]);
}

double JointAxes::cosine(const Model& model) const {
  return dot(axis_in_world(model, 0), axis_in_world(model, 1));
}

bool JointAxes::opposed(const Model& model) const { return cosine(model) < -0.866; }

std::vector<JointAxes> held_axes(const Model& model) {
  std::vector<JointAxes> found;
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    const Model::ElementRef& ref = model.constraints()[k];
    const ElementPool& pool = *model.pools()[index(ref.pool)];
    rows::Markers m;
    if (!holds_axes(pool) || !pool.markers(ref.element, m)) continue;
    found.push_back({ConstraintId{static_cast<int>(k)},
                     {pool.body(ref.element, 0), pool.body(ref.element, 1)},
                     {rows::unit(m.axis_a), rows::unit(m.axis_b)},
                     {m.point_a, m.point_b}});
  }
  return found;
}

void turn_axis(Model& model, const JointAxes& joint, int i) {
  Body& body = model.body(joint.bodies[index(i)]);
  const Vec3 arm = rotation_matrix(body.orientation) * joint.point[index(i)];
  const Quat turn = turn_between(joint.axis_in_world(model, i), joint.axis_in_world(model, 1 - i));
  body.orientation = normalized(turn * body.orientation);
  body.position += arm - rotation_matrix(turn) * arm;
}

void turn_axes_together(Model& model, const std::vector<JointAxes>& axes, const std::vector<char>& still) {
  if (!axes.empty()) Walk(model, axes, still)();
}

}  // namespace catena::detail
