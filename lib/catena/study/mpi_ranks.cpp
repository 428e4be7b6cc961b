#include <catena/driver/sink.hpp>
#include <catena/study/detail/mpi_ranks.hpp>

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <utility>

namespace catena::detail {
namespace {

constexpr std::size_t most_bytes = INT_MAX;  // MPI counts with int

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);  // rows may have threads of their own
    if (provided < MPI_THREAD_FUNNELED) {
      MPI_Finalize();
      throw SinkError("this MPI takes no program with threads: it must offer MPI_THREAD_FUNNELED");
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override { finish(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void send(int to, const std::string& text) override {
    if (finished_) return;
    if (text.size() > most_bytes) throw SinkError("a message between ranks is larger than MPI can send");
    MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
  }
  std::optional<Message> receive() override {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return std::nullopt;
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    if (size == MPI_UNDEFINED) throw SinkError("a message between ranks is larger than MPI can send");
    Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), ' ')};
    MPI_Recv(message.text.data(), size, MPI_CHAR, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }
  void finish() override {
    if (!finished_ && !abandoned_) MPI_Finalize();
    finished_ = true;
  }
  void abandon() override { abandoned_ = true; }

 private:
  int rank_ = 0, size_ = 1;
  bool finished_ = false, abandoned_ = false;
};

}  // namespace

std::unique_ptr<Ranks> mpi_ranks() { return std::make_unique<MpiRanks>(); }

}  // namespace catena::detail
