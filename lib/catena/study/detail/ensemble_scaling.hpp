// Weak and strong scaling of ensembles.
#pragma once
#include <catena/study/detail/scaling.hpp>

#include <atomic>

namespace catena {
class Catalog;
}

namespace catena::detail {

// Of each method, back end and size, on each number of threads, of processes and of ranks. Runs that were stopped are left out.
void scale_ensembles(Scaling& scaling, const Catalog& catalog, const std::atomic<bool>* stop);

// Fills the efficiencies of runs that begin with those of the fewest workers of their kind.
void fill_efficiencies(std::vector<EnsembleRun>& runs);

}  // namespace catena::detail
