// The elimination of chains by segments: which patterns are chains, and that it is what the fronts give.
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/sparse/detail/chain_ldl.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

std::optional<ldl::Chain> chain_of(const KktProblem& p, int parts = 0) {
  return ldl::find_chain(*p.pattern, MatrixLayout(*p.pattern), true, parts);
}

// A chain whose bodies are numbered at random, with joints in any order, each from either side.
KktMechanism shuffled_chain(int n, KktJointKind kind, bool ground, bool closed_to_ground,
                            bool coupled = false) {
  KktMechanism m = chain_mechanism(n, kind, coupled);
  Random random(5);
  std::vector<int> number(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) number[static_cast<std::size_t>(k)] = k;
  for (int k = n - 1; k > 0; --k)
    std::swap(number[static_cast<std::size_t>(k)], number[static_cast<std::size_t>(random.below(k + 1))]);
  KktMechanism out;
  out.bodies.resize(m.bodies.size());
  for (std::size_t k = 0; k < m.bodies.size(); ++k)
    out.bodies[static_cast<std::size_t>(number[k])] = m.bodies[k];
  for (KktJoint joint : m.joints) {
    if (joint.bodies.size() == 1 && !ground) continue;
    for (int& b : joint.bodies) b = number[static_cast<std::size_t>(b)];
    if (random.below(2) == 0) std::reverse(joint.bodies.begin(), joint.bodies.end());
    out.joints.push_back(joint);
  }
  if (closed_to_ground) {
    KktJoint last{kind, {number[static_cast<std::size_t>(n - 1)]}};
    last.point = m.bodies.back().position + Vec3{{0.3, 0.2, 1.0}};
    out.joints.push_back(last);
  }
  for (std::size_t k = out.joints.size() - 1; k > 0; --k)
    std::swap(out.joints[k], out.joints[static_cast<std::size_t>(random.below(static_cast<int>(k) + 1))]);
  return out;
}

double backward_error_of(const KktProblem& p, const std::vector<double>& rhs, const std::vector<double>& x) {
  RefinementWorkspace work(*p.pattern);
  return backward_error(p.matrix, rhs.data(), x.data(), work).total();
}

}  // namespace

TEST_CASE("chains are found whatever their numbering, and nothing else is taken for one") {
  const auto ball = KktJointKind::spherical;
  CHECK(chain_of(chain_kkt(100)));
  CHECK(chain_of(make_kkt("shuffled", shuffled_chain(100, ball, true, true))));
  CHECK(chain_of(chain_kkt(2)));
  CHECK(chain_of(chain_kkt(1)));
  CHECK(chain_of(turning_chain_kkt(4)));
  CHECK_FALSE(chain_of(turning_chain_kkt(3)));  // too short
  CHECK_FALSE(chain_of(tree_kkt(100)));
  CHECK_FALSE(chain_of(star_kkt(100)));
  CHECK_FALSE(chain_of(ladder_kkt(100)));
  CHECK_FALSE(chain_of(duplicated_kkt(100)));
  CHECK_FALSE(chain_of(quaternion_chain_kkt(100, false)));
  CHECK_FALSE(chain_of(chain_kkt(100, KktJointKind::revolute, true)));  // coupled in all directions
  CHECK(chain_of(turning_chain_kkt(100)));
  CHECK(chain_of(turning_chain_kkt(100, KktJointKind::universal)));
  CHECK_FALSE(chain_of(make_kkt("universal, nothing known", chain_mechanism(100, KktJointKind::universal))));
  BlockPattern far = *turning_chain_kkt(100).pattern;
  far.couplings.push_back({7, 9});
  far.finish();
  CHECK_FALSE(ldl::find_chain(far, MatrixLayout(far), true, 0));
  KktMechanism ring = shuffled_chain(40, ball, false, false);
  KktMechanism two = chain_mechanism(40, ball);
  two.joints.erase(two.joints.begin() + 20);
  CHECK_FALSE(chain_of(make_kkt("two chains", two)));
  std::vector<int> ties(ring.bodies.size(), 0);
  for (const KktJoint& joint : ring.joints)
    for (const int b : joint.bodies) ++ties[static_cast<std::size_t>(b)];
  KktJoint closing{ball, {}};
  for (std::size_t b = 0; b < ties.size(); ++b)
    if (ties[b] == 1) closing.bodies.push_back(static_cast<int>(b));
  REQUIRE(closing.bodies.size() == 2);
  ring.joints.push_back(closing);
  CHECK_FALSE(chain_of(make_kkt("ring", ring)));
  KktMechanism mixed = chain_mechanism(40, ball);
  mixed.joints[7].kind = KktJointKind::revolute;
  CHECK_FALSE(chain_of(make_kkt("mixed", mixed)));
}

