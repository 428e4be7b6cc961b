// Frames of bodies as variables of automatic differentiation. Perturbations act on the right: x + dx, R exp(dtheta~); each
// dual carries them to first order, second duals to second order.
#pragma once
#include <catena/math/parts/second_dual.hpp>
#include <catena/model/parts/frame.hpp>

namespace catena::detail::automatic {

template <class T, class S>
BodyFrame<T> lifted(const BodyFrame<S>& f) {
  BodyFrame<T> g;
  for (int k = 0; k < 3; ++k) {
    g.x[k] = T(f.x[k]);
    g.v[k] = T(f.v[k]);
    g.omega[k] = T(f.omega[k]);
  }
  for (int k = 0; k < 9; ++k) g.R[k] = T(f.R[k]);
  return g;
}

// The derivatives of a pose kept in g as constants; R e_k~ has R e_i in column j and -R e_j in column i of (i, j, k).
template <class S>
void make_pose_variable(const BodyFrame<S>& f, BodyFrame<Dual<S, 6>>& g) {
  for (int k = 0; k < 3; ++k) {
    g.x[k].d[k] = S(1.0);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    for (int r = 0; r < 3; ++r) {
      g.R(r, i).d[3 + k] = f.R(r, j);
      g.R(r, j).d[3 + k] = -f.R(r, i);
    }
  }
}

// Differentiates with respect to the pose: components 0 ... 2 dx, 3 ... 5 dtheta.
template <class S>
BodyFrame<Dual<S, 6>> pose_variable(const BodyFrame<S>& f) {
  BodyFrame<Dual<S, 6>> g = lifted<Dual<S, 6>>(f);
  make_pose_variable(f, g);
  return g;
}

// Differentiates with respect to (v, Omega).
template <class S>
BodyFrame<Dual<S, 6>> velocity_variable(const BodyFrame<S>& f) {
  BodyFrame<Dual<S, 6>> g = lifted<Dual<S, 6>>(f);
  for (int k = 0; k < 3; ++k) {
    g.v[k].d[k] = S(1.0);
    g.omega[k].d[3 + k] = S(1.0);
  }
  return g;
}

// Moves on with constant (v, Omega): differentiates with respect to time along that path.
template <class S>
BodyFrame<Dual<S, 1>> moving(const BodyFrame<S>& f) {
  BodyFrame<Dual<S, 1>> g = lifted<Dual<S, 1>>(f);
  const Mat<S, 3, 3> turn = f.R * skew(f.omega);
  for (int k = 0; k < 3; ++k) g.x[k].d[0] = f.v[k];
  for (int e = 0; e < 9; ++e) g.R[e].d[0] = turn[e];
  return g;
}
template <class S>
Dual<S, 1> moving_time(const S& t) {
  return Dual<S, 1>::variable(t, 0);
}

// The frames of all N bodies, those of body i as a variable.
template <int N, class S, class Variable>
void frames_with_variable(const BodyFrame<S>* f, int i, Variable variable, BodyFrame<Dual<S, 6>>* out) {
  for (int k = 0; k < N; ++k) out[k] = k == i ? variable(f[k]) : lifted<Dual<S, 6>>(f[k]);
}

// The pose kept in g, with first and second derivatives from variable number `first` on: R exp(dtheta~) is
// R (I + dtheta~ + dtheta~ dtheta~ / 2), and e_a~ e_b~ + e_b~ e_a~ = e_a e_b^T + e_b e_a^T - 2 delta_ab I.
// With one = 0 and R = 0 a constant again.
template <class S, int N>
void set_pose_variable(const S& one, const Mat<S, 3, 3>& R, int first, BodyFrame<SecondDual<S, N>>& g) {
  using T = SecondDual<S, N>;
  for (int k = 0; k < 3; ++k) {
    g.x[k].d[first + k] = one;
    const int turn = first + 3 + k, i = (k + 1) % 3, j = (k + 2) % 3;
    for (int r = 0; r < 3; ++r) {
      g.R(r, i).d[turn] = R(r, j);
      g.R(r, j).d[turn] = -R(r, i);
      g.R(r, i).h[T::pair(turn, turn)] = -R(r, i);
      g.R(r, j).h[T::pair(turn, turn)] = -R(r, j);
      const int next = T::pair(turn, first + 3 + i);
      g.R(r, k).h[next] = S(0.5) * R(r, i);
      g.R(r, i).h[next] = S(0.5) * R(r, k);
    }
  }
}

}  // namespace catena::detail::automatic
