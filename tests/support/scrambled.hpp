// Closed mechanisms, and the same with their bodies moved off their joints.
#pragma once
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/orientation.hpp>

#include "support/mechanisms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

namespace catena::test {

// A uniform bar from one point to another, its x axis along it; z of the body is z of the world where it can be.
inline BodyId add_rod(Model& model, const std::string& name, const Vec3& from, const Vec3& to) {
  const Vec3 way = to - from;
  const double length = norm(way);
  const Vec3 x = (1.0 / length) * way, other = std::abs(x[2]) > 0.9 ? Vec3::Unit(1) : Vec3::Unit(2);
  const Vec3 y = (1.0 / norm(cross(other, x))) * cross(other, x), z = cross(x, y);
  const Mat3 R{{x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]}};
  return model.add(Body{.name = name,
                        .mass = length,
                        .inertia = length * length * length / 12.0 * diagonal(Vec3{{0.1, 1.0, 1.0}}),
                        .position = 0.5 * (from + to),
                        .orientation = orientation_from_matrix(R)});
}

// N windows of a four-bar in the plane z = 0, bars of 1 m, all hinges along z.
inline Model n_four_bar(int n) {
  Model model;
  std::vector<BodyId> posts;
  for (int k = 0; k <= n; ++k) {
    const Vec3 foot{{1.0 * k, 0.0, 0.0}};
    posts.push_back(add_rod(model, "post " + std::to_string(k), foot, foot + Vec3::Unit(1)));
    model.add(joint_at<RevoluteJoint>(model, ground, posts.back(), {.point = foot}));
  }
  for (int k = 0; k < n; ++k) {
    const Vec3 corner{{1.0 * k, 1.0, 0.0}};
    const BodyId beam = add_rod(model, "beam " + std::to_string(k), corner, corner + Vec3::Unit(0));
    for (int side = 0; side < 2; ++side)
      model.add(joint_at<RevoluteJoint>(model, posts[static_cast<std::size_t>(k + side)], beam,
                                        {.point = corner + 1.0 * side * Vec3::Unit(0)}));
  }
  return model;
}

inline Model slider_crank() {
  Model model;
  const Vec3 elbow{{0.3, 0.4, 0.0}}, end{{1.5, 0.0, 0.0}};
  const BodyId crank = add_rod(model, "crank", Vec3::Zero(), elbow), rod = add_rod(model, "rod", elbow, end),
               block = add_rod(model, "block", end - 0.1 * Vec3::Unit(0), end + 0.1 * Vec3::Unit(0));
  model.add(joint_at<RevoluteJoint>(model, ground, crank, {}, "shaft"));
  model.add(joint_at<RevoluteJoint>(model, crank, rod, {.point = elbow}, "elbow"));
  model.add(joint_at<RevoluteJoint>(model, rod, block, {.point = end}, "pin"));
  model.add(joint_at<PrismaticJoint>(model, ground, block, {.point = Vec3::Unit(0), .axis = Vec3::Unit(0)},
                                     "rail"));
  return model;
}

// n x n knots tied by rods of 0.2 m, folded so that no line of them is taut, two corners held.
inline Model net(int n) {
  Model model;
  std::vector<BodyId> knots;
  const auto place = [](int i, int j) { return Vec3{{0.16 * i, 0.16 * j, 0.12 * ((i + j) % 2)}}; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      knots.push_back(model.add(Body{.name = "knot " + std::to_string(i) + ' ' + std::to_string(j),
                                     .mass = 0.1,
                                     .inertia = 4e-4 * Mat3::Identity(),
                                     .position = place(i, j)}));
  const auto knot = [&](int i, int j) { return knots[static_cast<std::size_t>(i * n + j)]; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) model.add(DistanceConstraint{.bodies = {knot(i, j), knot(i + 1, j)}, .length = 0.2});
      if (j + 1 < n) model.add(DistanceConstraint{.bodies = {knot(i, j), knot(i, j + 1)}, .length = 0.2});
    }
  for (const int i : {0, n - 1})
    model.add(SphericalJoint{.bodies = {ground, knot(i, 0)}, .point_a = place(i, 0)});
  return model;
}

// Bars along an arc, on the ground at both ends; joints: universal ones, or ball joints.
template <class Joint>
Model arc(int n) {
  Model model;
  const auto corner = [n](int k) {
    const double angle = std::numbers::pi * k / n;
    return Vec3{{-std::cos(angle), 0.0, -std::sin(angle)}};
  };
  BodyId before = ground;
  for (int k = 0; k <= n; ++k) {
    const BodyId next =
        k == n ? ground : add_rod(model, "bar " + std::to_string(k), corner(k), corner(k + 1));
    if (k == 0 || k == n)
      model.add(joint_at<SphericalJoint>(model, before, next, {.point = corner(k)}));
    else if constexpr (std::is_same_v<Joint, UniversalJoint>)
      model.add(between<UniversalJoint>(frame_at(model, before, {.point = corner(k), .axis = Vec3::Unit(1)}),
                                        frame_at(model, next, {.point = corner(k), .axis = corner(k)})));
    else
      model.add(joint_at<Joint>(model, before, next, {.point = corner(k)}));
    before = next;
  }
  return model;
}

// A platform on six rods, whose lengths are those of its pose.
inline Model stewart() {
  Model model;
  const BodyId plate = model.add(Body{
      .name = "plate", .mass = 10.0, .inertia = diagonal(Vec3{{0.5, 0.5, 1.0}}), .position = {{0, 0, 1}}});
  const auto on_circle = [](double radius, double degrees) {
    const double angle = degrees * std::numbers::pi / 180.0;
    return Vec3{{radius * std::cos(angle), radius * std::sin(angle), 0.0}};
  };
  for (int k = 0; k < 6; ++k) {
    const Vec3 foot = on_circle(1.0, 60.0 * (k - k % 2) + (k % 2 == 0 ? -10.0 : 10.0)),
               head = on_circle(0.6, 60.0 * (k - k % 2) + (k % 2 == 0 ? -50.0 : 50.0));
    model.add(DistanceConstraint{.bodies = {ground, plate},
                                 .point_a = foot,
                                 .point_b = head,
                                 .length = norm(head + Vec3::Unit(2) - foot),
                                 .name = "leg " + std::to_string(k)});
  }
  return model;
}

// Bodies off by up to `angle` [rad] and by half of their length, 1.7 radii of gyration of a bar.
inline Model scrambled(Model model, std::uint64_t seed, double angle = 0.5) {
  Random random(seed);
  for (int b = 0; b < model.body_count(); ++b) {
    Body& body = model.body(BodyId{b});
    const double size =
        std::sqrt((body.inertia(0, 0) + body.inertia(1, 1) + body.inertia(2, 2)) / (2.0 * body.mass));
    const auto direction = [&] {
      const Vec3 d = random.vector();
      return Vec3((1.0 / norm(d)) * d);
    };
    body.position += random(0.0, 1.7 * size) * direction();
    body.orientation = normalized(body.orientation * exponential(Vec3(random(0.0, angle) * direction())));
    body.velocity = random.vector();
    body.angular_velocity = random.vector();
  }
  return model;
}

}  // namespace catena::test