TEST_CASE("every body and every joint of a chain is in its plan once") {
  for (const int n : {2, 15, 16, 23, 100, 700, 6000})
    for (const bool closed : {false, true}) {
      const KktProblem p = make_kkt("chain", shuffled_chain(n, KktJointKind::spherical, true, closed));
      const auto chain = chain_of(p);
      if (n < 16 && closed) continue;
      REQUIRE(chain);
      CHECK(chain->shape.bodies() == n);
      CHECK(chain->shape.tail < (n < 16 ? 16 : 8 * chain->shape.groups));
      std::vector<int> duals = chain->dual_before;
      if (chain->dual_behind >= 0) duals.push_back(chain->dual_behind);
      // A chain that is fixed at both ends may be walked from either.
      duals.erase(std::remove(duals.begin(), duals.end(), -1), duals.end());
      std::sort(duals.begin(), duals.end());
      CHECK(static_cast<int>(duals.size()) == p.pattern->dual_count());
      CHECK(std::adjacent_find(duals.begin(), duals.end()) == duals.end());
    }
}

TEST_CASE(
    "by segments as by fronts, with and without known zeros and symmetry, for every way to end a chain") {
  for (const KktJointKind kind : {KktJointKind::spherical, KktJointKind::revolute})
    for (const int n : {2, 3, 9, 15, 16, 17, 40, 95, 250})
      for (const int ends : {0, 1, 2})
        for (const bool split : {true, false})
          for (const bool symmetric : {true, false}) {
            if (kind == KktJointKind::revolute && !split) continue;  // there are no kernels
            KktProblem p = make_kkt("chain", shuffled_chain(n, kind, ends > 0, ends > 1),
                                    {.proximal = 1e-11, .split = split});
            if (!symmetric) p = skewed_kkt(p);
            INFO(n << " bodies, " << ends << " ends, split " << split << ", symmetric " << symmetric);
            const bool short_loop = n < 16 && ends == 2;
            REQUIRE(chain_of(p).has_value() != short_loop);
            if (short_loop) continue;
            CHECK(chain_of(p)->shape.split == split);
            const SolverOptions options{.factorization =
                                            symmetric ? Factorization::ldlt : Factorization::ldu};
            BlockLdl segments, fronts(false);
            REQUIRE(segments.analyze(p.pattern, p.matrix.border(), options).empty());
            REQUIRE(fronts.analyze(p.pattern, p.matrix.border(), options).empty());
            CHECK(segments.ordering() == "segments");
            CHECK(fronts.ordering() != "segments");
            const std::vector<double> rhs = kkt_rhs(p);
            std::vector<double> one = rhs, two = rhs, other = rhs;
            const FactorReport report = segments.factorize_and_solve(p.matrix, one.data());
            const FactorReport known = fronts.factorize_and_solve(p.matrix, other.data());
            CHECK(report.status == FactorStatus::ok);
            CHECK(report.negative_pivots == p.pattern->dual_dimension);
            CHECK(report.wrong_sign_primal == -1);
            CHECK(report.weakest_dual >= 0);
            // The scale of a row counts alike, its pivot depends on the order of elimination. Without symmetry it may exceed its
            // scale.
            CHECK(report.weakest_dual_ratio > 0.01 * known.weakest_dual_ratio);
            CHECK(report.weakest_dual_ratio <= (symmetric ? 1.0 : 1.1));
            CHECK(report.pivot_growth >= 1.0);
            CHECK(report.pivot_growth < 2.0);
            const std::unique_ptr<LinearSolver> copy = segments.clone_analysis();
            CHECK(static_cast<const BlockLdl&>(*copy).ordering() == "segments");
            std::vector<double> third = rhs;
            copy->factorize_and_solve(p.matrix, third.data());
            CHECK(one == third);
            segments.solve(two.data());
            CHECK(one == two);
            CHECK(backward_error_of(p, rhs, one) <= 10.0 * backward_error_of(p, rhs, other) + 1e-15);
          }
}

