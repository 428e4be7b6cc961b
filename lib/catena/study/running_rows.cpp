#include <catena/driver/sink.hpp>
#include <catena/study/detail/running_rows.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& file) {
  throw SinkError("cannot write " + file.string() + ": " + std::generic_category().message(errno));
}

}  // namespace

RunningRows::RunningRows(std::filesystem::path file) : path_(std::move(file)) {
  if (path_.empty()) return;
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) refuse(path_);
  std::uint64_t content = 0;
  for (off_t at = 0; pread(file_, &content, sizeof content, at) == sizeof content; at += sizeof content)
    if (content > 0) left_.push_back(content - 1);
}

RunningRows::~RunningRows() {
  if (file_ < 0) return;
  close(file_);
  if (left_behind_) return;
  std::error_code none;
  std::filesystem::remove(path_, none);
}

void RunningRows::forget_left() {
  if (file_ >= 0 && ftruncate(file_, 0) != 0) refuse(path_);
  left_.clear();
}

void RunningRows::forget_running() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (file_ >= 0 && ftruncate(file_, 0) != 0) return;  // then they count as killed, and run again alone
}

void RunningRows::write(std::size_t slot, std::size_t content) const {
  const std::uint64_t bytes = content;
  const auto at = static_cast<off_t>(slot * sizeof bytes);
  if (pwrite(file_, &bytes, sizeof bytes, at) != sizeof bytes) refuse(path_);
}

void RunningRows::begin(std::size_t row) {
  if (file_ < 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  auto slot = std::find(slots_.begin(), slots_.end(), 0U);
  if (slot == slots_.end()) slot = slots_.insert(slots_.end(), 0U);
  *slot = row + 1;
  write(static_cast<std::size_t>(slot - slots_.begin()), row + 1);
}

void RunningRows::end(std::size_t row) {
  if (file_ < 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto slot = std::find(slots_.begin(), slots_.end(), row + 1);
  if (slot == slots_.end()) return;
  *slot = 0;
  write(static_cast<std::size_t>(slot - slots_.begin()), 0);
}

}  // namespace catena::detail
