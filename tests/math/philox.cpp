// Random numbers as functions of key and counter.
#include <catena/math/detail/philox.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace catena::detail;
using Words = std::array<std::uint32_t, 4>;

TEST_CASE("Philox4x32-10 gives the words that its authors publish") {
  // kat_vectors of Random123.
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is uniform in [0, 1), and depends on the seed and on its own number") {
  RandomStream first(7, 3), again(7, 3), other_seed(8, 3), other_stream(7, 4), large(7 + (1ULL << 32U), 3);
  double sum = 0.0, squares = 0.0, product = 0.0;
  constexpr int n = 100000;
  for (int k = 0; k < n; ++k) {
    const double x = first(), y = other_stream();
    REQUIRE(x == again());
    REQUIRE(x != other_seed());
    REQUIRE(x != large());
    REQUIRE((x >= 0.0 && x < 1.0));
    sum += x;
    squares += x * x;
    product += (x - 0.5) * (y - 0.5);
  }
  // Five standard deviations of the mean: of x sqrt(1/12), of x^2 sqrt(4/45), of the product 1/12.
  CHECK(std::abs(sum / n - 0.5) < 5.0 * std::sqrt(1.0 / 12.0 / n));
  CHECK(std::abs(squares / n - 1.0 / 3.0) < 5.0 * std::sqrt(4.0 / 45.0 / n));
  CHECK(std::abs(product / n) < 5.0 / 12.0 / std::sqrt(n));
}
