// What a scaling study predicts of its runs.
#pragma once
#include <catena/study/detail/scaling.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace catena {
class Catalog;
}

namespace catena::detail {

// Sizes for short runs: the smallest, and the geometric means of neighbours, which are not asked for themselves; of one
// size a thirty-second and an eighth. Of sizes that are no numbers the smallest alone.
std::vector<std::string> calibration_sizes(const std::vector<std::string>& sizes);

// Measures the machine and short runs of each method and back end with one thread, and fills work and prediction of every
// run. base_bytes: of a process without a model.
void predict(Scaling& scaling, const Catalog& catalog, double base_bytes, const std::atomic<bool>* stop);

}  // namespace catena::detail
