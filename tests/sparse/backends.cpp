#include <catena/sparse/backends/backends.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "support/allocation_count.hpp"
#include "support/few_cases.hpp"
#include "support/kkt_matrices.hpp"

#include <Eigen/Dense>
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

Factorization factorization_for(const KktProblem& p, const BackendInfo& info) {
  const bool symmetric = p.matrix.border() == Border::transposed;
  return symmetric && info.ldlt ? Factorization::ldlt : Factorization::ldu;
}

// The own solver takes out the direction in which the H of quaternion bodies vanishes.
bool takes_norm_rows(const KktProblem& p, const BackendInfo& info) {
  return !p.pattern->norm_row.empty() && std::string(info.name) == "ldl";
}

bool suits(const KktProblem& p, const BackendInfo& info) {
  return (p.matrix.border() == Border::transposed || info.ldu) &&
         (p.positive_definite || info.indefinite_H || takes_norm_rows(p, info)) &&
         (p.pattern->couplings.empty() || info.couplings);
}

struct Solved {
  FactorReport report;
  RefinementReport refinement;
  std::vector<double> x;
};

Solved solve(const KktProblem& p, LinearSolver& solver) {
  Solved s;
  s.report = solver.factorize(p.matrix);
  if (s.report.status != FactorStatus::ok) return s;
  const std::vector<double> b = kkt_rhs(p);
  s.x = b;
  solver.solve(s.x.data());
  RefinementWorkspace work(*p.pattern);
  s.refinement = refine(p.matrix, solver, b.data(), s.x.data(), {}, work);
  return s;
}

// |A^-1| (|A||x| + |b|) for every unknown: times the componentwise backward errors of two solutions it bounds
// how far they can be apart (Skeel). The inverse is taken of S A S, equilibrated, or pivots mislead it.
std::vector<double> skeel_bound(const KktProblem& p, const std::vector<double>& x,
                                const std::vector<double>& b) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const std::vector<double> dense = dense_kkt(p.matrix, false);
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> A(dense.data(), n, n);
  const Eigen::Map<const Eigen::VectorXd> vx(x.data(), n), vb(b.data(), n);
  Eigen::VectorXd s = Eigen::VectorXd::Ones(n);
  for (int pass = 0; pass < 10; ++pass)
    s.array() /= (s.asDiagonal() * A * s.asDiagonal()).cwiseAbs().rowwise().maxCoeff().array().sqrt();
  const Eigen::MatrixXd scaled = s.asDiagonal() * A * s.asDiagonal();
  const Eigen::MatrixXd inverse =
      s.asDiagonal() * Eigen::FullPivLU<Eigen::MatrixXd>(scaled).inverse() * s.asDiagonal();
  const Eigen::VectorXd bound = inverse.cwiseAbs() * (A.cwiseAbs() * vx.cwiseAbs() + vb.cwiseAbs());
  return {bound.data(), bound.data() + n};
}

void check_solution(const KktProblem& p, const BackendInfo& info, const std::vector<double>& skeel) {
  CAPTURE(p.name);
  CAPTURE(std::string(info.name));
  auto solver = make_backend(info.name);
  REQUIRE(solver != nullptr);
  CHECK(std::string(solver->name()) == info.name);
  const std::string refusal =
      solver->analyze(p.pattern, p.matrix.border(), {.factorization = factorization_for(p, info)});
  REQUIRE(refusal == "");
  solver->factorize(p.matrix);  // once more, to take the path of a repeated factorisation
  const Solved s = solve(p, *solver);
  REQUIRE(s.report.status == FactorStatus::ok);
  CHECK(s.refinement.after.total() <= 1e-13);
  if (s.report.negative_pivots >= 0 && p.positive_definite)
    CHECK(s.report.negative_pivots == p.pattern->dual_dimension);
  if (!p.duplicates.empty()) return;  // multipliers are not unique
  const std::vector<double> truth = kkt_solution(p), b = kkt_rhs(p);
  RefinementWorkspace work(*p.pattern);
  const double omega =
      s.refinement.after.total() + backward_error(p.matrix, b.data(), truth.data(), work).total();
  double worst = 0.0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    worst = std::max(worst, std::fabs(s.x[i] - truth[i]) / (omega * skeel[i]));
  CHECK(worst <= 2.0);  // 1, and the inverse is rounded too
}

}  // namespace

