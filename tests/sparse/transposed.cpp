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

void check(const KktProblem& p, const BackendInfo& info, Factorization factorization) {
  CAPTURE(p.name);
  CAPTURE(std::string(info.name));
  auto solver = make_backend(info.name);
  REQUIRE(solver->analyze(p.pattern, p.matrix.border(), {.factorization = factorization}) == "");
  REQUIRE(solver->factorize(p.matrix).status == FactorStatus::ok);
  const BlockMatrix T = transposed_kkt(p.matrix);
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
      if (symmetric && p.duplicates.empty()) check(skewed_kkt(p), info, Factorization::ldu);
    }
}

TEST_CASE("norm rows whose B is not C^T are solved exactly, transposed and not") {
  for (const KktProblem& symmetric : all_kkt(20)) {
    if (symmetric.pattern->norm_row.empty() || symmetric.matrix.border() != Border::transposed) continue;
    KktProblem p = skewed_kkt(symmetric);
    CAPTURE(p.name);
    Random random(5);
    for (int k = 0; k < static_cast<int>(p.pattern->incidences.size()); ++k) {
      const double translation =
          1.0 + random.uniform(-0.3, 0.3);  // a multiple of the identity in the pattern
      for (int i = 0; i < p.matrix.Bt(k).rows; ++i)
        for (int j = 0; j < p.matrix.Bt(k).cols; ++j)
          p.matrix.Bt(k)(i, j) =
              p.matrix.C(k)(i, j) * (j < 3 ? translation : 1.0 + random.uniform(-0.3, 0.3));
    }
    auto solver = make_backend("ldl");
    REQUIRE(solver->analyze(p.pattern, Border::separate, {.factorization = Factorization::ldu}) == "");
    REQUIRE(solver->factorize(p.matrix).status == FactorStatus::ok);
    const std::vector<double> x = kkt_solution(p);
    std::vector<double> y = kkt_rhs(p), z(x.size());
    solver->solve(y.data());
    transposed_kkt(p.matrix).multiply(x.data(), z.data());
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
    const KktProblem s = skewed_kkt(p);
    check(s, backends().front(), Factorization::ldu);
    auto solver = make_backend("ldl");
    REQUIRE(solver->analyze(s.pattern, Border::separate, {.factorization = Factorization::ldu}) == "");
    solver->factorize(s.matrix);
    std::vector<double> x = kkt_rhs(s);
    if (allocation_counting_works())
      CHECK(count_allocations([&] { solver->solve_transposed(x.data()); }) == 0);
  }
}
