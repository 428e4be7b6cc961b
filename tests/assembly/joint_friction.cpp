// Friction by the reaction of its joint: all derivatives, those by the multipliers among them, and what is refused.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/sparse/parts/block_matrix.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace joint_friction_tests {
using namespace catena;

struct Pair {
  Model model = {};
  BodyId a{}, b{};

  Pair() {
    model.gravity = {{0.0, 0.0, -9.81}};
    a = add("a", {{0.1, 0.2, 0.3}}, {{0.4, -0.8, 0.3}});
    b = add("b", {{0.9, -0.1, 0.5}}, {{-0.5, 0.1, 1.1}});
  }
  BodyId add(const char* name, const Vec3& at, const Vec3& turn) {
    return model.add(Body{.name = name,
                          .mass = 1.5,
                          .inertia = diagonal(Vec3{{0.02, 0.03, 0.04}}),
                          .position = at,
                          .orientation = exponential(turn),
                          .velocity = {{0.3, -0.2, 0.4}},
                          .angular_velocity = {{0.5, 0.7, -0.6}}});
  }
  // Joints askew and open, of both bodies, and of either with the ground.
  template <class Joint>
  std::vector<ConstraintId> tied() {
    std::vector<ConstraintId> joints;
    for (const std::array<BodyId, 2>& bodies :
         {std::array{a, b}, std::array{ground, a}, std::array{b, ground}}) {
      Joint joint{.bodies = bodies, .point_a = {{0.3, 0.1, -0.1}}, .point_b = {{-0.2, 0.1, 0.2}}};
      if constexpr (requires { joint.axis_a[0]; }) joint.axis_a = {{1.0, 0.5, 0.2}};
      if constexpr (requires { joint.axis_b[0]; }) joint.axis_b = {{0.3, 0.2, 1.0}};
      joints.push_back(model.add(joint));
    }
    return joints;
  }
};

template <class Joint>
MultibodySystem rubbing(double radius) {
  Pair p;
  for (const ConstraintId joint : p.tied<Joint>())
    p.model.add(JointFriction{.joint = joint,
                              .coefficient = 0.4,
                              .radius = radius,
                              .speed = 0.3,
                              .light_load = 0.7,
                              .viscous = 0.2});
  return MultibodySystem(p.model);
}

// At rest in the initial places, with multipliers that are all different.
State loaded_state(const MultibodySystem& system) {
  State state = system.initial_state();
  for (std::size_t k = 0; k < state.lambda.size(); ++k)
    state.lambda[k] = std::cos(1.0 + 1.3 * static_cast<double>(k));
  return state;
}

Point point_with_multipliers(const State& state) {
  Point at = point_of(state);
  at.lambda = state.lambda.data();
  return at;
}

// By how much the balance changes with a number, as a difference of fourth order: h^4 + eps / h. moved(h): the point where
// that number has grown by h.
template <class Moved>
std::vector<double> slope_of_balance(const MultibodySystem& system, Moved&& moved) {
  constexpr double h = 1e-3;
  const auto balance = [&](double by) {
    std::vector<double> out(static_cast<std::size_t>(system.layout().v_size()));
    Evaluation wanted;
    wanted.balance = out.data();
    system.evaluate(moved(by), wanted);
    return out;
  };
  const std::vector<double> near = balance(h), back = balance(-h), far = balance(2.0 * h),
                            farther = balance(-2.0 * h);
  std::vector<double> slope(near.size());
  for (std::size_t i = 0; i < slope.size(); ++i)
    slope[i] = (8.0 * (near[i] - back[i]) - (far[i] - farther[i])) / (12.0 * h);
  return slope;
}

void check_by_multipliers(const MultibodySystem& system) {
  const BlockPattern& p = *system.layout().pattern;
  const State state = loaded_state(system);
  const Point at = point_with_multipliers(state);
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  detail::evaluate_mass_and_rows(system, at, matrix);
  double largest = 0.0, away = 0.0;
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    const auto d = static_cast<std::size_t>(p.incidences[k].dual),
               b = static_cast<std::size_t>(p.incidences[k].primal);
    const BlockRef B = matrix.Bt(static_cast<int>(k)), C = matrix.C(static_cast<int>(k));
    for (int r = 0; r < p.dual_size[d]; ++r) {
      const auto row = static_cast<std::size_t>(p.dual_offset[d] - p.primal_dimension + r);
      std::vector<double> lambda;
      const std::vector<double> slope = slope_of_balance(system, [&](double h) {
        lambda = state.lambda;
        lambda[row] += h;
        Point there = at;
        there.lambda = lambda.data();
        return there;
      });
      for (int c = 0; c < 6; ++c) {
        const auto i = static_cast<std::size_t>(p.primal_offset[b] + c);
        largest = std::max(largest, std::abs(B(r, c) - slope[i]));
        away = std::max(away, std::abs(B(r, c) - C(r, c)));
      }
    }
  }
  CHECK(largest < 1e-10);
  CHECK(away > 0.01);  // the friction is in it
}

