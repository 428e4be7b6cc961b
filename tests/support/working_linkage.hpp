// A four-bar linkage in which something does work.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace catena_test {
using namespace catena;

enum class Mover { drive, torque, pid };

struct Linkage {
  Mover mover = Mover::drive;
  double damping = 0.4;   // [N m s] in the foot
  double friction = 0.0;  // [N m] in the elbow
  double dry = 0.0;       // coefficient of the pins of knee, elbow and foot, 2 cm in radius
};

// A four-bar linkage in the plane of x and y: crank of 0.3 m, coupler of 0.9 m, rocker of 0.8 m, feet 1 m apart. The crank is
// driven from rest by 3 t^2 rad, or turned by a torque, or held by a sampled controller.
inline std::shared_ptr<const Model> linkage(const Linkage& is) {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const Vec3 shaft = Vec3::Zero(), knee{{0.0, 0.3, 0.0}}, foot{{1.0, 0.0, 0.0}};
  // The elbow is 0.9 m from the knee and 0.8 m from the foot.
  const Vec3 way = foot - knee;
  const double length = norm(way), along = (length * length + 0.81 - 0.64) / (2.0 * length);
  const Vec3 across{{-way[1] / length, way[0] / length, 0.0}};
  const Vec3 elbow = knee + (along / length) * way + std::sqrt(0.81 - along * along) * across;
  const auto bar = [&](const char* name, const Vec3& from, const Vec3& to) {
    const Vec3 d = to - from;
    return model.add(Body{.name = name,
                          .mass = norm(d),
                          .inertia = box_inertia(norm(d), {{norm(d), 0.02, 0.02}}),
                          .position = 0.5 * (from + to),
                          .orientation = exponential(Vec3{{0.0, 0.0, std::atan2(d[1], d[0])}})});
  };
  const BodyId crank = bar("crank", shaft, knee), coupler = bar("coupler", knee, elbow),
               rocker = bar("rocker", elbow, foot);
  const ConstraintId motor =
      model.add(joint_at<RevoluteJoint>(model, ground, crank, {.point = shaft}, "shaft"));
  const ConstraintId fold =
      model.add(joint_at<RevoluteJoint>(model, crank, coupler, {.point = knee}, "knee"));
  const ConstraintId bend =
      model.add(joint_at<RevoluteJoint>(model, coupler, rocker, {.point = elbow}, "elbow"));
  const ConstraintId rest =
      model.add(joint_at<RevoluteJoint>(model, ground, rocker, {.point = foot}, "foot"));
  model.add(JointForce{.joint = rest, .damping = is.damping, .name = "damper"});
  if (is.friction > 0.0)
    model.add(JointForce{.joint = bend, .friction = is.friction, .friction_rate = 0.5, .name = "friction"});
  for (const ConstraintId pin : {fold, bend, rest})
    if (is.dry > 0.0)
      model.add(JointFriction{.joint = pin, .coefficient = is.dry, .radius = 0.02, .speed = 0.02});
  if (is.mover == Mover::drive)
    model.add(JointDrive{.joint = motor,
                         .target = functions::Polynomial{{0.0, 0.0, 3.0}},
                         .as_placed = true,
                         .name = "drive"});
  if (is.mover == Mover::torque)
    model.add(Torque{.bodies = {crank}, .torque = {{0.0, 0.0, 0.8}}, .name = "torque"});
  if (is.mover == Mover::pid) {
    JointPid pid{.joint = motor,
                 .target = 0.5,
                 .proportional = 12.0,
                 .integral = 5.0,
                 .derivative = 1.0,
                 .period = 0.04,
                 .name = "controller"};
    model.add(pid);
    pid.period = 0.0;
    pid.name = "governor";
    model.add(pid);
  }
  return std::make_shared<const Model>(std::move(model));
}

inline const Catalog& everything() {
  static const Catalog catalog = builtin();
  return catalog;
}

inline Scenario moving_linkage(const Linkage& is, const std::string& stepper, double h) {
  Scenario scenario{.model = linkage(is), .stepper = stepper, .step = h, .end = 0.8};
  if (stepper == "dormand_prince") scenario.option("control", "fixed");
  return scenario;
}

inline MonitorResult seen_in(const Scenario& scenario, Listeners listeners = {}) {
  const Record record = run(scenario, everything(), {.listeners = std::move(listeners)});
  const Status status = record.report.run.status;
  REQUIRE_MESSAGE((status == Status::ok || status == Status::event), termination(record.report));
  return record.report.monitor;
}

}  // namespace catena_test
