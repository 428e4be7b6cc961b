#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

// Builds without CHOLMOD have the second alone.
constexpr RankFactorisation factorisations[] = {spqr_triangle, rotations_triangle};

TEST_CASE("rank of rows: independent joints have full rank") {
  for (const RankFactorisation by : factorisations)
    for (const KktProblem& p : all_kkt(20)) {
      if (!p.duplicates.empty()) continue;
      CAPTURE(p.name);
      const RankReport r = rank_of_rows(p.matrix, {}, by);
      CHECK(r.computed);
      CHECK(r.rank == p.pattern->dual_dimension);
      CHECK(r.dependencies.empty());
    }
}

TEST_CASE("rank of rows: a joint that is there twice is named with its twin, and no other") {
  const KktProblem p = duplicated_kkt(30);
  for (const RankFactorisation by : factorisations) {
    const RankReport r = rank_of_rows(p.matrix, {}, by);
    REQUIRE(r.computed);
    CHECK(r.rows - r.rank == 6);
    REQUIRE(r.dependencies.size() == 2);
    for (std::size_t k = 0; k < 2; ++k) {
      CHECK(r.dependencies[k].rows == 3);
      CHECK(r.dependencies[k].duals == std::vector<int>{p.duplicates[k].first, p.duplicates[k].second});
    }
  }
}

TEST_CASE("rank of rows: a loop of hinges with parallel axes has three rows too many, in all its joints") {
  // A planar four-bar of revolute joints: 20 rows on 3 bodies; only 17 are independent, mobility 1.
  KktMechanism m;
  for (int k = 0; k < 3; ++k) m.bodies.push_back({.position = Vec3{{1.0 * k, k == 1 ? 1.0 : 0.4, 0.0}}});
  // The axis (0.6, 0, 0.8) of all four joints is parallel because no body is turned; points off one line.
  m.joints.push_back({KktJointKind::revolute, {0}, Vec3{{0.0, 0.0, 0.0}}});
  m.joints.push_back({KktJointKind::revolute, {0, 1}, Vec3{{0.1, 1.0, 0.0}}});
  m.joints.push_back({KktJointKind::revolute, {1, 2}, Vec3{{2.0, 1.2, 0.0}}});
  m.joints.push_back({KktJointKind::revolute, {2}, Vec3{{2.2, 0.0, 0.0}}});
  const KktProblem p = make_kkt("four-bar", m);
  for (const RankFactorisation by : factorisations) {
    const RankReport r = rank_of_rows(p.matrix, {.vectors = 3}, by);
    REQUIRE(r.computed);
    CHECK(r.rows == 20);
    CHECK(r.rank == 17);
    REQUIRE(r.dependencies.size() == 1);
    CHECK(r.dependencies[0].rows == 3);
    CHECK(r.dependencies[0].duals == std::vector<int>{0, 1, 2, 3});
    // y with C^T y = 0, in the units of the rows.
    REQUIRE(r.null_vectors.size() == 3);
    for (const std::vector<double>& y : r.null_vectors) {
      std::vector<double> left(static_cast<std::size_t>(p.pattern->primal_dimension), 0.0);
      double largest = 0.0;
      for (std::size_t k = 0; k < p.pattern->incidences.size(); ++k) {
        const int d = p.pattern->incidences[k].dual, b = p.pattern->incidences[k].primal;
        const auto c = p.matrix.C(static_cast<int>(k));
        for (int i = 0; i < c.rows; ++i)
          for (int j = 0; j < c.cols; ++j) {
            const auto row = static_cast<std::size_t>(p.pattern->dual_offset[static_cast<std::size_t>(d)] +
                                                      i - p.pattern->primal_dimension);
            left[static_cast<std::size_t>(p.pattern->primal_offset[static_cast<std::size_t>(b)] + j)] +=
                c(i, j) * y[row];
            largest = std::max(largest, std::fabs(c(i, j) * y[row]));
          }
      }
      CHECK(largest > 0.0);
      for (const double x : left) CHECK(std::fabs(x) <= 1e-13 * largest);  // sums of some 10 roundings
    }
  }
}

TEST_CASE("rank of rows: does not depend on the units of a row") {
  KktProblem p = duplicated_kkt(12);
  for (std::size_t k = 0; k < p.pattern->incidences.size(); ++k) {
    const int d = p.pattern->incidences[k].dual;
    const BlockRef c = p.matrix.C(static_cast<int>(k));
    for (int i = 0; i < c.rows; ++i)
      for (int j = 0; j < c.cols; ++j) c(i, j) *= std::pow(10.0, 3 * (d + i) % 17 - 8);
  }
  for (const RankFactorisation by : factorisations) {
    const RankReport r = rank_of_rows(p.matrix, {}, by);
    CHECK(r.rows - r.rank == 6);
    CHECK(r.dependencies.size() == 2);
  }
}

TEST_CASE("rank of rows: an empty row depends on nothing but itself; NaN is no rank") {
  for (const RankFactorisation by : factorisations) {
    KktProblem p = chain_kkt(10);
    for (const int k : {7, 8})
      for (int j = 0; j < 6; ++j) p.matrix.C(k)(1, j) = 0.0;
    const RankReport r = rank_of_rows(p.matrix, {}, by);
    CHECK(r.rows - r.rank == 1);
    REQUIRE(r.dependencies.size() == 1);
    CHECK(r.dependencies[0].duals == std::vector<int>{4});
    p.matrix.C(3)(0, 0) = std::nan("");
    CHECK_FALSE(rank_of_rows(p.matrix, {}, by).computed);
  }
}
