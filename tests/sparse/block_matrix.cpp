#include <catena/sparse/detail/csc_map.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include "support/allocation_count.hpp"
#include "support/kkt_matrices.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

using namespace catena;
using namespace catena::detail;
using namespace catena::test;

namespace {

std::size_t index(int k) { return static_cast<std::size_t>(k); }
constexpr double eps = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_CASE("block matrix: it knows whether a coupling may be other than zero") {
  const KktProblem p = turning_chain_kkt(20);
  BlockMatrix a(p.pattern, Border::transposed);
  CHECK_FALSE(a.has_couplings());
  CHECK(std::as_const(a).H_upper(3)(4, 4) == 0.0);
  CHECK(std::as_const(a).coupling_pool() != nullptr);
  CHECK_FALSE(a.has_couplings());  // reading is none
  for (const bool all : {true, false})
    for (const int how : {0, 1, 2, 3}) {
      CAPTURE(how);
      if (how == 0) a.H_upper(3)(4, 4) = 2.0;
      if (how == 1) a.H_lower(3)(4, 4) = 2.0;
      if (how == 2) *a.coupling_pool() = 2.0;
      if (how == 3) *a.coupling_t_pool() = 2.0;
      CHECK(a.has_couplings());
      if (all)
        a.set_zero();
      else
        a.zero_couplings();
      CHECK_FALSE(a.has_couplings());
      for (int k = 0; k < 19; ++k)
        for (int e = 0; e < 36; ++e) {
          CHECK(std::as_const(a).H_upper(k)(e / 6, e % 6) == 0.0);
          CHECK(std::as_const(a).H_lower(k)(e / 6, e % 6) == 0.0);
        }
    }
}

TEST_CASE("block matrix: multiply is the product with the matrix written out, without the proximal term") {
  for (const KktProblem& p : all_kkt(12)) {
    CAPTURE(p.name);
    const std::size_t n = index(p.pattern->dimension());
    const std::vector<double> A = dense_kkt(p.matrix, false), x = kkt_solution(p);
    std::vector<double> y(n);
    p.matrix.multiply(x.data(), y.data());
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0, size = 0.0;
      for (std::size_t j = 0; j < n; ++j) {
        sum += A[i * n + j] * x[j];
        size += std::fabs(A[i * n + j] * x[j]);
      }
      // two sums of at most n products each
      worst = std::max(worst, std::fabs(sum - y[i]) / (2.0 * static_cast<double>(n) * eps * size + 1e-300));
    }
    CHECK(worst <= 1.0);
  }
}

TEST_CASE("block matrix: eight neighbours of a shape are interleaved and start on a cache line") {
  const KktProblem p = random_kkt(20);
  const LaneLayout& layout = p.matrix.incidence_layout();
  CHECK(reinterpret_cast<std::uintptr_t>(p.matrix.C_pool()) % 64 == 0);
  std::vector<std::pair<int, int>> shapes;
  std::vector<int> seen;
  std::vector<std::uint32_t> first;
  for (std::size_t k = 0; k < p.pattern->incidences.size(); ++k) {
    const ConstBlockRef c = p.matrix.C(static_cast<int>(k));
    CHECK(c.stride == 8);
    CHECK(c.data == p.matrix.C_pool() + layout.offset[k]);
    const std::pair<int, int> shape{c.rows, c.cols};
    const auto it = std::find(shapes.begin(), shapes.end(), shape);
    const auto s = static_cast<std::size_t>(it - shapes.begin());
    if (it == shapes.end()) {
      shapes.push_back(shape);
      seen.push_back(0);
      first.push_back(layout.offset[k]);
      CHECK(layout.offset[k] % 8 == 0);
    }
    const int place = seen[s]++;
    CHECK(layout.offset[k] ==
          first[s] + static_cast<std::uint32_t>(place / 8 * 8 * c.rows * c.cols + place % 8));
  }
}

TEST_CASE(
    "block matrix: places that are more than an int counts are refused, and nothing is allocated for them") {
  // 36 numbers of 2e8 bodies.
  CHECK_THROWS_WITH_AS(LaneLayout::make({6}, {6}, {200'000'000}),
                       "this system is too large: the blocks of its matrix have more than 2147483647 numbers",
                       std::length_error);
  CHECK_NOTHROW(LaneLayout::make({6}, {6}, {50'000'000}));
}

