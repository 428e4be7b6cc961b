// Norm rows of quaternion bodies: what is left of the system when they are eliminated, against dense LU of the whole.
#include <catena/math/parts/threads.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

#include "support/allocation_count.hpp"
#include "support/few_cases.hpp"
#include "support/kkt_matrices.hpp"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

// Bodies of seven unknowns, each with a norm row, and rows of one to five, in a random order. symmetric: with B = C^T. singular:
// H and the other rows have nothing along the norms. split: what BlockPattern says of rigid bodies with ball joints.
struct NormVariant {
  bool symmetric = true, singular = false, split = false;
  int couplings = 0;
};

KktProblem norm_blocks(int n, const NormVariant& variant, std::uint64_t seed) {
  Random random(seed);
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size.assign(static_cast<std::size_t>(n), 7);
  const auto add = [&](int rows, bool norm, const std::vector<int>& bodies) {
    const int dual = pattern->dual_count();
    pattern->dual_size.push_back(rows);
    pattern->norm_row.push_back(norm ? 1 : 0);
    for (const int b : bodies) pattern->incidences.push_back({dual, b});
  };
  for (int b = 0; b < n; ++b) {
    const bool norm_first = random.below(2) == 0;
    if (norm_first) add(1, true, {b});
    if (b > 0 && random.below(6) != 0) {
      const int other = random.below(4) == 0 ? random.below(b) : b - 1;
      add(variant.split ? 3 : 1 + random.below(3), false, {b, other});
    } else if (!variant.split) {
      add(1 + random.below(3), false, {b});
    }
    if (!norm_first) add(1, true, {b});
  }
  for (int k = 0; k < variant.couplings; ++k) {
    const int i = random.below(n), j = random.below(n);
    bool is_new = i != j;
    for (const auto& c : pattern->couplings)
      is_new = is_new && !((c.i == i && c.j == j) || (c.i == j && c.j == i));
    if (is_new) pattern->couplings.push_back({i, j});
  }
  if (variant.split) {
    pattern->primal_split.assign(static_cast<std::size_t>(n), 1);
    pattern->incidence_split.assign(pattern->incidences.size(), 0);
  }
  pattern->finish();
  BlockMatrix A(pattern, variant.symmetric ? Border::transposed : Border::separate);
  // e_c, e_b: units of the norm rows in C and B.
  std::vector<std::array<double, 4>> units_C, units_B;
  const auto unit = [](std::array<double, 4> e) {
    double square = 0.0;
    for (const double x : e) square += x * x;
    for (double& x : e) x /= std::sqrt(square);
    return e;
  };
  for (int b = 0; b < n; ++b) {
    std::array<double, 4> e{}, f{};
    for (int i = 0; i < 4; ++i) {
      e[static_cast<std::size_t>(i)] = random.uniform(-1.0, 1.0);
      f[static_cast<std::size_t>(i)] =
          e[static_cast<std::size_t>(i)] + (variant.symmetric ? 0.0 : random.uniform(-0.05, 0.05));
    }
    units_C.push_back(unit(e));
    units_B.push_back(unit(f));
  }
  const auto across = [&](std::array<double, 4>& x, const std::array<double, 4>& e) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) sum += x[i] * e[i];
    for (std::size_t i = 0; i < 4; ++i) x[i] -= variant.singular ? sum * e[i] : 0.0;
  };
  for (int b = 0; b < n; ++b) {
    const BlockRef H = A.H(b);
    const double mass = 4.0 + random.uniform();
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j <= i; ++j) {
        const bool apart = variant.split && (i < 3 || j < 3);
        const double off = random.uniform(-0.5, 0.5),
                     skew = variant.symmetric ? 0.0 : random.uniform(-0.05, 0.05);
        H(i, j) = apart ? (i == j ? mass : 0.0) : i == j ? 5.0 + random.uniform() : off + skew;
        H(j, i) = apart ? H(i, j) : i == j ? H(i, i) : off - skew;
      }
    if (!variant.singular) continue;
    for (int i = 0; i < 7; ++i) {  // columns across e_C, then rows across e_B
      std::array<double, 4> row{H(i, 3), H(i, 4), H(i, 5), H(i, 6)};
      across(row, units_C[static_cast<std::size_t>(b)]);
      for (int j = 0; j < 4; ++j) H(i, 3 + j) = row[static_cast<std::size_t>(j)];
    }
    for (int j = 0; j < 7; ++j) {
      std::array<double, 4> column{H(3, j), H(4, j), H(5, j), H(6, j)};
      across(column, units_B[static_cast<std::size_t>(b)]);
      for (int i = 0; i < 4; ++i) H(3 + i, j) = column[static_cast<std::size_t>(i)];
    }
  }
  for (int k = 0; k < static_cast<int>(pattern->couplings.size()); ++k) {
    const BlockRef upper = A.H_upper(k), lower = A.H_lower(k);
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 7; ++j) {
        const bool apart = variant.split && (i < 3 || j < 3);
        upper(i, j) = apart ? 0.0 : random.uniform(-0.05, 0.05);
        lower(j, i) = upper(i, j) * (variant.symmetric ? 1.0 : 0.9);
      }
  }
  for (int k = 0; k < static_cast<int>(pattern->incidences.size()); ++k) {
    const auto [dual, body] = pattern->incidences[static_cast<std::size_t>(k)];
    const BlockRef C = A.C(k), Bt = A.Bt(k);
    const auto &e = units_C[static_cast<std::size_t>(body)], &f = units_B[static_cast<std::size_t>(body)];
    if (pattern->norm_row[static_cast<std::size_t>(dual)] != 0) {
      const double length = random.uniform(0.5, 3.0);
      for (int j = 0; j < 4; ++j) {
        C(0, 3 + j) = length * e[static_cast<std::size_t>(j)];
        if (!variant.symmetric) Bt(0, 3 + j) = 1.1 * length * f[static_cast<std::size_t>(j)];
      }
      continue;
    }
    for (int i = 0; i < C.rows; ++i) {
      std::array<double, 4> c{}, b{};
      for (std::size_t j = 0; j < 4; ++j) {
        c[j] = random.uniform(-1.0, 1.0);
        b[j] = c[j] + random.uniform(-0.05, 0.05);
      }
      across(c, e);
      across(b, f);
      for (int j = 0; j < 3; ++j) C(i, j) = random.uniform(-1.0, 1.0);
      for (int j = 0; j < 4; ++j) C(i, 3 + j) = c[static_cast<std::size_t>(j)];
      if (variant.symmetric) continue;
      for (int j = 0; j < 3; ++j) Bt(i, j) = C(i, j) + random.uniform(-0.05, 0.05);
      for (int j = 0; j < 4; ++j) Bt(i, 3 + j) = b[static_cast<std::size_t>(j)];
    }
  }
  for (int d = 0; d < pattern->dual_count(); ++d)
    for (int i = 0; i < pattern->dual_size[static_cast<std::size_t>(d)]; ++i) {
      if (pattern->norm_row[static_cast<std::size_t>(d)] != 0) continue;
      A.D(d)[i] = random.below(3) == 0 ? 0.1 : 0.0;
      A.proximal(d)[i] = 1e-3;
    }
  return {"norm rows", pattern, std::move(A), n, true, {}};
}

