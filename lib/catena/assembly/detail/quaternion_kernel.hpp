// Bodies in seven coordinates, eight at a time: what six velocities they have, their inertia, and rows of six columns
// turned into rows of seven. The algebra is that of quaternion_algebra.hpp.
#pragma once
#include <catena/assembly/detail/body_kernel.hpp>
#include <catena/assembly/detail/quaternion_algebra.hpp>

namespace catena::detail {

// Seven numbers a body each, null where there are none; lambda: of the norm rows, one a body.
struct QuaternionPoint {
  const double *q = nullptr, *v = nullptr, *a = nullptr, *lambda = nullptr;
  bool forces = true;
};

// Up to eight bodies with consecutive numbers; first is a multiple of eight. Inertia as of BodyGroup.
struct QuaternionGroup {
  int first = 0, count = 0;
  const double* inertia = nullptr;
  double gravity[3] = {0.0, 0.0, 0.0};
};

// Of all bodies, seven and six numbers each.
struct SixVelocities {
  double *q = nullptr, *v = nullptr, *a = nullptr;
};

// H of the group's blocks, [7 x 7], lane-interleaved: mass M + damping D + stiffness K without elements.
struct QuaternionBlocks {
  double* H = nullptr;
  double mass = 0.0, damping = 0.0, stiffness = 0.0;
};

// Derivatives of the Lagrangian of the bodies alone; seven numbers a body, null where not wanted.
struct QuaternionLagrangian {
  double *dq = nullptr, *dv = nullptr, *H = nullptr;
  double qq = 0.0, qv = 0.0, vq = 0.0, vv = 0.0;
};

// Up to eight blocks of rows, side by side in their pools of six and of seven columns. body: its number; weights: of each
// lane. G, N: d(row)/d(motion) and d(rate of the row)/dq by six columns; Bt: null, or wanted.
struct RowBlocks {
  int rows = 0;
  int body[8] = {};
  const double *G = nullptr, *N = nullptr;
  double *C = nullptr, *Bt = nullptr;
  double weight[8] = {}, rate[8] = {};
  bool rates = false;  // some rate is not zero
};

// The rows e.e - 1 of a group, and their blocks of one row: C = 2 (weight e + rate e'), Bt = 2 e. Null: not wanted.
struct NormRows {
  double *position = nullptr, *velocity = nullptr, *acceleration = nullptr;  // of all bodies
  double *C = nullptr, *Bt = nullptr;                                        // of the group
  double weight = 0.0, rate = 0.0;
};

}  // namespace catena::detail

CATENA_BEGIN_DETAIL_ISA

// Seven numbers of a body: of its place and of its quaternion.
template <class S>
struct Seven {
  Vec<S, 3> x;
  Vec<S, 4> e;
};
template <class S>
inline Seven<S> read_seven(const LaneIo<S>& io, const double* seven, const BodyIndex& at) {
  S n[7];
  io.template read_all<7>(seven, at.q, n);
  return {{{n[0], n[1], n[2]}}, {{n[3], n[4], n[5], n[6]}}};
}

template <class S>
inline Vec<S, 4> read_quaternion(const LaneIo<S>& io, const double* seven, const int* at) {
  Vec<S, 4> e;
  io.template read_all<4>(seven + 3, at, e.e);
  return e;
}
template <class S>
inline Vec<S, 4> read_quaternion(const LaneIo<S>& io, const double* seven, const BodyIndex& at) {
  return read_quaternion(io, seven, at.q);
}

template <class S>
inline void write_seven(const LaneIo<S>& io, double* seven, const BodyIndex& at, const Vec<S, 3>& x,
                        const Vec<S, 4>& e) {
  const S n[7] = {x[0], x[1], x[2], e[0], e[1], e[2], e[3]};
  io.template write_all<7>(seven, at.q, n);
}

template <class S>
inline void write_six(const LaneIo<S>& io, double* six, const BodyIndex& at, const Vec<S, 3>& v,
                      const Vec<S, 3>& omega) {
  const S n[6] = {v[0], v[1], v[2], omega[0], omega[1], omega[2]};
  io.template write_all<6>(six, at.v, n);
}

