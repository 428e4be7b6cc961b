// QuaternionSystem::evaluate: the six-velocity kernels at (x, R(e/|e|)), converted by v6 = T v7 with
// T = diag(I, P), and the inertia in seven coordinates:
//     r_e = 2 G(e)^T J w' + 4 G(e')^T J w,   w = 2 G(e) e',  w' = 2 G(e) e''
// which is d/dt dL/de' - dL/de.
#include <catena/assembly/detail/chunk_groups.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/parts/threads.hpp>

#include <algorithm>
#include <cassert>
#include <functional>

namespace catena {
using namespace detail;
namespace {

template <int R, int C>
Mat<double, R, C> block_of(const ConstBlockRef& b, int row, int col) {
  Mat<double, R, C> m;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) m(i, j) = b(row + i, col + j);
  return m;
}

template <int R, int C>
void add_block(const BlockRef& b, int row, int col, const Mat<double, R, C>& m) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) b(row + i, col + j) += m(i, j);
}

using Map = Mat<double, 3, 4>;

// out += T_i^T x T(right), where T_i = diag(I, left) and the columns of x are (dx, dtheta).
void add_converted(const ConstBlockRef& x, const Map& left, const Map& right, const BlockRef& out) {
  add_block(out, 0, 0, block_of<3, 3>(x, 0, 0));
  add_block(out, 0, 3, block_of<3, 3>(x, 0, 3) * right);
  add_block(out, 3, 0, transpose_times(left, block_of<3, 3>(x, 3, 0)));
  add_block(out, 3, 3, transpose_times(left, block_of<3, 3>(x, 3, 3) * right));
}

// out += T_i^T x [0 0; 0 Q]: the part of a velocity derivative that enters through Omega(e, e').
void add_through_rate(const ConstBlockRef& x, const Map& left, const Map& Q, const BlockRef& out) {
  add_block(out, 0, 3, block_of<3, 3>(x, 0, 3) * Q);
  add_block(out, 3, 3, transpose_times(left, block_of<3, 3>(x, 3, 3) * Q));
}

}  // namespace

void QuaternionSystem::prepare(Workspace& w, const double* q, const double* v, const double* a) const {
  for (int k = 0; k < moving_count(); ++k) {
    const double *qk = q + 7 * k, *vk = v == nullptr ? nullptr : v + 7 * k,
                 *ak = a == nullptr ? nullptr : a + 7 * k;
    const QuaternionRates<double> r(quaternion_part(qk), quaternion_part(vk));
    const Quat e = normalized(Quat{qk[3], qk[4], qk[5], qk[6]});
    const double pose[7] = {qk[0], qk[1], qk[2], e.w, e.x, e.y, e.z};
    std::copy(pose, pose + 7, w.q.begin() + 7 * k);
    const Vec3 angular = r.angular_acceleration(quaternion_part(ak));
    for (int i = 0; i < 3; ++i) {
      w.v[index(6 * k + i)] = vk == nullptr ? 0.0 : vk[i];
      w.v[index(6 * k + 3 + i)] = r.omega[i];
      w.a[index(6 * k + i)] = ak == nullptr ? 0.0 : ak[i];
      w.a[index(6 * k + 3 + i)] = angular[i];
    }
    w.rates[index(k)] = r;
  }
}

KernelArgs QuaternionSystem::kernel_args(const Workspace& w, const Point& at) const {
  KernelArgs args;
  args.t = at.t;
  args.q = w.q.data();
  args.fixed_q = elements_.fixed_q.data();
  args.v = at.v == nullptr ? nullptr : w.v.data();
  args.a = at.a == nullptr ? nullptr : w.a.data();
  args.lambda = at.lambda;
  args.discrete = at.discrete;
  args.forces = at.forces;
  return args;
}

