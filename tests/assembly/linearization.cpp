// Everything that evaluate() differentiates, against central differences of what it does not differentiate.
#include <catena/assembly/multibody_system.hpp>

#include "support/mechanisms.hpp"
#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace {

using namespace catena;
using namespace catena::test;

// Dense copy of H (all of it) and C.
struct Dense {
  int n, m;
  std::vector<double> H, C, B;
  explicit Dense(const BlockMatrix& a)
      : n(a.pattern().primal_dimension),
        m(a.pattern().dual_dimension),
        H(static_cast<std::size_t>(n * n), 0.0),
        C(static_cast<std::size_t>(m * n), 0.0),
        B(static_cast<std::size_t>(m * n), 0.0) {
    const BlockPattern& p = a.pattern();
    const auto put = [](std::vector<double>& to, int cols, int row, int col, const ConstBlockRef& b) {
      for (int i = 0; i < b.rows; ++i)
        for (int j = 0; j < b.cols; ++j) to[static_cast<std::size_t>((row + i) * cols + col + j)] += b(i, j);
    };
    const auto at = [](const std::vector<int>& v, int k) { return v[static_cast<std::size_t>(k)]; };
    for (int k = 0; k < p.primal_count(); ++k)
      put(H, n, at(p.primal_offset, k), at(p.primal_offset, k), a.H(k));
    for (int k = 0; k < static_cast<int>(p.couplings.size()); ++k) {
      const auto& c = p.couplings[static_cast<std::size_t>(k)];
      put(H, n, at(p.primal_offset, c.i), at(p.primal_offset, c.j), a.H_upper(k));
      put(H, n, at(p.primal_offset, c.j), at(p.primal_offset, c.i), a.H_lower(k));
    }
    for (int k = 0; k < static_cast<int>(p.incidences.size()); ++k) {
      const auto& c = p.incidences[static_cast<std::size_t>(k)];
      put(C, n, at(p.dual_offset, c.dual) - n, at(p.primal_offset, c.primal), a.C(k));
      put(B, n, at(p.dual_offset, c.dual) - n, at(p.primal_offset, c.primal), a.Bt(k));
    }
  }
};

struct Fixture {
  MultibodySystem system;
  int n, m;
  std::vector<double> q, v, a, lambda, xi;
  explicit Fixture(std::uint64_t seed) : system(random_mechanism(14, seed)) {
    Random random(seed + 100);
    const State s = system.initial_state();
    q = s.q;
    v = s.v;
    n = system.layout().v_size();
    m = system.layout().lambda_size();
    a = random.values(n, 5.0);
    lambda = random.values(m, 10.0);
    xi = random.values(n, 0.4);
  }
  Point at(const double* q_, const double* v_) const {
    Point p;
    p.t = 0.3;
    p.q = q_;
    p.v = v_;
    p.a = a.data();
    p.lambda = lambda.data();
    return p;
  }
};

}  // namespace

// Central differences with step d: truncation d^2 |r'''| / 6 and roundoff eps |r| / d, both below 1e-7 of
// residuals of size 1e2 for d = 1e-5; derivatives are of size 1e2.
constexpr double d = 1e-5, tolerance = 2e-6;

