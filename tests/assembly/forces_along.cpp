// Forces as forces along coordinates of their own: their rows, their laws and the slopes of these, against the evaluation of the
// same system and against differences.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace forces_along_tests {

using namespace catena;
using catena::detail::scattered;
using catena_test::relative;

double number(std::size_t k) { return 2.0 * scattered(k, 0.3) - 1.0; }
Vec3 vector(std::size_t k) { return {{number(3 * k), number(3 * k + 1), number(3 * k + 2)}}; }

// Two bodies that turn and move against each other, one of them by a cylindrical joint on the ground.
Model two_bodies() {
  Model model;
  const Vec3 turn = 0.7 * vector(1);
  model.add(Body{.name = "one",
                 .mass = 2.0,
                 .position = {{0.0, 0.0, 0.3}},
                 .orientation = exponential(Vec3{{0.0, 0.0, 0.4}}),
                 .velocity = {{0.0, 0.0, 0.6}},
                 .angular_velocity = {{0.0, 0.0, 0.9}}});
  model.add(Body{.name = "two",
                 .mass = 3.0,
                 .position = vector(2),
                 .orientation = exponential(turn),
                 .velocity = vector(3),
                 .angular_velocity = vector(4)});
  return model;
}

Mat<double, 6, 6> square(double size) {
  Mat<double, 6, 6> m = Mat<double, 6, 6>::Zero();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      m(i, j) = size * ((i == j ? 3.0 : 0.0) + number(static_cast<std::size_t>(i + j + 6 * i * j)));
  return m;
}

// One force of every kind that is along coordinates.
Model with_forces() {
  Model model = two_bodies();
  const BodyId one = model.find_body("one"), two = model.find_body("two");
  const ConstraintId joint =
      model.add(CylindricalJoint{.bodies = {ground, one}, .axis_a = Vec3::Unit(2), .axis_b = Vec3::Unit(2)});
  model.add(SpringDamper{.bodies = {one, two},
                         .point_a = 0.2 * vector(5),
                         .point_b = 0.3 * vector(6),
                         .stiffness = 40.0,
                         .damping = 3.0,
                         .rest_length = 0.4});
  model.add(SpringDamper{.bodies = {two, one},
                         .point_a = 0.2 * vector(7),
                         .point_b = vector(8),
                         .stiffness = 50.0,
                         .damping = 2.0});
  model.add(SpringDamper{.bodies = {ground, two}, .stiffness = 20.0, .damping = 1.0, .rest_length = 0.1});
  model.add(Bushing{.bodies = {one, two},
                    .point_a = 0.2 * vector(9),
                    .point_b = 0.1 * vector(10),
                    .axis_a = vector(11),
                    .axis_b = vector(12),
                    .stiffness = square(10.0),
                    .damping = square(1.0)});
  model.add(TorsionSpring{.bodies = {one, two},
                          .axis_a = vector(13),
                          .axis_b = vector(13),
                          .stiffness = 5.0,
                          .damping = 0.5,
                          .free_angle = 0.2});
  model.add(Strut{.bodies = {one, two},
                  .point_b = 0.4 * vector(14),
                  .stiffness = 7.0,
                  .damping = 0.4,
                  .spring = functions::Polynomial{{0.0, 1.0, 3.0}},
                  .damper = functions::Polynomial{{0.0, 0.2}},
                  .actuator = 2.0});
  model.add(JointForce{.joint = joint, .stiffness = 4.0, .damping = 0.3, .free = 0.1});
  model.add(JointForce{.joint = joint,
                       .coordinate = JointCoordinate::displacement,
                       .stiffness = 6.0,
                       .damping = 0.2,
                       .actuator = 1.0});
  return model;
}

using Values = std::vector<double>;

double relative_difference(const Values& x, const Values& y) {
  double off = 0.0, size = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    off = std::max(off, std::abs(x[i] - y[i]));
    size = std::max(size, std::abs(y[i]));
  }
  return off / size;
}

// x += D^T y
void add_across(const ForceAlong& f, const Values& y, Values& x) {
  for (const ForceAlong::Body& body : f.body)
    for (int c = 0; c < body.count && body.block >= 0; ++c)
      for (int r = 0; r < f.size; ++r)
        x[static_cast<std::size_t>(body.first + c)] +=
            body.rows[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] *
            y[static_cast<std::size_t>(r)];
}
// D v
Values along(const ForceAlong& f, const Values& v) {
  Values y(static_cast<std::size_t>(f.size));
  for (const ForceAlong::Body& body : f.body)
    for (int c = 0; c < body.count && body.block >= 0; ++c)
      for (std::size_t r = 0; r < y.size(); ++r)
        y[r] += body.rows[r][static_cast<std::size_t>(c)] * v[static_cast<std::size_t>(body.first + c)];
  return y;
}
Values times(const ForceAlong::Square& slopes, const Values& x) {
  Values y(x.size());
  for (std::size_t r = 0; r < x.size(); ++r)
    for (std::size_t c = 0; c < x.size(); ++c) y[r] += slopes[r][c] * x[c];
  return y;
}

