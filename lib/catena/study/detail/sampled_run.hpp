// A scenario that is run for its motion at given instants.
#pragma once
#include <catena/experiment/experiment.hpp>
#include <catena/study/detail/motion_samples.hpp>

#include <atomic>
#include <vector>

namespace catena::detail {

struct SampledRun {
  Record record;
  SampledMotion motion;
  double momentum_drift;  // of the angular momentum about the axes [kg m^2/s]; nan: not looked at
  // What the run holds on the heap, model, matrices and results included: the largest at the states 1, 2, 4, 8, ... [bytes];
  // nan: this C library does not say.
  double heap;
};

// By try_run(): failures are in the record. axes: of the world, 0 to 2, about which the angular momentum is kept.
SampledRun sampled_run(const Scenario& scenario, const Catalog& catalog, const std::vector<double>& instants,
                       const std::vector<int>& axes, const std::atomic<bool>* stop);

// Instants that all of these numbers of equal steps from 0 to the end have in common, the start excluded: as many as
// there are, where that is more than 100 a part of them with equal distances.
std::vector<double> common_instants(double begin, double end, const std::vector<long>& steps);

}  // namespace catena::detail