TEST_CASE("H and C are the derivatives of the balance and of the rows along q exp(xi + T^-1 delta)") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Fixture f(seed);
    // q_end = q exp(xi); a perturbation delta of q_end moves v by gamma T^-1(xi) delta and a by mu of it,
    // as in an implicit step.
    const double mu = 0.7, gamma = 0.31, kappa = 0.13;
    std::vector<double> q_end(f.q.size());
    f.system.retract(f.q.data(), f.xi.data(), q_end.data());
    BlockMatrix matrix(f.system.layout().pattern, Border::separate);
    Linearization lin;
    lin.matrix = &matrix;
    lin.mass = mu;
    lin.damping = gamma;
    lin.stiffness = kappa;
    lin.increment = f.xi.data();
    lin.position_rows = {0.0, gamma, kappa};
    lin.velocity_rows = lin.position_rows;
    Evaluation wanted;
    wanted.linearization = &lin;
    f.system.evaluate(f.at(q_end.data(), f.v.data()), wanted);
    const Dense dense(matrix);

    const auto n = static_cast<std::size_t>(f.n), m = static_cast<std::size_t>(f.m);
    std::vector<double> delta(n, 0.0), moved(q_end.size()), dv(n), v(n), a(n);
    std::vector<double> r[2] = {std::vector<double>(n), std::vector<double>(n)};
    std::vector<double> c[2] = {std::vector<double>(m), std::vector<double>(m)};
    double worst_H = 0.0, worst_C = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      for (int side = 0; side < 2; ++side) {
        const double step = side == 0 ? d : -d;
        delta[j] = kappa * step;
        f.system.retract(q_end.data(), delta.data(), moved.data());
        delta[j] = step;
        f.system.inverse_tangent(f.xi.data(), delta.data(), dv.data());
        delta[j] = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
          v[k] = f.v[k] + gamma * dv[k];
          a[k] = f.a[k] + mu * dv[k];
        }
        Point at = f.at(moved.data(), v.data());
        at.a = a.data();
        Evaluation e;
        e.balance = r[side].data();
        e.velocity = c[side].data();
        f.system.evaluate(at, e);
      }
      for (std::size_t i = 0; i < n; ++i)
        worst_H = std::max(worst_H, std::abs((r[0][i] - r[1][i]) / (2.0 * d) - dense.H[i * n + j]));
      for (std::size_t i = 0; i < m; ++i)
        worst_C = std::max(worst_C, std::abs((c[0][i] - c[1][i]) / (2.0 * d) - dense.C[i * n + j]));
    }
    CHECK(catena_test::largest(dense.H) > 1.0);
    CHECK(worst_H < tolerance);
    CHECK(worst_C < tolerance);
  }
}

TEST_CASE("the border is G: the derivative of the gap, and the balance moves by its transpose") {
  Fixture f(4);
  BlockMatrix matrix(f.system.layout().pattern, Border::separate);
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  f.system.evaluate(f.at(f.q.data(), f.v.data()), wanted);
  const Dense dense(matrix);
  CHECK(dense.B == dense.C);

  const auto n = static_cast<std::size_t>(f.n), m = static_cast<std::size_t>(f.m);
  std::vector<double> delta(n, 0.0), moved(f.q.size()),
      g[2] = {std::vector<double>(m), std::vector<double>(m)};
  double worst = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    for (int side = 0; side < 2; ++side) {
      delta[j] = side == 0 ? d : -d;
      f.system.retract(f.q.data(), delta.data(), moved.data());
      Evaluation e;
      e.position = g[side].data();
      f.system.evaluate(f.at(moved.data(), nullptr), e);
    }
    delta[j] = 0.0;
    for (std::size_t i = 0; i < m; ++i)
      worst = std::max(worst, std::abs((g[0][i] - g[1][i]) / (2.0 * d) - dense.C[i * n + j]));
  }
  CHECK(worst < tolerance);

  std::vector<double> with(n), without(n);
  Evaluation e;
  e.balance = with.data();
  f.system.evaluate(f.at(f.q.data(), f.v.data()), e);
  Point no_lambda = f.at(f.q.data(), f.v.data());
  no_lambda.lambda = nullptr;
  e.balance = without.data();
  f.system.evaluate(no_lambda, e);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0.0;
    for (std::size_t i = 0; i < m; ++i) sum += dense.C[i * n + j] * f.lambda[i];
    CHECK(std::abs(with[j] - without[j] - sum) < 1e-11);  // sums of up to 10 products of size 1e1
  }
}