// The diagonal blocks of the stiffness, with all multipliers at once.
void check_by_positions(const MultibodySystem& system) {
  const BlockPattern& p = *system.layout().pattern;
  const State state = loaded_state(system);
  const Point at = point_with_multipliers(state);
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  Linearization lin;
  lin.matrix = &matrix;
  lin.stiffness = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(at, wanted);
  double largest = 0.0;
  for (int b = 0; b < p.primal_count(); ++b) {
    const auto first = static_cast<std::size_t>(p.primal_offset[static_cast<std::size_t>(b)]);
    const BlockRef H = matrix.H(b);
    for (int c = 0; c < 6; ++c) {
      std::vector<double> q(state.q.size());
      const std::vector<double> slope = slope_of_balance(system, [&](double h) {
        std::vector<double> step(static_cast<std::size_t>(system.layout().v_size()), 0.0);
        step[first + static_cast<std::size_t>(c)] = h;
        system.retract(state.q.data(), step.data(), q.data());
        Point there = at;
        there.q = q.data();
        return there;
      });
      for (int r = 0; r < 6; ++r)
        largest = std::max(largest, std::abs(H(r, c) - slope[first + static_cast<std::size_t>(r)]));
    }
  }
  CHECK(largest < 1e-8);
}

template <class Joint>
void check_joint(double radius) {
  const MultibodySystem system = rubbing<Joint>(radius);
  const DerivativeCheck check = check_derivatives(system, system.initial_state());
  for (const DerivativeFault& fault : check.faults)
    FAIL_CHECK(fault.owner << ": " << fault.quantity << " row " << fault.row << " by " << fault.by << " is "
                           << fault.given << ", should be " << fault.expected);
  check_by_multipliers(system);
  check_by_positions(system);
}

TEST_CASE("friction by the reaction has the derivatives of its forces, by the multipliers too") {
  check_joint<RevoluteJoint>(0.3);
  check_joint<SphericalJoint>(0.3);
  check_joint<CylindricalJoint>(0.3);
  check_joint<CylindricalJoint>(0.0);
  check_joint<PrismaticJoint>(0.0);
  check_joint<PointOnLineJoint>(0.0);
  check_joint<PlanarJoint>(0.0);
  check_joint<PointInPlaneJoint>(0.0);
}

// A pool of friction that is older than the pool of one of its joints.
TEST_CASE("friction may be added before other kinds of joints") {
  Pair p;
  const ConstraintId pin = p.model.add(RevoluteJoint{.bodies = {p.a, p.b}});
  p.model.add(JointFriction{.joint = pin, .coefficient = 0.4, .radius = 0.2, .speed = 0.3});
  const ConstraintId rail = p.model.add(PrismaticJoint{.bodies = {ground, p.a}});
  p.model.add(JointFriction{.joint = rail, .coefficient = 0.4, .speed = 0.3});
  check_by_multipliers(MultibodySystem(p.model));
}

TEST_CASE("friction of a joint is against the motion, along its free directions alone") {
  for (const auto& system :
       {rubbing<RevoluteJoint>(0.3), rubbing<CylindricalJoint>(0.3), rubbing<SphericalJoint>(0.3)}) {
    State state = system.initial_state();
    std::vector<double> without(state.v.size()), with(state.v.size());
    for (std::size_t k = 0; k < state.lambda.size(); ++k)
      state.lambda[k] = std::cos(1.0 + 1.3 * static_cast<double>(k));
    Point at = point_of(state);
    Evaluation wanted;
    at.lambda = state.lambda.data();
    wanted.balance = with.data();
    system.evaluate(at, wanted);
    detail::evaluate_reaction(system, at, state.lambda.data(), without.data());
    std::vector<double> gravity(state.v.size());
    at.lambda = nullptr;
    wanted.balance = gravity.data();
    system.evaluate(at, wanted);
    double power = 0.0;
    for (std::size_t k = 0; k < with.size(); ++k) power -= (with[k] - without[k] - gravity[k]) * state.v[k];
    CHECK(power < -1e-3);
  }
}

TEST_CASE("friction of joints that do not slide is refused") {
  Pair p;
  const ConstraintId weld = p.model.add(WeldJoint{.bodies = {ground, p.a}, .name = "mount"});
  const ConstraintId rod = p.model.add(DistanceConstraint{.bodies = {p.a, p.b}, .name = "rod"});
  const ConstraintId pin = p.model.add(RevoluteJoint{.bodies = {p.a, p.b}, .name = "pin"});
  const ConstraintId rail = p.model.add(PrismaticJoint{.bodies = {p.a, p.b}, .name = "rail"});
  const auto why = [&](JointFriction friction) -> std::string {
    friction.name = "rub";
    try {
      Model(p.model).add(friction);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  const std::string none =
      " has no surfaces that slide; name a revolute, prismatic, cylindrical, spherical, planar, "
      "point_on_line or "
      "point_in_plane joint";
  const std::string begin = "force \"rub\" (joint_friction): ";
  CHECK(why({.joint = weld}) == begin + "joint: joint \"mount\" (weld)" + none);
  CHECK(why({.joint = rod}) == begin + "joint: joint \"rod\" (distance)" + none);
  CHECK(why({.joint = ConstraintId{9}}) == begin + "joint: joint number 9 does not exist");
  CHECK(why({.joint = pin}) ==
        begin + "radius must be positive: joint \"pin\" (revolute) slides by turning alone");
  CHECK(why({.joint = rail, .radius = 0.1}) ==
        begin + "radius must not be given: joint \"rail\" (prismatic) does not slide by turning");
  CHECK(why({.joint = rail, .coefficient = -0.1}) == begin + "coefficient must not be negative, is -0.1");
  CHECK(why({.joint = rail, .speed = 0.0}) == begin + "speed must be positive, is 0");
  CHECK(why({.joint = rail}).empty());
}

}  // namespace joint_friction_tests
