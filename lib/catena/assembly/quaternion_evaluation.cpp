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
  QuaternionPoint from;
  from.q = q;
  from.v = v;
  from.a = a;
  const SixVelocities to{w.q.data(), w.v.data(), w.a.data()};
  each_group(inertia_.data(),
             [&](const QuaternionGroup& g) { kernels_->six_velocities(g.first, g.count, from, to); });
}

void QuaternionSystem::prepare_rates(Workspace& w, const double* q, const double* v) const {
  for (int k = 0; k < moving_count(); ++k)
    w.rates[index(k)] = QuaternionRates<double>(quaternion_part(q + 7 * k),
                                                quaternion_part(v == nullptr ? nullptr : v + 7 * k));
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
  const bool of_elements = blocks && (lin->stiffness != 0.0 || (has_forces_ && lin->damping != 0.0));
  KernelArgs args = kernel_args(w, at);
  args.position = wanted.position;
  args.velocity = wanted.velocity;
  args.acceleration = wanted.acceleration;
  if (wanted.balance != nullptr || of_elements) {
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
  if (of_elements)
    walk_with_derivatives(w, args, lin->stiffness, lin->damping);
  else
    walk(args);

  write_bodies(w, at, wanted);
  if (of_elements) {
    prepare_rates(w, at.q, at.v);
    add_element_blocks(w, lin->stiffness, lin->without_geometric_stiffness, *lin->matrix);
  }
  if (lin != nullptr) write_row_blocks(w, at, *lin);
}

// The balance, the norm rows with their blocks, and H of the bodies; couplings are zero.
void QuaternionSystem::write_bodies(const Workspace& w, const Point& at, const Evaluation& wanted) const {
  const int norms = moving_count() == 0 ? 0 : norm_row(0);
  QuaternionPoint from;
  from.q = at.q;
  from.v = at.v;
  from.a = at.a;
  from.lambda = at.lambda == nullptr ? nullptr : at.lambda + norms;
  from.forces = at.forces;
  NormRows rows;
  const auto of_norms = [norms](double* x) { return x == nullptr ? nullptr : x + norms; };
  rows.position = of_norms(wanted.position);
  rows.velocity = of_norms(wanted.velocity);
  rows.acceleration = of_norms(wanted.acceleration);
  QuaternionBlocks blocks;
  double *H = nullptr, *C = nullptr, *Bt = nullptr;
  if (const Linearization* lin = wanted.linearization) {
    BlockMatrix& out = *lin->matrix;
    const std::size_t first = out.incidence_layout().offset[elements_.pattern->incidences.size()];
    C = out.C_pool() + first;
    if (out.border() == Border::separate && !lin->keep_Bt) Bt = out.Bt_pool() + first;
    rows.weight = lin->position_rows.jacobian + lin->position_rows.velocity;
    rows.rate = lin->position_rows.rate;
    if (!lin->rows_only) {
      H = out.H_pool();
      blocks.mass = lin->mass;
      blocks.damping = lin->damping;
      blocks.stiffness = lin->stiffness;
      out.zero_couplings();
    }
  }
  each_group(inertia_.data(), [&](const QuaternionGroup& g) {
    if (wanted.balance != nullptr) kernels_->balance(g, from, w.balance.data(), wanted.balance);
    QuaternionBlocks of_group = blocks;
    of_group.H = H == nullptr ? nullptr : H + 49 * g.first;
    if (H != nullptr) kernels_->blocks(g, from, of_group);
    NormRows norm = rows;
    norm.C = C == nullptr ? nullptr : C + 7 * g.first;
    norm.Bt = Bt == nullptr ? nullptr : Bt + 7 * g.first;
    kernels_->norm_rows(g.first, g.count, from, norm);
  });
}

void QuaternionSystem::add_element_balance(const Workspace& w, double sign, double* balance) const {
  for (int k = 0; k < moving_count(); ++k) {
    const double* six = w.balance.data() + 6 * k;
    const Vec4 torque = transpose_times(w.rates[index(k)].P, Vec3{{six[3], six[4], six[5]}});
    for (int i = 0; i < 3; ++i) balance[7 * k + i] += sign * six[i];
    for (int i = 0; i < 4; ++i) balance[7 * k + 3 + i] += sign * torque[i];
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

void QuaternionSystem::write_row_blocks(const Workspace& w, const Point& at, const Linearization& lin) const {
  BlockMatrix& out = *lin.matrix;
  const bool Bt = out.border() == Border::separate && !lin.keep_Bt;
  for (const RowPlace& place : row_places_) {
    RowBlocks g;
    g.rows = place.rows;
    for (int l = 0; l < lanes; ++l) {
      const RowWeights& weights =
          layout_.level[index(place.dual[l])] == Level::position ? lin.position_rows : lin.velocity_rows;
      g.body[l] = place.body[l];
      g.weight[l] = weights.jacobian + weights.velocity;
      g.rate[l] = weights.rate;
      g.rates = g.rates || weights.rate != 0.0;
    }
    g.G = w.stiffness.Bt_pool() + place.six;
    g.N = w.stiffness.C_pool() + place.six;
    g.C = out.C_pool() + place.seven;
    g.Bt = Bt ? out.Bt_pool() + place.seven : nullptr;
    kernels_->seven_columns(g, at.q, at.v);
  }
}

}  // namespace catena
