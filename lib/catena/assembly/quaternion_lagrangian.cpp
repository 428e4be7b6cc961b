// The Lagrangian of bodies in seven coordinates, its derivatives and its Legendre transform. All are bilinear
// in e and e', and hold for quaternions of any length (docs/theory/discrete_action.md).
#include <catena/assembly/quaternion_system.hpp>
#include <catena/math/detail/index.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
void QuaternionSystem::evaluate_lagrangian(double t, const double* q, const double* v,
                                           const LagrangianTerms& wanted) const {
  QuaternionPoint from;
  from.q = q;
  from.v = v;
  QuaternionLagrangian to;
  to.dq = wanted.dq;
  to.dv = wanted.dv;
  to.qq = wanted.qq;
  to.qv = wanted.qv;
  to.vq = wanted.vq;
  to.vv = wanted.vv;
  double* const H = wanted.matrix == nullptr ? nullptr : wanted.matrix->H_pool();
  each_group(inertia_.data(), [&](const QuaternionGroup& g) {
    QuaternionLagrangian of_group = to;
    of_group.H = H == nullptr ? nullptr : H + 49 * g.first;
    kernels_->lagrangian(g, from, of_group);
  });
  if (wanted.matrix != nullptr) wanted.matrix->zero_couplings();
  if (has_forces_) add_forces_to_lagrangian(t, q, v, wanted);
}

void QuaternionSystem::add_forces_to_lagrangian(double t, const double* q, const double* v,
                                                const LagrangianTerms& wanted) const {
  const Lease lease(workspaces_);
  Workspace& w = *lease;
  prepare(w, q, v, nullptr);
  prepare_rates(w, q, v);
  Point at;
  at.t = t;
  at.q = q;
  at.v = v;
  at.discrete = wanted.discrete;
  KernelArgs args = kernel_args(w, at);
  std::fill(w.balance.begin(), w.balance.end(), 0.0);
  args.balance = w.balance.data();
  // Elements have the force balance -f, so their share of d(dL/dq + F) is minus K and minus D.
  if (wanted.matrix != nullptr)
    walk_with_derivatives(w, args, -wanted.qq, -wanted.qv);
  else
    walk(args);
  if (wanted.dq != nullptr) add_element_balance(w, -1.0, wanted.dq);
  if (wanted.matrix != nullptr) add_element_blocks(w, -wanted.qq, nullptr, *wanted.matrix);
}

void QuaternionSystem::momentum(const double* q, const double* v, double* p) const {
  each_group(inertia_.data(), [&](const QuaternionGroup& g) { kernels_->momentum(g, q, v, p); });
}

void QuaternionSystem::velocity(const double* q, const double* p, double* v) const {
  each_group(inverse_inertia_.data(), [&](const QuaternionGroup& g) { kernels_->velocity(g, q, p, v); });
}

}  // namespace catena
