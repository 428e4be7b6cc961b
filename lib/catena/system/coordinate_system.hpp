// Systems in their own coordinates behind the System contract. A user writes, for n coordinates,
//
//   struct Pendulum {                                     // M(q) v' + G^T lambda = f, v = q'
//     static constexpr int coordinates = 1;
//     template <class S> Mat<S, 1, 1> mass(const Vec<S, 1>& q) const;                    // M, symmetric
//     template <class S> Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>& v, const S& t) const;
//   };                                                    // f, gyroscopic and Coriolis terms included
//
// and hands CoordinateSystem<Pendulum>(pendulum, q0, v0) to any stepper. Optional members:
//   template <class S> Vec<S, R> gap(q, t) const          position rows g(q, t) = 0
//   template <class S> Mat<S, R, n> velocity_rows(q, t) const     A in A v + a = 0
//   template <class S> Vec<S, R> velocity_bias(q, t) const        a, else 0
//   template <class S> S potential(q) const               for the energy; else 0
//   void force_derivatives(q, v, t, Mat<double, n, n>& K, Mat<double, n, n>& D) const    K = -df/dq, D = -df/dv
//   Mat<double, R, n> gap_jacobian(q, t) const            G = dg/dq
//   Vec<double, n> scale() const                          characteristic sizes of the coordinates; else 1
//   std::array<bool, n> angles() const                    which coordinates are angles, the others lengths; else unknown
//   std::vector<RigidBodyState> bodies(q, v) const        where its bodies are, for output
//   static constexpr const char* name                     for messages
//   static constexpr int discrete                         discrete values in State::discrete; force() then takes
//                                                         `const double* discrete` behind t, and so does
//                                                         force_derivatives() where it is given
//   Vec<double, discrete> initial_discrete() const        else 0
//   static constexpr std::array<const char*, R> velocity_row_names     each velocity row then is a dual block of
//                                                         its own, so that a diagnosis can name it
// Derivatives that are not given come from automatic differentiation. A function of one of these names with another signature is
// an error of the compiler.
#pragma once
#include <catena/system/detail/check_definition.hpp>
#include <catena/system/detail/coordinate_derivatives.hpp>
#include <catena/system/system.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace catena {

// One primal block of n velocities; dual blocks: the position rows, then the velocity rows (one block, or one
// per row where they have names), where there are any. Plain vector space: retract adds.
template <class Definition>
class CoordinateSystem : public System {
 public:
  static constexpr int n = Definition::coordinates;
  using Derivatives = detail::CoordinateDerivatives<Definition>;
  using Vector = Vec<double, n>;
  using Matrix = Mat<double, n, n>;
  static constexpr int position_rows = Derivatives::position_rows, velocity_rows = Derivatives::velocity_rows;

  static constexpr bool velocity_rows_are_named = requires { Definition::velocity_row_names; };
  // Dual blocks of velocity rows, and the number of the first one.
  static constexpr int velocity_blocks = velocity_rows_are_named ? velocity_rows : velocity_rows > 0 ? 1 : 0;
  static constexpr int first_velocity_block = position_rows > 0 ? 1 : 0;

  // q0, v0: the initial coordinates and their rates.
  explicit CoordinateSystem(Definition definition, const Vector& q0 = Vector::Zero(),
                            const Vector& v0 = Vector::Zero())
      : definition_(std::move(definition)), q0_(q0), v0_(v0) {
    detail::coordinate_detail::check_members<Definition>();
    auto pattern = std::make_shared<BlockPattern>();
    pattern->primal_size = {n};
    const auto add_rows = [&](int rows, Level level) {
      if (rows == 0) return;
      pattern->incidences.push_back({pattern->dual_count(), 0});
      pattern->dual_size.push_back(rows);
      layout_.level.push_back(level);
    };
    add_rows(position_rows, Level::position);
    if constexpr (velocity_blocks > 0)
      for (int k = 0; k < velocity_blocks; ++k) add_rows(velocity_rows / velocity_blocks, Level::velocity);
    pattern->finish();
    layout_.pattern = std::move(pattern);
    layout_.q_size = n;
    if constexpr (requires { Definition::discrete; }) {
      layout_.discrete_size = Definition::discrete;
      initial_discrete_.assign(Definition::discrete, 0.0);
      if constexpr (requires { definition_.initial_discrete(); }) {
        const auto values = definition_.initial_discrete();
        std::copy(values.e, values.e + Definition::discrete, initial_discrete_.begin());
      }
    }
    layout_.scale.assign(n, 1.0);
    if constexpr (requires { definition_.scale(); }) {
      const Vector s = definition_.scale();
      layout_.scale.assign(s.e, s.e + n);
    }
    if constexpr (requires { definition_.angles(); })
      for (const bool angle : definition_.angles()) layout_.rotation.push_back(angle ? 1 : 0);
  }

