// A rigid body in R^3 x SO(3): its share of the force balance and of H, and its motion along the group.
//     m v' = m gravity,   J Omega' + Omega x J Omega = 0      (v world frame, Omega body frame)
#pragma once
#include <catena/model/detail/lane_io.hpp>

namespace catena::detail {

// Up to eight bodies with consecutive numbers; first is a multiple of eight.
struct BodyGroup {
  int first = 0, count = 0;
  const double* inertia = nullptr;  // lane-interleaved: m, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz
  double* H = nullptr;              // base of the group's diagonal blocks; null: not wanted
  bool split = false;  // of all of them (BlockPattern::primal_split): what is always zero is not written
  double gravity[3] = {0.0, 0.0, 0.0};
};
inline constexpr int body_parameters = 7;

// Seven coordinates and three low parts of positions a body; out may be q.
struct RetractArgs {
  const double *q, *x_low, *delta;
  double *out, *out_low;
};

}  // namespace catena::detail

CATENA_BEGIN_DETAIL_ISA

// Where lane l of eight consecutive bodies finds its numbers; lanes past count repeat the last body.
struct BodyIndex {
  int v[8], q[8], low[8];
  explicit BodyIndex(int first, int count) {
    for (int l = 0; l < 8; ++l) {
      const int b = first + (l < count ? l : count - 1);
      v[l] = 6 * b;
      q[l] = 7 * b;
      low[l] = 3 * b;
    }
  }
};

template <class S>
inline Vec<S, 6> read6(const LaneIo<S>& io, const double* x, const int* at) {
  Vec<S, 6> r;
  for (int k = 0; k < 6; ++k) r[k] = io.read(x + k, at);
  return r;
}

template <class S>
inline Mat<S, 3, 3> body_inertia(const LaneIo<S>& io, const double* p) {
  const S xx = io.entry(p, 1), yy = io.entry(p, 2), zz = io.entry(p, 3);
  const S xy = io.entry(p, 4), xz = io.entry(p, 5), yz = io.entry(p, 6);
  return {{xx, xy, xz, xy, yy, yz, xz, yz, zz}};
}

// Sets balance and H of its bodies; elements add to them afterwards.
template <class S>
inline void evaluate_body_group(const LaneIo<S>& io, const KernelArgs& args, const BodyGroup& g) {
  const BodyIndex at(g.first, g.count);
  const S m = io.entry(g.inertia, 0);
  const Mat<S, 3, 3> J = body_inertia(io, g.inertia);
  Vec<S, 3> omega = Vec<S, 3>::Zero();
  if (args.v != nullptr)
    for (int k = 0; k < 3; ++k) omega[k] = io.read(args.v + 3 + k, at.v);
  const Vec<S, 3> momentum = J * omega;

  if (args.balance != nullptr) {
    Vec<S, 6> r = Vec<S, 6>::Zero();
    if (args.a != nullptr) {
      const Vec<S, 6> a = read6(io, args.a, at.v);
      const Vec<S, 3> rate = J * Vec<S, 3>{{a[3], a[4], a[5]}};
      for (int k = 0; k < 3; ++k) {
        r[k] = m * a[k];
        r[3 + k] = rate[k];
      }
    }
    if (args.forces) {
      const Vec<S, 3> gyroscopic = cross(omega, momentum);
      for (int k = 0; k < 3; ++k) {
        r[k] = nmadd(m, S(g.gravity[k]), r[k]);
        r[3 + k] += gyroscopic[k];
      }
    }
    for (int k = 0; k < 6; ++k) io.write(args.balance, at.v, k, r[k]);
  }

  if (g.H != nullptr) {
    Mat<S, 3, 3> h = S(args.mass) * J;
    if (args.forces && args.damping != 0.0)
      h += S(args.damping) * (skew(omega) * J - skew(momentum));  // d(Omega x J Omega)/dOmega
    if (args.increment != nullptr) {
      const Vec<S, 6> xi = read6(io, args.increment, at.v);
      h = h * inverse_tangent(Vec<S, 3>{{xi[3], xi[4], xi[5]}});
    }
    const S zero(0.0), mass = m * S(args.mass);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (i == j) io.set_entry(g.H, 6 * i + j, mass);
        io.set_entry(g.H, 6 * (3 + i) + 3 + j, h(i, j));
        if (g.split) continue;
        if (i != j) io.set_entry(g.H, 6 * i + j, zero);
        io.set_entry(g.H, 6 * i + 3 + j, zero);
        io.set_entry(g.H, 6 * (3 + i) + j, zero);
      }
  }
}

// out = q exp(delta). Positions carry what a double is too coarse for in x_low, without which the gap of
// joints far from the origin would jump by units in the last place of x, and lambda by those over h^2. The
// quaternion is brought back to unit length to first order, which keeps it there.
template <class S>
inline void retract_group(const LaneIo<S>& io, int first, int count, const RetractArgs& args) {
  const BodyIndex at(first, count);
  const Vec<S, 6> d = read6(io, args.delta, at.v);
  for (int k = 0; k < 3; ++k) {
    // Two-sum (Knuth): x + d = sum + error exactly.
    const S x = io.read(args.q + k, at.q);
    const S sum = x + d[k];
    const S back = sum - x;
    const S error = (x - (sum - back)) + (d[k] - back);
    const S low = io.read(args.x_low + k, at.low) + error;
    const S high = sum + low;
    io.write(args.out, at.q, k, high);
    io.write(args.out_low, at.low, k, low - (high - sum));
  }
  const Quaternion<S> e{io.read(args.q + 3, at.q), io.read(args.q + 4, at.q), io.read(args.q + 5, at.q),
                        io.read(args.q + 6, at.q)};
  const Quaternion<S> p = e * exponential(Vec<S, 3>{{d[3], d[4], d[5]}});
  const S s = nmadd(S(0.5), squared_norm(p), S(1.5));
  io.write(args.out, at.q, 3, p.w * s);
  io.write(args.out, at.q, 4, p.x * s);
  io.write(args.out, at.q, 5, p.y * s);
  io.write(args.out, at.q, 6, p.z * s);
}

// out = T^-1(increment) delta
template <class S>
inline void inverse_tangent_group(const LaneIo<S>& io, int first, int count, const double* increment,
                                  const double* delta, double* out) {
  const BodyIndex at(first, count);
  const Vec<S, 6> xi = read6(io, increment, at.v), d = read6(io, delta, at.v);
  const Vec<S, 3> r = inverse_tangent(Vec<S, 3>{{xi[3], xi[4], xi[5]}}) * Vec<S, 3>{{d[3], d[4], d[5]}};
  for (int k = 0; k < 3; ++k) io.write(out, at.v, k, d[k]);
  for (int k = 0; k < 3; ++k) io.write(out, at.v, 3 + k, r[k]);
}

// out = T(increment) delta
template <class S>
inline void tangent_group(const LaneIo<S>& io, int first, int count, const double* increment,
                          const double* delta, double* out) {
  const BodyIndex at(first, count);
  const Vec<S, 6> xi = read6(io, increment, at.v), d = read6(io, delta, at.v);
  const Vec<S, 3> r = tangent(Vec<S, 3>{{xi[3], xi[4], xi[5]}}) * Vec<S, 3>{{d[3], d[4], d[5]}};
  for (int k = 0; k < 3; ++k) io.write(out, at.v, k, d[k]);
  for (int k = 0; k < 3; ++k) io.write(out, at.v, 3 + k, r[k]);
}

CATENA_END_DETAIL_ISA
