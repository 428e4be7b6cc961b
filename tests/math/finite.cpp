#include <catena/math/detail/finite.hpp>
#include <catena/math/detail/square.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace catena;
using namespace catena::detail;

TEST_CASE("whole arrays of numbers are looked at, wherever the wrong one is") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < 20; ++n) {
    std::vector<double> x(n, -3.0);
    CHECK(first_not_finite(x) == -1);
    CHECK(all_below(x, square_limit));
    for (std::size_t k = 0; k < n; ++k)
      for (const double wrong : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                                 -std::numeric_limits<double>::quiet_NaN()}) {
        x[k] = wrong;
        CHECK(first_not_finite(x) == static_cast<int>(k));
        CHECK_FALSE(all_below(x, square_limit));
        x[k] = -3.0;
      }
  }
}

TEST_CASE("the limit itself is not below the limit, its neighbour is, zeros of both signs are") {
  CHECK_FALSE(all_below({square_limit}, square_limit));
  CHECK_FALSE(all_below({-square_limit}, square_limit));
  CHECK(all_below({std::nextafter(-square_limit, 0.0), 0.0, -0.0}, square_limit));
  CHECK(all_below({std::numeric_limits<double>::max()}, std::numeric_limits<double>::infinity()));
}