TEST_CASE("velocity and acceleration rows are the time derivatives of the gap along q exp(s v + s^2/2 a)") {
  Fixture f(5);
  const auto n = static_cast<std::size_t>(f.n), m = static_cast<std::size_t>(f.m);
  std::vector<double> velocity(m), acceleration(m), path(n), moved(f.q.size());
  Evaluation e;
  e.velocity = velocity.data();
  e.acceleration = acceleration.data();
  f.system.evaluate(f.at(f.q.data(), f.v.data()), e);
  // Fourth-order differences with s = 1e-3: truncation s^4 ~ 1e-12 times derivatives of size 1e3, roundoff
  // eps/s^2 ~ 1e-10 times gaps of size 1e1.
  const double s = 1e-3;
  std::vector<double> g[5];
  for (int k = -2; k <= 2; ++k) {
    for (std::size_t i = 0; i < n; ++i) path[i] = k * s * (f.v[i] + 0.5 * k * s * f.a[i]);
    f.system.retract(f.q.data(), path.data(), moved.data());
    g[k + 2].resize(m);
    Evaluation gap;
    gap.position = g[k + 2].data();
    f.system.evaluate(f.at(moved.data(), nullptr), gap);
  }
  for (std::size_t i = 0; i < m; ++i) {
    const double first = (8.0 * (g[3][i] - g[1][i]) - (g[4][i] - g[0][i])) / (12.0 * s);
    const double second =
        (16.0 * (g[3][i] + g[1][i]) - (g[4][i] + g[0][i]) - 30.0 * g[2][i]) / (12.0 * s * s);
    CHECK(velocity[i] == catena_test::component(first, 1e-7));
    CHECK(acceleration[i] == catena_test::component(second, 1e-6));
  }
}

TEST_CASE("the forces of springs and gravity are minus the gradient of the potential energy") {
  Fixture f(6);
  const auto n = static_cast<std::size_t>(f.n);
  std::vector<double> balance(n), zero(n, 0.0), delta(n, 0.0), moved(f.q.size());
  Point at;
  at.q = f.q.data();
  at.v = zero.data();
  Evaluation e;
  e.balance = balance.data();
  f.system.evaluate(at, e);
  for (std::size_t j = 0; j < n; ++j) {
    double energy[2];
    for (int side = 0; side < 2; ++side) {
      delta[j] = side == 0 ? d : -d;
      f.system.retract(f.q.data(), delta.data(), moved.data());
      energy[side] = f.system.energy({.q = moved.data(), .v = zero.data()}).potential;
    }
    delta[j] = 0.0;
    CHECK(std::abs((energy[0] - energy[1]) / (2.0 * d) - balance[j]) < tolerance);
  }
}

TEST_CASE("leaving out the geometric stiffness of every body leaves M, D and the springs") {
  Fixture f(7);
  BlockMatrix all(f.system.layout().pattern, Border::transposed),
      none = BlockMatrix(f.system.layout().pattern, Border::transposed);
  Linearization lin;
  lin.mass = 1.0;
  lin.damping = 0.2;
  lin.stiffness = 0.1;
  Evaluation wanted;
  wanted.linearization = &lin;
  lin.matrix = &all;
  Point no_lambda = f.at(f.q.data(), f.v.data());
  no_lambda.lambda = nullptr;
  f.system.evaluate(no_lambda, wanted);
  const std::vector<std::uint8_t> mask(static_cast<std::size_t>(all.pattern().primal_count()), 1);
  lin.without_geometric_stiffness = mask.data();
  lin.matrix = &none;
  f.system.evaluate(f.at(f.q.data(), f.v.data()), wanted);
  CHECK(Dense(all).H == Dense(none).H);
}