// Joints write their own rows; what elements add to bodies stays inside a chunk or is left to the border.
void QuaternionSystem::walk(const KernelArgs& args) const {
  const auto one_chunk = [&](int c) { walk_chunk(args, c); };
  parallel_for(elements_.chunks, std::cref(one_chunk));
  walk_chunk(args, elements_.chunks);
}

void QuaternionSystem::walk_chunk(const KernelArgs& args, int chunk) const {
  for (const PoolGroups& pool : elements_.pools)
    evaluate_groups(pool, chunk, function_of(pool.stage, *functions_), args);
}

// Into w.stiffness: stiffness K + damping D. Into w.damping: stiffness D, for add_element_blocks().
void QuaternionSystem::walk_with_derivatives(Workspace& w, KernelArgs args, double stiffness,
                                             double damping) const {
  const auto target = [&](BlockMatrix& m) {
    m.set_zero();
    args.H = m.H_pool();
    args.coupling[0] = m.coupling_pool();
    args.coupling[1] = m.coupling_t_pool();
  };
  args.stiffness = stiffness;
  args.damping = damping;
  target(w.stiffness);
  walk(args);
  if (!has_forces_ || stiffness == 0.0 || args.v == nullptr) return;
  KernelArgs rates = args;
  target(w.damping);
  rates.H = args.H;
  rates.coupling[0] = args.coupling[0];
  rates.coupling[1] = args.coupling[1];
  rates.balance = rates.position = rates.velocity = rates.acceleration = rates.C = rates.Bt = nullptr;
  rates.lambda = nullptr;
  rates.stiffness = 0.0;
  rates.damping = stiffness;
  walk(rates);
}

void QuaternionSystem::evaluate(const Point& at, const Evaluation& wanted) const {
  if (wanted.undefined != nullptr) find_undefined(at, *wanted.undefined);
  const Lease lease(workspaces_);
  Workspace& w = *lease;
  prepare(w, at.q, at.v, at.a);
  const Linearization* lin = wanted.linearization;
  const bool blocks = lin != nullptr && !lin->rows_only;
  KernelArgs args = kernel_args(w, at);
  args.position = wanted.position;
  args.velocity = wanted.velocity;
  args.acceleration = wanted.acceleration;
  if (wanted.balance != nullptr || (blocks && lin->stiffness != 0.0)) {
    std::fill(w.balance.begin(), w.balance.end(), 0.0);
    args.balance = w.balance.data();
  }
  if (lin != nullptr) {
    assert(&lin->matrix->pattern() == layout_.pattern.get());
    const bool rate = lin->position_rows.rate != 0.0 || lin->velocity_rows.rate != 0.0;
    args.C = w.stiffness.C_pool();
    args.Bt = w.stiffness.Bt_pool();
    args.row_jacobian = rate ? 0.0 : 1.0;
    args.row_rate = rate ? 1.0 : 0.0;
    args.without_geometric_stiffness = lin->without_geometric_stiffness;
  }
  if (blocks)
    walk_with_derivatives(w, args, lin->stiffness, lin->damping);
  else
    walk(args);

  if (wanted.balance != nullptr) {
    write_inertia_balance(w, at, wanted.balance);
    add_element_balance(w, 1.0, wanted.balance);
  }
  write_norm_rows(w, at, wanted);
  if (blocks) {
    lin->matrix->zero_couplings();
    write_inertia_blocks(w, at, *lin);
    add_element_blocks(w, lin->stiffness, lin->without_geometric_stiffness, *lin->matrix);
  }
  if (lin != nullptr) write_row_blocks(w, *lin);
}

