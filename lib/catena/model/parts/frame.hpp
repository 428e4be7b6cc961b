// A body as joints and forces see it, over any scalar: double, Pack<8> or Dual.
#pragma once
#include <catena/math/rotation.hpp>

#include <type_traits>

CATENA_BEGIN_ISA

template <class S>
struct BodyFrame {
  Vec<S, 3> x;      // centre of mass, world frame [m]
  Mat<S, 3, 3> R;   // body -> world
  Vec<S, 3> v;      // velocity of the centre of mass, world frame [m/s]
  Vec<S, 3> omega;  // angular velocity, body frame [rad/s]

  // World position of a point given in the body frame.
  Vec<S, 3> point(const Vec<S, 3>& p) const { return x + R * p; }
  // World velocity of it.
  Vec<S, 3> point_velocity(const Vec<S, 3>& p) const { return v + R * cross(omega, p); }
  // World components of a direction given in the body frame.
  Vec<S, 3> direction(const Vec<S, 3>& d) const { return R * d; }

  // The same with points and directions kept as numbers, in a user's joint over any scalar.
  Vec<S, 3> point(const Vec<double, 3>& p) const requires(!std::is_same_v<S, double>) {
    if constexpr (requires { S::variable; }) {
      Vec<S, 3> y;
      for (int i = 0; i < 3; ++i) y[i] = madd(R(i, 2), p[2], madd(R(i, 1), p[1], madd(R(i, 0), p[0], x[i])));
      return y;
    } else {
      return point(cast<S>(p));
    }
  }
  Vec<S, 3> point_velocity(const Vec<double, 3>& p) const requires(!std::is_same_v<S, double>) {
    return point_velocity(cast<S>(p));
  }
  Vec<S, 3> direction(const Vec<double, 3>& d) const requires(!std::is_same_v<S, double>) {
    if constexpr (requires { S::variable; }) {
      Vec<S, 3> y;
      for (int i = 0; i < 3; ++i) y[i] = madd(R(i, 2), d[2], madd(R(i, 1), d[1], R(i, 0) * d[0]));
      return y;
    } else {
      return direction(cast<S>(d));
    }
  }
};

CATENA_END_ISA