TEST_CASE("one body on one joint is a chain, one on two is none") {
  for (const bool symmetric : {true, false}) {
    KktProblem p = chain_kkt(1);
    if (!symmetric) p = skewed_kkt(p);
    BlockLdl solver;
    const SolverOptions options{.factorization = symmetric ? Factorization::ldlt : Factorization::ldu};
    REQUIRE(solver.analyze(p.pattern, p.matrix.border(), options).empty());
    const std::vector<double> rhs = kkt_rhs(p);
    std::vector<double> x = rhs;
    CHECK(solver.factorize_and_solve(p.matrix, x.data()).weakest_dual == 0);
    CHECK(solver.ordering() == "segments");
    CHECK(backward_error_of(p, rhs, x) < 1e-15);
  }
  CHECK_FALSE(chain_of(make_kkt("held", shuffled_chain(1, KktJointKind::spherical, true, true))));
}

TEST_CASE(
    "without symmetry pivots may grow, in a body and in a row, and the report has it as that of the fronts") {
  const SolverOptions options{.factorization = Factorization::ldu};
  for (const int n : {15, 95})
    for (const int at : {0, 7, 14}) {
      CAPTURE(n);
      CAPTURE(at);
      KktProblem p = skewed_kkt(chain_kkt(n));
      p.matrix.H(at)(3, 3) = 1e-6;  // and what is left of the next axis is 9e6 times as large
      p.matrix.H(at)(3, 4) = 3.0;
      p.matrix.H(at)(4, 3) = -3.0;
      BlockLdl segments, fronts(false);
      REQUIRE(segments.analyze(p.pattern, p.matrix.border(), options).empty());
      REQUIRE(fronts.analyze(p.pattern, p.matrix.border(), options).empty());
      const double found = segments.factorize(p.matrix).pivot_growth,
                   known = fronts.factorize(p.matrix).pivot_growth;
      CHECK(segments.ordering() == "segments");
      CHECK(known > 1e4);
      CHECK(found > 0.5 * known);
      CHECK(found < 2.0 * known);
    }
}

// Products of rows with columns of the other side cancel where B turns against C. The pivot is then small beside its scale, which
// is made of the sizes of the terms.
TEST_CASE("without symmetry the scale of a row is made of the sizes of its terms") {
  const SolverOptions options{.factorization = Factorization::ldu};
  KktProblem p = skewed_kkt(chain_kkt(40));
  const int incidence = 41, dual = p.pattern->incidences[incidence].dual;
  for (int i = 0; i < 3; ++i)
    for (int j = 3; j < 6; ++j) p.matrix.Bt(incidence)(i, j) *= -0.9;
  BlockLdl segments;
  REQUIRE(segments.analyze(p.pattern, p.matrix.border(), options).empty());
  const FactorReport found = segments.factorize(p.matrix);
  CHECK(segments.ordering() == "segments");
  CHECK(found.weakest_dual == dual);
  CHECK(found.weakest_dual_ratio < 0.25);  // 0.19
}

TEST_CASE("the transposed of a chain without symmetry by segments as by fronts") {
  struct Kind {
    KktJointKind kind;
    bool split;
  };
  for (const Kind& kind : {Kind{KktJointKind::spherical, true}, Kind{KktJointKind::spherical, false},
                           Kind{KktJointKind::revolute, true}})
    for (const int n : {2, 15, 16, 95, 250})
      for (const int ends : {0, 1, 2}) {
        const KktProblem p = skewed_kkt(make_kkt("chain", shuffled_chain(n, kind.kind, ends > 0, ends > 1),
                                                 {.proximal = 1e-11, .split = kind.split}));
        if (n < 16 && ends == 2) continue;  // no chain: see above
        INFO(n << " bodies, " << ends << " ends");
        const SolverOptions options{.factorization = Factorization::ldu};
        BlockLdl segments, fronts(false);
        REQUIRE(segments.analyze(p.pattern, p.matrix.border(), options).empty());
        REQUIRE(fronts.analyze(p.pattern, p.matrix.border(), options).empty());
        segments.factorize(p.matrix);
        fronts.factorize(p.matrix);
        REQUIRE(segments.ordering() == "segments");
        const BlockMatrix transposed = transposed_kkt(p.matrix);
        const std::vector<double> x = kkt_solution(p);
        std::vector<double> rhs(x.size());
        transposed.multiply(x.data(), rhs.data());
        std::vector<double> one = rhs, other = rhs;
        segments.solve_transposed(one.data());
        fronts.solve_transposed(other.data());
        RefinementWorkspace work(*p.pattern);
        const auto error = [&](const std::vector<double>& of) {
          return backward_error(transposed, rhs.data(), of.data(), work).total();
        };
        CHECK(error(one) <= 10.0 * error(other) + 1e-15);
        // What follows is not transposed again.
        std::vector<double> whole = kkt_rhs(p), apart = whole;
        segments.factorize_and_solve(p.matrix, whole.data());
        segments.solve(apart.data());
        CHECK(whole == apart);
        CHECK(backward_error_of(p, kkt_rhs(p), whole) < 1e-9);
      }
}

