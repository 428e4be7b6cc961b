// MPI behind the interface of ranks; only in builds that have it.
#pragma once
#include <catena/study/detail/ranks.hpp>

#include <memory>

namespace catena::detail {

// Initialises MPI, once in a process.
std::unique_ptr<Ranks> mpi_ranks();

}  // namespace catena::detail