  const Definition& definition() const { return definition_; }

  const SystemLayout& layout() const override { return layout_; }
  State initial_state() const override {
    State s;
    s.q.assign(q0_.e, q0_.e + n);
    s.v.assign(v0_.e, v0_.e + n);
    s.a.assign(n, 0.0);
    s.lambda.assign(static_cast<std::size_t>(layout_.lambda_size()), 0.0);
    s.discrete = initial_discrete_;
    return s;
  }
  void retract(const double* q, const double* delta, double* out) const override {
    for (int i = 0; i < n; ++i) out[i] = q[i] + delta[i];
  }
  void tangent(const double*, const double* delta, double* out) const override {
    for (int i = 0; i < n; ++i) out[i] = delta[i];
  }
  void difference(const double* from, const double* to, double* out) const override {
    for (int i = 0; i < n; ++i) out[i] = to[i] - from[i];
  }

  void evaluate(const Point& at, const Evaluation& wanted) const override {
    const Derivatives d{definition_, at.t, read(at.q), read(at.v), discrete(at.discrete)};
    if (wanted.balance != nullptr) {
      Vector r = at.a == nullptr ? Vector::Zero() : definition_.mass(d.q) * read(at.a);
      if (at.forces) r -= d.force(d.q, d.v, at.t);
      if (at.lambda != nullptr) r += d.template constraint_force<double>(d.q, at.lambda);
      write(r, wanted.balance);
    }
    if (wanted.position != nullptr) {
      std::fill(wanted.position, wanted.position + layout_.lambda_size(), 0.0);
      if constexpr (position_rows > 0) write(definition_.gap(d.q, at.t), wanted.position);
    }
    if (wanted.velocity != nullptr) d.velocity(wanted.velocity);
    if (wanted.acceleration != nullptr) {
      d.bias(wanted.acceleration);
      if (at.a != nullptr) d.add_jacobian_times(read(at.a), wanted.acceleration);
    }
    if (wanted.linearization != nullptr) linearize(d, at, *wanted.linearization);
  }

  Energy energy(const Point& at) const override {
    const Vector x = read(at.q), u = read(at.v);
    Energy e;
    e.kinetic = 0.5 * dot(u, Vector(definition_.mass(x) * u));
    if constexpr (requires { definition_.potential(x); }) e.potential = definition_.potential(x);
    return e;
  }