// Both triangles of H and of what couples bodies differ, some pairs are not coupled, some columns of K are zero, and some rows
// are compliant.
void scatter(KktProblem& p, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t c = 0; c < p.pattern->couplings.size(); ++c) {
    const BlockRef upper = p.matrix.H_upper(static_cast<int>(c)),
                   lower = p.matrix.H_lower(static_cast<int>(c));
    const int dead = random.below(6);
    for (int i = 3; i < 6; ++i)
      for (int j = 3; j < 6; ++j) {
        const double K = j == dead ? 0.0 : 0.25 * random.uniform(),
                     skew = j == dead ? 0.0 : 0.1 * random.uniform();
        upper(i, j) = K + skew;
        lower(j, i) = K - skew;
      }
  }
  for (int b = 0; b < p.pattern->primal_count(); ++b) {
    const double skew = 0.1 * random.uniform();
    p.matrix.H(b)(3, 5) += skew;
    p.matrix.H(b)(5, 3) -= skew;
  }
  for (int d = 0; d < p.pattern->dual_count(); ++d)
    for (int i = 0; i < p.pattern->dual_size[static_cast<std::size_t>(d)]; ++i)
      p.matrix.D(d)[i] = random.below(2) == 0 ? 0.0 : 0.02 * random.uniform(0.1, 1.0);
}

KktProblem without_skew(const KktProblem& of, const KktMechanism& m, const KktVariant& variant) {
  KktProblem p = make_kkt("symmetric", m, variant);
  const BlockMatrix& a = of.matrix;
  for (int b = 0; b < p.pattern->primal_count(); ++b)
    for (int e = 0; e < 36; ++e)
      p.matrix.H(b)(e / 6, e % 6) = 0.5 * (a.H(b)(e / 6, e % 6) + a.H(b)(e % 6, e / 6));
  for (int c = 0; c < static_cast<int>(p.pattern->couplings.size()); ++c)
    for (int e = 0; e < 36; ++e) {
      const double K = 0.5 * (a.H_upper(c)(e / 6, e % 6) + a.H_lower(c)(e % 6, e / 6));
      p.matrix.H_upper(c)(e / 6, e % 6) = p.matrix.H_lower(c)(e % 6, e / 6) = K;
    }
  for (int d = 0; d < p.pattern->dual_count(); ++d)
    for (int i = 0; i < p.pattern->dual_size[static_cast<std::size_t>(d)]; ++i) p.matrix.D(d)[i] = a.D(d)[i];
  return p;
}

