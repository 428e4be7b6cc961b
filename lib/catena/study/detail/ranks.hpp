// Processes that mpirun or srun has started together.
#pragma once
#include <memory>
#include <optional>
#include <string>

namespace catena {
class Catalog;
class SweepRows;
struct SweepCounts;
struct SweepOptions;
}  // namespace catena

namespace catena::detail {

class Ranks {
 public:
  struct Message {
    int from = 0;
    std::string text = {};
  };
  virtual ~Ranks() = default;  // finishes, but after abandon()
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, const std::string& text) = 0;
  virtual std::optional<Message> receive() = 0;  // at once; empty: nothing has come
  // Of all together: each waits for the others, at the cost of a processor. What is sent afterwards is dropped.
  virtual void finish() = 0;
  // This process will end without the others: one of them does not answer. mpirun then ends all.
  virtual void abandon() = 0;
};

// How many processes were started together, by what mpirun and srun leave in the environment; 1: this one is alone.
int started_ranks();

// Null: this process is alone, and MPI is not touched. Throws UsageError where this build has no MPI, or another one than
// that which started it.
std::unique_ptr<Ranks> start_ranks();

// As the public run_sweep(), over ranks, with a catalog that reads each file once: the first has the table and deals the
// rows, each of the others runs one at a time. Where ranks are stopped, rows of those that do not answer count as killed.
// ranks: null: one process. What it returns and throws is that of the first rank; the others return when there are no
// more rows.
SweepCounts run_sweep(const SweepRows& rows, const Catalog& catalog, const SweepOptions& options,
                      Ranks* ranks);

}  // namespace catena::detail
