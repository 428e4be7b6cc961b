// Fronts of bodies whose blocks have known zeros, and records of children that are added eight at a time.
#include <catena/sparse/detail/block_ldl.hpp>

#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace block_ldl_structure_tests {

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

struct Solved {
  FactorReport report;
  std::vector<double> together, apart, transposed;
};

Solved solved(const KktProblem& p, Factorization factorization) {
  BlockLdl solver(false);
  REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {.factorization = factorization}).empty());
  Solved s;
  s.together = s.apart = s.transposed = kkt_rhs(p);
  s.report = solver.factorize_and_solve(p.matrix, s.together.data());
  solver.solve(s.apart.data());
  solver.solve_transposed(s.transposed.data());
  return s;
}

// In parts of the largest number.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, std::abs(a[k] - b[k]));
    largest = std::max(largest, std::abs(b[k]));
  }
  return most / largest;
}

using Shape = std::function<KktProblem(bool)>;
std::vector<Shape> shapes() {
  const auto ball = KktJointKind::spherical, hinge = KktJointKind::revolute;
  return {[=](bool split) { return star_kkt(60, ball, split); },
          [=](bool split) { return star_kkt(60, hinge, split); },
          [=](bool split) { return tree_kkt(127, ball, split); },
          [=](bool split) { return tree_kkt(63, hinge, split); },
          [](bool split) { return ladder_kkt(100, split); },
          [](bool split) { return net_kkt(6, split); },
          [=](bool split) { return make_kkt("chain", chain_mechanism(40, ball), {.split = split}); }};
}

// With known zeros other operations round than without: both solutions are within the backward error of the other, which the
// conditions of these matrices, up to 1e7 for the net, turn into what is allowed here.
TEST_CASE("bodies with known zeros: the solutions and the report of those without") {
  constexpr double allowed = 1e-8;
  for (const Shape& shape : shapes())
    for (const bool symmetric : {true, false}) {
      const KktProblem known = symmetric ? shape(true) : skewed_kkt(shape(true));
      KktProblem unknown = shape(false);
      {  // the numbers of `known`, and nothing known of them
        BlockMatrix A(unknown.pattern, known.matrix.border());
        for (int b = 0; b < known.bodies; ++b) copy_block(known.matrix.H(b), false, A.H(b));
        for (int k = 0; k < static_cast<int>(known.pattern->incidences.size()); ++k) {
          copy_block(known.matrix.C(k), false, A.C(k));
          if (!symmetric) copy_block(known.matrix.Bt(k), false, A.Bt(k));
        }
        unknown.matrix = std::move(A);
      }
      for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
        if (f == Factorization::ldlt && !symmetric) continue;
        INFO(known.name << (f == Factorization::ldlt ? ", ldlt" : ", ldu"));
        const Solved one = solved(known, f), other = solved(unknown, f);
        CHECK(one.report.status == FactorStatus::ok);
        CHECK(one.report.negative_pivots == known.pattern->dual_dimension);
        CHECK(one.report.wrong_sign_primal == -1);
        CHECK(one.report.weakest_dual_ratio ==
              doctest::Approx(other.report.weakest_dual_ratio).epsilon(allowed));
        CHECK(one.report.pivot_growth == doctest::Approx(other.report.pivot_growth).epsilon(allowed));
        CHECK(distance(one.together, other.together) < allowed);
        CHECK(one.apart == one.together);
        CHECK(distance(one.transposed, other.transposed) < allowed);
      }
    }
}

TEST_CASE("a body without mass or with a negative one is named where its zeros are known") {
  for (const double mass : {0.0, -2.0, std::numeric_limits<double>::quiet_NaN()}) {
    const int body = 17;
    const auto report = [&](bool split) {
      KktProblem p = star_kkt(60, KktJointKind::spherical, split);
      for (int i = 0; i < 3; ++i) p.matrix.H(body)(i, i) = mass;
      BlockLdl solver;
      REQUIRE(solver.analyze(p.pattern, p.matrix.border(), {}).empty());
      return solver.factorize(p.matrix);
    };
    const FactorReport r = report(true);
    INFO(mass);
    if (mass < 0.0) {
      CHECK(r.status == FactorStatus::ok);
      CHECK(r.wrong_sign_primal == body);
      CHECK(r.negative_pivots == report(false).negative_pivots);
    } else {
      CHECK(r.status == (mass == 0.0 ? FactorStatus::singular : FactorStatus::not_finite));
      CHECK(r.culprit == body);
      CHECK_FALSE(r.culprit_is_dual);
    }
  }
}

// 24 sources of a front and more go through the dense kernels; the records of full batches are one source.
TEST_CASE("a hub with any number of arms: children one by one and eight at a time") {
  for (const int n : {9, 20, 25, 26, 33, 34, 40, 41, 130}) {
    const KktProblem p = star_kkt(n);
    const std::vector<double> exact = kkt_solution(p);
    for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
      INFO(n << " bodies");
      const Solved s = solved(p, f);
      CHECK(s.report.negative_pivots == p.pattern->dual_dimension);
      CHECK(distance(s.together, exact) < 1e-12);
      CHECK(distance(s.transposed, exact) < 1e-12);
      CHECK(s.apart == s.together);
    }
  }
}

// A spring to the ground puts numbers where another body has zeros; its rows have the structure of all others.
TEST_CASE("a body of which nothing is known among others") {
  const int body = 7;
  const auto with_spring = [&](bool split) {
    KktProblem p = star_kkt(40, KktJointKind::spherical, split);
    if (split) {
      auto pattern = std::make_shared<BlockPattern>(*p.pattern);
      pattern->primal_split[body] = 0;
      BlockMatrix A(pattern, p.matrix.border());
      for (int b = 0; b < p.bodies; ++b) copy_block(std::as_const(p.matrix).H(b), false, A.H(b));
      for (int k = 0; k < static_cast<int>(pattern->incidences.size()); ++k)
        copy_block(std::as_const(p.matrix).C(k), false, A.C(k));
      p.pattern = pattern;
      p.matrix = std::move(A);
    }
    const BlockRef H = p.matrix.H(body);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) H(i, j) += (1.0 + 0.1 * i) * (1.0 + 0.1 * j);
    return p;
  };
  const KktProblem known = with_spring(true), unknown = with_spring(false);
  for (const Factorization f : {Factorization::ldlt, Factorization::ldu})
    CHECK(distance(solved(known, f).together, solved(unknown, f).together) < 1e-12);
}

// Both hubs are in one front; every other arm of a batch goes to the first of them.
TEST_CASE("arms of two hubs in one front") {
  KktMechanism m = star_mechanism(66, KktJointKind::spherical);
  m.bodies[1] = m.bodies[0];
  m.bodies[1].position = Vec3{{0.5, 0.0, 0.0}};
  for (std::size_t k = 1; k < m.joints.size(); ++k) m.joints[k].bodies[0] = static_cast<int>(k % 2);
  m.joints[0] = {KktJointKind::spherical, {0, 1}, Vec3{{0.25, 0.0, 0.0}}, true};
  const KktProblem p = make_kkt("two hubs", m);
  const std::vector<double> exact = kkt_solution(p);
  for (const Factorization f : {Factorization::ldlt, Factorization::ldu}) {
    const Solved s = solved(p, f);
    CHECK(s.report.negative_pivots == p.pattern->dual_dimension);
    CHECK(distance(s.together, exact) < 1e-10);
    CHECK(s.apart == s.together);
  }
}

}  // namespace block_ldl_structure_tests
