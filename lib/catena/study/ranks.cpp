#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/mpi_ranks.hpp>
#include <catena/study/detail/ranks.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace catena::detail {
namespace {

int number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : parse_integer(text).value_or(0);
}

}  // namespace

int started_ranks() {
  // Open MPI's mpirun; MPICH's and srun --mpi=pmi2; srun --mpi=pmix. Slurm's numbers alone say nothing: a job has them
  // that never heard of MPI.
  if (const int size = number_in("OMPI_COMM_WORLD_SIZE"); size > 0) return size;
  if (const int size = number_in("PMI_SIZE"); size > 0) return size;
  if (std::getenv("PMIX_RANK") != nullptr)
    if (const int size = number_in("SLURM_STEP_NUM_TASKS"); size > 0) return size;
  return 1;
}

std::unique_ptr<Ranks> start_ranks() {
  const int started = started_ranks();
  if (started < 2) return nullptr;
#ifdef CATENA_HAS_MPI
  std::unique_ptr<Ranks> ranks = mpi_ranks();
  if (ranks->size() != started)
    throw UsageError(fmt::format(
        "{} processes were started together, but the MPI that this catena was built with sees {}: start them "
        "by the mpirun of that MPI, or give each process a --shard",
        started, ranks->size()));
  return ranks;
#else
  throw UsageError(fmt::format(
      "{} processes were started together, but this catena was built without MPI: build it where MPI is "
      "found (CATENA_WITH_MPI), or give each process a --shard",
      started));
#endif
}

}  // namespace catena::detail
