#include <catena/math/detail/philox.hpp>
#include <catena/study/parts/sampler.hpp>

#include <boost/random/sobol.hpp>

#include <bit>
#include <cassert>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// Streams of one seed: a number a point, and those that a whole variable has.
constexpr std::uint64_t of_points = 0, of_intervals = std::uint64_t{1} << 62U,
                        of_shifts = std::uint64_t{1} << 63U;

// Where `index` of 0 ... count - 1 goes in a permutation that the key chooses: a Feistel network over the next even power
// of two, walked until it is within the count. Nothing is stored, whatever the count.
std::size_t permuted(std::size_t index, std::size_t count, std::uint64_t seed, std::uint64_t variable) {
  const unsigned half = (static_cast<unsigned>(std::bit_width(count - 1)) + 1U) / 2U;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1U;
  std::uint64_t at = index;
  do {
    std::uint64_t left = at >> half, right = at & mask;
    for (std::uint32_t round = 0; round < 6; ++round) {
      const auto words = philox({static_cast<std::uint32_t>(right), static_cast<std::uint32_t>(right >> 32U),
                                 static_cast<std::uint32_t>(variable), round},
                                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)});
      left ^= (std::uint64_t{words[1]} << 32U | words[0]) & mask;
      std::swap(left, right);
    }
    at = left << half | right;
  } while (at >= count);
  return at;
}

std::uint64_t bits_of_stream(std::uint64_t seed, std::uint64_t stream) {
  RandomStream numbers(seed, stream);
  const auto high = static_cast<std::uint64_t>(numbers() * 0x1p32),
             low = static_cast<std::uint64_t>(numbers() * 0x1p32);
  return high << 32U | low;
}

}  // namespace

struct Sampler::Sequence {
  boost::random::sobol engine;
  std::vector<std::uint64_t> shifts;  // exclusive or: the points stay as even as they were
};

Sampler::Sampler(Sampling sampling, std::size_t count, std::size_t dimensions, std::uint64_t seed)
    : sampling_(sampling), count_(count), dimensions_(dimensions), seed_(seed) {
  assert(dimensions > 0);
  if (sampling != Sampling::sobol && sampling != Sampling::saltelli) return;
  const std::size_t wide = sampling == Sampling::saltelli ? 2 * dimensions : dimensions;
  Sequence sequence{boost::random::sobol(wide), {}};
  for (std::size_t k = 0; k < wide; ++k) sequence.shifts.push_back(bits_of_stream(seed, of_shifts + k));
  sequence_ = std::make_unique<const Sequence>(std::move(sequence));
}

Sampler::~Sampler() = default;
Sampler::Sampler(Sampler&&) noexcept = default;

std::size_t Sampler::points() const {
  return sampling_ == Sampling::saltelli ? count_ * (dimensions_ + 2) : count_;
}

std::vector<double> Sampler::of_sequence(std::size_t number) const {
  const std::vector<std::uint64_t>& shifts = sequence_->shifts;
  boost::random::sobol engine = sequence_->engine;  // begins behind the origin
  if (number > 0) engine.seed(number - 1);
  std::vector<double> point;
  for (const std::uint64_t shift : shifts) {
    const std::uint64_t bits = (number > 0 ? engine() : 0) ^ shift;
    point.push_back(static_cast<double>(bits >> 11U) * 0x1p-53);
  }
  return point;
}

std::vector<double> Sampler::operator()(std::size_t point) const {
  std::vector<double> u(dimensions_);
  switch (sampling_) {
    case Sampling::random: {
      RandomStream numbers(seed_, of_points + point);
      for (double& x : u) x = numbers();
      break;
    }
    case Sampling::latin_hypercube: {
      RandomStream numbers(seed_, of_intervals + point);
      for (std::size_t k = 0; k < dimensions_; ++k)
        u[k] = (static_cast<double>(permuted(point, count_, seed_, k)) + numbers()) /
               static_cast<double>(count_);
      break;
    }
    case Sampling::sobol:
      return of_sequence(point);
    case Sampling::saltelli: {
      const std::vector<double> both = of_sequence(point / (dimensions_ + 2));
      const std::size_t which = point % (dimensions_ + 2);  // A, B, then A with one variable of B
      for (std::size_t k = 0; k < dimensions_; ++k) {
        const bool of_b = which == 1 || which == k + 2;
        u[k] = both[of_b ? dimensions_ + k : k];
      }
      break;
    }
  }
  return u;
}

}  // namespace catena
