// What a factorisation reports about a matrix that is not as it should be.
#include <catena/sparse/detail/block_ldl.hpp>

#include "support/allocation_count.hpp"
#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

FactorReport factor(const KktProblem& p, Factorization factorization = Factorization::ldlt) {
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = factorization}).empty());
  return solver.factorize(p.matrix);
}

}  // namespace

TEST_CASE("an indefinite H shows in the inertia and names its block") {
  for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
    const KktProblem p = indefinite_kkt(40);
    const FactorReport report = factor(p, f);
    CHECK(report.status == FactorStatus::ok);
    CHECK(report.negative_pivots > p.pattern->dual_dimension);
    CHECK(report.wrong_sign_primal == 20);
  }
}

TEST_CASE("of several bodies with negative pivots the first is named") {
  for (const int n : {40, 4000})  // one task; some, of which the last may report the first body or not
    for (const int other : {n / 8, n - n / 8}) {
      KktProblem p = indefinite_kkt(n);
      const BlockRef H = p.matrix.H(other);
      for (int i = 3; i < 6; ++i) H(i, i) -= 3.0 * H(i, i);
      CHECK(factor(p).wrong_sign_primal == std::min(other, n / 2));
    }
}

TEST_CASE("norm rows leave the pivots of their bodies as large as the inertia") {
  // A unit quaternion: H alone has no inertia along it.
  for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
    const KktProblem p = quaternion_chain_kkt(40, false);
    BlockLdl solver;
    REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = f}).empty());
    const FactorReport report = solver.factorize(p.matrix);
    CHECK(report.status == FactorStatus::ok);
    CHECK(report.pivot_growth < 100.0);
    std::vector<double> x = kkt_rhs(p);
    solver.solve(x.data());
    const std::vector<double> expected = kkt_solution(p);  // of order one
    double error = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) error = std::max(error, std::abs(x[k] - expected[k]));
    CHECK(error < 1e-12);  // some thousand roundings; 2e-14 measured
  }
}

TEST_CASE("a sound matrix: right inertia, no growth, every row far from weak") {
  const FactorReport report = factor(chain_kkt(100));
  CHECK(report.negative_pivots == 300);
  CHECK(report.pivot_growth <= 1.0 + 1e-12);  // a pivot is its scale minus squares
  CHECK(report.weakest_dual_ratio > 1e-2);
  CHECK(report.weakest_dual_ratio <= 1.0);
}

TEST_CASE("a duplicated joint is the weakest row, as weak as its proximal term") {
  const double proximal = 1e-11;
  const KktProblem p = duplicated_kkt(60, proximal);
  const FactorReport report = factor(p);
  CHECK(report.status == FactorStatus::ok);
  CHECK(report.negative_pivots == p.pattern->dual_dimension);
  // the second copy keeps about twice the proximal term, relative to the local scale up to the anisotropy of J
  CHECK(report.weakest_dual_ratio < 100.0 * proximal);
  CHECK(report.weakest_dual_ratio > proximal / 100.0);
  bool known = false;
  for (const auto& [one, two] : p.duplicates)
    known = known || report.weakest_dual == one || report.weakest_dual == two;
  CHECK(known);
}

TEST_CASE("NaN and infinity name their block") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int n : {12, 200}) {
    KktProblem in_H = dense_chain_kkt(n), in_C = chain_kkt(n), in_D = chain_kkt(n);
    in_H.matrix.H(7)(2, 2) = nan;
    const FactorReport H = factor(in_H);
    CHECK(H.status == FactorStatus::not_finite);
    CHECK(H.culprit == 7);
    CHECK_FALSE(H.culprit_is_dual);
    in_C.matrix.C(9)(1, 3) = nan;  // joint 5 on body 4
    const FactorReport C = factor(in_C);
    CHECK(C.status == FactorStatus::not_finite);
    CHECK(C.culprit == in_C.pattern->incidences[9].dual);
    CHECK(C.culprit_is_dual);
    in_D.matrix.D(4)[1] = std::numeric_limits<double>::infinity();
    CHECK(factor(in_D).status != FactorStatus::ok);
    CHECK(factor(in_D).culprit == 4);
    CHECK(factor(in_D).culprit_is_dual);
  }
}

