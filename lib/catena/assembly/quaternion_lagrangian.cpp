// The Lagrangian of bodies in seven coordinates, its derivatives and its Legendre transform. All are bilinear
// in e and e', and hold for quaternions of any length (docs/theory/discrete_action.md).
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/detail/index.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

using Map = Mat<double, 3, 4>;

}  // namespace

void QuaternionSystem::evaluate_lagrangian(double t, const double* q, const double* v,
                                           const LagrangianTerms& wanted) const {
  const Lease lease(workspaces_);
  Workspace& w = *lease;
  prepare(w, q, v, nullptr);
  Point at;
  at.t = t;
  at.q = q;
  at.v = v;
  at.discrete = wanted.discrete;
  KernelArgs args = kernel_args(w, at);
  std::fill(w.balance.begin(), w.balance.end(), 0.0);
  args.balance = w.balance.data();
  // Elements have the force balance -f, so their share of d(dL/dq + F) is minus K and minus D.
  if (has_forces_) {
    if (wanted.matrix != nullptr)
      walk_with_derivatives(w, args, -wanted.qq, -wanted.qv);
    else
      walk(args);
  }
  for (int k = 0; k < moving_count(); ++k) {
    const Body& b = body(k);
    const QuaternionRates<double>& r = w.rates[index(k)];
    const Mat3& J = b.inertia;
    const Map G = quaternion_map(r.e), dG = quaternion_map(r.de);
    const Vec3 momentum = J * (2.0 * (G * r.de));
    if (wanted.dq != nullptr) {
      const Vec4 torque = -2.0 * transpose_times(dG, momentum);
      for (int i = 0; i < 3; ++i) wanted.dq[7 * k + i] = b.mass * model_.gravity[i];
      for (int i = 0; i < 4; ++i) wanted.dq[7 * k + 3 + i] = torque[i];
    }
    if (wanted.dv != nullptr) {
      const Vec4 p = 2.0 * transpose_times(G, momentum);
      for (int i = 0; i < 3; ++i) wanted.dv[7 * k + i] = b.mass * v[7 * k + i];
      for (int i = 0; i < 4; ++i) wanted.dv[7 * k + 3 + i] = p[i];
    }
    if (wanted.matrix == nullptr) continue;
    const Mat<double, 4, 4> A = 2.0 * quaternion_moment(momentum), mixed = 4.0 * transpose_times(dG, J * G);
    const Mat<double, 4, 4> h = (4.0 * wanted.qq) * transpose_times(dG, J * dG) - wanted.qv * (A + mixed) +
                                wanted.vq * (A - mixed.transpose()) +
                                (4.0 * wanted.vv) * transpose_times(G, J * G);
    const BlockRef H = wanted.matrix->H(k);
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j)
        H(i, j) = i >= 3 && j >= 3 ? h(i - 3, j - 3) : (i == j ? wanted.vv * b.mass : 0.0);
  }
  if (wanted.matrix != nullptr) wanted.matrix->zero_couplings();
  if (!has_forces_) return;
  if (wanted.dq != nullptr) add_element_balance(w, -1.0, wanted.dq);
  if (wanted.matrix != nullptr) add_element_blocks(w, -wanted.qq, nullptr, *wanted.matrix);
}

void QuaternionSystem::momentum(const double* q, const double* v, double* p) const {
  for (int k = 0; k < moving_count(); ++k) {
    const Map G = quaternion_map(quaternion_part(q + 7 * k));
    const Vec4 pe = 4.0 * transpose_times(G, body(k).inertia * (G * quaternion_part(v + 7 * k)));
    for (int i = 0; i < 3; ++i) p[7 * k + i] = body(k).mass * v[7 * k + i];
    for (int i = 0; i < 4; ++i) p[7 * k + 3 + i] = pe[i];
  }
}

void QuaternionSystem::velocity(const double* q, const double* p, double* v) const {
  for (int k = 0; k < moving_count(); ++k) {
    const Map G = quaternion_map(quaternion_part(q + 7 * k));
    const Vec3 omega = inverse_inertia_[index(k)] * (0.5 * (G * quaternion_part(p + 7 * k)));
    const Vec4 de = 0.5 * transpose_times(G, omega);
    for (int i = 0; i < 3; ++i) v[7 * k + i] = p[7 * k + i] / body(k).mass;
    for (int i = 0; i < 4; ++i) v[7 * k + 3 + i] = de[i];
  }
}

}  // namespace catena
