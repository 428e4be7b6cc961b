// Mechanisms whose KKT matrices are tested: chains, trees, stars, ladders, nets, random ones.
#pragma once
#include "support/kkt_problem.hpp"

namespace catena::test {
using namespace detail;

// Every body hangs on the one before it (the first on the ground), turned a little against it.
inline KktMechanism chain_mechanism(int n, KktJointKind kind, bool coupled = false) {
  KktMechanism m;
  Random random(1);
  Vec3 joint = Vec3::Zero();
  Quat q = Quat::Identity();
  for (int k = 0; k < n; ++k) {
    q = normalized(q * exponential(random.vector(0.4)));
    const Vec3 half = rotation_matrix(q) * Vec3{{0.0, 0.0, -1.5}};
    m.bodies.push_back({.position = joint + half, .rotation = q});
    if (k == 0)
      m.joints.push_back({kind, {0}, joint});
    else
      m.joints.push_back({kind, {k - 1, k}, joint, coupled});
    joint = joint + 2.0 * half;
  }
  return m;
}

// Binary tree, root on the ground.
inline KktMechanism tree_mechanism(int n, KktJointKind kind) {
  KktMechanism m;
  Random random(2);
  for (int k = 0; k < n; ++k) {
    Vec3 joint = Vec3::Zero();
    Quat q = exponential(random.vector(0.6));
    if (k > 0) {
      const KktBody& parent = m.bodies[kkt_detail::index((k - 1) / 2)];
      joint = parent.position + rotation_matrix(parent.rotation) * Vec3{{k % 2 == 0 ? 0.4 : -0.4, 0.0, -1.5}};
      q = normalized(parent.rotation * q);
    }
    m.bodies.push_back({.position = joint + rotation_matrix(q) * Vec3{{0.0, 0.0, -1.5}}, .rotation = q});
    if (k == 0)
      m.joints.push_back({kind, {0}, joint});
    else
      m.joints.push_back({kind, {(k - 1) / 2, k}, joint});
  }
  return m;
}

// One hub with n - 1 spokes.
inline KktMechanism star_mechanism(int n, KktJointKind kind) {
  KktMechanism m;
  Random random(3);
  m.bodies.push_back({.mass = 120.0, .inertia = Vec3{{90.0, 100.0, 80.0}}});
  for (int k = 1; k < n; ++k) {
    const Quat q = normalized(exponential(random.vector(3.0)));
    const Vec3 out = rotation_matrix(q) * Vec3{{0.0, 0.0, -1.0}};
    m.bodies.push_back({.position = 4.5 * out, .rotation = q});
    m.joints.push_back({kind, {0, k}, 3.0 * out});
  }
  return m;
}

// Two rails of n / 2 bodies, tied by a joint at every pair: a loop in every cell.
inline KktMechanism ladder_mechanism(int n) {
  KktMechanism m;
  Random random(4);
  const int cells = n / 2;
  for (int k = 0; k < cells; ++k)
    for (int side = 0; side < 2; ++side) {
      const Vec3 nominal{{side * 2.0, 0.0, -3.0 * k}};
      m.bodies.push_back(
          {.position = nominal + random.vector(0.3), .rotation = exponential(random.vector(0.3))});
    }
  auto middle = [&](int a, int b) {
    return 0.5 * (m.bodies[kkt_detail::index(a)].position + m.bodies[kkt_detail::index(b)].position) +
           random.vector(0.3);
  };
  for (int k = 0; k < cells; ++k) {
    for (int side = 0; side < 2; ++side) {
      const int b = 2 * k + side;
      if (k == 0)
        m.joints.push_back({KktJointKind::spherical, {b}, Vec3{{side * 2.0, 0.0, 1.5}}});
      else
        m.joints.push_back({KktJointKind::spherical, {b - 2, b}, middle(b - 2, b)});
    }
    m.joints.push_back({KktJointKind::spherical, {2 * k, 2 * k + 1}, middle(2 * k, 2 * k + 1)});
  }
  return m;
}

// side x side bodies, every one tied to its right and lower neighbour by a ball joint.
inline KktMechanism net_mechanism(int side) {
  KktMechanism m;
  Random random(5);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const Vec3 nominal{{3.0 * i, 3.0 * j, 2.0 * std::sin(0.7 * i) * std::cos(0.9 * j)}};
      m.bodies.push_back(
          {.position = nominal + random.vector(0.6), .rotation = exponential(random.vector(0.5))});
    }
  auto tie = [&](int a, int b) {
    const Vec3 p = 0.5 * (m.bodies[kkt_detail::index(a)].position + m.bodies[kkt_detail::index(b)].position);
    m.joints.push_back({KktJointKind::spherical, {a, b}, p + random.vector(0.8)});
  };
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (j + 1 < side) tie(side * i + j, side * i + j + 1);
      if (i + 1 < side) tie(side * i + j, side * (i + 1) + j);
    }
  return m;
}

// A random tree of mixed joints, loops closed by balls and rods, springs, and a gear over three bodies.
inline KktMechanism random_mechanism(int n, std::uint64_t seed = 6) {
  KktMechanism m;
  Random random(seed);
  for (int k = 0; k < n; ++k)
    m.bodies.push_back({.position = random.vector(2.0 * std::cbrt(n)),
                        .rotation = normalized(exponential(random.vector(3.0))),
                        .mass = std::pow(10.0, random.uniform(0.0, 2.0))});
  for (int k = 0; k < n; ++k) {
    KktJointKind kind = KktJointKind::spherical;
    const int dice = random.below(10);
    if (dice < 3) kind = KktJointKind::revolute;
    if (dice == 9) kind = KktJointKind::distance;
    const int parent = k == 0 ? -1 : random.below(k);
    const Vec3 point = m.bodies[kkt_detail::index(k)].position + random.vector(1.5);
    if (parent < 0)
      m.joints.push_back({kind, {k}, point});
    else
      m.joints.push_back({kind, {parent, k}, point, random.below(3) == 0});
  }
  for (int k = 0; k < n / 5; ++k) {
    const int a = random.below(n), b = random.below(n);
    const Vec3 point = m.bodies[kkt_detail::index(a)].position + random.vector(1.5);
    if (a != b) m.joints.push_back({KktJointKind::distance, {a, b}, point});
  }
  if (n >= 3) m.joints.push_back({KktJointKind::gear, {0, n / 2, n - 1}});
  return m;
}

}  // namespace catena::test