TEST_CASE("a body without mass and an empty row are singular, by name") {
  KktProblem massless = chain_kkt(30), empty = dense_chain_kkt(30);
  for (int i = 0; i < 6; ++i) massless.matrix.H(11)(i, i) = 0.0;
  const FactorReport body = factor(massless);
  CHECK(body.status != FactorStatus::ok);
  CHECK(body.culprit == 11);
  CHECK_FALSE(body.culprit_is_dual);
  for (std::size_t k = 0; k < empty.pattern->incidences.size(); ++k)
    if (empty.pattern->incidences[k].dual == 8)
      for (int j = 0; j < 6; ++j) empty.matrix.C(static_cast<int>(k))(2, j) = 0.0;
  const FactorReport row = factor(empty);
  CHECK(row.status == FactorStatus::singular);
  CHECK(row.culprit == 8);
  CHECK(row.culprit_is_dual);
}

TEST_CASE("a solver recovers after a failure") {
  KktProblem p = chain_kkt(50);
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {}).empty());
  std::vector<double> before = kkt_rhs(p), after = before;
  solver.factorize(p.matrix);
  solver.solve(before.data());
  const double keep = p.matrix.H(3)(0, 0);
  p.matrix.H(3)(0, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK(solver.factorize(p.matrix).status == FactorStatus::not_finite);
  p.matrix.H(3)(0, 0) = keep;
  CHECK(solver.factorize(p.matrix).status == FactorStatus::ok);
  solver.solve(after.data());
  CHECK(before == after);
}

// One ball joint: the body has 6 pivots and 3 rows behind it: factor 6^3/3 + 36*3 + 6*9, solve 2 (36 + 2*18); the joint
// 3^3/3, solve 2*9. Between two bodies, 6 rows are behind the first, and the joints are coupled: 3 pivots, 3 behind them.
// Where zeros are known, the arms of a star leave the fronts of their rotations: 3^3/3 + 9*3 + 3*9, solve 2 (9 + 2*9); of their
// masses one reciprocal times s, three products with differences, as many in each sweep, and three quotients. A joint is in front
// of the hub: 3^3/3 + 9*6 + 3*36, solve 2 (9 + 2*18); the hub itself 6^3/3, solve 2*36.
TEST_CASE("operations of fronts are those counted by hand") {
  const auto flops = [](const KktProblem& p) {
    BlockLdl fronts(false);
    REQUIRE(fronts.analyze(p.pattern, Border::transposed, {}).empty());
    return fronts.factor_flops();
  };
  CHECK(flops(dense_chain_kkt(1)) == 378.0 + 27.0);
  CHECK(flops(dense_chain_kkt(2)) == 720.0 + 378.0 + 117.0 + 27.0);
  constexpr double arm = 117.0 + 1.0 + 6.0 + 12.0 + 3.0, joint = 261.0, hub = 144.0;
  CHECK(flops(star_kkt(9)) == 8.0 * (arm + joint) + hub);
  CHECK(flops(star_kkt(9, KktJointKind::spherical, false)) == 8.0 * (378.0 + joint) + hub);
}

TEST_CASE("factorize and solve allocate nothing") {
  if (!allocation_counting_works()) return;
  for (const KktProblem& p : all_kkt(60)) {
    BlockLdl solver;
    REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = Factorization::ldu}).empty());
    std::vector<double> x = kkt_rhs(p);
    // Couplings decide what is analysed, and what is not positive definite may be left to the fronts.
    if (!p.pattern->couplings.empty() || !p.positive_definite) solver.factorize(p.matrix);
    CHECK(count_allocations([&] {
            solver.factorize(p.matrix);
            solver.solve(x.data());
          }) == 0);
  }
}
