#include <catena/stepper/detail/mass_factor.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena::detail;

TEST_CASE("coupled blocks are factorised together, others alone, and empty couplings join nothing") {
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size = {2, 3, 1, 2};
  pattern->couplings = {{0, 2}, {1, 3}, {2, 3}};  // 0 and 2 share masses; the other two are springs
  pattern->finish();
  BlockMatrix M(pattern, Border::transposed);
  M.set_zero();
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < M.H(k).rows; ++i)
      for (int j = 0; j < M.H(k).cols; ++j) M.H(k)(i, j) = i == j ? 4.0 + k : 0.5;
  for (int i = 0; i < 2; ++i) {
    M.H_upper(0)(i, 0) = 1.0 + i;
    M.H_lower(0)(0, i) = 1.0 + i;
  }
  MassFactor factor;
  factor.attach(pattern);
  REQUIRE(factor.make(M) == -1);
  std::vector<double> x{1, -2, 3, 0.5, -1, 2, 7, -3}, y(8);
  M.multiply(x.data(), y.data());
  factor.solve(y.data());
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(y[k] == catena_test::relative(x[k], 1e-14));

  M.H(2)(0, 0) = 0.1;  // positive by itself, but not with what couples it to block 0
  CHECK(factor.make(M) == 2);

  // Masses that are others than the last ones, alone and coupled, have factors of their own.
  M.H(2)(0, 0) = 6.0;
  M.H(1)(0, 0) = 9.0;
  REQUIRE(factor.make(M) == -1);
  M.multiply(x.data(), y.data());
  factor.solve(y.data());
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(y[k] == catena_test::relative(x[k], 1e-14));
}

TEST_CASE(
    "axes that are principal ones and axes that are not, also where a body changes from one to the other") {
  auto pattern = std::make_shared<BlockPattern>();
  pattern->primal_size = {6, 6, 6};
  pattern->finish();
  BlockMatrix M(pattern, Border::transposed);
  M.set_zero();
  const auto set = [&](int body, double product) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j)
        M.H(body)(i, j) = i == j ? 2.0 + body + i : (i >= 3 && j >= 3 ? product : 0.0);
  };
  MassFactor factor;
  factor.attach(pattern);
  for (const auto& [first, second] : {std::pair{0.0, 0.5}, std::pair{0.5, 0.0}, std::pair{0.0, 0.0}}) {
    set(0, first);
    set(1, second);
    set(2, 0.25);
    M.H(2)(0, 4) = M.H(2)(4, 0) = 0.3;  // the first axis of this one goes with others
    REQUIRE(factor.make(M) == -1);
    std::vector<double> x(18), y(18);
    for (int k = 0; k < 18; ++k) x[static_cast<std::size_t>(k)] = std::sin(1.0 + k);
    M.multiply(x.data(), y.data());
    factor.solve(y.data());
    for (std::size_t k = 0; k < x.size(); ++k) CHECK(y[k] == catena_test::relative(x[k], 1e-14));
  }
}