TEST_CASE("back ends: every one solves every matrix that it claims, to omega <= 1e-13 after refinement") {
  for (const KktProblem& p : all_kkt(20)) {
    const std::vector<double> skeel =
        p.duplicates.empty() ? skeel_bound(p, kkt_solution(p), kkt_rhs(p)) : std::vector<double>{};
    for (const BackendInfo& info : backends())
      if (suits(p, info)) check_solution(p, info, skeel);
  }
}

TEST_CASE(
    "back ends: the own solver is right on random mechanisms of many kinds, without help of refinement") {
  // Elimination without pivots is only as good as its order: loops, balls in pairs, gears, every seed another.
  double worst = 0.0;
  for (const int n : {3, 7, 20, 80})
    for (std::uint64_t seed = 100; seed < (catena_test::few_cases ? 105 : 120); ++seed)
      for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
        const KktProblem p = random_kkt(n, seed);
        auto solver = make_backend("ldl");
        REQUIRE(solver->analyze(p.pattern, Border::transposed, {.factorization = f}) == "");
        const Solved s = solve(p, *solver);
        REQUIRE(s.report.status == FactorStatus::ok);
        CHECK(s.refinement.after.total() <= 1e-13);
        worst = std::max(worst, s.refinement.before.total());
      }
  CHECK(worst <= 1e-10);  // a pivot of 1e-6 of its scale, some 1e6 eps, would show here
}

TEST_CASE("back ends: the own solver holds its accuracy on larger matrices") {
  for (const KktProblem& p : all_kkt(catena_test::few_cases ? 60 : 300)) {
    CAPTURE(p.name);
    auto solver = make_backend("ldl");
    const Factorization f =
        p.matrix.border() == Border::transposed ? Factorization::ldlt : Factorization::ldu;
    if (!p.positive_definite && p.pattern->norm_row.empty()) continue;
    REQUIRE(solver->analyze(p.pattern, p.matrix.border(), {.factorization = f}) == "");
    const Solved s = solve(p, *solver);
    REQUIRE(s.report.status == FactorStatus::ok);
    CHECK(s.refinement.after.total() <= 1e-13);
    if (s.report.negative_pivots >= 0) CHECK(s.report.negative_pivots == p.pattern->dual_dimension);
  }
}

// Methods whose border is separate factorise the symmetric part of their matrix by it.
TEST_CASE("back ends: LDL^T of a matrix with a separate border takes C alone") {
  for (const KktProblem& p : all_kkt(20)) {
    if (p.matrix.border() != Border::transposed || !p.positive_definite || !p.duplicates.empty()) continue;
    BlockMatrix separate(p.pattern, Border::separate);
    const auto copy = [](const ConstBlockRef& from, double factor, const BlockRef& to) {
      for (int i = 0; i < to.rows; ++i)
        for (int j = 0; j < to.cols; ++j) to(i, j) = factor * from(i, j);
    };
    for (int b = 0; b < p.pattern->primal_count(); ++b) copy(p.matrix.H(b), 1.0, separate.H(b));
    for (int k = 0; k < static_cast<int>(p.pattern->couplings.size()); ++k) {
      copy(p.matrix.H_upper(k), 1.0, separate.H_upper(k));
      copy(p.matrix.H_lower(k), 1.0, separate.H_lower(k));
    }
    for (int k = 0; k < static_cast<int>(p.pattern->incidences.size()); ++k) {
      copy(p.matrix.C(k), 1.0, separate.C(k));
      copy(p.matrix.C(k), 1.5, separate.Bt(k));
    }
    for (const BackendInfo& info : backends()) {
      if (!info.ldlt || !suits(p, info)) continue;
      CAPTURE(p.name);
      CAPTURE(std::string(info.name));
      auto solver = make_backend(info.name);
      REQUIRE(solver->analyze(p.pattern, Border::transposed, {}) == "");
      std::vector<double> of_transposed = kkt_rhs(p), of_separate = of_transposed;
      REQUIRE(solver->factorize(p.matrix).status == FactorStatus::ok);
      solver->solve(of_transposed.data());
      REQUIRE(solver->factorize(separate).status == FactorStatus::ok);
      solver->solve(of_separate.data());
      CHECK(of_separate == of_transposed);
    }
  }
}