TEST_CASE("block matrix: B is C^T in one slot or in two, as declared") {
  KktProblem one = chain_kkt(3);
  one.matrix.C(1)(0, 2) = 42.0;
  CHECK(one.matrix.Bt(1)(0, 2) == 42.0);
  KktProblem two = nonsymmetric_quaternion_kkt(3);
  const double before = two.matrix.Bt(1)(0, 2);
  two.matrix.C(1)(0, 2) = 42.0;
  CHECK(two.matrix.Bt(1)(0, 2) == before);
}

TEST_CASE("compressed columns: every part and order holds the numbers of the matrix, sorted") {
  for (const KktProblem& p : all_kkt(10)) {
    CAPTURE(p.name);
    const std::size_t n = index(p.pattern->dimension());
    const std::vector<double> A = dense_kkt(p.matrix, true);
    const bool symmetric = p.matrix.border() == Border::transposed;
    BlockOrder reversed(index(p.pattern->primal_count() + p.pattern->dual_count()));
    std::iota(reversed.rbegin(), reversed.rend(), 0);
    for (const BlockOrder& order : {BlockOrder{}, reversed, bodies_first_order(*p.pattern)})
      for (const auto part : {CscMap::Part::full, CscMap::Part::upper, CscMap::Part::lower})
        for (const bool symmetric_part : {false, true}) {
          if (!symmetric && (part != CscMap::Part::full || symmetric_part)) continue;
          const CscMap map(*p.pattern, part, order);
          REQUIRE(map.dimension() == p.pattern->dimension());
          std::vector<double> values(index(map.nonzeros()), -1.0), expanded(n * n, 0.0);
          map.fill(p.matrix, values.data(), symmetric_part);
          int unsorted = 0, missing_diagonal = 0;
          for (int j = 0; j < map.dimension(); ++j) {
            bool diagonal = false;
            for (int k = map.column()[index(j)]; k < map.column()[index(j + 1)]; ++k) {
              const int i = map.row()[index(k)];
              unsorted += k > map.column()[index(j)] && map.row()[index(k - 1)] >= i ? 1 : 0;
              diagonal = diagonal || i == j;
              expanded[index(i) * n + index(j)] = values[index(k)];
              if (part != CscMap::Part::full) expanded[index(j) * n + index(i)] = values[index(k)];
            }
            missing_diagonal += diagonal ? 0 : 1;
          }
          CHECK(unsorted == 0);
          CHECK(missing_diagonal == 0);
          double worst = 0.0;  // the symmetric part differs from A by the roundoff of its asymmetry
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
              const std::size_t r = index(map.place()[i]), c = index(map.place()[j]);
              const bool exact = part == CscMap::Part::full && !symmetric_part;
              const double want = exact ? A[i * n + j] : 0.5 * (A[i * n + j] + A[j * n + i]);
              worst = std::max(worst, std::fabs(expanded[r * n + c] - want));
            }
          CHECK(worst == 0.0);
        }
  }
}

TEST_CASE("compressed columns: filling allocates nothing") {
  const KktProblem p = random_kkt(30);
  const CscMap map(*p.pattern);
  std::vector<double> values(index(map.nonzeros()));
  if (allocation_counting_works()) {
    CHECK(count_allocations([] {
            std::vector<double> v(100, 1.0);
            CHECK(v.back() == 1.0);
          }) > 0);
    CHECK(count_allocations([&] { map.fill(p.matrix, values.data(), true); }) == 0);
  }
}

TEST_CASE("bodies-first order: a row block comes after its bodies, a hub after its joints") {
  for (const KktProblem& p : {chain_kkt(50), ladder_kkt(40), net_kkt(6), star_kkt(60), random_kkt(40)}) {
    CAPTURE(p.name);
    const BlockOrder order = bodies_first_order(*p.pattern);
    const int primal = p.pattern->primal_count();
    REQUIRE(order.size() == index(primal + p.pattern->dual_count()));
    std::vector<int> rank(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) rank[index(order[k])] = static_cast<int>(k);
    CHECK(std::count(rank.begin(), rank.end(), -1) == 0);
    const bool star = p.name.rfind("star", 0) == 0;
    int wrong = 0;
    for (const auto& c : p.pattern->incidences) {
      const bool hub = star && c.primal == 0;
      const bool after = rank[index(primal + c.dual)] > rank[index(c.primal)];
      wrong += after == hub ? 1 : 0;
    }
    CHECK(wrong == 0);
  }
}