TEST_CASE("coupled neighbours by segments as by fronts, for every way to end a chain and to cut it") {
  for (const KktJointKind kind : {KktJointKind::universal, KktJointKind::revolute, KktJointKind::fixed})
    for (const int n : {4, 9, 15, 16, 17, 25, 40, 95, 250})
      for (const int ends : {0, 1, 2})
        for (const int parts : {0, 1, 2, n / 8})
          for (const bool gaps : {false, true}) {
            if (n < 16 && ends == 2) continue;  // short loops go to the fronts
            KktMechanism m = shuffled_chain(n, kind, ends > 0, ends > 1, true);
            Random random(static_cast<std::uint64_t>(n));
            for (KktJoint& joint : m.joints) joint.coupled = joint.coupled && !(gaps && random.below(5) < 2);
            const KktVariant variant{.split = true};
            KktProblem p = make_kkt("chain", m, variant);
            scatter(p, static_cast<std::uint64_t>(7 * n + ends));
            const KktProblem symmetric = without_skew(p, m, variant);
            INFO(n << " bodies, " << ends << " ends, " << kkt_rows(kind) << " rows, parts " << parts);
            REQUIRE(chain_of(p, parts));
            CHECK(chain_of(p, parts)->shape.coupled);
            BlockLdl segments, fronts(false);
            REQUIRE(segments.analyze(p.pattern, Border::transposed, {.parts = parts}).empty());
            REQUIRE(
                fronts.analyze(p.pattern, Border::transposed, {.factorization = Factorization::ldu}).empty());
            const std::size_t without_fronts = segments.bytes();
            const std::vector<double> rhs = kkt_rhs(p);
            std::vector<double> one = rhs, two = rhs, apart = rhs, other = rhs;
            const FactorReport report = segments.factorize_and_solve(p.matrix, one.data());
            const FactorReport known = fronts.factorize_and_solve(symmetric.matrix, other.data());
            CHECK(segments.bytes() == without_fronts);
            CHECK(report.status == FactorStatus::ok);
            CHECK(report.negative_pivots == p.pattern->dual_dimension);
            CHECK(report.wrong_sign_primal == -1);
            CHECK(report.weakest_dual_ratio > 1e-2 * known.weakest_dual_ratio);
            CHECK(report.weakest_dual_ratio <= 1.0);
            segments.solve(two.data());
            CHECK(one == two);
            CHECK(segments.factorize(p.matrix).weakest_dual_ratio == report.weakest_dual_ratio);
            segments.solve(apart.data());
            CHECK(one == apart);
            CHECK(backward_error_of(symmetric, rhs, one) <=
                  20.0 * backward_error_of(symmetric, rhs, other) + 3e-15);
          }
}

// Where segments hang on bodies, errors grow with the third power of their length: to 1e-9 of 1000 bodies.
TEST_CASE(
    "a straight chain of parallel hinges is solved to machine precision, and none of its rows looks "
    "dependent") {
  for (const bool coupled : {true, false})
    for (const int n : {90, 200, 599, 1000, 10000, 20471}) {
      CAPTURE(n);
      KktMechanism m;
      for (int k = 0; k < n; ++k) {
        m.bodies.push_back({.position = Vec3{{0.0, 0.0, -1.5 - 3.0 * k}}});
        m.joints.push_back({KktJointKind::revolute, k == 0 ? std::vector<int>{0} : std::vector<int>{k - 1, k},
                            Vec3{{0.0, 0.0, -3.0 * k}}, k > 0 && coupled});
      }
      const KktProblem p = make_kkt("straight", m, {.split = true});
      BlockLdl solver;
      REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
      const std::vector<double> rhs = kkt_rhs(p);
      std::vector<double> x = rhs;
      const FactorReport report = solver.factorize_and_solve(p.matrix, x.data());
      REQUIRE(report.status == FactorStatus::ok);
      REQUIRE(chain_of(p));
      CHECK(chain_of(p)->shape.places <= 75);
      CHECK(chain_of(p)->shape.tail <= 75);
      CHECK(backward_error_of(p, rhs, x) < 1e-14);
      CHECK(report.weakest_dual_ratio > 1e-3);  // sound_pivot of index_1.cpp is 1e-4
    }
}

TEST_CASE("a coupling between two segments costs no digits, however near its limit") {
  const int n = 40;
  for (int k = 0; k < 110; ++k) {
    const double share = k < 10   ? 0.4 + 0.018 * k
                         : k < 90 ? 0.58 + 0.0005 * (k - 10)
                                  : 0.62 + 0.018 * (k - 90);
    CAPTURE(share);
    KktProblem p = turning_chain_kkt(n);
    // K = share h Q with a reflection Q, whose rows have entries 1/3, 2/3 and 2/3: H is positive definite up to share 1, and
    // nothing is left of it at the end of a segment from 0.6 on.
    for (int b = 0; b < n; ++b)
      for (int i = 3; i < 6; ++i)
        for (int j = 3; j < 6; ++j) p.matrix.H(b)(i, j) = i == j ? 10.0 : 0.0;
    for (int c = 0; c + 1 < n; ++c)
      for (int i = 3; i < 6; ++i)
        for (int j = 3; j < 6; ++j) {
          const double Q = (i == j ? 1.0 : 0.0) - 2.0 / 3.0, K = c % 2 == 0 ? 0.0 : 10.0 * share * Q;
          p.matrix.H_upper(c)(i, j) = p.matrix.H_lower(c)(j, i) = K;
        }
    BlockLdl solver;
    REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
    const std::vector<double> rhs = kkt_rhs(p);
    std::vector<double> x = rhs;
    CHECK(solver.factorize_and_solve(p.matrix, x.data()).status == FactorStatus::ok);
    CHECK(backward_error_of(p, rhs, x) < 1e-13);
  }
}

