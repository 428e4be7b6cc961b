// Solutions of the own factorisation against dense LU with pivoting.
#include <catena/sparse/detail/block_ldl.hpp>

#include "support/few_cases.hpp"
#include "support/kkt_matrices.hpp"
#include "support/relative.hpp"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

// Bodies of 1 ... 8 unknowns, row blocks of 1 ... 6 rows on 1 ... 4 bodies, couplings. Every row block has a body
// of its own with at least as many unknowns, so that the rows are independent; H is diagonally dominant.
struct BlockSizes {
  int unknowns = 8, rows = 6;  // at most
};
KktProblem random_blocks(int n, int couplings, bool symmetric, std::uint64_t seed, BlockSizes most = {}) {
  Random random(seed);
  auto pattern = std::make_shared<BlockPattern>();
  for (int p = 0; p < n; ++p) pattern->primal_size.push_back(1 + random.below(most.unknowns));
  for (int p = 0; p < n; ++p) {
    if (random.below(5) == 0) continue;
    const int dual = pattern->dual_count(), own = pattern->primal_size[static_cast<std::size_t>(p)];
    pattern->dual_size.push_back(1 + random.below(std::min(most.rows, own)));
    std::vector<int> bodies = {p};
    for (int k = random.below(4); k > 0; --k) {
      const int q = random.below(10) == 0 ? random.below(n) : std::max(0, p - 1 - random.below(3));
      if (std::find(bodies.begin(), bodies.end(), q) == bodies.end()) bodies.push_back(q);
    }
    for (const int q : bodies) pattern->incidences.push_back({dual, q});
  }
  for (int k = 0; k < couplings; ++k) {
    const int i = random.below(n), j = random.below(n);
    bool is_new = i != j;
    for (const auto& c : pattern->couplings)
      is_new = is_new && !((c.i == i && c.j == j) || (c.i == j && c.j == i));
    if (is_new) pattern->couplings.push_back({i, j});
  }
  pattern->finish();
  BlockMatrix A(pattern, symmetric ? Border::transposed : Border::separate);
  auto fill = [&](const BlockRef& b, double size) {
    for (int i = 0; i < b.rows; ++i)
      for (int j = 0; j < b.cols; ++j) b(i, j) = random.uniform(-size, size);
  };
  const double small = couplings == 0 ? 0.0 : 0.02;
  for (int p = 0; p < n; ++p) {
    const BlockRef H = A.H(p);
    fill(H, 0.5);
    for (int i = 0; i < H.rows; ++i) H(i, i) = std::max(6.0, 0.6 * H.rows) + random.uniform();
    for (int i = 0; symmetric && i < H.rows; ++i)
      for (int j = 0; j < i; ++j) H(i, j) = H(j, i);
  }
  for (int k = 0; k < static_cast<int>(pattern->couplings.size()); ++k) {
    fill(A.H_upper(k), small);
    const BlockRef upper = A.H_upper(k), lower = A.H_lower(k);
    for (int i = 0; i < upper.rows; ++i)
      for (int j = 0; j < upper.cols; ++j) lower(j, i) = upper(i, j) * (symmetric ? 1.0 : 0.9);
  }
  for (int k = 0; k < static_cast<int>(pattern->incidences.size()); ++k) {
    fill(A.C(k), 1.0);
    const BlockRef C = A.C(k), Bt = A.Bt(k);
    for (int i = 0; !symmetric && i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) Bt(i, j) = C(i, j) + random.uniform(-0.05, 0.05);
  }
  for (int d = 0; d < pattern->dual_count(); ++d)
    for (int i = 0; i < pattern->dual_size[static_cast<std::size_t>(d)]; ++i)
      A.D(d)[i] = random.below(3) == 0 ? 0.1 : 0.0;
  return {"random blocks", pattern, std::move(A), n, true, {}};
}

