#include <catena/output/detail/record_writer.hpp>

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

namespace catena::detail {
namespace {

// Rows that may be on their way: few enough to stay in a cache between the run that fills them and the thread that
// writes them; enough that the two change places on one core for several rows at once, and three at least.
std::uint64_t ring_rows(int width) {
  constexpr std::uint64_t bytes = 1U << 21U;
  return std::clamp<std::uint64_t>(bytes / (8U * static_cast<std::uint64_t>(width)), 3, 2048);
}

// Ctrl-C is for the thread that runs; too large a file is an error of write() here, and not the end of the program.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

RecordWriter::RecordWriter(GrowingFile& file, int width, double interval,
                           std::function<void(double*)> complete)
    : file_(file),
      width_(static_cast<std::uint64_t>(width)),
      capacity_(ring_rows(width)),
      batch_(std::max<std::uint64_t>(1, capacity_ / 4)),
      interval_(interval),
      complete_(std::move(complete)),
      ring_(capacity_ * width_) {
  const SignalsBlocked inherited;
  thread_ = std::thread([this] { work(); });
}

RecordWriter::~RecordWriter() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  filled_or_asked_.notify_one();
  thread_.join();
}

void RecordWriter::fail() {
  const std::uint64_t rows = file_.rows();
  std::string saved = "nothing of this run is in the file";
  if (rows > 0)
    saved =
        fmt::format("{} instants up to t = {} s are in the file and can be read", rows, file_.time(rows - 1));
  if (thrown_) throw NamedError(thrown_->name(), error_ + "; " + saved, thrown_->lacks_memory());
  throw SinkError(error_ + "; " + saved);
}

double* RecordWriter::next() {
  std::unique_lock<std::mutex> lock(mutex_);
  written_some_.wait(lock, [this] { return !error_.empty() || filled_ - written_ < capacity_; });
  if (!error_.empty()) fail();
  return row(filled_);
}

void RecordWriter::push() {
  bool enough = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++filled_;
    enough = filled_ - written_ == batch_ || filled_ - written_ == capacity_;
  }
  if (enough) filled_or_asked_.notify_one();
}

void RecordWriter::drain() {
  std::unique_lock<std::mutex> lock(mutex_);
  hurry_ = true;
  filled_or_asked_.notify_one();
  written_some_.wait(lock, [this] { return !error_.empty() || written_ == filled_; });
  if (!error_.empty()) fail();
}

void RecordWriter::work() {
#ifdef __linux__
  pthread_setname_np(pthread_self(), "catena results");  // 15 letters at most
#endif
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    // After an error nothing is left to do.
    filled_or_asked_.wait_for(lock, interval_, [this] {
      return stop_ || (error_.empty() && (hurry_ || filled_ - written_ >= batch_));
    });
    while (written_ < filled_ && error_.empty()) {
      const std::uint64_t begin = written_;
      // To the end of the ring at most, and in parts, so that the run finds free space again early.
      const std::uint64_t count = std::min({filled_ - begin, capacity_ - begin % capacity_, batch_});
      lock.unlock();
      std::string error;
      std::optional<NamedError> thrown;
      try {
        for (std::uint64_t k = 0; k < count; ++k) complete_(row(begin + k));
        file_.append(row(begin), count);
      } catch (const NamedError& e) {
        error = e.text();
        thrown = e;
      } catch (const std::exception& e) {
        error = e.what();
      }
      lock.lock();
      error_ = std::move(error);
      thrown_ = std::move(thrown);
      if (error_.empty()) written_ = begin + count;
      written_some_.notify_all();
    }
    hurry_ = false;
    if (stop_) return;
  }
}

}  // namespace catena::detail
