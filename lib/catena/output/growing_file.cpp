#include <catena/driver/detail/write_fully.hpp>
#include <catena/output/detail/growing_file.hpp>
#include <catena/output/detail/results_bytes.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace catena::detail {

GrowingFile::GrowingFile(std::filesystem::path path, const ResultsPlaces& places, int width)
    : path_(std::move(path)), places_(places), width_(width) {
  file_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (file_ < 0) fail("open", errno);
  begun_ = places_.records.data_at + places_.records.rows * row_bytes();
  read(&lost_events_, sizeof lost_events_, places_.lost_events_at);
}

GrowingFile::~GrowingFile() {
  if (file_ >= 0) close(file_);
}

void GrowingFile::fail(const char* doing, int reason) const {
  throw SinkError(
      fmt::format("cannot {} {}: {}", doing, path_.string(), std::generic_category().message(reason)));
}

void GrowingFile::write(const void* bytes, std::uint64_t size, std::uint64_t at) {
  if (write_fully_at(file_, bytes, size, at) != size) fail("write", errno);
}

void GrowingFile::read(void* bytes, std::uint64_t size, std::uint64_t at) const {
  char* to = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t n = pread(file_, to, size, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("read", n < 0 ? errno : ENODATA);
    to += n;
    at += static_cast<std::uint64_t>(n);
    size -= static_cast<std::uint64_t>(n);
  }
}

double GrowingFile::time(std::uint64_t row) const {
  double t = 0.0;
  read(&t, sizeof t, places_.records.data_at + row * row_bytes());
  return t;
}

void GrowingFile::read_rows(std::uint64_t first, std::uint64_t count, double* rows) const {
  read(rows, count * row_bytes(), places_.records.data_at + first * row_bytes());
}

ResultsEvent GrowingFile::event(std::uint64_t number) const {
  ResultsEvent event;
  char name[event_name_length], rising = 0;
  read(&event.t, sizeof event.t, places_.event_times.data_at + 8 * number);
  read(name, sizeof name, places_.event_names.data_at + event_name_length * number);
  read(&rising, 1, places_.event_rising.data_at + number);
  event.name.assign(name, std::find(name, name + sizeof name, '\0'));
  event.rising = rising != 0;
  return event;
}

// What a reader may look at must be there first: so it never meets a row that is not.
void GrowingFile::show(std::uint64_t rows) {
  const std::uint64_t size = rows * row_bytes();
  write_word(places_.records.data_at + size, end_of_file_at);
  write_word(size, places_.size_at);
  write_word(rows, places_.records.rows_at);
  places_.records.rows = rows;
}

void GrowingFile::append(const double* rows, std::uint64_t count) {
  const std::uint64_t at = places_.records.data_at + places_.records.rows * row_bytes();
  const std::uint64_t done = write_fully_at(file_, rows, count * row_bytes(), at);
  const int error = errno;
  const std::uint64_t whole = done / row_bytes();
  if (whole > 0) show(places_.records.rows + whole);
#ifdef __linux__
  // The disk begins early, so that a later sync() finds little left; in parts so large that asking costs nothing.
  constexpr std::uint64_t part = 8U << 20U;
  if (const std::uint64_t end = at + done; end >= begun_ + part) {
    sync_file_range(file_, static_cast<off_t>(begun_), static_cast<off_t>(end - begun_),
                    SYNC_FILE_RANGE_WRITE);
    begun_ = end;
  }
#endif
  if (whole < count) fail("write", error);
}

void GrowingFile::append_event(double t, const std::string& name, bool rising) {
  const std::uint64_t k = places_.event_times.rows;
  if (k >= places_.event_times.capacity) return set_lost_events(lost_events_ + 1);
  char text[event_name_length] = {};
  name.copy(text, event_name_length);
  const char up = rising ? 1 : 0;
  write(text, event_name_length, places_.event_names.data_at + k * event_name_length);
  write(&up, 1, places_.event_rising.data_at + k);
  write(&t, sizeof t, places_.event_times.data_at + k * 8);
  for (GrowingPlace* place : {&places_.event_names, &places_.event_rising, &places_.event_times}) {
    place->rows = k + 1;
    write_word(place->rows, place->rows_at);
  }
}

void GrowingFile::set_lost_events(std::uint64_t count) {
  lost_events_ = count;
  write_word(count, places_.lost_events_at);
}

void GrowingFile::cut_back(std::uint64_t rows, double t) {
  const std::uint64_t kept = std::min(rows, places_.records.rows);
  const std::uint64_t size = kept * row_bytes();
  write_word(kept, places_.records.rows_at);  // no reader looks at what is about to go
  write_word(size, places_.size_at);
  write_word(places_.records.data_at + size, end_of_file_at);
  places_.records.rows = kept;
  begun_ = places_.records.data_at + size;
  if (ftruncate(file_, static_cast<off_t>(places_.records.data_at + size)) != 0) fail("shorten", errno);
  std::uint64_t events =
      std::min({places_.event_times.rows, places_.event_names.rows, places_.event_rising.rows});
  for (; events > 0; --events) {
    double last = 0.0;
    read(&last, sizeof last, places_.event_times.data_at + 8 * (events - 1));
    if (last <= t) break;
  }
  for (GrowingPlace* place : {&places_.event_times, &places_.event_rising, &places_.event_names}) {
    place->rows = events;
    write_word(events, place->rows_at);
  }
  set_lost_events(0);
}

void GrowingFile::set_ended(const std::string& date) {
  char text[ended_length] = {};
  date.copy(text, ended_length);
  write(text, ended_length, places_.ended_at);
}

void GrowingFile::set_end(const std::string& end) {
  if (places_.end_at == 0) return;
  char text[manifest_end_length] = {};
  end.copy(text, manifest_end_length);
  write(text, manifest_end_length, places_.end_at);
}

std::string GrowingFile::ended() const {
  char text[ended_length];
  read(text, sizeof text, places_.ended_at);
  return {text, std::find(text, text + sizeof text, '\0')};
}

void GrowingFile::sync() {
  if (fsync(file_) != 0) fail("write", errno);
}

}  // namespace catena::detail
