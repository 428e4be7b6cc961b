// What a step costs, before it is run: work and traffic from the symbolic analysis, at rates that short runs of the same
// problem and sweeps over memory have measured on this machine.
#pragma once
#include <catena/study/detail/phase.hpp>
#include <catena/study/detail/size_work.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace catena::detail {

// Of reading and writing arrays of so many bytes in all, by one core.
struct MemoryPrice {
  double bytes = 0.0;
  double seconds_per_byte = 0.0;
};
// Measured, of rising sizes from 256 kB, which second-level caches hold, to 256 MB, which none does.
std::vector<MemoryPrice> memory_prices();
// Between the sizes by their logarithms.
double price_at(const std::vector<MemoryPrice>& prices, double bytes);

// A short run with one thread, and what the analysis of its size says.
struct Calibration {
  SizeWork work = {};
  std::array<double, phase_count> seconds = {};   // [s] a step
  double iterations = 0.0, factorizations = 0.0;  // a step
  double peak_bytes = 0.0;
};

inline constexpr std::array<int, 6> predicted_cores = {2, 4, 8, 16, 32, 64};
struct SpeedUp {
  int cores = 1;
  double elimination = 1.0, step = 1.0;  // against one core
};

struct Prediction {
  std::string why_not = {};                      // a sentence; empty: there is one
  std::array<double, phase_count> seconds = {};  // [s] a step; of the set-up none
  double peak_bytes = std::numeric_limits<double>::quiet_NaN();
  std::vector<SpeedUp> speed_ups = {};  // on predicted_cores
  bool known() const { return why_not.empty(); }
  double of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
};

// Seconds of a phase = rate * work + traffic * (price of the memory that the run touches - least price).
//   evaluate   work: unknowns; traffic: the matrix written, for each factorisation; own memory, for each iteration
//   factorize  work: modelled cycles of the fronts; traffic: matrix and analysis read, factor written and read back
//   solve      work: bytes of the factor; traffic: factor twice, for each solve after the first
//   rest       work: unknowns; traffic: own memory, for the prediction and each iteration
// Own memory is what the run holds besides the solver: state, stepper, elements. How often it is swept was fitted to what
// chains of 3e4 and 1e5 bodies take more than one of 3e3, on one machine that was not idle.
// The rates are those of the calibrations, between them by the logarithm of the unknowns; beyond them that of the nearest.
// Memory is that of the solver and a line in the unknowns through the first and the last calibration.
class CostModel {
 public:
  // calibrations: by rising size; those whose analysis failed are left out.
  CostModel(std::vector<MemoryPrice> prices, std::vector<Calibration> calibrations);
  Prediction predict(const SizeWork& work, int threads) const;

 private:
  double rate_of(Phase phase, double unknowns) const;
  double between(double unknowns, double (*value)(const Calibration&)) const;
  double own_bytes(double unknowns) const;  // that grow with the problem, the solver's apart
  double dearer(const SizeWork& work) const;
  double traffic(Phase phase, const SizeWork& work) const;

  std::vector<MemoryPrice> prices_;
  std::vector<Calibration> calibrations_;
  double fixed_bytes_ = 0.0, bytes_of_unknown_ = 0.0;
  std::vector<std::array<double, phase_count>> rates_;
};

}  // namespace catena::detail
