// A joint and a force of a user's that are wrong in one way at a time, and the mechanism that they are planted in.
#pragma once
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace catena_test::planted {

using namespace catena;

inline constexpr double broken_at = 0.0305;  // [s] where an element breaks
inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

enum class Fault { none, jacobian, nan, inconsistent, thrown };

// A rod of constant length between points of two bodies, g = (|d|^2 - L^2) / 2 L [m]. inconsistent: it grows by 1 m/s.
struct Rod {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "planted_rod";
  std::array<BodyId, 2> bodies;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  // body frames [m]
  double length = 1.0;                                  // [m]
  Fault fault = Fault::none;
  std::string name = {};

  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
    const Vec<S, 3> d = B.point(point_b) - A.point(point_a);
    S g = (dot(d, d) - S(length * length)) / S(2.0 * length);
    if (t > S(broken_at) && fault == Fault::nan) g = S(no_number);
    if (t > S(broken_at) && fault == Fault::thrown) throw std::runtime_error("the rod has snapped");
    if (fault == Fault::inconsistent) g = g + t;
    return {{g}};
  }
  void jacobian(const BodyFrame<double>* f, double, Mat<double, 1, 6>* G) const {
    const Vec3 d = f[1].point(point_b) - f[0].point(point_a);
    const double sign[2] = {-1.0, fault == Fault::jacobian ? 0.5 : 1.0};
    const Vec3* const point[2] = {&point_a, &point_b};
    for (int i = 0; i < 2; ++i) {
      const Vec3 turning = cross(*point[i], Vec3(f[i].R.transpose() * d));
      for (int k = 0; k < 3; ++k) {
        G[i](0, k) = sign[i] * d[k] / length;
        G[i](0, 3 + k) = sign[i] * turning[k] / length;
      }
    }
  }
};

enum class ForceFault { none, stiffness, damping, nan, thrown };

// A spring and damper between the centre of a body and a place in the world, f = -k (x - place) - c x'. It gives no
// potential: all that it does counts as work.
struct Mooring {
  static constexpr const char* type_name = "planted_mooring";
  std::array<BodyId, 1> bodies;
  Vec3 place = Vec3::Zero();  // world frame [m]
  double stiffness = 50.0;    // [N/m]
  double damping = 2.0;       // [N s/m]
  ForceFault fault = ForceFault::none;
  std::string name = {};

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t) const {
    if (t > S(broken_at) && fault == ForceFault::thrown) throw std::runtime_error("the rope has torn");
    Vec<S, 6> w = Vec<S, 6>::Zero();
    for (int k = 0; k < 3; ++k) w[k] = S(-stiffness) * (A.x[k] - S(place[k])) - S(damping) * A.v[k];
    if (t > S(broken_at) && fault == ForceFault::nan) w[0] = S(no_number);
    return w;
  }
  void derivatives(const BodyFrame<double>*, double, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    K[0] = D[0] = Mat<double, 6, 6>::Zero();
    for (int k = 0; k < 3; ++k) {
      K[0](k, k) = fault == ForceFault::stiffness ? -stiffness : stiffness;
      D[0](k, k) = fault == ForceFault::damping ? -damping : damping;
    }
  }
};

// Five bars of 0.4 m in an arc, on ball joints or on springs, each of them moored.
struct Mechanism {
  Model model;
  std::array<BodyId, 5> bar{};
};
inline Mechanism bars(bool joints) {
  Mechanism m;
  m.model.gravity = {{0.0, 0.0, -9.81}};
  const Vec3 half{{0.2, 0.0, 0.0}};
  BodyId before = ground;
  Vec3 end = Vec3::Zero();
  for (std::size_t k = 0; k < 5; ++k) {
    const std::string number = std::to_string(k);
    const Quat turned = exponential(Vec3{{0.1 * static_cast<double>(k), 0.3, 0.25 * static_cast<double>(k)}});
    const Vec3 arm = rotation_matrix(turned) * half;
    m.bar[k] = m.model.add(Body{.name = "bar " + number,
                                .inertia = diagonal(Vec3{{0.005, 0.02, 0.02}}),
                                .position = end + arm,
                                .orientation = turned});
    const Vec3 on_before = before == ground ? Vec3::Zero() : half;
    if (joints)
      m.model.add(SphericalJoint{
          .bodies = {before, m.bar[k]}, .point_a = on_before, .point_b = -half, .name = "ball " + number});
    else
      m.model.add(SpringDamper{.bodies = {before, m.bar[k]},
                               .point_a = on_before,
                               .point_b = {{-0.2, 0.1, 0.0}},
                               .stiffness = 100.0,
                               .damping = 1.0,
                               .rest_length = 0.05,
                               .name = "strut " + number});
    m.model.add(Mooring{.bodies = {m.bar[k]}, .place = end + arm, .name = "mooring " + number});
    end = end + arm + arm;
    before = m.bar[k];
  }
  return m;
}

// The distance of a point of one body to a point of another [m].
inline double distance(const Model& model, BodyId a, const Vec3& on_a, BodyId b, const Vec3& on_b) {
  const auto place = [&](BodyId id, const Vec3& p) {
    return model.body(id).position + rotation_matrix(model.body(id).orientation) * p;
  };
  return norm(Vec3(place(b, on_b) - place(a, on_a)));
}

}  // namespace catena_test::planted