Values balance(const System& system, const State& state, bool forces) {
  Values out(state.v.size());
  Point at = point_of(state);
  at.forces = forces;
  Evaluation wanted;
  wanted.balance = out.data();
  system.evaluate(at, wanted);
  return out;
}

void check_forces(const System& system, int count) {
  CHECK(system.forces_along() == count);
  const State state = system.initial_state();
  const std::size_t n = state.v.size();
  Values w(n), sum(n);
  for (std::size_t k = 0; k < n; ++k) w[k] = number(40 + k);
  State still = state;
  std::fill(still.v.begin(), still.v.end(), 0.0);
  for (int k = 0; k < system.forces_along(); ++k) {
    CAPTURE(k);
    ForceAlong f;
    system.force_along(k, point_of(state), f);
    REQUIRE(f.size > 0);
    const auto size = static_cast<std::size_t>(f.size);
    add_across(f, Values(f.force.begin(), f.force.begin() + f.size), sum);
    // Q along q (+) e w or v + e w, by differences of fourth order.
    const auto slope = [&](bool of_velocity) {
      constexpr double h = 1e-3;
      const auto force_at = [&](double e) {
        State moved = of_velocity ? state : still;
        Values by(n);
        for (std::size_t i = 0; i < n; ++i) by[i] = e * w[i];
        if (of_velocity)
          for (std::size_t i = 0; i < n; ++i) moved.v[i] += by[i];
        else
          system.retract(still.q.data(), by.data(), moved.q.data());
        ForceAlong there;
        system.force_along(k, point_of(moved), there);
        return there.force;
      };
      const auto a = force_at(h), b = force_at(-h), c = force_at(2.0 * h), d = force_at(-2.0 * h);
      Values y(size);
      for (std::size_t r = 0; r < size; ++r) y[r] = (8.0 * (a[r] - b[r]) - (c[r] - d[r])) / (12.0 * h);
      return y;
    };
    CHECK(relative_difference(times(f.by_rate, along(f, w)), slope(true)) <= 1e-9);
    ForceAlong at_rest;
    system.force_along(k, point_of(still), at_rest);
    CHECK(relative_difference(times(at_rest.by_coordinate, along(at_rest, w)), slope(false)) <= 1e-9);
  }
  Values difference = balance(system, state, true);
  const Values without = balance(system, state, false);
  for (std::size_t i = 0; i < n; ++i) difference[i] = without[i] - difference[i];
  CHECK(relative_difference(sum, difference) <= 1e-13);
}

TEST_CASE("rows, laws and slopes of forces along coordinates are those of the evaluation") {
  check_forces(MultibodySystem(with_forces()), 8);
}

TEST_CASE("forces along coordinates act on planar bodies and points by the velocities that these have") {
  Model model = two_bodies();
  Body& one = model.body(model.find_body("one"));
  one.motion = BodyMotion::planar;
  one.velocity = Vec3{{0.3, -0.2, 0.0}};
  Body& two = model.body(model.find_body("two"));
  two.motion = BodyMotion::point;
  two.angular_velocity = Vec3::Zero();
  model.check();
  model.add(SpringDamper{.bodies = {BodyId{0}, BodyId{1}},
                         .point_a = {{0.1, 0.2, 0.0}},
                         .stiffness = 40.0,
                         .damping = 3.0,
                         .rest_length = 0.4});
  check_forces(MultibodySystem(std::move(model)), 1);
}

TEST_CASE("places far from the origin cost forces along coordinates no digits") {
  const auto force_at = [](double far) {
    Model model;
    model.add(Body{.name = "one", .position = {{far, 0.0, 0.0}}});
    model.add(Body{.name = "two", .position = {{far + 1.0, 0.0, 0.0}}});
    model.add(SpringDamper{.bodies = {BodyId{0}, BodyId{1}}, .stiffness = 1e9, .rest_length = 1.0});
    const MultibodySystem system(std::move(model));
    State state = system.initial_state();
    Values by(state.v.size());
    by[6] = 1e-14;
    system.retract(state.q.data(), by.data(), state.q.data());
    ForceAlong f;
    system.force_along(0, point_of(state), f);
    return f.force[0];
  };
  // 1e-14 m of an elongation, of which a length of 1 m keeps 2 %.
  CHECK(force_at(0.0) == relative(-1e-5, 0.03));
  CHECK(force_at(1e6) == relative(-1e-5, 0.03));
}

TEST_CASE("systems in other coordinates have no forces along coordinates") {
  CHECK(QuaternionSystem(with_forces()).forces_along() == 0);
}

}  // namespace forces_along_tests
