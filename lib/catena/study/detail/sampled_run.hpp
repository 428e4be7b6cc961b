// A scenario that is run for its motion at given instants.
#pragma once
#include <catena/experiment/experiment.hpp>
#include <catena/study/detail/kept_momentum.hpp>
#include <catena/study/detail/motion_samples.hpp>

#include <atomic>
#include <vector>

namespace catena::detail {

struct SampledRun {
  Record record;
  SampledMotion motion;
  double angular_drift, linear_drift;  // of what is kept [kg m^2/s], [kg m/s]; nan: nothing is
  // What the run holds on the heap, model, matrices and results included: the largest at the states 1, 2, 4, 8, ... [bytes];
  // nan: this C library does not say.
  double heap;
};

// By try_run(): failures are in the record.
SampledRun sampled_run(const Scenario& scenario, const Catalog& catalog, const std::vector<double>& instants,
                       const KeptMomentum& kept, const std::atomic<bool>* stop);

// Instants that all of these numbers of equal steps from 0 to the end have in common, the start excluded: as many as
// there are, where that is more than 100 a part of them with equal distances.
std::vector<double> common_instants(double begin, double end, const std::vector<long>& steps);

}  // namespace catena::detail
