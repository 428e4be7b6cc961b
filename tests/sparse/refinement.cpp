#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "support/allocation_count.hpp"
#include "support/kkt_matrices.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace refinement_tests {

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

std::size_t index(int k) { return static_cast<std::size_t>(k); }
constexpr double eps = std::numeric_limits<double>::epsilon();

// A solver that multiplies every solution of another by 1 + fault.
class Faulty final : public LinearSolver {
 public:
  Faulty(std::unique_ptr<LinearSolver> inner, double fault) : inner_(std::move(inner)), fault_(fault) {}
  const char* name() const override { return "faulty"; }
  std::string analyze(std::shared_ptr<const BlockPattern> p, Border b, const SolverOptions& o) override {
    n_ = index(p->dimension());
    return inner_->analyze(std::move(p), b, o);
  }
  std::unique_ptr<LinearSolver> clone_analysis() const override { return inner_->clone_analysis(); }
  FactorReport factorize(const BlockMatrix& m) override { return inner_->factorize(m); }
  void solve(double* x) override {
    inner_->solve(x);
    for (std::size_t i = 0; i < n_; ++i) x[i] *= 1.0 + fault_;
  }
  void solve_transposed(double* x) override { inner_->solve_transposed(x); }

 private:
  std::unique_ptr<LinearSolver> inner_;
  double fault_;
  std::size_t n_ = 0;
};

}  // namespace

TEST_CASE("backward error: equals its definition on the matrix written out") {
  for (KktProblem& p : all_kkt(8)) {
    CAPTURE(p.name);
    // Compliances that outweigh the rest of their rows, of multipliers of either sign.
    for (int d = 0; d < p.pattern->dual_count(); ++d)
      for (int i = 0; i < p.pattern->dual_size[index(d)]; ++i) p.matrix.D(d)[i] = 20.0 + d;
    const std::size_t n = index(p.pattern->dimension());
    const std::vector<double> A = dense_kkt(p.matrix, false), b = kkt_rhs(p);
    std::vector<double> x = kkt_solution(p);
    for (std::size_t i = 0; i < n; i += 3) x[i] *= 1.0 + 1e-3;
    RefinementWorkspace work(*p.pattern);
    const BackwardError got = backward_error(p.matrix, b.data(), x.data(), work);
    double omega = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double r = b[i], size = std::fabs(b[i]);
      for (std::size_t j = 0; j < n; ++j) {
        r -= A[i * n + j] * x[j];
        size += std::fabs(A[i * n + j] * x[j]);
      }
      if (r != 0.0) omega = std::max(omega, std::fabs(r) / size);
    }
    // Every row is of the first class here; a residual of n terms is rounded by n eps of its size.
    CHECK(got.omega_2 == 0.0);
    CHECK(std::fabs(got.omega_1 - omega) <= 2.0 * static_cast<double>(n) * eps);
  }
}

TEST_CASE("backward error: a compliance belongs to the matrix, with its sign") {
  KktProblem p = chain_kkt(3);
  for (int d = 0; d < p.pattern->dual_count(); ++d)
    for (int i = 0; i < p.pattern->dual_size[index(d)]; ++i) p.matrix.D(d)[i] = 0.25;
  const std::vector<double> x = kkt_solution(p), b = kkt_rhs(p);
  RefinementWorkspace work(*p.pattern);
  CHECK(backward_error(p.matrix, b.data(), x.data(), work).total() < 8.0 * eps);
}

TEST_CASE("backward error: a row of zeros against a residual is assessed by the norm of x") {
  // 0 = b - A x in row 0 with x_0 = 0 and b_0 = 0, but a residual from elsewhere in x.
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size = {2};
  pattern->finish();
  BlockMatrix m(pattern, Border::transposed);
  m.H(0)(0, 0) = 1.0;
  m.H(0)(1, 1) = 1.0;
  const double b[2] = {0.0, 1.0}, x[2] = {1e-14, 1.0};
  RefinementWorkspace work(*pattern);
  const BackwardError e = backward_error(m, b, x, work);
  CHECK(e.omega_1 == 0.0);
  // r = -1e-14, |A||x| = 1e-14, row sum times max|x| = 1
  CHECK(e.omega_2 == catena_test::relative(1e-14, 1e-12));
}

TEST_CASE("backward error: NaN in x is never called small") {
  const KktProblem p = chain_kkt(4);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = kkt_solution(p);
  x[5] = std::nan("");
  RefinementWorkspace work(*p.pattern);
  CHECK_FALSE(backward_error(p.matrix, b.data(), x.data(), work).total() <= 1.0);
}

TEST_CASE("refinement: a solver wrong in the third digit converges, and each step gains its three digits") {
  const KktProblem p = tree_kkt(15);
  Faulty solver(make_backend("klu"), 1e-3);
  REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
  REQUIRE(solver.factorize(p.matrix).status == FactorStatus::ok);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = b;
  solver.solve(x.data());
  RefinementWorkspace work(*p.pattern);
  const RefinementReport r = refine(p.matrix, solver, b.data(), x.data(), {.max_steps = 10}, work);
  CHECK(r.before.total() > 1e-5);
  CHECK(r.converged);
  CHECK(r.after.total() <= 1e-14);
  CHECK(r.steps <= 5);  // errors 1e-3, 1e-6, 1e-9, 1e-12, 1e-15
}

TEST_CASE("refinement: stops when it does not help and keeps the best iterate") {
  const KktProblem p = chain_kkt(10);
  Faulty solver(make_backend("klu"), -3.0);  // corrections overshoot: the error doubles
  REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
  REQUIRE(solver.factorize(p.matrix).status == FactorStatus::ok);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = kkt_solution(p);
  for (double& v : x) v *= 1.0 + 1e-6;
  const std::vector<double> start = x;
  RefinementWorkspace work(*p.pattern);
  const RefinementReport r = refine(p.matrix, solver, b.data(), x.data(), {.max_steps = 10}, work);
  CHECK(r.steps == 1);
  CHECK_FALSE(r.converged);
  CHECK(x == start);
  CHECK(r.after.total() == r.before.total());
}

TEST_CASE("refinement: takes the effect of the proximal term out of the solution") {
  const KktProblem p = duplicated_kkt(12, 1e-6);
  auto solver = make_backend("klu");
  REQUIRE(solver->analyze(p.pattern, Border::transposed, {}).empty());
  REQUIRE(solver->factorize(p.matrix).status == FactorStatus::ok);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = b;
  solver->solve(x.data());
  RefinementWorkspace work(*p.pattern);
  const RefinementReport r = refine(p.matrix, *solver, b.data(), x.data(), {.max_steps = 6}, work);
  CHECK(r.before.total() > 1e-10);
  CHECK(r.after.total() <= 1e-13);
}

TEST_CASE("refinement: allocates nothing") {
  const KktProblem p = chain_kkt(30);
  Faulty solver(make_backend("klu"), 1e-4);
  REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
  REQUIRE(solver.factorize(p.matrix).status == FactorStatus::ok);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = b;
  RefinementWorkspace work(*p.pattern);
  solver.solve(x.data());
  if (allocation_counting_works())
    CHECK(count_allocations([&] { refine(p.matrix, solver, b.data(), x.data(), {}, work); }) == 0);
}

}  // namespace refinement_tests
