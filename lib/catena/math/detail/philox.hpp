// Random numbers without a state: a function of a key and a counter.
#pragma once
#include <array>
#include <cstdint>

namespace catena::detail {

// Philox4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC'11:
// four words of 32 bits, the same on every machine. Neighbouring counters and keys give independent words.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0],
                        b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

// One sequence of a seed: the sequences of two streams are independent, so that what is drawn for one body does not depend
// on how many bodies there are.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  // The next one, uniform in [0, 1), a multiple of 2^-53.
  double operator()() {
    const std::array<std::uint32_t, 4> w =
        philox({low(next_), high(next_), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
    ++next_;
    const std::uint64_t bits = std::uint64_t{w[1]} << 32U | w[0];
    return static_cast<double>(bits >> 11U) * 0x1p-53;
  }
  double between(double a, double b) { return a + (b - a) * (*this)(); }
  int below(int count) { return static_cast<int>(count * (*this)()); }  // 0 ... count - 1

 private:
  static std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
  static std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }

  std::uint64_t seed_, stream_, next_ = 0;
};

}  // namespace catena::detail