// The error of elimination without pivoting on a quasi-definite matrix and that of dense LU are both bounded by
// a small multiple of n eps cond(A); 50 covers the growth of unequal scales that cond does not see.
void check_against_dense(const KktProblem& p, Factorization factorization) {
  INFO(p.name << (factorization == Factorization::ldlt ? ", ldlt" : ", ldu"));
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = factorization}).empty());
  const FactorReport report = solver.factorize(p.matrix);
  CHECK(report.status == FactorStatus::ok);
  CHECK(report.negative_pivots == p.pattern->dual_dimension);
  CHECK(report.wrong_sign_primal == -1);
  const auto n = static_cast<Eigen::Index>(p.pattern->dimension());
  const std::vector<double> dense = dense_kkt(p.matrix, true);
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix A = Eigen::Map<const Matrix>(dense.data(), n, n);
  Eigen::VectorXd b(n);
  Random random(3);
  for (Eigen::Index i = 0; i < n; ++i) b[i] = random.uniform();
  std::vector<double> x(b.data(), b.data() + n);
  solver.solve(x.data());
  const Eigen::PartialPivLU<Matrix> lu(A);
  const Eigen::VectorXd expected = lu.solve(b), ours = Eigen::Map<const Eigen::VectorXd>(x.data(), n);
  const double eps = std::numeric_limits<double>::epsilon();
  CHECK((ours - expected).norm() <= 50.0 * static_cast<double>(n) * eps / lu.rcond() * expected.norm());
}

}  // namespace

TEST_CASE("random blocks of every size: both factorisations agree with dense LU") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const int couplings : {0, 6}) {
      if (catena_test::few_cases && seed > 9) continue;
      const int n = seed < 9 ? 4 + 3 * static_cast<int>(seed) : catena_test::few_cases ? 36 : 60;
      const KktProblem symmetric = random_blocks(n, couplings, true, seed);
      check_against_dense(symmetric, Factorization::ldlt);
      check_against_dense(symmetric, Factorization::ldu);
      check_against_dense(random_blocks(n, couplings, false, seed), Factorization::ldu);
    }
}

TEST_CASE("blocks of up to 30 unknowns and 30 rows: both factorisations agree with dense LU") {
  for (std::uint64_t seed = 21; seed <= 24; ++seed)
    for (const int couplings : {0, 4}) {
      if (catena_test::few_cases && seed > 21) continue;
      const KktProblem symmetric = random_blocks(10, couplings, true, seed, {30, 30});
      const auto& sizes = symmetric.pattern->primal_size;
      CHECK(*std::max_element(sizes.begin(), sizes.end()) > 20);
      check_against_dense(symmetric, Factorization::ldlt);
      check_against_dense(symmetric, Factorization::ldu);
      check_against_dense(random_blocks(10, couplings, false, seed, {30, 30}), Factorization::ldu);
    }
}

TEST_CASE("mechanisms of every shape: both factorisations agree with dense LU") {
  for (const int n : {9, catena_test::few_cases ? 20 : 50})
    for (const KktProblem& p : all_kkt(n)) {
      if (!p.positive_definite || !p.duplicates.empty()) continue;
      if (p.matrix.border() == Border::transposed) check_against_dense(p, Factorization::ldlt);
      check_against_dense(p, Factorization::ldu);
    }
}

TEST_CASE("a system without rows, a single block, separate components") {
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size = {6, 6, 2};
  pattern->finish();
  BlockMatrix A(pattern, Border::transposed);
  for (int p = 0; p < 3; ++p)
    for (int i = 0; i < A.H(p).rows; ++i) A.H(p)(i, i) = 2.0;
  BlockLdl solver;
  REQUIRE(solver.analyze(pattern, Border::transposed, {}).empty());
  CHECK(solver.factorize(A).status == FactorStatus::ok);
  std::vector<double> x(14, 3.0);
  solver.solve(x.data());
  for (const double v : x) CHECK(v == 1.5);
}

TEST_CASE("LDL^T reads H as its symmetric part") {
  KktProblem p = chain_kkt(20);
  std::vector<double> x = kkt_rhs(p), y = x;
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {}).empty());
  solver.factorize(p.matrix);
  solver.solve(x.data());
  for (int b = 0; b < p.bodies; ++b) {
    p.matrix.H(b)(1, 4) += 0.25;
    p.matrix.H(b)(4, 1) -= 0.25;
  }
  solver.factorize(p.matrix);
  solver.solve(y.data());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == y[i]);
}

TEST_CASE("LDL^T refuses separate borders in words") {
  const KktProblem p = nonsymmetric_kkt(5);
  BlockLdl solver;
  CHECK_FALSE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = Factorization::ldlt}).empty());
}

