// Random mechanisms with every kind of joint and force, for tests of assembly and steppers.
#pragma once
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace catena::test {

// xorshift64*: the same numbers everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
  double operator()(double low = -1.0, double high = 1.0) {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    const auto bits = (state_ * 0x2545F4914F6CDD1DULL) >> 11;
    return low + (high - low) * static_cast<double>(bits) * 0x1p-53;
  }
  Vec3 vector(double size = 1.0) { return {{size * (*this)(), size * (*this)(), size * (*this)()}}; }
  Quat rotation() { return exponential(vector(2.0)); }
  std::vector<double> values(int n, double size = 1.0) {
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& y : x) y = size * (*this)();
    return x;
  }

 private:
  std::uint64_t state_;
};

inline Body random_body(Random& random, int number) {
  Body b;
  b.name = "link " + std::to_string(number);
  b.mass = random(0.5, 3.0);
  const Mat3 axes = rotation_matrix(random.rotation());
  b.inertia =
      axes * diagonal(Vec3{{random(0.2, 0.3), random(0.2, 0.3), random(0.2, 0.3)}}) * axes.transpose();
  b.position = random.vector(2.0);
  b.orientation = random.rotation();
  b.velocity = random.vector();
  b.angular_velocity = random.vector(2.0);
  return b;
}

// n bodies (one of them fixed), each joined to an earlier one or to ground; spherical, revolute and distance
// in turn; springs across, one of them beside a revolute joint and one to ground. The joints are not closed:
// derivatives do not need that.
inline Model random_mechanism(int n, std::uint64_t seed) {
  Random random(seed);
  Model model;
  model.gravity = {{0.3, -0.2, -9.81}};
  std::vector<BodyId> ids;
  for (int k = 0; k < n; ++k) {
    Body b = random_body(random, k);
    b.fixed = k == n / 2;
    if (b.fixed) b.velocity = b.angular_velocity = Vec3::Zero();
    ids.push_back(model.add(b));
    const auto near = static_cast<std::size_t>(random(0.0, 1.0) * k);
    const BodyId parent = k == 0 ? ground : ids[near];
    if (k == n / 2 || (parent != ground && model.body(parent).fixed && k % 3 == 2)) continue;
    const BodyId link = ids.back();
    // Now and then the later body comes first, which exercises the order of coupling slots.
    const std::array<BodyId, 2> pair = k % 5 == 4 ? std::array{link, parent} : std::array{parent, link};
    if (k % 3 == 0)
      model.add(SphericalJoint{.bodies = pair, .point_a = random.vector(), .point_b = random.vector()});
    else if (k % 3 == 1)
      model.add(RevoluteJoint{.bodies = pair,
                              .point_a = random.vector(),
                              .point_b = random.vector(),
                              .axis_a = random.vector(),
                              .axis_b = random.vector()});
    else
      model.add(DistanceConstraint{
          .bodies = pair, .point_a = random.vector(), .point_b = random.vector(), .length = 1.5});
    if (k % 4 == 1)
      model.add(SpringDamper{.bodies = {parent, link},
                             .point_a = random.vector(),
                             .point_b = random.vector(),
                             .stiffness = 40.0,
                             .damping = 3.0,
                             .rest_length = 0.4});
  }
  model.add(SpringDamper{.bodies = {ids.front(), ground},
                         .point_a = random.vector(),
                         .point_b = random.vector(),
                         .stiffness = 25.0,
                         .damping = 2.0,
                         .rest_length = 0.1});
  return model;
}

}  // namespace catena::test