TEST_CASE("rows count by the same scale with couplings as without, in segments and between them") {
  for (const int n : {16, 40, 205})
    for (const int weak :
         {-1, 0, 1, 7, n / 2, n - 1})  // the row of this joint that nearly depends on another
      for (const bool grounded : {true, false}) {
        CAPTURE(n);
        CAPTURE(weak);
        KktMechanism m = chain_mechanism(n, KktJointKind::revolute, true);
        if (!grounded) m.joints.erase(m.joints.begin());
        KktProblem p = make_kkt("chain", m, {.split = true});
        Random random(9);
        for (int d = 0; d < p.pattern->dual_count(); ++d)
          for (int i = 0; i < 5; ++i) p.matrix.D(d)[i] = 1e-4 * random.uniform(0.1, 1.0);
        for (std::size_t k = 0; k < p.pattern->incidences.size(); ++k)
          if (p.pattern->incidences[k].dual == weak) {
            const BlockRef C = p.matrix.C(static_cast<int>(k));
            for (int j = 0; j < 6; ++j) C(4, j) = C(3, j) + 1e-3 * C(4, j);
            p.matrix.D(weak)[4] = 0.0;
          }
        p.matrix.zero_couplings();
        BlockLdl solver;
        REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
        const FactorReport without = solver.factorize(p.matrix);
        p.matrix.H_upper(0)(4, 4) = 0.0;  // from now on they count as written
        const FactorReport with = solver.factorize(p.matrix);
        CHECK(with.weakest_dual == without.weakest_dual);
        CHECK(with.weakest_dual_ratio == doctest::Approx(without.weakest_dual_ratio).epsilon(1e-6));
      }
}

TEST_CASE("numbers that no segment can take are left to the fronts, wherever they are") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const KktJointKind kind : {KktJointKind::universal, KktJointKind::revolute}) {
    const int n = 21;
    REQUIRE(chain_of(turning_chain_kkt(n, kind))->shape.tail > 1);
    for (const double value : {nan, inf, 0.0, -30.0})
      for (int b = 0; b < n; ++b)
        for (const int what : {0, 1, 2, 3, 4}) {
          INFO(value << " at body " << b << ", " << what << ", " << kkt_rows(kind) << " rows");
          KktProblem p = turning_chain_kkt(n, kind);
          if (what == 0) p.matrix.H(b)(3 + b % 3, 3 + b % 3) = value;
          if (what == 1)
            for (int i = 0; i < 3; ++i) p.matrix.H(b)(i, i) = value;
          if (what == 2 && b + 1 < n) p.matrix.H_upper(b)(3 + b % 3, 3) = value;
          if (what == 3) p.matrix.C(std::max(0, 2 * b - 1))(3, 3 + b % 3) = value;
          if (what == 4) p.matrix.D(b)[b % 4] = value;
          BlockPattern unknown = *p.pattern;
          unknown.primal_split.clear();
          unknown.incidence_split.clear();
          BlockLdl segments, fronts;
          REQUIRE(segments.analyze(p.pattern, Border::transposed, {}).empty());
          REQUIRE(fronts.analyze(std::make_shared<BlockPattern>(unknown), Border::transposed, {}).empty());
          const std::vector<double> rhs(static_cast<std::size_t>(p.pattern->dimension()), 1.0);
          std::vector<double> x = rhs, y = rhs;
          const FactorReport report = segments.factorize_and_solve(p.matrix, x.data()),
                             known = fronts.factorize_and_solve(p.matrix, y.data());
          CHECK(report.status == known.status);
          CHECK(report.negative_pivots == known.negative_pivots);
          // With a large coupling the signs of pivots depend on which of the two bodies is first.
          if (what != 2) CHECK(report.wrong_sign_primal == known.wrong_sign_primal);
          if (report.status == FactorStatus::ok)
            CHECK(backward_error_of(p, rhs, x) <= 100.0 * backward_error_of(p, rhs, y) + 1e-13);
        }
  }
}