  // v . f + v . M' v / 2 + V', with M' and V' along v. No value where q' is not v, or where V is written for double alone.
  std::optional<double> power(const Point& at) const override {
    constexpr bool differentiable = requires(const Vec<Dual<double, 1>, n>& x) { definition_.potential(x); };
    constexpr bool has_potential = requires(const Vector& x) { definition_.potential(x); };
    if constexpr (has_potential && !differentiable) {
      return {};
    } else {
      if (has_rate()) return {};
      const Derivatives d{definition_, at.t, read(at.q), read(at.v), discrete(at.discrete)};
      const auto moved = detail::coordinate_detail::along(d.q, d.v);
      const auto mass = definition_.mass(moved);
      double watts = dot(d.v, d.force(d.q, d.v, at.t));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) watts += 0.5 * d.v[i] * mass(i, j).d[0] * d.v[j];
      if constexpr (has_potential) watts += definition_.potential(moved).d[0];
      return watts;
    }
  }

  std::string velocity_block_name(int) const override { return "coordinates of \"" + label() + "\""; }
  std::string constraint_name(int dual) const override {
    const bool position = layout_.level[static_cast<std::size_t>(dual)] == Level::position;
    if constexpr (velocity_rows_are_named) {
      if (!position)
        return "\"" +
               std::string(
                   Definition::velocity_row_names[static_cast<std::size_t>(dual - first_velocity_block)]) +
               "\" of \"" + label() + "\"";
    }
    return std::string(position ? "position" : "velocity") + " rows of \"" + label() + "\"";
  }
  std::vector<RigidBodyState> bodies(const State& state) const override {
    if constexpr (requires(const Vector& q) { definition_.bodies(q, q); })
      return definition_.bodies(read(state.q.data()), read(state.v.data()));
    else
      return {};
  }

  // With L = v^T M v / 2 - V and F = f - dL/dq + (dM/dt) v, what has no potential, the sum dL/dq + F is
  // f + (dM/dt) v: V is not needed.
  bool has_lagrangian() const override { return true; }
  void evaluate_lagrangian(double t, const double* q, const double* v,
                           const LagrangianTerms& wanted) const override {
    const Derivatives d{definition_, t, read(q), read(v), discrete(wanted.discrete)};
    if (wanted.dq != nullptr) write(d.template generalized_force<double>(d.q, d.v), wanted.dq);
    if (wanted.dv != nullptr) write(Vector(definition_.mass(d.q) * d.v), wanted.dv);
    if (wanted.matrix == nullptr) return;
    Matrix h = wanted.vv * definition_.mass(d.q) + wanted.vq * d.momentum_derivative(d.v);
    if (wanted.qq != 0.0) h += wanted.qq * d.generalized_force_by_q();
    if (wanted.qv != 0.0) h += wanted.qv * d.generalized_force_by_v();
    write_block(h, wanted.matrix->H(0));
  }
  void momentum(const double* q, const double* v, double* p) const override {
    write(Vector(definition_.mass(read(q)) * read(v)), p);
  }
  void velocity(const double* q, const double* p, double* v) const override {
    write(detail::coordinate_detail::solve_spd(definition_.mass(read(q)), read(p)), v);
  }

 private:
  static std::string label() {
    if constexpr (requires { Definition::name; })
      return Definition::name;
    else
      return "system in its own coordinates";
  }
  const double* discrete(const double* values) const {
    return values == nullptr ? initial_discrete_.data() : values;
  }
  static Vector read(const double* x) {
    Vector r = Vector::Zero();
    if (x != nullptr) std::copy(x, x + n, r.e);
    return r;
  }
  template <int R>
  static void write(const Vec<double, R>& x, double* out) {
    std::copy(x.e, x.e + R, out);
  }
  template <int R>
  static void write_block(const Mat<double, R, n>& m, const BlockRef& out) {
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < n; ++j) out(i, j) = m(i, j);
  }

  // rows: of n numbers each.
  static void write_rows(const double* rows, int count, const BlockRef& out) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < n; ++j) out(i, j) = rows[i * n + j];
  }

  void linearize(const Derivatives& d, const Point& at, const Linearization& lin) const {
    BlockMatrix& out = *lin.matrix;
    assert(&out.pattern() == layout_.pattern.get());
    const bool with_Bt = out.border() == Border::separate && !lin.keep_Bt;
    // A block holds all rows of its level, or one of them.
    const auto rows = [&](int first, int blocks, const RowWeights& w, const auto& G, const auto& N) {
      const auto C = (w.jacobian + w.velocity) * G + w.rate * N;
      for (int k = 0; k < blocks; ++k) {
        const int from = blocks == 1 ? 0 : k, count = blocks == 1 ? C.rows : 1;
        write_rows(C.e + from * n, count, out.C(first + k));
        if (with_Bt) write_rows(G.e + from * n, count, out.Bt(first + k));
      }
    };
    if constexpr (position_rows > 0) {
      const RowWeights& w = lin.position_rows;
      const auto G = d.gap_jacobian();
      rows(0, 1, w, G, w.rate != 0.0 ? d.gap_rate_jacobian() : decltype(G)::Zero());
    }
    if constexpr (velocity_rows > 0) {
      const RowWeights& w = lin.velocity_rows;
      const auto A = definition_.velocity_rows(d.q, at.t);
      rows(first_velocity_block, velocity_blocks, w, A,
           w.rate != 0.0 ? d.velocity_rows_jacobian() : decltype(A)::Zero());
    }
    if (lin.rows_only) return;
    Matrix h = lin.mass * definition_.mass(d.q);
    const bool forces = at.forces && (lin.stiffness != 0.0 || lin.damping != 0.0);
    if (forces) {
      Matrix K, D;
      d.force_derivatives(K, D);
      h += lin.stiffness * K + lin.damping * D;
    }
    if (lin.stiffness != 0.0) {
      if (at.a != nullptr) h += lin.stiffness * d.momentum_derivative(read(at.a));
      const bool dropped =
          lin.without_geometric_stiffness != nullptr && lin.without_geometric_stiffness[0] != 0;
      if (at.lambda != nullptr && !dropped) h += lin.stiffness * d.constraint_stiffness(at.lambda);
    }
    write_block(h, out.H(0));
  }

  Definition definition_;
  Vector q0_, v0_;
  SystemLayout layout_;
  std::vector<double> initial_discrete_;
};

}  // namespace catena
