// solve_transposed of every back end, assessed by the backward error in the transposed matrix.
#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "support/allocation_count.hpp"
#include "support/few_cases.hpp"
#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

// Solves with the transposed of what another solver holds.
class Transposed final : public LinearSolver {
 public:
  explicit Transposed(LinearSolver& inner) : inner_(inner) {}
  const char* name() const override { return "transposed"; }
  std::string analyze(std::shared_ptr<const BlockPattern>, Border, const SolverOptions&) override {
    return {};
  }
  std::unique_ptr<LinearSolver> clone_analysis() const override { return nullptr; }
  FactorReport factorize(const BlockMatrix&) override { return {}; }
  void solve(double* x) override { inner_.solve_transposed(x); }
  void solve_transposed(double* x) override { inner_.solve(x); }

 private:
  LinearSolver& inner_;
};

void copy(const ConstBlockRef& from, bool transposed, const BlockRef& to) {
  for (int i = 0; i < to.rows; ++i)
    for (int j = 0; j < to.cols; ++j) to(i, j) = transposed ? from(j, i) : from(i, j);
}

BlockMatrix transpose(const BlockMatrix& A) {
  const BlockPattern& p = A.pattern();
  BlockMatrix T(A.shared_pattern(), Border::separate);
  for (int b = 0; b < p.primal_count(); ++b) copy(A.H(b), true, T.H(b));
  for (int k = 0; k < static_cast<int>(p.couplings.size()); ++k) {
    copy(A.H_lower(k), true, T.H_upper(k));
    copy(A.H_upper(k), true, T.H_lower(k));
  }
  for (int k = 0; k < static_cast<int>(p.incidences.size()); ++k) {
    copy(A.Bt(k), false, T.C(k));
    copy(A.C(k), false, T.Bt(k));
  }
  for (int d = 0; d < p.dual_count(); ++d)
    for (int i = 0; i < p.dual_size[static_cast<std::size_t>(d)]; ++i) {
      T.D(d)[i] = A.D(d)[i];
      T.proximal(d)[i] = A.proximal(d)[i];
    }
  return T;
}

// The same matrix with rows C that are no longer B^T, and an H that is not symmetric.
KktProblem skewed(const KktProblem& p) {
  BlockMatrix A(p.pattern, Border::separate);
  Random random(7);
  const auto shaken = [&](const ConstBlockRef& from, const BlockRef& to) {
    for (int i = 0; i < to.rows; ++i)
      for (int j = 0; j < to.cols; ++j) to(i, j) = from(i, j) * (1.0 + random.uniform(-0.02, 0.02));
  };
  for (int b = 0; b < p.pattern->primal_count(); ++b) shaken(p.matrix.H(b), A.H(b));
  for (int k = 0; k < static_cast<int>(p.pattern->couplings.size()); ++k) {
    shaken(p.matrix.H_upper(k), A.H_upper(k));
    shaken(p.matrix.H_lower(k), A.H_lower(k));
  }
  for (int k = 0; k < static_cast<int>(p.pattern->incidences.size()); ++k) {
    const bool norm =
        !p.pattern->norm_row.empty() && p.pattern->norm_row[static_cast<std::size_t>(
                                            p.pattern->incidences[static_cast<std::size_t>(k)].dual)] != 0;
    copy(p.matrix.C(k), false, A.C(k));
    if (norm)
      copy(p.matrix.Bt(k), false, A.Bt(k));
    else
      shaken(p.matrix.Bt(k), A.Bt(k));
  }
  for (int d = 0; d < p.pattern->dual_count(); ++d)
    for (int i = 0; i < p.pattern->dual_size[static_cast<std::size_t>(d)]; ++i) {
      A.D(d)[i] = p.matrix.D(d)[i];
      A.proximal(d)[i] = p.matrix.proximal(d)[i];
    }
  return {p.name + ", skewed", p.pattern, std::move(A), p.bodies, p.positive_definite, p.duplicates};
}