TEST_CASE("a matrix whose couplings are zero has the bits of one without couplings") {
  KktProblem coupled = turning_chain_kkt(300);
  const KktProblem alone = chain_kkt(300, KktJointKind::revolute);
  for (int b = 0; b < 300; ++b)
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) coupled.matrix.H(b)(i, j) = alone.matrix.H(b)(i, j);
  BlockLdl one, other;
  REQUIRE(one.analyze(coupled.pattern, Border::transposed, {}).empty());
  REQUIRE(other.analyze(alone.pattern, Border::transposed, {}).empty());
  const std::vector<double> rhs = kkt_rhs(alone);
  std::vector<double> x = rhs, y = rhs, written = rhs, after = rhs;
  other.factorize_and_solve(alone.matrix, y.data());
  one.factorize_and_solve(coupled.matrix, written.data());
  CHECK(written != y);  // the couplings of the chain
  coupled.matrix.zero_couplings();
  one.factorize_and_solve(coupled.matrix, x.data());
  CHECK(x == y);
  one.solve(after.data());
  CHECK(after == y);
  coupled.matrix.H_upper(7)(4, 4) = 0.0;
  std::vector<double> asked = rhs;
  one.factorize_and_solve(coupled.matrix, asked.data());
  CHECK(backward_error_of(alone, rhs, asked) < 1e-14);
}

TEST_CASE("the row that is nearly dependent is named, in a segment, between segments and at the end") {
  const int n = 205, parts = 2;
  for (const auto& kind : {std::pair{false, true}, std::pair{true, true}, std::pair{false, false}}) {
    const bool coupled = kind.first, symmetric = kind.second;
    CAPTURE(symmetric);
    // The last row all but the one before it.
    const int last = coupled ? 4 : 2;
    const KktMechanism m = shuffled_chain(n, coupled ? KktJointKind::revolute : KktJointKind::spherical, true,
                                          !coupled, coupled);
    const KktProblem whole = make_kkt("chain", m, {.split = coupled});
    const auto chain = chain_of(whole, parts);
    REQUIRE(chain);
    REQUIRE(chain->shape.tail > 1);
    const std::size_t count = chain->dual_before.size(),
                      group = static_cast<std::size_t>(8 * chain->shape.places),
                      tail = count - static_cast<std::size_t>(chain->shape.tail);
    // In the first group, at the first and a later place; between segments of the second one; in the tail; behind it.
    for (const std::size_t at : {std::size_t{0}, std::size_t{3}, std::size_t{77}, group, group + 5,
                                 group + 20, tail, count - 1, count}) {
      const int weak = at < count ? chain->dual_before[at] : chain->dual_behind;
      if (weak < 0) continue;  // there is none behind an open chain
      KktProblem p = make_kkt("chain", m, {.split = coupled});
      for (std::size_t k = 0; k < p.pattern->incidences.size(); ++k)
        if (p.pattern->incidences[k].dual == weak) {
          const BlockRef C = p.matrix.C(static_cast<int>(k));
          for (int j = 0; j < 6; ++j) C(last, j) = C(last - 1, j) + 1e-4 * C(last, j);
        }
      if (!symmetric) p = skewed_kkt(p);
      const SolverOptions options{.factorization = symmetric ? Factorization::ldlt : Factorization::ldu,
                                  .parts = parts};
      BlockLdl segments, fronts(false);
      REQUIRE(segments.analyze(p.pattern, p.matrix.border(), options).empty());
      REQUIRE(fronts.analyze(p.pattern, p.matrix.border(), options).empty());
      const FactorReport report = segments.factorize(p.matrix), known = fronts.factorize(p.matrix);
      REQUIRE(known.weakest_dual == weak);
      CHECK(segments.ordering() == "segments");
      CHECK(report.weakest_dual == weak);
      CHECK(report.weakest_dual_ratio < 1e-6);
    }
  }
}