void QuaternionSystem::write_inertia_balance(const Workspace& w, const Point& at, double* balance) const {
  for (int k = 0; k < moving_count(); ++k) {
    const Body& b = body(k);
    const QuaternionRates<double>& r = w.rates[index(k)];
    const double* a = at.a == nullptr ? nullptr : at.a + 7 * k;
    Vec4 torque = 2.0 * transpose_times(quaternion_map(r.e),
                                        b.inertia * (2.0 * (quaternion_map(r.e) * quaternion_part(a))));
    if (at.forces)
      torque += 4.0 * transpose_times(quaternion_map(r.de), b.inertia * (2.0 * (quaternion_map(r.e) * r.de)));
    if (at.lambda != nullptr) torque += (2.0 * at.lambda[norm_row(k)]) * r.e;
    double* out = balance + 7 * k;
    for (int i = 0; i < 3; ++i)
      out[i] = b.mass * ((a == nullptr ? 0.0 : a[i]) - (at.forces ? model_.gravity[i] : 0.0));
    for (int i = 0; i < 4; ++i) out[3 + i] = torque[i];
  }
}

void QuaternionSystem::add_element_balance(const Workspace& w, double sign, double* balance) const {
  for (int k = 0; k < moving_count(); ++k) {
    const double* six = w.balance.data() + 6 * k;
    const Vec4 torque = transpose_times(w.rates[index(k)].P, Vec3{{six[3], six[4], six[5]}});
    for (int i = 0; i < 3; ++i) balance[7 * k + i] += sign * six[i];
    for (int i = 0; i < 4; ++i) balance[7 * k + 3 + i] += sign * torque[i];
  }
}

void QuaternionSystem::write_inertia_blocks(const Workspace& w, const Point& at,
                                            const Linearization& lin) const {
  for (int k = 0; k < moving_count(); ++k) {
    const Body& b = body(k);
    const QuaternionRates<double>& r = w.rates[index(k)];
    const Map G = quaternion_map(r.e), dG = quaternion_map(r.de);
    const Mat3& J = b.inertia;
    Mat<double, 4, 4> h = (4.0 * lin.mass) * transpose_times(G, J * G);
    if (lin.damping != 0.0 && at.forces) {
      const Vec3 momentum = J * (2.0 * (G * r.de));
      h += lin.damping * (4.0 * quaternion_moment(momentum) + 8.0 * transpose_times(dG, J * G));
    }
    if (lin.stiffness != 0.0) {
      if (at.forces) h -= (8.0 * lin.stiffness) * transpose_times(dG, J * dG);
      if (at.a != nullptr) {
        const Vec4 dde = quaternion_part(at.a + 7 * k);
        const Map ddG = quaternion_map(dde);
        const Vec3 rate = J * (2.0 * (G * dde));
        h += lin.stiffness * (2.0 * quaternion_moment(rate) - 4.0 * transpose_times(G, J * ddG));
      }
      if (at.lambda != nullptr)
        for (int i = 0; i < 4; ++i) h(i, i) += 2.0 * lin.stiffness * at.lambda[norm_row(k)];
    }
    const BlockRef H = lin.matrix->H(k);
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j)
        H(i, j) = i >= 3 && j >= 3 ? h(i - 3, j - 3) : (i == j ? lin.mass * b.mass : 0.0);
  }
}

void QuaternionSystem::add_element_blocks(const Workspace& w, double stiffness, const std::uint8_t* without,
                                          BlockMatrix& out) const {
  const BlockPattern& p = *elements_.pattern;
  const bool rates = has_forces_ && stiffness != 0.0;
  const auto P = [&](int k) -> const Map& { return w.rates[index(k)].P; };
  const auto Q = [&](int k) -> const Map& { return w.rates[index(k)].Q; };
  const BlockMatrix &S = w.stiffness, &D = w.damping;
  for (int k = 0; k < moving_count(); ++k) {
    add_converted(S.H(k), P(k), P(k), out.H(k));
    if (rates) add_through_rate(D.H(k), P(k), Q(k), out.H(k));
    if (stiffness == 0.0 || (without != nullptr && without[k] != 0)) continue;
    const double* six = w.balance.data() + 6 * k;
    add_block(out.H(k), 3, 3,
              stiffness * w.rates[index(k)].torque_derivative(Vec3{{six[3], six[4], six[5]}}));
  }
  for (int c = 0; c < static_cast<int>(p.couplings.size()); ++c) {
    const auto [i, j] = p.couplings[index(c)];
    add_converted(S.H_upper(c), P(i), P(j), out.H_upper(c));
    add_converted(S.H_lower(c), P(j), P(i), out.H_lower(c));
    if (!rates) continue;
    add_through_rate(D.H_upper(c), P(i), Q(j), out.H_upper(c));
    add_through_rate(D.H_lower(c), P(j), Q(i), out.H_lower(c));
  }
}