// The largest error of a solution beside dense LU, over its condition number and machine precision.
double error_of(const KktProblem& p, Factorization factorization, bool transposed) {
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = factorization}).empty());
  const FactorReport report = solver.factorize(p.matrix);
  REQUIRE(report.status == FactorStatus::ok);
  CHECK(report.negative_pivots == p.pattern->dual_dimension);
  CHECK(report.wrong_sign_primal == -1);
  const auto n = static_cast<Eigen::Index>(p.pattern->dimension());
  const std::vector<double> dense = dense_kkt(p.matrix, true);
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix A = Eigen::Map<const Matrix>(dense.data(), n, n);
  if (transposed) A.transposeInPlace();
  Eigen::VectorXd b(n);
  Random random(3);
  for (Eigen::Index i = 0; i < n; ++i) b[i] = random.uniform(-1.0, 1.0);
  std::vector<double> x(b.data(), b.data() + n), together = x;
  transposed ? solver.solve_transposed(x.data()) : solver.solve(x.data());
  if (!transposed) {
    CHECK(solver.factorize_and_solve(p.matrix, together.data()).status == FactorStatus::ok);
    CHECK(together == x);
  }
  const Eigen::PartialPivLU<Matrix> lu(A);
  const Eigen::VectorXd expected = lu.solve(b), ours = Eigen::Map<const Eigen::VectorXd>(x.data(), n);
  return (ours - expected).norm() / expected.norm() * lu.rcond() / std::numeric_limits<double>::epsilon();
}

}  // namespace

TEST_CASE("norm rows: the solution is that of the whole system, of its transposed too") {
  double worst = 0.0;
  for (const int n : {1, 7, 8, 9, 40})
    for (const bool singular : {false, true})
      for (const bool split : {false, true})
        for (const int couplings : {0, n}) {
          if (singular && couplings > 0) continue;
          for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            CAPTURE(n);
            CAPTURE(singular);
            CAPTURE(split);
            CAPTURE(couplings);
            CAPTURE(seed);
            const KktProblem symmetric = norm_blocks(n, {true, singular, split, couplings}, seed),
                             other = norm_blocks(n, {false, singular, split, couplings}, seed);
            worst = std::max(worst, error_of(symmetric, Factorization::ldlt, false));
            worst = std::max(worst, error_of(symmetric, Factorization::ldu, true));
            for (const bool transposed : {false, true})
              worst = std::max(worst, error_of(other, Factorization::ldu, transposed));
          }
        }
  MESSAGE("largest error over condition and machine precision: " << worst);
  CHECK(worst < 50.0);
}

TEST_CASE("norm rows: a chain without couplings, of ball joints or hinges, is solved as dense LU does") {
  for (const KktJointKind kind : {KktJointKind::spherical, KktJointKind::revolute})
    for (const int n : {5, 40}) {
      const KktProblem p = make_kkt("quaternion chain", chain_mechanism(n, kind),
                                    {.quaternion = true, .regular = false, .split = true});
      CHECK(error_of(p, Factorization::ldlt, false) < 50.0);
      CHECK(error_of(p, Factorization::ldu, true) < 50.0);
    }
}

