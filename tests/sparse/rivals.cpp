// UMFPACK and LDL, with which the benchmarks compare, solve the matrices of all other tests: what is timed is right.
#include <catena/sparse/refinement.hpp>

#include "support/kkt_matrices.hpp"
#ifdef CATENA_TEST_HAS_LDL
#include "../../bench/rivals/ldl_rival.hpp"
#endif
#ifdef CATENA_TEST_HAS_UMFPACK
#include "../../bench/rivals/umfpack_rival.hpp"
#endif

#include <doctest/doctest.h>

using namespace catena;
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

std::vector<KktProblem> definite() {
  std::vector<KktProblem> all;
  all.push_back(chain_kkt(50));
  all.push_back(chain_kkt(50, KktJointKind::revolute));
  all.push_back(chain_kkt(50, KktJointKind::revolute, true));
  all.push_back(tree_kkt(63));
  all.push_back(star_kkt(20));
  all.push_back(ladder_kkt(12));
  all.push_back(net_kkt(6));
  all.push_back(random_kkt(40));
  all.push_back(quaternion_chain_kkt(20));
  all.push_back(ill_scaled_kkt(40));
  return all;
}

}  // namespace

#ifdef CATENA_TEST_HAS_UMFPACK
TEST_CASE("UMFPACK solves every matrix, indefinite and nonsymmetric ones too") {
  std::vector<KktProblem> all = definite();
  all.push_back(indefinite_kkt(20));
  all.push_back(nonsymmetric_kkt(30));
  for (const KktProblem& p : all) {
    bench::UmfpackRival solver;
    check_rival(solver, p, Factorization::ldu);
  }
}
#endif

#ifdef CATENA_TEST_HAS_LDL
TEST_CASE("LDL solves every definite symmetric matrix") {
  for (const KktProblem& p : definite()) {
    if (!p.positive_definite || !p.pattern->rewrite.empty()) continue;
    bench::LdlRival solver;
    check_rival(solver, p, Factorization::ldlt);
  }
}
#endif
