// Constraints and forces that prove the contract: three bodies, velocity level, drives, and every mixture of
// analytic and automatic derivatives. Tests of all layers use them.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/constraint.hpp>
#include <catena/model/force.hpp>

#include <array>
#include <string>

namespace catena::fixture {

// A rope of constant length from a point of A over a small pulley at a point of B to a point of C:
// g = |a - b| + |c - b| - L [m]. Three bodies, all coupled; only the gap is given. lambda is the tension.
struct RopeOverPulley {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "rope_over_pulley";

  std::array<BodyId, 3> bodies;                                                 // A, B (pulley), C
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero(), point_c = Vec3::Zero();  // body frames [m]
  double length = 1.0;                                                          // [m]
  std::string name = {};

  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const BodyFrame<S>& C, const S&) const {
    const Vec<S, 3> pulley = B.point(point_b);
    return {{norm(Vec<S, 3>(A.point(point_a) - pulley)) + norm(Vec<S, 3>(C.point(point_c) - pulley)) -
             S(length)}};
  }
};

// The same over pulleys at points of B and C to a point of D: four bodies, the most that an element has.
struct RopeOverTwoPulleys {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "rope_over_two_pulleys";

  std::array<BodyId, 4> bodies;  // A, B and C (pulleys), D
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero(), point_c = Vec3::Zero(),
       point_d = Vec3::Zero();  // body frames [m]
  double length = 1.0;          // [m]
  std::string name = {};

  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const BodyFrame<S>& C, const BodyFrame<S>& D,
                const S&) const {
    const Vec<S, 3> b = B.point(point_b), c = C.point(point_c);
    return {{norm(Vec<S, 3>(A.point(point_a) - b)) + norm(Vec<S, 3>(c - b)) +
             norm(Vec<S, 3>(D.point(point_d) - c)) - S(length)}};
  }
};

// A blade (skate, knife edge) at a point of the body: the point does not move along the body's y axis.
// The row is e_y . R^T v + e_y . (Omega x p) [m/s]; lambda is the lateral force, on the body -lambda R e_y.
struct KnifeEdge {
  static constexpr int rows = 1;
  static constexpr Level level = Level::velocity;
  static constexpr const char* type_name = "knife_edge";

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // body frame [m]
  std::string name = {};

  template <class S>
  Vec<S, 1> rate(const BodyFrame<S>& A, const S&) const {
    return {{dot(Vec<S, 3>(A.direction(Vec<S, 3>::Unit(1))), Vec<S, 3>(A.point_velocity(point)))}};
  }
};

// The same with an analytic Jacobian over any scalar; its derivatives come from that.
struct KnifeEdgeWithJacobian : KnifeEdge {
  template <class S>
  void jacobian(const BodyFrame<S>* f, const S&, Mat<S, 1, 6>* G) const {
    const Vec<S, 3> across = f[0].R * Vec<S, 3>::Unit(1);
    const Vec<S, 3> turning = cross(cast<S>(point), Vec<S, 3>::Unit(1));
    for (int k = 0; k < 3; ++k) {
      G[0](0, k) = across[k];
      G[0](0, 3 + k) = turning[k];
    }
  }
};

// A point of the body stays on a wavy horizontal floor that rises: z = 0.1 t + 0.2 sin(x) t^2. Explicit time.
struct PointOnRisingFloor {
  static constexpr int rows = 1;

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // body frame [m]

  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S& t) const {
    const Vec<S, 3> p = A.point(point);
    return {{p[2] - 0.1 * t - 0.2 * sin(p[0]) * t * t}};
  }
};

// A driven distance with analytic Jacobian and drift over any scalar, all second derivatives automatic.
struct DrivenDistance {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "driven_distance";

  std::array<BodyId, 2> bodies;
  double length = 1.0;

  template <class S>
  S target(const S& t) const {
    return length * (1.0 + 0.1 * sin(t));
  }
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
    return {{norm(Vec<S, 3>(B.x - A.x)) - target(t)}};
  }
  template <class S>
  void jacobian(const BodyFrame<S>* f, const S&, Mat<S, 1, 6>* G) const {
    const Vec<S, 3> d = f[1].x - f[0].x;
    const Vec<S, 3> n = (S(1.0) / norm(d)) * d;
    G[0] = G[1] = Mat<S, 1, 6>::Zero();
    for (int k = 0; k < 3; ++k) {
      G[0](0, k) = -n[k];
      G[1](0, k) = n[k];
    }
  }
  template <class S>
  Vec<S, 1> drift(const BodyFrame<S>*, const S& t) const {
    return {{-0.1 * length * cos(t)}};
  }
};

// Drag of a propeller: force against the motion of a point, quadratic in its speed, torque against the spin.
struct PropellerDrag {
  static constexpr const char* type_name = "propeller_drag";

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();
  double coefficient = 1.0;

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t) const {
    const Vec<S, 3> u = A.point_velocity(point);
    const Vec<S, 3> force = (-coefficient * (1.0 + 0.5 * t) * norm(u)) * u;
    const Vec<S, 3> torque = cross(cast<S>(point), Vec<S, 3>(transpose_times(A.R, force))) - 0.3 * A.omega;
    Vec<S, 6> w;
    set_block(w, 0, 0, force);
    set_block(w, 3, 0, torque);
    return w;
  }
};

// Attraction of three bodies to their common centre of positions, with a potential.
struct Cluster {
  std::array<BodyId, 3> bodies;
  double stiffness = 1.0;

  template <class S>
  Vec<S, 3> centre(const BodyFrame<S>& A, const BodyFrame<S>& B, const BodyFrame<S>& C) const {
    return (1.0 / 3) * (A.x + B.x + C.x);
  }
  template <class S>
  std::array<Vec<S, 6>, 3> wrench(const BodyFrame<S>& A, const BodyFrame<S>& B, const BodyFrame<S>& C,
                                  const S&) const {
    const Vec<S, 3> c = centre(A, B, C);
    std::array<Vec<S, 6>, 3> w{Vec<S, 6>::Zero(), Vec<S, 6>::Zero(), Vec<S, 6>::Zero()};
    set_block(w[0], 0, 0, Vec<S, 3>(stiffness * (c - A.x)));
    set_block(w[1], 0, 0, Vec<S, 3>(stiffness * (c - B.x)));
    set_block(w[2], 0, 0, Vec<S, 3>(stiffness * (c - C.x)));
    return w;
  }
  template <class S>
  S potential(const BodyFrame<S>& A, const BodyFrame<S>& B, const BodyFrame<S>& C, const S&) const {
    const Vec<S, 3> c = centre(A, B, C);
    const Vec<S, 3> a = A.x - c, b = B.x - c, d = C.x - c;
    return 0.5 * stiffness * (dot(a, a) + dot(b, b) + dot(d, d));
  }
};

}  // namespace catena::fixture
