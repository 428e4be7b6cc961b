#include <catena/math/detail/philox.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/detail/chain_builder.hpp>
#include <catena/problems/random_tree.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace catena {
using namespace detail;
namespace {

// Uniform directions by rejection, so that no function but the square root is called: the same bits everywhere.
template <int N>
Vec<double, N> unit_vector(RandomStream& random) {
  while (true) {
    Vec<double, N> x;
    for (int k = 0; k < N; ++k) x[k] = random.between(-1.0, 1.0);
    const double squared = dot(x, x);
    if (squared > 0.01 && squared <= 1.0) return (1.0 / std::sqrt(squared)) * x;
  }
}

// A point of the box, not beyond nine tenths of the way to its surface.
Vec3 inside(RandomStream& random, const Vec3& size) {
  Vec3 x;
  for (int k = 0; k < 3; ++k) x[k] = random.between(-0.45, 0.45) * size[k];
  return x;
}

Vec3 across(const Vec3& axis, const Vec3& other) {
  const Vec3 perpendicular = other - dot(axis, other) * axis;
  return (1.0 / std::sqrt(dot(perpendicular, perpendicular))) * perpendicular;
}

}  // namespace

void visit(OptionVisitor& visitor, RandomTreeParameters& p) {
  visitor.integer({"n", "1", "number of boxes", 1, 10e6}, p.n);
  visitor.integer({"reach", "1", "boxes before, one of which is the parent; 1: a chain", 1, 10e6}, p.reach);
  visitor.real({"gravity", "m/s^2", "along -z", 0.0, 1e6}, p.gravity);
}

Model RandomTree::model() const {
  Model model;
  model.gravity = {{0.0, 0.0, -p_.gravity}};
  std::vector<Vec3> sizes;
  for (int k = 0; k < p_.n; ++k) {
    RandomStream random(p_.seed, static_cast<std::uint64_t>(k));
    Vec3 size;
    for (double& side : size.e) side = random.between(0.1, 0.4);
    const Vec<double, 4> turn = unit_vector<4>(random);
    const Quat orientation{turn[0], turn[1], turn[2], turn[3]};
    const Vec3 own = inside(random, size), axis = unit_vector<3>(random), other = unit_vector<3>(random);
    const double kind = random();
    const int parent = k - 1 - random.below(std::min(k, p_.reach));

    Vec3 point = Vec3::Zero();
    if (k > 0) {
      const Body& p = model.body(BodyId{parent});
      point = p.position +
              rotation_matrix(p.orientation) * inside(random, sizes[static_cast<std::size_t>(parent)]);
    }
    const double mass = 1000.0 * size[0] * size[1] * size[2];
    const BodyId box = model.add(Body{.name = "box " + std::to_string(k + 1),
                                      .mass = mass,
                                      .inertia = box_inertia(mass, size),
                                      .position = point - rotation_matrix(orientation) * own,
                                      .orientation = orientation});
    sizes.push_back(size);
    const BodyId base = k == 0 ? ground : BodyId{parent};
    const std::string name = "joint " + std::to_string(k + 1);
    if (k == 0 || kind < 0.4)
      model.add(joint_at<SphericalJoint>(model, base, box, {.point = point}, name));
    else if (kind < 0.8)
      model.add(joint_at<RevoluteJoint>(model, base, box, {.point = point, .axis = axis}, name));
    else
      model.add(between<UniversalJoint>(frame_at(model, base, {.point = point, .axis = axis}),
                                        frame_at(model, box, {.point = point, .axis = across(axis, other)}),
                                        name));
  }
  return model;
}

std::vector<Invariant> RandomTree::invariants() const {
  return {{"energy", "J", initial_potential(model()), "gravity is conservative and the joints do no work"},
          {"angular momentum about world z", "kg m^2/s", 0.0,
           "gravity and the ball joint at the origin have no moment about it"}};
}

}  // namespace catena
