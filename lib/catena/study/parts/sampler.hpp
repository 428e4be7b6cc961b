// Points of the unit cube, each a function of seed and number alone.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace catena {

enum class Sampling {
  random,           // independent numbers
  latin_hypercube,  // each of n equal intervals of each variable has one point
  sobol,            // Sobol's sequence, shifted by the seed
  saltelli          // for Sobol indices: n points of 2 d variables of the sequence make n (d + 2) points
};

// The points of a sweep. Of a Latin hypercube and of Saltelli's points `count` decides where they lie; a random point and
// one of the sequence stay where they are when there are more.
class Sampler {
 public:
  // count: n; dimensions: d, at least 1, at most 3667 (half as many for saltelli).
  Sampler(Sampling sampling, std::size_t count, std::size_t dimensions, std::uint64_t seed);
  ~Sampler();
  Sampler(Sampler&&) noexcept;

  std::size_t points() const;  // n, or n (d + 2)
  // Coordinates in [0, 1). Safe from several threads.
  std::vector<double> operator()(std::size_t point) const;

 private:
  struct Sequence;  // of Sobol, with its direction numbers

  std::vector<double> of_sequence(std::size_t number) const;

  Sampling sampling_;
  std::size_t count_, dimensions_;
  std::uint64_t seed_;
  std::unique_ptr<const Sequence> sequence_;
};

}  // namespace catena
