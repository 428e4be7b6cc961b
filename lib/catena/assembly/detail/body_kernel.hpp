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

// One half v . M v and m gravity . x of eight bodies.
struct BodyEnergies {
  double kinetic[8], of_gravity[8];
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
  io.template read_all<6>(x, at, r.e);
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
  if (args.v != nullptr) io.template read_all<3>(args.v + 3, at.v, omega.e);
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
    io.template write_all<6>(args.balance, at.v, r.e);
  }

  if (g.H != nullptr) {
    Mat<S, 3, 3> h = S(args.mass) * J;
    if (args.forces && args.damping != 0.0)
      h += S(args.damping) * (skew_times(omega, J) - skew(momentum));  // d(Omega x J Omega)/dOmega
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
  S q[7], low[3];
  io.template read_all<7>(args.q, at.q, q);
  io.template read_all<3>(args.x_low, at.low, low);
  for (int k = 0; k < 3; ++k) {
    // Two-sum (Knuth): x + d = sum + error exactly.
    const S x = q[k];
    const S sum = x + d[k];
    const S back = sum - x;
    const S error = (x - (sum - back)) + (d[k] - back);
    const S lower = low[k] + error;
    q[k] = sum + lower;
    low[k] = lower - (q[k] - sum);
  }
  const Quaternion<S> e{q[3], q[4], q[5], q[6]};
  const Quaternion<S> p = e * exponential(Vec<S, 3>{{d[3], d[4], d[5]}});
  const S s = nmadd(S(0.5), squared_norm(p), S(1.5));
  q[3] = p.w * s;
  q[4] = p.x * s;
  q[5] = p.y * s;
  q[6] = p.z * s;
  io.template write_all<7>(args.out, at.q, q);
  io.template write_all<3>(args.out_low, at.low, low);
}

// Of up to eight bodies, whose coordinates and six velocities begin at q and v. Products are not fused with sums, so that
// all instruction sets have the same bits.
inline void energies_of_group(int count, const double* inertia, const double* gravity, const double* q,
                              const double* v, BodyEnergies& out) {
  const LaneIo<Pack8> io{count};
  const BodyIndex at(0, count);
  const auto times = [](const Pack8& ax, const Pack8& ay, const Pack8& az, const Pack8& x, const Pack8& y,
                        const Pack8& z) { return ax * x + ay * y + az * z; };
  const Pack8 m = io.entry(inertia, 0);
  const Mat<Pack8, 3, 3> J = body_inertia(io, inertia);
  const Vec<Pack8, 6> w = read6(io, v, at.v);
  Pack8 momentum[3];
  for (int i = 0; i < 3; ++i) momentum[i] = times(J(i, 0), J(i, 1), J(i, 2), w[3], w[4], w[5]);
  store(out.kinetic, Pack8(0.5) * (m * times(w[0], w[1], w[2], w[0], w[1], w[2]) +
                                   times(w[3], w[4], w[5], momentum[0], momentum[1], momentum[2])));
  Pack8 x[3];
  io.read_all<3>(q, at.q, x);
  store(out.of_gravity, m * times(Pack8(gravity[0]), Pack8(gravity[1]), Pack8(gravity[2]), x[0], x[1], x[2]));
}

// out = T^-1(increment) delta
template <class S>
inline void inverse_tangent_group(const LaneIo<S>& io, int first, int count, const double* increment,
                                  const double* delta, double* out) {
  const BodyIndex at(first, count);
  const Vec<S, 6> xi = read6(io, increment, at.v), d = read6(io, delta, at.v);
  const Vec<S, 3> r = inverse_tangent(Vec<S, 3>{{xi[3], xi[4], xi[5]}}) * Vec<S, 3>{{d[3], d[4], d[5]}};
  const Vec<S, 6> to{{d[0], d[1], d[2], r[0], r[1], r[2]}};
  io.template write_all<6>(out, at.v, to.e);
}

// out = T(increment) delta
template <class S>
inline void tangent_group(const LaneIo<S>& io, int first, int count, const double* increment,
                          const double* delta, double* out) {
  const BodyIndex at(first, count);
  const Vec<S, 6> xi = read6(io, increment, at.v), d = read6(io, delta, at.v);
  const Vec<S, 3> r = tangent(Vec<S, 3>{{xi[3], xi[4], xi[5]}}) * Vec<S, 3>{{d[3], d[4], d[5]}};
  const Vec<S, 6> to{{d[0], d[1], d[2], r[0], r[1], r[2]}};
  io.template write_all<6>(out, at.v, to.e);
}

CATENA_END_DETAIL_ISA
