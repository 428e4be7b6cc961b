#include "simbody_mechanism.hpp"

#include <Simbody.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

namespace catena_peer {
namespace {

using Joint = PlainJoint;

SimTK::Vec3 vec(const Triple& x) { return {x[0], x[1], x[2]}; }
Triple triple(const SimTK::Vec3& x) { return {x[0], x[1], x[2]}; }

SimTK::Transform pose(const PlainState& body) {
  const auto& e = body.quaternion;
  return {SimTK::Rotation(SimTK::Quaternion(e[0], e[1], e[2], e[3])), vec(body.position)};
}

SimTK::Body::Rigid mass_of(const PlainBody& body) {
  return SimTK::Body::Rigid(SimTK::MassProperties(body.mass, SimTK::Vec3(0),
                                                  SimTK::Inertia(vec(body.moments), vec(body.products))));
}

// Axes with z along a direction.
SimTK::Rotation along(const Triple& direction) {
  return SimTK::Rotation(SimTK::UnitVec3(vec(direction)), SimTK::ZAxis);
}

bool hangs(const Joint& joint) {
  for (const char* type : {"spherical", "revolute", "universal", "cylindrical", "prismatic", "weld"})
    if (joint.type == type) return true;
  return false;
}

class Mechanism {
 public:
  explicit Mechanism(const PlainMechanism& plain) : plain_(plain) {
    add_tree();
    for (std::size_t k = 0; k < plain_.joints.size(); ++k)
      if (!used_[k]) close(plain_.joints[k]);
    add_forces();
    set_start();
  }

  const SimTK::MultibodySystem& system() const { return system_; }
  const SimTK::State& start() const { return start_; }
  std::vector<PlainState> states(const SimTK::State& state) const {
    system_.realize(state, SimTK::Stage::Velocity);
    std::vector<PlainState> all;
    for (const SimTK::MobilizedBody& body : bodies_) {
      const SimTK::Rotation& r = body.getBodyRotation(state);
      const SimTK::Vec4 e = r.convertRotationToQuaternion().asVec4();
      all.push_back({triple(body.getBodyOriginLocation(state)),
                     {e[0], e[1], e[2], e[3]},
                     triple(body.getBodyOriginVelocity(state)),
                     triple(~r * body.getBodyAngularVelocity(state))});
    }
    return all;
  }

 private:
  SimTK::MobilizedBody& at(int body) {
    return body < 0 ? static_cast<SimTK::MobilizedBody&>(matter_.updGround())
                    : bodies_[static_cast<std::size_t>(body)];
  }
  SimTK::Transform frame_at_start(int body) const {
    return body < 0 ? SimTK::Transform() : pose(plain_.bodies[static_cast<std::size_t>(body)].start);
  }
  // The body at the other end of a joint of a body that is in the tree. Frames of both ends have equal axes at the start, so
  // that all coordinates begin at 0.
  void hang(const Joint& joint, bool from_a) {
    const int parent = from_a ? joint.a : joint.b, child = from_a ? joint.b : joint.a;
    const SimTK::Vec3 in_parent = vec(from_a ? joint.point_a : joint.point_b),
                      in_child = vec(from_a ? joint.point_b : joint.point_a);
    const Triple &axis = from_a ? joint.axis_a : joint.axis_b, &other = from_a ? joint.axis_b : joint.axis_a;
    const SimTK::Rotation to_child = ~frame_at_start(child).R() * frame_at_start(parent).R();
    SimTK::Rotation axes;
    if (joint.type == "revolute" || joint.type == "cylindrical") axes = along(axis);
    if (joint.type == "prismatic") axes = SimTK::Rotation(SimTK::UnitVec3(vec(axis)), SimTK::XAxis);
    if (joint.type == "universal")  // about x of the parent's frame, then about y of the child's
      axes = SimTK::Rotation(SimTK::UnitVec3(vec(axis)), SimTK::XAxis, ~to_child * vec(other), SimTK::YAxis);
    const SimTK::Transform f(axes, in_parent), m(to_child * axes, in_child);
    const SimTK::Body::Rigid mass = mass_of(plain_.bodies[static_cast<std::size_t>(child)]);
    SimTK::MobilizedBody& on = at(parent);
    SimTK::MobilizedBody& body = at(child);
    if (joint.type == "spherical") body = SimTK::MobilizedBody::Ball(on, f, mass, m);
    if (joint.type == "revolute") body = SimTK::MobilizedBody::Pin(on, f, mass, m);
    if (joint.type == "universal") body = SimTK::MobilizedBody::Universal(on, f, mass, m);
    if (joint.type == "cylindrical") body = SimTK::MobilizedBody::Cylinder(on, f, mass, m);
    if (joint.type == "prismatic") body = SimTK::MobilizedBody::Slider(on, f, mass, m);
    if (joint.type == "weld") body = SimTK::MobilizedBody::Weld(on, f, mass, m);
    place(child);
  }