void QuaternionSystem::write_norm_rows(const Workspace& w, const Point& at, const Evaluation& wanted) const {
  for (int k = 0; k < moving_count(); ++k) {
    const QuaternionRates<double>& r = w.rates[index(k)];
    const int row = norm_row(k);
    if (wanted.position != nullptr) wanted.position[row] = dot(r.e, r.e) - 1.0;
    if (wanted.velocity != nullptr) wanted.velocity[row] = 2.0 * dot(r.e, r.de);
    if (wanted.acceleration != nullptr) {
      const Vec4 dde = at.a == nullptr ? Vec4::Zero() : quaternion_part(at.a + 7 * k);
      wanted.acceleration[row] = 2.0 * (dot(r.e, dde) + dot(r.de, r.de));
    }
  }
}

void QuaternionSystem::write_row_blocks(const Workspace& w, const Linearization& lin) const {
  BlockMatrix& out = *lin.matrix;
  const bool Bt = out.border() == Border::separate && !lin.keep_Bt;
  const BlockPattern& p = *elements_.pattern;
  const BlockMatrix& six = w.stiffness;
  for (int c = 0; c < static_cast<int>(p.incidences.size()); ++c) {
    const auto [dual, primal] = p.incidences[index(c)];
    const QuaternionRates<double>& r = w.rates[index(primal)];
    const RowWeights& weights =
        layout_.level[index(dual)] == Level::position ? lin.position_rows : lin.velocity_rows;
    const double weight = weights.jacobian + weights.velocity;
    const ConstBlockRef G = six.Bt(c), N = six.C(c);
    const BlockRef C = out.C(c), B = out.Bt(c);
    for (int i = 0; i < G.rows; ++i) {
      const Vec3 g{{G(i, 3), G(i, 4), G(i, 5)}}, n{{N(i, 3), N(i, 4), N(i, 5)}};
      const Vec4 ge = transpose_times(r.P, g);
      Vec4 ce = weight * ge;
      if (weights.rate != 0.0) ce += weights.rate * (transpose_times(r.P, n) + transpose_times(r.Q, g));
      for (int j = 0; j < 3; ++j)
        C(i, j) = weight * G(i, j) + (weights.rate != 0.0 ? weights.rate * N(i, j) : 0.0);
      for (int j = 0; j < 4; ++j) C(i, 3 + j) = ce[j];
      if (!Bt) continue;
      for (int j = 0; j < 3; ++j) B(i, j) = G(i, j);
      for (int j = 0; j < 4; ++j) B(i, 3 + j) = ge[j];
    }
  }
  const RowWeights& weights = lin.position_rows;
  for (int k = 0; k < moving_count(); ++k) {
    const int c = static_cast<int>(p.incidences.size()) + k;
    const QuaternionRates<double>& r = w.rates[index(k)];
    const BlockRef C = out.C(c), B = out.Bt(c);
    for (int j = 0; j < 3; ++j) C(0, j) = 0.0;
    for (int j = 0; j < 4; ++j)
      C(0, 3 + j) = 2.0 * ((weights.jacobian + weights.velocity) * r.e[j] + weights.rate * r.de[j]);
    if (!Bt) continue;
    for (int j = 0; j < 3; ++j) B(0, j) = 0.0;
    for (int j = 0; j < 4; ++j) B(0, 3 + j) = 2.0 * r.e[j];
  }
}

}  // namespace catena
