// Chains, trees and meshes with every kind of joint, springs, and ropes over three bodies.
#pragma once
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include "support/fixture_joints.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace catena::test {
using namespace detail;

enum class Shape { chain, tree, mesh };

// Bodies on a spiral, none of them turned. Each hangs on an earlier one, by ball joint and hinge in turn; mesh: every
// fifth on one in the row below as well, by a rod; every eleventh is held by a rope over two bodies far away.
inline Model mixed_model(Shape shape, int n) {
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

}  // namespace catena::test
