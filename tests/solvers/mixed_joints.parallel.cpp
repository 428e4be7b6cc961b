// Trees, loops and meshes with every kind of joint and one over three bodies carry the same bits for any number of
// threads: where chunks of bodies meet, who adds what in which order follows from the model alone.
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/parallel.hpp>
#include <catena/model/distance_constraint.hpp>
#include <catena/model/revolute_joint.hpp>
#include <catena/model/spherical_joint.hpp>
#include <catena/model/spring_damper.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/few_cases.hpp"
#include "support/fixture_joints.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {

using namespace catena;

enum class Shape { chain, tree, mesh };

// Bodies on a spiral, none of them turned. Each hangs on an earlier one, by ball joint and hinge in turn; mesh: every
// fifth on one in the row below as well, by a rod; every eleventh is held by a rope over two bodies far away.
Model mixed(Shape shape, int n) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  std::vector<Vec3> at;
  std::vector<BodyId> bodies;
  const auto pair = [&](int a, int b) { return std::array{bodies[std::size_t(a)], bodies[std::size_t(b)]}; };
  const auto place = [&](int k) { return k < 0 ? Vec3::Zero() : at[std::size_t(k)]; };
  for (int k = 0; k < n; ++k) {
    const double turn = 0.37 * k;
    at.push_back(
        {{(1.0 + 0.01 * k) * std::cos(turn), (1.0 + 0.01 * k) * std::sin(turn), 0.05 * std::cos(1.7 * k)}});
    bodies.push_back(model.add({.mass = 1.0 + 0.1 * (k % 7),
                                .inertia = diagonal(Vec3{{0.02, 0.03, 0.04}}),
                                .position = at.back(),
                                .angular_velocity = Vec3::Zero()}));
    const int parent = shape == Shape::tree ? (k - 1) / 2 - (k == 0 ? 1 : 0) : k - 1;
    const BodyId below = parent < 0 ? ground : bodies[std::size_t(parent)];
    const Vec3 joint = 0.5 * (place(k) + place(parent));
    const Vec3 arm_a = joint - place(parent), arm_b = joint - place(k);
    if (k % 2 == 0)
      model.add(SphericalJoint{.bodies = {below, bodies.back()}, .point_a = arm_a, .point_b = arm_b});
    else
      model.add(RevoluteJoint{.bodies = {below, bodies.back()},
                              .point_a = arm_a,
                              .point_b = arm_b,
                              .axis_a = {{0.0, 0.6, 0.8}},
                              .axis_b = {{0.0, 0.6, 0.8}}});
  }
  for (int k = 40; k < n; k += 5) {
    const int other = k - 17;
    if (shape == Shape::mesh)
      model.add(DistanceConstraint{.bodies = pair(k, other), .length = norm(place(k) - place(other))});
    else
      model.add(SpringDamper{.bodies = pair(k, other),
                             .stiffness = 50.0,
                             .damping = 0.5,
                             .rest_length = norm(place(k) - place(other))});
  }
  for (int k = 300; k < n; k += 11) {
    const int pulley = k - 150, end = k - 290;
    model.add(fixture::RopeOverPulley{
        .bodies = {bodies[std::size_t(k)], bodies[std::size_t(pulley)], bodies[std::size_t(end)]},
        .length = norm(place(k) - place(pulley)) + norm(place(end) - place(pulley))});
  }
  return model;
}

std::vector<State> trajectory(const Model& model, GeneralizedAlphaOptions::Newton newton, int threads) {
  set_threads(threads);
  const MultibodySystem system(model);
  GeneralizedAlpha stepper({.newton = newton});
  State state = system.initial_state();
  REQUIRE(stepper.attach(system).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  std::vector<State> states{state};
  for (int k = 0; k < (catena_test::few_cases ? 3 : 10); ++k) {
    const Outcome outcome = stepper.step(state, 1e-3);
    REQUIRE_MESSAGE(outcome.status == Status::ok, outcome.culprit.name, " ", outcome.culprit.quantity);
    states.push_back(state);
  }
  set_threads(0);
  return states;
}

bool same(const std::vector<State>& a, const std::vector<State>& b) {
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].q != b[k].q || a[k].v != b[k].v || a[k].a != b[k].a || a[k].lambda != b[k].lambda ||
        a[k].memory != b[k].memory)
      return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE(
    "chains, trees and meshes with every joint and a rope over three bodies: the same bits for 1, 2, "
    "4 threads") {
  for (const Shape shape : {Shape::chain, Shape::tree, Shape::mesh})
    for (const auto newton :
         {GeneralizedAlphaOptions::Newton::quasi, GeneralizedAlphaOptions::Newton::exact}) {
      if (catena_test::few_cases &&
          (shape == Shape::tree) != (newton == GeneralizedAlphaOptions::Newton::exact))
        continue;
      CAPTURE(static_cast<int>(shape));
      CAPTURE(static_cast<int>(newton));
      const Model model = mixed(shape, catena_test::few_cases ? 400 : 600);
      const auto one = trajectory(model, newton, 1);
      CHECK(same(one, trajectory(model, newton, 2)));
      CHECK(same(one, trajectory(model, newton, 4)));
    }
}
