// What a sweep runs, row by row.
#pragma once
#include <catena/experiment/scenario.hpp>
#include <catena/study/parts/axis.hpp>
#include <catena/study/parts/reduction.hpp>
#include <catena/study/parts/sampler.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace catena {

class Catalog;

struct Sweep {
  Scenario base = {};           // all that does not vary
  std::vector<Axis> axes = {};  // every combination of them is run; the last one varies fastest
  Sampling sampling = Sampling::random;
  std::size_t samples =
      0;  // of drawn variables, for every combination of the others; see Sampler for saltelli
  std::uint64_t seed = 0;  // of the samples; Scenario::seed is another
  // What is kept of each row. Empty: the last value of everything that base.record names.
  std::vector<Reduction> keep = {};
};

// Makes rows when they are asked for: what it holds does not grow with their number. Safe from several threads.
class SweepRows {
 public:
  // Throws UsageError with all complaints: nothing varies, a key twice, samples that are missing or have nothing to draw,
  // something that is set for all rows and varies.
  explicit SweepRows(Sweep sweep);
  // Numbers of ranges and those that are drawn are rounded to the nearest whole one where the catalog says that the key is
  // a whole number (of the first problem and the first stepper, where they vary).
  SweepRows(Sweep sweep, const Catalog& catalog);

  const Sweep& sweep() const { return sweep_; }
  std::size_t count() const { return cells_ * samples(); }
  std::size_t samples() const { return sampler_ ? sampler_->points() : 1; }  // neighbouring rows
  std::size_t combinations() const { return cells_; }
  // Of all variables, in the order of the axes.
  const std::vector<std::string>& keys() const { return keys_; }
  std::size_t drawn() const { return drawn_; }  // variables
  std::vector<std::string> values(std::size_t row) const;
  Scenario scenario(std::size_t row) const;
  // Whether a row has an instant at every step because what is kept needs it: the sweep itself says nothing of `every`.
  bool every_step() const { return every_step_; }
  // Where the threads of a row vary: of this row, and the most that one has; 0: they do not vary.
  int threads(std::size_t row) const;
  int most_threads() const { return most_threads_; }

 private:
  Sweep sweep_;
  std::vector<std::string> keys_;
  bool every_step_ = false;
  std::size_t cells_ = 1, drawn_ = 0;
  int most_threads_ = 0;
  std::optional<Sampler> sampler_;
};

}  // namespace catena
