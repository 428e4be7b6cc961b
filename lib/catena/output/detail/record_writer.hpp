// Rows on their way into a results file: filled by the run, completed and written by a thread of its own, so that a
// run waits for the disk only where the disk is slower than the run.
#pragma once
#include <catena/math/detail/named_error.hpp>
#include <catena/output/detail/growing_file.hpp>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace catena::detail {

class RecordWriter {
 public:
  // interval: [s] that a row waits for others at most. complete: called once for every row before it is written, by
  // the thread of the writer.
  RecordWriter(GrowingFile& file, int width, double interval, std::function<void(double*)> complete);
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;
  ~RecordWriter();  // writes what is there; what fails then is lost

  // The row to fill next; waits where all are on their way. Throws what went wrong meanwhile: SinkError, or NamedError of
  // a quantity.
  double* next();
  // It is filled.
  void push();
  // Waits until all rows are in the file. Throws SinkError.
  void drain();

 private:
  void work();
  double* row(std::uint64_t number) { return ring_.data() + number % capacity_ * width_; }
  [[noreturn]] void fail();

  GrowingFile& file_;
  const std::uint64_t width_, capacity_, batch_;
  const std::chrono::duration<double> interval_;
  const std::function<void(double*)> complete_;
  std::vector<double> ring_;
  std::mutex mutex_;
  std::condition_variable filled_or_asked_, written_some_;
  std::uint64_t filled_ = 0, written_ = 0;
  bool hurry_ = false, stop_ = false;
  std::string error_;
  std::optional<NamedError> thrown_;  // of a quantity; else the disk has failed
  std::thread thread_;
};

}  // namespace catena::detail
