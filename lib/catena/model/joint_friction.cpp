#include <catena/model/model.hpp>
#include <catena/model/parts/joint_friction.hpp>
#include <catena/model/parts/joint_shapes.hpp>

#include <string>

namespace catena {
using namespace detail;
namespace {

// The surfaces of a joint, by what its rows hold.
struct Surfaces {
  bool there = false;
  Sliding sliding = Sliding::pin;
  bool round = false;     // they slide by turning too: a radius counts
  int row = 0, rows = 0;  // that carry the load
};

Surfaces surfaces_of(const ElementPool& pool) {
  Surfaces s;
  int turns = 0, holds = 0;
  for (const RowGroup& group : pool.plan().groups) {
    if (group.meaning.positions == PositionUse::none) turns += group.rows;
    const bool points = group.meaning.unit == RowUnit::length && group.meaning.points == 2 &&
                        group.meaning.length_parameter < 0 && !group.meaning.driven;
    if (!points) continue;
    ++holds;
    s.row = group.row;
    s.rows = group.rows;
  }
  constexpr int of_axes = 2;  // rows that keep two axes parallel
  if (pool.level() != Level::position || holds != 1) return s;
  if (s.rows == 3) {
    s.there = turns == 0 || turns == of_axes;
    s.sliding = turns == 0 ? Sliding::ball : Sliding::pin;
    s.round = true;
  } else {
    s.there = true;
    s.sliding = s.rows == 2 ? Sliding::line : Sliding::plane;
    s.round = s.rows == 2 && turns == of_axes;
  }
  return s;
}

}  // namespace

ElementDefect JointFriction::join(const Model& model) {
  const int number = static_cast<int>(joint);
  if (number < 0 || number >= static_cast<int>(model.constraints().size()))
    return {"joint: joint number " + std::to_string(number) + " does not exist", "joint"};
  const Model::ElementRef& ref = model.constraints()[static_cast<std::size_t>(number)];
  const ElementPool& pool = *model.pools()[static_cast<std::size_t>(ref.pool)];
  const std::string label = model.constraint_label(joint);
  const Surfaces surfaces = pool.markers(ref.element, between) ? surfaces_of(pool) : Surfaces{};
  if (!surfaces.there)
    return {"joint: " + label +
                " has no surfaces that slide; name a revolute, prismatic, cylindrical, spherical, planar, "
                "point_on_line or point_in_plane joint",
            "joint"};
  const bool turns_only = surfaces.sliding == Sliding::pin || surfaces.sliding == Sliding::ball;
  if (turns_only && radius == 0.0)
    return {"radius must be positive: " + label + " slides by turning alone", "radius"};
  if (!surfaces.round && radius != 0.0)
    return {"radius must not be given: " + label + " does not slide by turning", "radius"};
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i] = pool.body(ref.element, static_cast<int>(i));
  sliding = surfaces.sliding;
  const bool across = sliding != Sliding::plane,
             along = sliding == Sliding::plane || sliding == Sliding::ball;
  reaction = {joint, surfaces.row, surfaces.rows, {across, across, along}, coefficient != 0.0};
  return {};
}

void visit(ElementVisitor& v, JointFriction& e) {
  v.joint({"joint", "", "a joint that slides, listed before"}, e.joint);
  v.real({"coefficient", "1", "of dry friction: force over normal force", 0.0}, e.coefficient);
  v.real({"radius", "m", "of a pin, a shaft or a ball", 0.0}, e.radius);
  v.real({.name = "speed",
          .unit = "m/s",
          .meaning = "sliding speeds over which dry friction changes its sign",
          .minimum = 0.0,
          .above_minimum = true},
         e.speed);
  v.real({.name = "light_load",
          .unit = "N",
          .meaning = "forces up to which dry friction grows with their square",
          .minimum = 0.0,
          .above_minimum = true},
         e.light_load);
  v.real({"viscous", "N s/m", "force over sliding speed, whatever the load", 0.0}, e.viscous);
  joint_detail::visit_name(v, e.name);
}

}  // namespace catena