  void place(int body) {
    order_.push_back(body);
    placed_[static_cast<std::size_t>(body)] = true;
  }
  bool is_placed(int body) const { return body < 0 || placed_[static_cast<std::size_t>(body)]; }

  void add_fixed_bodies() {
    for (std::size_t k = 0; k < plain_.bodies.size(); ++k)
      if (plain_.bodies[k].fixed) {
        bodies_[k] = SimTK::MobilizedBody::Weld(matter_.updGround(), pose(plain_.bodies[k].start),
                                                SimTK::Body::Massless(), SimTK::Transform());
        place(static_cast<int>(k));
      }
  }

  // Nearest to the ground first; a body that no joint reaches is free, and joints reach others from it.
  void add_tree() {
    const std::size_t count = plain_.bodies.size();
    bodies_.resize(count);
    placed_.resize(count, false);
    used_.resize(plain_.joints.size(), false);
    add_fixed_bodies();
    std::vector<std::vector<std::size_t>> of(count);
    std::vector<std::size_t> next;
    for (std::size_t k = 0; k < plain_.joints.size(); ++k) {
      const Joint& joint = plain_.joints[k];
      if (!hangs(joint)) continue;
      next.push_back(k);
      for (const int body : {joint.a, joint.b})
        if (body >= 0) of[static_cast<std::size_t>(body)].push_back(k);
    }
    for (std::size_t body = 0;;) {
      for (std::size_t k = 0; k < next.size(); ++k) {
        const Joint& joint = plain_.joints[next[k]];
        if (used_[next[k]] || is_placed(joint.a) == is_placed(joint.b)) continue;
        used_[next[k]] = true;
        const int child = is_placed(joint.a) ? joint.b : joint.a;
        hang(joint, is_placed(joint.a));
        const std::vector<std::size_t>& more = of[static_cast<std::size_t>(child)];
        next.insert(next.end(), more.begin(), more.end());
      }
      while (body < count && placed_[body]) ++body;
      if (body == count) return;
      bodies_[body] = SimTK::MobilizedBody::Free(matter_.updGround(), SimTK::Transform(),
                                                 mass_of(plain_.bodies[body]), SimTK::Transform());
      place(static_cast<int>(body));
      next = of[body];
    }
  }

  // What is made here is a handle of what Simbody's matter keeps.
  // NOLINTBEGIN(bugprone-unused-raii)
  // Both axes of a plane across the axis of A stay at right angles to the axis of B.
  void keep_parallel(const Joint& joint) {
    const SimTK::Rotation axes = along(joint.axis_a);
    const SimTK::UnitVec3 b(vec(joint.axis_b));
    SimTK::Constraint::ConstantAngle(at(joint.a), axes.x(), at(joint.b), b);
    SimTK::Constraint::ConstantAngle(at(joint.a), axes.y(), at(joint.b), b);
  }

  void close(const Joint& joint) {
    SimTK::MobilizedBody &a = at(joint.a), &b = at(joint.b);
    const SimTK::Vec3 in_a = vec(joint.point_a), in_b = vec(joint.point_b);
    if (joint.type == "spherical" || joint.type == "revolute") {
      SimTK::Constraint::Ball(a, in_a, b, in_b);
      if (joint.type == "revolute") keep_parallel(joint);
    } else if (joint.type == "distance") {
      SimTK::Constraint::Rod(a, in_a, b, in_b, joint.length);
    } else if (joint.type == "point_on_line" || joint.type == "cylindrical") {
      SimTK::Constraint::PointOnLine(a, SimTK::UnitVec3(vec(joint.axis_a)), in_a, b, in_b);
      if (joint.type == "cylindrical") keep_parallel(joint);
    } else if (joint.type == "point_in_plane") {
      const SimTK::UnitVec3 normal(vec(joint.axis_a));
      SimTK::Constraint::PointInPlane(a, normal, ~normal * in_a, b, in_b);
    } else {
      throw std::runtime_error(joint.label + " has no counterpart in Simbody here" +
                               (hangs(joint) ? ", where it closes a loop" : ""));
    }
  }