TEST_CASE("norm rows: without length, or with one that is no number, they are named") {
  KktProblem p = norm_blocks(12, {}, 4);
  for (const bool no_number : {false, true})
    for (int k = 0; k < static_cast<int>(p.pattern->incidences.size()); ++k) {
      const int dual = p.pattern->incidences[static_cast<std::size_t>(k)].dual;
      if (p.pattern->norm_row[static_cast<std::size_t>(dual)] == 0) continue;
      KktProblem broken = norm_blocks(12, {}, 4);
      for (int j = 3; j < 7; ++j)
        broken.matrix.C(k)(0, j) = no_number ? std::numeric_limits<double>::quiet_NaN() : 0.0;
      BlockLdl solver;
      REQUIRE(solver.analyze(broken.pattern, broken.matrix.border(), {}).empty());
      const FactorReport report = solver.factorize(broken.matrix);
      CHECK(report.status == (no_number ? FactorStatus::not_finite : FactorStatus::singular));
      CHECK(report.culprit_is_dual);
      CHECK(report.culprit == dual);
    }
}

TEST_CASE("norm rows: findings about other rows have the numbers of the whole system") {
  KktProblem p = norm_blocks(12, {}, 4);
  for (int d = 0; d < p.pattern->dual_count(); ++d) {
    if (p.pattern->norm_row[static_cast<std::size_t>(d)] != 0) continue;
    for (const bool no_number : {false, true}) {
      KktProblem weak = norm_blocks(12, {}, 4);
      for (int k = 0; k < static_cast<int>(weak.pattern->incidences.size()); ++k) {
        if (weak.pattern->incidences[static_cast<std::size_t>(k)].dual != d) continue;
        const BlockRef C = weak.matrix.C(k);
        for (int j = 0; j < 7; ++j)
          C(C.rows - 1, j) = no_number    ? std::numeric_limits<double>::quiet_NaN()
                             : C.rows > 1 ? C(0, j)
                                          : 0.0;
      }
      for (int i = 0; i < weak.pattern->dual_size[static_cast<std::size_t>(d)]; ++i)
        weak.matrix.D(d)[i] = weak.matrix.proximal(d)[i] = 1e-14;
      BlockLdl solver;
      REQUIRE(solver.analyze(weak.pattern, weak.matrix.border(), {}).empty());
      const FactorReport report = solver.factorize(weak.matrix);
      if (no_number) {
        CHECK(report.status == FactorStatus::not_finite);
      } else if (weak.pattern->dual_size[static_cast<std::size_t>(d)] > 1) {
        CHECK(report.status == FactorStatus::ok);
        CHECK(report.weakest_dual == d);
        CHECK(report.weakest_dual_ratio < 1e-10);
      }
    }
  }
}

TEST_CASE("norm rows: a body whose inertia is negative across its norm is named") {
  for (const int b : {0, 5, 11}) {
    KktProblem p = norm_blocks(12, {}, 4);
    for (int i = 3; i < 7; ++i) p.matrix.H(b)(i, i) -= 40.0;
    BlockLdl solver;
    REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {}).empty());
    const FactorReport report = solver.factorize(p.matrix);
    CHECK(report.wrong_sign_primal == b);
    CHECK(report.negative_pivots > p.pattern->dual_dimension);
  }
}

TEST_CASE(
    "norm rows: copies of an analysis do not disturb one another, threads change no bit, nothing is "
    "allocated") {
  const int n = catena_test::few_cases ? 600 : 2000;
  const KktProblem p = norm_blocks(n, {.symmetric = false, .couplings = n / 10}, 1),
                   other = norm_blocks(n, {.symmetric = false, .couplings = n / 10}, 1);
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = Factorization::ldu}).empty());
  std::vector<double> x = kkt_rhs(p), alone = x, by_two = x;
  REQUIRE(solver.factorize(p.matrix).status == FactorStatus::ok);
  solver.solve(x.data());
  const std::unique_ptr<LinearSolver> copy = solver.clone_analysis();
  KktProblem q = norm_blocks(n, {.symmetric = false, .couplings = n / 10}, 1);
  for (int b = 0; b < n; ++b) q.matrix.H(b)(0, 0) *= 2.0;
  REQUIRE(copy->factorize(q.matrix).status == FactorStatus::ok);
  solver.solve(alone.data());
  CHECK(alone == x);
  {
    const ThreadScope threads(2);
    REQUIRE(solver.factorize(p.matrix).status == FactorStatus::ok);
    solver.solve(by_two.data());
  }
  CHECK(by_two == x);
  if (!allocation_counting_works()) return;
  CHECK(count_allocations([&] {
          solver.factorize(p.matrix);
          solver.solve(x.data());
          solver.solve_transposed(x.data());
          solver.factorize_and_solve(p.matrix, x.data());
        }) == 0);
}