// Poses with normalised quaternions, and six velocities and accelerations where there are seven.
template <class S>
inline void six_velocities(const LaneIo<S>& io, int first, int count, const QuaternionPoint& from,
                           const SixVelocities& to) {
  const BodyIndex at(first, count);
  const Seven<S> q = read_seven(io, from.q, at);
  const Vec<S, 4>& e = q.e;
  const S square = dot(e, e);
  write_seven(io, to.q, at, q.x, (S(1.0) / sqrt(square)) * e);
  if (from.v == nullptr && from.a == nullptr) return;
  const S s = S(2.0) / square;
  const Mat<S, 3, 4> P = s * quaternion_map(e);
  Vec<S, 4> de = Vec<S, 4>::Zero();
  Vec<S, 3> omega = Vec<S, 3>::Zero();
  if (from.v != nullptr) {
    const Seven<S> v = read_seven(io, from.v, at);
    de = v.e;
    omega = P * de;
    write_six(io, to.v, at, v.x, omega);
  }
  if (from.a == nullptr) return;
  const Seven<S> a = read_seven(io, from.a, at);
  write_six(io, to.a, at, a.x, P * a.e - (s * dot(e, de)) * omega);
}

// One number a body, with none behind those of the last body.
template <class S>
inline S norm_multiplier(const LaneIo<S>& io, const QuaternionGroup& g, const double* lambda) {
  double of[8] = {};
  for (int k = 0; k < g.count; ++k) of[k] = lambda[g.first + k];
  return io.entry(of, 0);
}

// out: the balance in seven numbers a body; six: what elements add to it, six numbers a body.
template <class S>
inline void quaternion_balance(const LaneIo<S>& io, const QuaternionGroup& g, const QuaternionPoint& from,
                               const double* six, double* out) {
  const BodyIndex at(g.first, g.count);
  const S m = io.entry(g.inertia, 0);
  const Mat<S, 3, 3> J = body_inertia(io, g.inertia);
  const Vec<S, 4> e = read_quaternion(io, from.q, at);
  const Mat<S, 3, 4> G = quaternion_map(e);
  const Vec<S, 6> element = read6(io, six, at.v);
  Vec<S, 3> force{{element[0], element[1], element[2]}};
  Vec<S, 4> torque =
      (S(2.0) / dot(e, e)) * transpose_times(G, Vec<S, 3>{{element[3], element[4], element[5]}});
  if (from.a != nullptr) {
    const Seven<S> a = read_seven(io, from.a, at);
    force += m * a.x;
    torque += S(4.0) * transpose_times(G, J * (G * a.e));
  }
  if (from.forces) {
    for (int i = 0; i < 3; ++i) force[i] = nmadd(m, S(g.gravity[i]), force[i]);
    if (from.v != nullptr) {
      const Vec<S, 4> de = read_quaternion(io, from.v, at);
      torque += S(8.0) * transpose_times(quaternion_map(de), J * (G * de));
    }
  }
  if (from.lambda != nullptr) torque += (S(2.0) * norm_multiplier(io, g, from.lambda)) * e;
  write_seven(io, out, at, force, torque);
}

template <class S>
inline void set_quaternion_block(const LaneIo<S>& io, double* H, const S& mass, const Mat<S, 4, 4>& h) {
  const S zero(0.0);
  for (int i = 0; i < 7; ++i)
    for (int j = 0; j < 7; ++j)
      io.set_entry(H, 7 * i + j, i >= 3 && j >= 3 ? h(i - 3, j - 3) : (i == j ? mass : zero));
}