// Starting values and projections are such matrices.
TEST_CASE(
    "a pattern with couplings: a matrix without any is solved as by the pattern without them, to the bit") {
  const auto copy = [](const ConstBlockRef& from, const BlockRef& to) {
    for (int i = 0; i < to.rows; ++i)
      for (int j = 0; j < to.cols; ++j) to(i, j) = from(i, j);
  };
  for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
    KktProblem p = random_blocks(40, 12, f == Factorization::ldlt, 5);
    REQUIRE_FALSE(p.pattern->couplings.empty());
    auto pattern = std::make_shared<BlockPattern>(*p.pattern);
    pattern->couplings.clear();
    BlockMatrix without(pattern, p.matrix.border());
    const BlockMatrix& with = p.matrix;
    for (int b = 0; b < pattern->primal_count(); ++b) copy(with.H(b), without.H(b));
    for (int k = 0; k < static_cast<int>(pattern->incidences.size()); ++k) {
      copy(with.C(k), without.C(k));
      copy(with.Bt(k), without.Bt(k));
    }
    for (int d = 0; d < pattern->dual_count(); ++d)
      std::copy_n(with.D(d), pattern->dual_size[static_cast<std::size_t>(d)], without.D(d));
    BlockLdl solver, other;
    REQUIRE(solver.analyze(p.pattern, with.border(), {.factorization = f}).empty());
    REQUIRE(other.analyze(pattern, with.border(), {.factorization = f}).empty());
    const auto solved = [](BlockLdl& by, const BlockMatrix& A, bool transposed) {
      REQUIRE(by.factorize(A).status == FactorStatus::ok);
      std::vector<double> x(static_cast<std::size_t>(A.pattern().dimension()), 1.0);
      transposed ? by.solve_transposed(x.data()) : by.solve(x.data());
      return x;
    };
    const std::vector<double> coupled = solved(solver, with, false);
    check_against_dense(p, f);
    BlockMatrix kept(p.pattern, with.border());
    for (int k = 0; k < static_cast<int>(p.pattern->couplings.size()); ++k) {
      copy(with.H_upper(k), kept.H_upper(k));
      copy(with.H_lower(k), kept.H_lower(k));
    }
    p.matrix.zero_couplings();
    for (const bool transposed : {false, true})
      CHECK(solved(solver, with, transposed) == solved(other, without, transposed));
    const std::unique_ptr<LinearSolver> clone = solver.clone_analysis();
    std::vector<double> x(coupled.size(), 1.0);
    REQUIRE(clone->factorize_and_solve(with, x.data()).status == FactorStatus::ok);
    CHECK(x == solved(other, without, false));
    for (int k = 0; k < static_cast<int>(p.pattern->couplings.size()); ++k) {
      copy(std::as_const(kept).H_upper(k), p.matrix.H_upper(k));
      copy(std::as_const(kept).H_lower(k), p.matrix.H_lower(k));
    }
    CHECK(solved(solver, with, false) == coupled);
  }
}

TEST_CASE("two factors share one analysis and do not disturb one another") {
  const KktProblem p = ladder_kkt(40);
  KktProblem q = ladder_kkt(40);
  for (int b = 0; b < q.bodies; ++b)
    for (int i = 0; i < 6; ++i) q.matrix.H(b)(i, i) *= 3.0;
  BlockLdl first;
  REQUIRE(first.analyze(p.pattern, p.matrix.border(), {}).empty());
  const std::unique_ptr<LinearSolver> second = first.clone_analysis();
  std::vector<double> alone = kkt_rhs(p), together = alone, other = kkt_rhs(q);
  first.factorize(p.matrix);
  first.solve(alone.data());
  second->factorize(q.matrix);
  first.solve(together.data());
  second->solve(other.data());
  CHECK(alone == together);
  const std::vector<double> exact = kkt_solution(q);
  for (std::size_t i = 0; i < exact.size(); ++i) CHECK(other[i] == catena_test::relative(exact[i], 1e-9));
}

TEST_CASE("factorize and solve in one go: the same bits as one after the other") {
  for (const KktProblem& p : all_kkt(60)) {
    BlockLdl solver;
    REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = Factorization::ldu}).empty());
    std::vector<double> apart = kkt_rhs(p), together = apart;
    const FactorReport one = solver.factorize(p.matrix);
    solver.solve(apart.data());
    const FactorReport two = solver.factorize_and_solve(p.matrix, together.data());
    CHECK(one.negative_pivots == two.negative_pivots);
    CHECK(apart == together);
  }
}
