// The elimination of chains by segments: which patterns are chains, and that it is what the fronts give.
#include <catena/sparse/detail/block_ldl.hpp>
#include <catena/sparse/detail/chain_ldl.hpp>
#include <catena/sparse/detail/refinement.hpp>

#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

std::optional<ldl::Chain> chain_of(const KktProblem& p, int parts = 0) {
  return ldl::find_chain(*p.pattern, MatrixLayout(*p.pattern), parts);
}

// A chain whose bodies are numbered at random, with joints in any order, each from either side.
KktMechanism shuffled_chain(int n, KktJointKind kind, bool ground, bool closed_to_ground) {
  KktMechanism m = chain_mechanism(n, kind);
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
  CHECK_FALSE(chain_of(chain_kkt(15)));  // too short
  CHECK_FALSE(chain_of(tree_kkt(100)));
  CHECK_FALSE(chain_of(star_kkt(100)));
  CHECK_FALSE(chain_of(ladder_kkt(100)));
  CHECK_FALSE(chain_of(duplicated_kkt(100)));
  CHECK_FALSE(chain_of(quaternion_chain_kkt(100, false)));
  CHECK_FALSE(chain_of(chain_kkt(100, KktJointKind::revolute, true)));  // coupled
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
  for (const int n : {16, 23, 100, 700, 6000})
    for (const bool closed : {false, true}) {
      const KktProblem p = make_kkt("chain", shuffled_chain(n, KktJointKind::spherical, true, closed));
      const auto chain = chain_of(p);
      REQUIRE(chain);
      CHECK(chain->shape.bodies() == n);
      CHECK(chain->shape.tail < 8 * chain->shape.groups);
      std::vector<int> duals = chain->dual_before;
      if (chain->dual_behind >= 0) duals.push_back(chain->dual_behind);
      // A chain that is fixed at both ends may be walked from either.
      duals.erase(std::remove(duals.begin(), duals.end(), -1), duals.end());
      std::sort(duals.begin(), duals.end());
      CHECK(static_cast<int>(duals.size()) == p.pattern->dual_count());
      CHECK(std::adjacent_find(duals.begin(), duals.end()) == duals.end());
    }
}

TEST_CASE("by segments as by fronts, with and without known zeros, for every way to end a chain") {
  for (const KktJointKind kind : {KktJointKind::spherical, KktJointKind::revolute})
    for (const int n : {16, 17, 40, 95, 250})
      for (const int ends : {0, 1, 2})
        for (const bool split : {true, false}) {
          if (kind == KktJointKind::revolute && !split) continue;  // there are no kernels
          const KktProblem p = make_kkt("chain", shuffled_chain(n, kind, ends > 0, ends > 1),
                                        {.proximal = 1e-11, .split = split});
          INFO(n << " bodies, " << ends << " ends, split " << split);
          REQUIRE(chain_of(p));
          CHECK(chain_of(p)->shape.split == split);
          BlockLdl segments, fronts;
          REQUIRE(segments.analyze(p.pattern, Border::transposed, {}).empty());
          REQUIRE(
              fronts.analyze(p.pattern, Border::transposed, {.factorization = Factorization::ldu}).empty());
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
          // The scale of a row counts alike, its pivot depends on the order of elimination.
          CHECK(report.weakest_dual_ratio > 0.01 * known.weakest_dual_ratio);
          CHECK(report.weakest_dual_ratio < 100.0 * known.weakest_dual_ratio);
          segments.solve(two.data());
          CHECK(one == two);
          CHECK(backward_error_of(p, rhs, one) <= 10.0 * backward_error_of(p, rhs, other) + 1e-15);
        }
}

TEST_CASE("the row that is nearly dependent is named, in a segment, between segments and at the end") {
  const int n = 200;
  const KktMechanism m = shuffled_chain(n, KktJointKind::spherical, true, true);
  const KktProblem whole = make_kkt("chain", m);
  const auto chain = chain_of(whole);
  REQUIRE(chain);
  const std::size_t count = chain->dual_before.size();
  for (const std::size_t at : {std::size_t{0}, std::size_t{3}, std::size_t{77}, count - 1, count}) {
    const int weak = at < count ? chain->dual_before[at] : chain->dual_behind;
    KktProblem p = make_kkt("chain", m);
    for (std::size_t k = 0; k < p.pattern->incidences.size(); ++k)
      if (p.pattern->incidences[k].dual == weak) {
        const BlockRef C = p.matrix.C(static_cast<int>(k));  // the third row all but the second
        for (int j = 0; j < 6; ++j) C(2, j) = C(1, j) + 1e-4 * C(2, j);
      }
    BlockLdl segments, fronts;
    REQUIRE(segments.analyze(p.pattern, Border::transposed, {}).empty());
    REQUIRE(fronts.analyze(p.pattern, Border::transposed, {.factorization = Factorization::ldu}).empty());
    const FactorReport report = segments.factorize(p.matrix), known = fronts.factorize(p.matrix);
    REQUIRE(known.weakest_dual == weak);
    CHECK(report.weakest_dual == weak);
    CHECK(report.weakest_dual_ratio < 1e-6);
  }
}

TEST_CASE("pivots of rows count by the scale of their rows: units of mass change nothing, in no bit") {
  const double unit = 0x1p20;
  for (const KktJointKind kind : {KktJointKind::spherical, KktJointKind::revolute})
    for (const int ends : {0, 1, 2}) {
      CAPTURE(ends);
      const KktProblem whole =
          make_kkt("chain", shuffled_chain(95, kind, ends > 0, ends > 1), {.proximal = 1e-11, .split = true});
      KktProblem scaled =
          make_kkt("chain", shuffled_chain(95, kind, ends > 0, ends > 1), {.proximal = 1e-11, .split = true});
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

TEST_CASE("what segments cannot report on is left to the fronts, and the next sound matrix is not") {
  KktProblem p = chain_kkt(120);
  BlockLdl solver;
  REQUIRE(solver.analyze(p.pattern, Border::transposed, {}).empty());
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