// What kernels of chains leave out (BlockPattern::primal_split, incidence_split) is zero, and is written as zero.
TEST_CASE("blocks that are said to be split are: of bodies, of rows and of what couples two such bodies") {
  Random random(3);
  Model model;
  std::vector<BodyId> ids;
  for (int k = 0; k < 19; ++k) {
    ids.push_back(model.add(random_body(random, k)));
    const BodyId link = ids.back(), before = k == 0 ? ground : ids[static_cast<std::size_t>(k - 1)];
    const std::array<BodyId, 2> pair = k % 4 == 3 ? std::array{link, before} : std::array{before, link};
    if (k % 3 == 0)
      model.add(SphericalJoint{.bodies = pair, .point_a = random.vector(), .point_b = random.vector()});
    else if (k % 3 == 1)
      model.add(RevoluteJoint{.bodies = pair,
                              .point_a = random.vector(),
                              .point_b = random.vector(),
                              .axis_a = random.vector(),
                              .axis_b = random.vector()});
    else
      model.add(UniversalJoint{.bodies = pair,
                               .point_a = random.vector(),
                               .point_b = random.vector(),
                               .axis_a = random.vector(),
                               .axis_b = random.vector()});
  }
  // A spring on the last two bodies: these are not split.
  model.add(SpringDamper{
      .bodies = {ids[17], ids[18]}, .point_a = random.vector(), .stiffness = 3.0, .damping = 0.7});
  const MultibodySystem system(model);
  const BlockPattern& p = *system.layout().pattern;
  BlockMatrix matrix(system.layout().pattern, Border::transposed);
  const State state = system.initial_state();
  const std::vector<double> lambda = random.values(system.layout().lambda_size(), 10.0),
                            a = random.values(system.layout().v_size(), 5.0);
  Linearization lin;
  lin.mass = 1.0;
  lin.damping = 0.2;
  lin.stiffness = 0.1;
  lin.matrix = &matrix;
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate({.q = state.q.data(), .v = state.v.data(), .a = a.data(), .lambda = lambda.data()}, wanted);
  CHECK(matrix.has_couplings());
  int split = 0, turned = 0;
  for (int b = 0; b < p.primal_count(); ++b) {
    if (p.primal_split[static_cast<std::size_t>(b)] == 0) continue;
    ++split;
    const ConstBlockRef H = std::as_const(matrix).H(b);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 6; ++j) {
        CHECK(H(i, j) == (i == j ? H(0, 0) : 0.0));
        CHECK(H(j, i) == H(i, j));
      }
  }
  CHECK(split == 17);
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    CHECK(p.incidence_split[k] == 1);
    const ConstBlockRef C = std::as_const(matrix).C(static_cast<int>(k));
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < 3; ++j) CHECK(C(i, j) == (i == j ? C(0, 0) : 0.0));
  }
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    const auto [i, j] = p.couplings[k];
    if (p.primal_split[static_cast<std::size_t>(i)] == 0 || p.primal_split[static_cast<std::size_t>(j)] == 0)
      continue;
    for (const ConstBlockRef& K : {std::as_const(matrix).H_upper(static_cast<int>(k)),
                                   std::as_const(matrix).H_lower(static_cast<int>(k))})
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c) {
          if (r >= 3 && c >= 3)
            turned += K(r, c) != 0.0 ? 1 : 0;
          else
            CHECK(K(r, c) == 0.0);
        }
  }
  CHECK(turned > 100);
  // A damper alone couples.
  lin.stiffness = 0.0;
  system.evaluate({.q = state.q.data(), .v = state.v.data()}, wanted);
  CHECK(matrix.has_couplings());
  // Without both nothing couples, and the matrix knows it.
  lin.damping = lin.stiffness = 0.0;
  system.evaluate({.q = state.q.data(), .v = state.v.data()}, wanted);
  CHECK_FALSE(matrix.has_couplings());
  for (std::size_t k = 0; k < p.couplings.size(); ++k)
    for (int e = 0; e < 36; ++e)
      CHECK(std::as_const(matrix).H_upper(static_cast<int>(k))(e / 6, e % 6) == 0.0);
}