template <class S>
inline void quaternion_blocks(const LaneIo<S>& io, const QuaternionGroup& g, const QuaternionPoint& from,
                              const QuaternionBlocks& to) {
  const BodyIndex at(g.first, g.count);
  const Mat<S, 3, 3> J = body_inertia(io, g.inertia);
  const Mat<S, 3, 4> G = quaternion_map(read_quaternion(io, from.q, at)), JG = J * G;
  Mat<S, 4, 4> h = S(4.0 * to.mass) * transpose_times(G, JG);
  if (from.v != nullptr && from.forces && (to.damping != 0.0 || to.stiffness != 0.0)) {
    const Vec<S, 4> de = read_quaternion(io, from.v, at);
    const Mat<S, 3, 4> dG = quaternion_map(de);
    if (to.damping != 0.0)
      h += S(to.damping) * (S(8.0) * quaternion_moment(JG * de) + S(8.0) * transpose_times(dG, JG));
    if (to.stiffness != 0.0) h -= S(8.0 * to.stiffness) * transpose_times(dG, J * dG);
  }
  if (to.stiffness != 0.0 && from.a != nullptr) {
    const Vec<S, 4> dde = read_quaternion(io, from.a, at);
    h += S(to.stiffness) *
         (S(4.0) * quaternion_moment(JG * dde) - S(4.0) * transpose_times(G, J * quaternion_map(dde)));
  }
  if (to.stiffness != 0.0 && from.lambda != nullptr) {
    const S twice = S(2.0 * to.stiffness) * norm_multiplier(io, g, from.lambda);
    for (int i = 0; i < 4; ++i) h(i, i) += twice;
  }
  set_quaternion_block(io, to.H, S(to.mass) * io.entry(g.inertia, 0), h);
}

template <class S>
inline void quaternion_lagrangian(const LaneIo<S>& io, const QuaternionGroup& g, const QuaternionPoint& from,
                                  const QuaternionLagrangian& to) {
  const BodyIndex at(g.first, g.count);
  const S m = io.entry(g.inertia, 0);
  const Mat<S, 3, 3> J = body_inertia(io, g.inertia);
  const Seven<S> v = read_seven(io, from.v, at);
  const Mat<S, 3, 4> G = quaternion_map(read_quaternion(io, from.q, at)), dG = quaternion_map(v.e);
  const Vec<S, 3> momentum = J * (S(2.0) * (G * v.e));
  if (to.dq != nullptr) {
    Vec<S, 3> force;
    for (int i = 0; i < 3; ++i) force[i] = m * S(g.gravity[i]);
    write_seven(io, to.dq, at, force, S(-2.0) * transpose_times(dG, momentum));
  }
  if (to.dv != nullptr) write_seven(io, to.dv, at, m * v.x, S(2.0) * transpose_times(G, momentum));
  if (to.H == nullptr) return;
  const Mat<S, 3, 4> JG = J * G;
  const Mat<S, 4, 4> A = S(2.0) * quaternion_moment(momentum), mixed = S(4.0) * transpose_times(dG, JG);
  const Mat<S, 4, 4> h = S(4.0 * to.qq) * transpose_times(dG, J * dG) - S(to.qv) * (A + mixed) +
                         S(to.vq) * (A - mixed.transpose()) + S(4.0 * to.vv) * transpose_times(G, JG);
  set_quaternion_block(io, to.H, S(to.vv) * m, h);
}

// p = (m x', 4 G(e)^T J G(e) e'), and with the inverse inertia its inverse on the unit quaternions.
template <class S>
inline void quaternion_momentum(const LaneIo<S>& io, const QuaternionGroup& g, const double* q,
                                const double* v, double* p) {
  const BodyIndex at(g.first, g.count);
  const Mat<S, 3, 4> G = quaternion_map(read_quaternion(io, q, at));
  const Seven<S> rate = read_seven(io, v, at);
  const Vec<S, 3> momentum = body_inertia(io, g.inertia) * (G * rate.e);
  write_seven(io, p, at, io.entry(g.inertia, 0) * rate.x, S(4.0) * transpose_times(G, momentum));
}