TEST_CASE("back ends: LDU serves symmetric matrices as well") {
  for (const KktProblem& p : {chain_kkt(20), random_kkt(20), ill_scaled_kkt(20)})
    for (const BackendInfo& info : backends()) {
      if (!info.ldu) continue;
      CAPTURE(std::string(info.name));
      auto solver = make_backend(info.name);
      REQUIRE(solver->analyze(p.pattern, Border::transposed, {.factorization = Factorization::ldu}) == "");
      const Solved s = solve(p, *solver);
      REQUIRE(s.report.status == FactorStatus::ok);
      CHECK(s.refinement.after.total() <= 1e-13);
    }
}

TEST_CASE("back ends: LDL^T takes the symmetric part of H") {
  KktProblem p = chain_kkt(8);
  KktProblem skewed = chain_kkt(8);
  for (int b = 0; b < 8; ++b) {
    skewed.matrix.H(b)(0, 4) += 0.5;
    skewed.matrix.H(b)(4, 0) -= 0.5;
  }
  for (const BackendInfo& info : backends()) {
    if (!info.ldlt) continue;
    CAPTURE(std::string(info.name));
    auto a = make_backend(info.name), b = make_backend(info.name);
    for (auto* s : {a.get(), b.get()}) REQUIRE(s->analyze(p.pattern, Border::transposed, {}) == "");
    REQUIRE(a->factorize(p.matrix).status == FactorStatus::ok);
    REQUIRE(b->factorize(skewed.matrix).status == FactorStatus::ok);
    std::vector<double> x = kkt_rhs(p), y = x;
    a->solve(x.data());
    b->solve(y.data());
    CHECK(x == y);
  }
}

TEST_CASE("back ends: what a back end cannot do it refuses at analysis, in words") {
  const KktProblem coupled = chain_kkt(5, KktJointKind::revolute, true);
  const KktProblem separate = nonsymmetric_kkt(5);
  for (const BackendInfo& info : backends()) {
    CAPTURE(std::string(info.name));
    if (!info.couplings)
      CHECK(make_backend(info.name)->analyze(coupled.pattern, Border::transposed, {}) != "");
    CHECK(make_backend(info.name)->analyze(separate.pattern, Border::separate,
                                           {.factorization = Factorization::ldlt}) != "");
    if (!info.ldu)
      CHECK(make_backend(info.name)->analyze(separate.pattern, Border::separate,
                                             {.factorization = Factorization::ldu}) != "");
  }
  CHECK(make_backend("no such thing") == nullptr);
}

TEST_CASE("back ends: new numbers on an old analysis give the solution of the new numbers") {
  const KktProblem first = dense_chain_kkt(15);
  KktProblem second = dense_chain_kkt(15);
  Random random(3);
  for (std::size_t k = 0; k < second.pattern->incidences.size(); ++k) {
    const BlockRef c = second.matrix.C(static_cast<int>(k));
    for (int i = 0; i < c.rows; ++i)
      for (int j = 0; j < c.cols; ++j) c(i, j) += 0.3 * random.uniform();
  }
  for (int b = 0; b < 15; ++b)
    for (int i = 0; i < 6; ++i) second.matrix.H(b)(i, i) *= random.uniform(0.5, 20.0);
  for (const BackendInfo& info : backends()) {
    CAPTURE(std::string(info.name));
    auto old = make_backend(info.name);
    REQUIRE(old->analyze(first.pattern, Border::transposed, {}) == "");
    REQUIRE(old->factorize(first.matrix).status == FactorStatus::ok);
    auto clone = old->clone_analysis();
    const Solved a = solve(second, *old);
    REQUIRE(a.report.status == FactorStatus::ok);
    CHECK(a.refinement.after.total() <= 1e-13);
    // The copy has its own factors: it does not disturb the original's.
    REQUIRE(clone->factorize(first.matrix).status == FactorStatus::ok);
    std::vector<double> x = kkt_rhs(second);
    old->solve(x.data());
    RefinementWorkspace work(*first.pattern);
    const std::vector<double> b = kkt_rhs(second);
    CHECK(backward_error(second.matrix, b.data(), x.data(), work).total() <= 1e-11);
    const Solved c = solve(first, *clone);
    CHECK(c.refinement.after.total() <= 1e-13);
  }
}