TEST_CASE("pivots of rows count by the scale of their rows: units of mass change nothing, in no bit") {
  const double unit = 0x1p20;
  for (const auto& [kind, coupled] :
       {std::pair{KktJointKind::spherical, false}, std::pair{KktJointKind::revolute, false},
        std::pair{KktJointKind::revolute, true}})
    for (const int ends : {0, 1, 2}) {
      CAPTURE(ends);
      const KktMechanism m = shuffled_chain(95, kind, ends > 0, ends > 1, coupled);
      const KktProblem whole = make_kkt("chain", m, {.proximal = 1e-11, .split = true});
      KktProblem scaled = make_kkt("chain", m, {.proximal = 1e-11, .split = true});
      for (std::size_t c = 0; c < scaled.pattern->couplings.size(); ++c)
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) {
            scaled.matrix.H_upper(static_cast<int>(c))(i, j) *= unit;
            scaled.matrix.H_lower(static_cast<int>(c))(i, j) *= unit;
          }
      for (int b = 0; b < scaled.pattern->primal_count(); ++b) {
        const BlockRef H = scaled.matrix.H(b);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) H(i, j) *= unit;
      }
      for (int d = 0; d < scaled.pattern->dual_count(); ++d)
        for (int k = 0; k < scaled.pattern->dual_size[static_cast<std::size_t>(d)]; ++k) {
          scaled.matrix.D(d)[k] /= unit;
          scaled.matrix.proximal(d)[k] /= unit;
        }
      BlockLdl one, other;
      REQUIRE(one.analyze(whole.pattern, Border::transposed, {}).empty());
      REQUIRE(other.analyze(scaled.pattern, Border::transposed, {}).empty());
      REQUIRE(other.ordering() == "segments");
      const FactorReport a = one.factorize(whole.matrix), b = other.factorize(scaled.matrix);
      CHECK(a.weakest_dual == b.weakest_dual);
      CHECK(a.weakest_dual_ratio == b.weakest_dual_ratio);
      CHECK(a.weakest_dual_ratio < 1.0);
    }
}

TEST_CASE("couplings that are stiffer than their bodies are left to the fronts where two segments meet") {
  KktProblem p = turning_chain_kkt(120);
  const auto chain = chain_of(p);
  REQUIRE(chain);
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
  const std::size_t segments_alone = solver.bytes();
  const int behind = chain->shape.places,
            before = behind - 1;  // bodies; coupling k is that of bodies k and k + 1
  // k |x - R y|^2 of their rotations with a reflection R, whose rows have entries 1/3, 2/3 and 2/3.
  const double k = 1e3;
  for (int i = 3; i < 6; ++i) {
    p.matrix.H(before)(i, i) += k;
    p.matrix.H(behind)(i, i) += k;
    for (int j = 3; j < 6; ++j) {
      const double K = -k * ((i == j ? 1.0 : 0.0) - 2.0 / 3.0);
      p.matrix.H_upper(before)(i, j) += K;
      p.matrix.H_lower(before)(j, i) += K;
    }
  }
  const std::vector<double> rhs = kkt_rhs(p);
  std::vector<double> x = rhs;
  const FactorReport report = solver.factorize_and_solve(p.matrix, x.data());
  CHECK(report.status == FactorStatus::ok);
  CHECK(report.negative_pivots == p.pattern->dual_dimension);
  CHECK(solver.bytes() > segments_alone);
  CHECK(backward_error_of(p, rhs, x) < 1e-13);
}

TEST_CASE("what segments cannot report on is left to the fronts, and the next sound matrix is not") {
  for (const bool symmetric : {true, false}) {
    KktProblem p = chain_kkt(120);
    if (!symmetric) p = skewed_kkt(p);
    BlockLdl solver;
    const SolverOptions options{.factorization = symmetric ? Factorization::ldlt : Factorization::ldu};
    REQUIRE(solver.analyze(p.pattern, p.matrix.border(), options).empty());
    const std::vector<double> rhs = kkt_rhs(p);
    std::vector<double> x = rhs, again = rhs;
    REQUIRE(solver.factorize_and_solve(p.matrix, x.data()).status == FactorStatus::ok);
    CHECK(solver.ordering() == "segments");
    for (const int body : {0, 59, 119}) {
      const BlockRef H = p.matrix.H(body);
      const double kept = H(4, 4);
      H(4, 4) = -1.0;
      std::vector<double> b = kkt_rhs(p), y = b;
      const FactorReport report = solver.factorize_and_solve(p.matrix, y.data());
      CHECK(report.status == FactorStatus::ok);
      CHECK(report.wrong_sign_primal == body);
      CHECK(backward_error_of(p, b, y) < 1e-10);
      H(4, 4) = kept;
    }
    solver.factorize_and_solve(p.matrix, again.data());
    CHECK(x == again);
  }
}