// inverse: of the inertia, in the places of an inertia.
template <class S>
inline void quaternion_velocity(const LaneIo<S>& io, const QuaternionGroup& g, const double* q,
                                const double* p, double* v) {
  const BodyIndex at(g.first, g.count);
  const Mat<S, 3, 4> G = quaternion_map(read_quaternion(io, q, at));
  const Seven<S> momentum = read_seven(io, p, at);
  const Vec<S, 3> omega = body_inertia(io, g.inertia) * (S(0.5) * (G * momentum.e));
  write_seven(io, v, at, io.entry(g.inertia, 0) * momentum.x, S(0.5) * transpose_times(G, omega));
}

// [G_x, G_theta] becomes [G_x, G_theta P].
template <class S>
inline void seven_columns(const LaneIo<S>& io, const RowBlocks& g, const double* q, const double* v) {
  int at[8];
  for (int l = 0; l < 8; ++l) at[l] = 7 * g.body[l];
  const S weight = io.entry(g.weight, 0), rate = io.entry(g.rate, 0);
  const Vec<S, 4> e = read_quaternion(io, q, at);
  const S s = S(2.0) / dot(e, e);
  const Mat<S, 3, 4> P = s * quaternion_map(e);
  Mat<S, 3, 4> Q = Mat<S, 3, 4>::Zero();
  if (g.rates) {
    const Vec<S, 4> de = v == nullptr ? Vec<S, 4>::Zero() : read_quaternion(io, v, at);
    Q = -s * (quaternion_map(de) + outer(P * de, e));
  }
  for (int i = 0; i < g.rows; ++i) {
    const auto three = [&](const double* x, int first) {
      return Vec<S, 3>{
          {io.entry(x, 6 * i + first), io.entry(x, 6 * i + first + 1), io.entry(x, 6 * i + first + 2)}};
    };
    const Vec<S, 3> x = three(g.G, 0), theta = three(g.G, 3);
    const Vec<S, 4> by_e = transpose_times(P, theta);
    Vec<S, 3> cx = weight * x;
    Vec<S, 4> ce = weight * by_e;
    if (g.rates) {
      cx += rate * three(g.N, 0);
      ce += rate * (transpose_times(P, three(g.N, 3)) + transpose_times(Q, theta));
    }
    for (int j = 0; j < 3; ++j) io.set_entry(g.C, 7 * i + j, cx[j]);
    for (int j = 0; j < 4; ++j) io.set_entry(g.C, 7 * i + 3 + j, ce[j]);
    if (g.Bt == nullptr) continue;
    for (int j = 0; j < 3; ++j) io.set_entry(g.Bt, 7 * i + j, x[j]);
    for (int j = 0; j < 4; ++j) io.set_entry(g.Bt, 7 * i + 3 + j, by_e[j]);
  }
}

template <class S>
inline void norm_rows(const LaneIo<S>& io, int first, int count, const QuaternionPoint& from,
                      const NormRows& to) {
  const BodyIndex at(first, count);
  int row[8];
  for (int l = 0; l < 8; ++l) row[l] = first + (l < count ? l : count - 1);
  const Vec<S, 4> e = read_quaternion(io, from.q, at);
  const Vec<S, 4> de = from.v == nullptr ? Vec<S, 4>::Zero() : read_quaternion(io, from.v, at);
  if (to.position != nullptr) io.write(to.position, row, 0, dot(e, e) - S(1.0));
  if (to.velocity != nullptr) io.write(to.velocity, row, 0, S(2.0) * dot(e, de));
  if (to.acceleration != nullptr) {
    S sum = dot(de, de);
    if (from.a != nullptr) sum = sum + dot(e, read_quaternion(io, from.a, at));
    io.write(to.acceleration, row, 0, S(2.0) * sum);
  }
  const auto set = [&](double* block, const Vec<S, 4>& of_e) {
    for (int j = 0; j < 3; ++j) io.set_entry(block, j, S(0.0));
    for (int j = 0; j < 4; ++j) io.set_entry(block, 3 + j, of_e[j]);
  };
  if (to.C != nullptr) set(to.C, S(2.0 * to.weight) * e + S(2.0 * to.rate) * de);
  if (to.Bt != nullptr) set(to.Bt, S(2.0) * e);
}

CATENA_END_DETAIL_ISA