TEST_CASE("back ends: an indefinite H is noticed by those that do not pivot") {
  const KktProblem p = indefinite_kkt(20);
  for (const BackendInfo& info : backends()) {
    if (info.indefinite_H) continue;
    CAPTURE(std::string(info.name));
    auto solver = make_backend(info.name);
    REQUIRE(solver->analyze(p.pattern, Border::transposed, {}) == "");
    const FactorReport r = solver->factorize(p.matrix);
    const bool noticed = r.status != FactorStatus::ok || r.negative_pivots != p.pattern->dual_dimension;
    CHECK(noticed);
    CHECK(r.wrong_sign_primal == 10);  // the body in the middle
  }
}

TEST_CASE("back ends: NaN is reported with the block that holds it, never solved with") {
  for (const BackendInfo& info : backends()) {
    CAPTURE(std::string(info.name));
    for (const bool dual : {false, true}) {
      KktProblem p = dense_chain_kkt(10);
      if (dual)
        p.matrix.C(8)(1, 2) = std::nan("");  // incidence 8 belongs to joint 4
      else
        p.matrix.H(6)(2, 2) = std::numeric_limits<double>::infinity();
      auto solver = make_backend(info.name);
      REQUIRE(solver->analyze(p.pattern, Border::transposed, {}) == "");
      const FactorReport r = solver->factorize(p.matrix);
      REQUIRE(r.status != FactorStatus::ok);
      CHECK(r.status == FactorStatus::not_finite);
      CHECK(r.culprit_is_dual == dual);
      CHECK(r.culprit == (dual ? p.pattern->incidences[8].dual : 6));
    }
  }
}

TEST_CASE("back ends: a joint without rows of rank is singular, and a good matrix afterwards is solved") {
  for (const BackendInfo& info : backends()) {
    CAPTURE(std::string(info.name));
    KktProblem p = dense_chain_kkt(10);
    const KktProblem good = dense_chain_kkt(10);
    for (const int k : {7, 8})  // both incidences of joint 4
      for (int j = 0; j < 6; ++j) p.matrix.C(k)(1, j) = 0.0;
    auto solver = make_backend(info.name);
    REQUIRE(solver->analyze(p.pattern, Border::transposed, {}) == "");
    const FactorReport r = solver->factorize(p.matrix);
    CHECK(r.status == FactorStatus::singular);
    if (r.culprit >= 0) {  // Eigen does not name it
      CHECK(r.culprit_is_dual);
      CHECK(r.culprit == 4);
    }
    const Solved s = solve(good, *solver);
    REQUIRE(s.report.status == FactorStatus::ok);
    CHECK(s.refinement.after.total() <= 1e-13);
  }
}

TEST_CASE("back ends: ldl, klu_refactor and cholmod allocate nothing after the first factorisation") {
  const KktProblem p = chain_kkt(40);
  for (const char* name : {"ldl", "klu_refactor", "cholmod"}) {
    CAPTURE(std::string(name));
    auto solver = make_backend(name);
    if (solver == nullptr || !allocation_counting_works()) continue;
    REQUIRE(solver->analyze(p.pattern, Border::transposed, {}) == "");
    std::vector<double> x = kkt_rhs(p);
    for (int warm = 0; warm < 2; ++warm) {
      solver->factorize(p.matrix);
      solver->solve(x.data());
    }
    CHECK(count_allocations([&] {
            solver->factorize(p.matrix);
            solver->solve(x.data());
          }) == 0);
  }
}