  void add_forces() {
    SimTK::Force::UniformGravity(forces_, matter_, vec(plain_.gravity));
    for (const PlainSpring& spring : plain_.springs) {
      const SimTK::Vec3 from = vec(spring.point_a), to = vec(spring.point_b);
      SimTK::Force::TwoPointLinearSpring(forces_, at(spring.a), from, at(spring.b), to, spring.stiffness,
                                         spring.rest_length);
      SimTK::Force::TwoPointLinearDamper(forces_, at(spring.a), from, at(spring.b), to, spring.damping);
    }
  }
  // NOLINTEND(bugprone-unused-raii)

  // Of a body, in the world: angular, and of its centre of mass.
  SimTK::SpatialVec velocity_at_start(int body) const {
    if (body < 0) return {SimTK::Vec3(0), SimTK::Vec3(0)};
    const PlainState& is = plain_.bodies[static_cast<std::size_t>(body)].start;
    return {pose(is).R() * vec(is.angular_velocity), vec(is.velocity)};
  }

  // Coordinates and speeds of the mobilizers from poses and velocities of the bodies.
  void set_start() {
    start_ = system_.realizeTopology();
    system_.realizeModel(start_);
    std::map<SimTK::MobilizedBodyIndex, int> ids{{SimTK::GroundIndex, -1}};
    for (const int k : order_) ids[at(k).getMobilizedBodyIndex()] = k;
    const auto parent_of = [&](int k) {
      return ids.at(at(k).getParentMobilizedBody().getMobilizedBodyIndex());
    };
    const auto inboard = [&](int k) { return frame_at_start(parent_of(k)) * at(k).getInboardFrame(start_); };
    const auto outboard = [&](int k) { return frame_at_start(k) * at(k).getOutboardFrame(start_); };
    for (const int k : order_) at(k).setQToFitTransform(start_, ~inboard(k) * outboard(k));
    system_.realize(start_, SimTK::Stage::Position);
    for (const int k : order_) {
      const SimTK::Transform f = inboard(k), m = outboard(k);
      const SimTK::SpatialVec of_parent = velocity_at_start(parent_of(k)), of_child = velocity_at_start(k);
      const SimTK::Vec3 at_f = of_parent[1] + of_parent[0] % (f.p() - frame_at_start(parent_of(k)).p()),
                        at_m = of_child[1] + of_child[0] % (m.p() - frame_at_start(k).p());
      const SimTK::Vec3 turn = of_child[0] - of_parent[0],
                        slide = at_m - at_f - of_parent[0] % (m.p() - f.p());
      at(k).setUToFitVelocity(start_, SimTK::SpatialVec(~f.R() * turn, ~f.R() * slide));
    }
    system_.realize(start_, SimTK::Stage::Velocity);
  }

  const PlainMechanism& plain_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  std::vector<SimTK::MobilizedBody> bodies_;
  std::vector<bool> placed_, used_;  // bodies that are in the tree; joints that it is made of
  std::vector<int> order_;           // of the bodies, from the ground outwards
  SimTK::State start_;
};

}  // namespace

PlainRun run_simbody(const PlainMechanism& plain, double begin, const std::vector<double>& instants,
                     double accuracy, int repeat) {
  Mechanism mechanism(plain);
  PlainRun run{0, std::numeric_limits<double>::infinity(), {}};
  // Stops at the instants; without a clock, because every stop costs an interpolation that no step needs.
  const auto integrate = [&](const std::vector<double>& stops, bool keep) {
    SimTK::RungeKuttaMersonIntegrator integrator(mechanism.system());
    integrator.setAccuracy(accuracy);
    integrator.setFinalTime(instants.back());
    SimTK::State start = mechanism.start();
    start.setTime(begin);
    integrator.initialize(start);
    const auto clock = std::chrono::steady_clock::now();
    for (const double t : stops) {
      while (integrator.getTime() < t && !integrator.isSimulationOver()) integrator.stepTo(t);
      if (keep) run.motion.push_back(mechanism.states(integrator.getState()));
    }
    run.steps = integrator.getNumStepsTaken();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  };
  integrate(instants, true);
  for (int turn = 0; turn < repeat; ++turn)
    run.seconds = std::min(run.seconds, integrate({instants.back()}, false));
  return run;
}

}  // namespace catena_peer
