// UMFPACK and LDL, with which the benchmarks compare, solve the matrices of all other tests: what is timed is right.
#include <catena/sparse/detail/refinement.hpp>

#include "support/kkt_matrices.hpp"
#ifdef CATENA_TEST_HAS_LDL
#include "../../bench/rivals/ldl_rival.hpp"
#endif
#ifdef CATENA_TEST_HAS_UMFPACK
#include "../../bench/rivals/umfpack_rival.hpp"
#endif

#include <doctest/doctest.h>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

[[maybe_unused]] void check_rival(LinearSolver& solver, const KktProblem& p, Factorization factorization) {
  CAPTURE(std::string(solver.name()));
  CAPTURE(p.name);
  SolverOptions options;
  options.factorization = factorization;
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), options).empty());
  REQUIRE(solver.factorize(p.matrix).status == FactorStatus::ok);
  const std::vector<double> b = kkt_rhs(p);
  std::vector<double> x = b;
  solver.solve(x.data());
  RefinementWorkspace work(*p.pattern);
  CHECK(refine(p.matrix, solver, b.data(), x.data(), {}, work).after.total() <= 1e-13);
}

}  // namespace

#ifdef CATENA_TEST_HAS_UMFPACK
TEST_CASE("UMFPACK solves every matrix of the other solvers, indefinite and nonsymmetric ones too") {
  for (const int n : {20, 50})
    for (const KktProblem& p : all_kkt(n)) {
      bench::UmfpackRival solver;
      check_rival(solver, p, Factorization::ldu);
    }
}
#endif

#ifdef CATENA_TEST_HAS_LDL
TEST_CASE("LDL solves every symmetric matrix of the other solvers whose H is definite") {
  int tried = 0;
  for (const int n : {20, 50})
    for (const KktProblem& p : all_kkt(n)) {
      if (!p.positive_definite || p.matrix.border() != Border::transposed) continue;
      bench::LdlRival solver;
      check_rival(solver, p, Factorization::ldlt);
      ++tried;
    }
  CHECK(tried ==
        2 * 16);  // of 20: not the indefinite, the two nonsymmetric, the quaternions with a singular H
}
#endif