void check(const KktProblem& p, const BackendInfo& info, Factorization factorization) {
  CAPTURE(p.name);
  CAPTURE(std::string(info.name));
  auto solver = make_backend(info.name);
  REQUIRE(solver->analyze(p.pattern, p.matrix.border(), {.factorization = factorization}) == "");
  REQUIRE(solver->factorize(p.matrix).status == FactorStatus::ok);
  const BlockMatrix T = transpose(p.matrix);
  Transposed transposed(*solver);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = b;
  transposed.solve(x.data());
  RefinementWorkspace work(*p.pattern);
  const RefinementReport r = refine(T, transposed, b.data(), x.data(), {}, work);
  CHECK(r.after.total() <= 1e-13);
  // An approximate inverse would do for refinement; the exact one needs no more steps than solve() does.
  std::vector<double> y = b;
  solver->solve(y.data());
  const RefinementReport plain = refine(p.matrix, *solver, b.data(), y.data(), {}, work);
  CHECK(r.steps <= plain.steps + 1);
}

}  // namespace

TEST_CASE("solve_transposed: every back end, on every matrix that it takes, to omega <= 1e-13") {
  for (const KktProblem& p : all_kkt(20))
    for (const BackendInfo& info : backends()) {
      const bool taken = !p.pattern->norm_row.empty() && std::string(info.name) == "ldl";
      if (!p.pattern->couplings.empty() && !info.couplings) continue;
      if (!p.positive_definite && !info.indefinite_H && !taken) continue;
      const bool symmetric = p.matrix.border() == Border::transposed;
      if (symmetric && info.ldlt) check(p, info, Factorization::ldlt);
      if (!info.ldu) continue;
      check(p, info, Factorization::ldu);
      if (symmetric && p.duplicates.empty()) check(skewed(p), info, Factorization::ldu);
    }
}

TEST_CASE("norm rows whose B is not C^T are solved exactly, transposed and not") {
  for (const KktProblem& symmetric : all_kkt(20)) {
    if (symmetric.pattern->norm_row.empty() || symmetric.matrix.border() != Border::transposed) continue;
    KktProblem p = skewed(symmetric);
    CAPTURE(p.name);
    Random random(5);
    for (int k = 0; k < static_cast<int>(p.pattern->incidences.size()); ++k)
      for (int i = 0; i < p.matrix.Bt(k).rows; ++i)
        for (int j = 0; j < p.matrix.Bt(k).cols; ++j)
          p.matrix.Bt(k)(i, j) = p.matrix.C(k)(i, j) * (1.0 + random.uniform(-0.3, 0.3));
    auto solver = make_backend("ldl");
    REQUIRE(solver->analyze(p.pattern, Border::separate, {.factorization = Factorization::ldu}) == "");
    REQUIRE(solver->factorize(p.matrix).status == FactorStatus::ok);
    const std::vector<double> x = kkt_solution(p);
    std::vector<double> y = kkt_rhs(p), z(x.size());
    solver->solve(y.data());
    transpose(p.matrix).multiply(x.data(), z.data());
    solver->solve_transposed(z.data());
    double wrong = 0.0, wrong_transposed = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      wrong = std::max(wrong, std::abs(y[k] - x[k]));
      wrong_transposed = std::max(wrong_transposed, std::abs(z[k] - x[k]));
    }
    CHECK(wrong < 1e-8);
    CHECK(wrong_transposed < 1e-8);
  }
}

TEST_CASE(
    "solve_transposed of the own LDU on dense fronts and lanes of larger matrices; nothing is allocated") {
  for (const KktProblem& p : all_kkt(catena_test::few_cases ? 150 : 400)) {
    if (p.matrix.border() != Border::transposed || !p.duplicates.empty()) continue;
    if (!p.positive_definite && p.pattern->norm_row.empty()) continue;
    const KktProblem s = skewed(p);
    check(s, backends().front(), Factorization::ldu);
    auto solver = make_backend("ldl");
    REQUIRE(solver->analyze(s.pattern, Border::separate, {.factorization = Factorization::ldu}) == "");
    solver->factorize(s.matrix);
    std::vector<double> x = kkt_rhs(s);
    if (allocation_counting_works())
      CHECK(count_allocations([&] { solver->solve_transposed(x.data()); }) == 0);
  }
}
