#include <catena/driver/checkpoint.hpp>
#include <catena/math/detail/crc64.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace catena {
using namespace detail;
namespace {

constexpr char magic[] = {'C', 'A', 'T', 'E', 'N', 'A', '\r', '\n'};
constexpr std::uint32_t order_mark = 0x01020304;
constexpr std::size_t head_size = sizeof magic + 4 + 4 + 8, tail_size = 8;

class Writer {
 public:
  static constexpr bool reads = false;
  std::string bytes;

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(const T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& text) {
    size(text.size());
    bytes += text;
  }
  void size(std::size_t n) { (*this)(static_cast<std::uint64_t>(n)); }
};

class Reader {
 public:
  static constexpr bool reads = true;
  static constexpr long most_counted = 1L << 53;  // no run counts so far, and sums of counts stay in range
  Reader(const char* at, std::size_t left) : at_(at), left_(left) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      unsigned char byte = 0;
      take(&byte, 1);
      if (byte > 1) throw CheckpointError("a flag in it is neither true nor false");
      value = byte == 1;
    } else {
      take(&value, sizeof value);
      if constexpr (std::is_same_v<T, long>)
        if (value < 0 || value > most_counted)
          throw CheckpointError("a count in it is negative, or above 2^53");
    }
  }
  void operator()(std::string& text) {
    text.resize(size(1));
    take(text.data(), text.size());
  }
  // Of something that takes at least so many bytes an item.
  std::size_t size(std::size_t bytes_per_item) {
    std::uint64_t n = 0;
    (*this)(n);
    if (n > left_ / bytes_per_item) throw CheckpointError("a length in it points behind its end");
    return static_cast<std::size_t>(n);
  }
  bool at_end() const { return left_ == 0; }

 private:
  void take(void* to, std::size_t n) {
    if (n > left_) throw CheckpointError("it ends too early");
    if (n > 0) std::memcpy(to, at_, n);
    at_ += n;
    left_ -= n;
  }
  const char* at_;
  std::size_t left_;
};

// One listing of the members for both ways.
template <class Archive, class T>
void numbers(Archive& a, T& values) {
  if constexpr (Archive::reads)
    values.resize(a.size(sizeof(double)));
  else
    a.size(values.size());
  for (auto& value : values) a(value);
}

template <class Archive, class T, class Item>
void items(Archive& a, T& values, const Item& item) {
  if constexpr (Archive::reads)
    values.resize(a.size(8));  // the length of a text at least
  else
    a.size(values.size());
  for (auto& value : values) item(value);
}

template <class Archive, class E>
void choice(Archive& a, E& value, std::remove_const_t<E> last) {
  auto number = static_cast<std::uint8_t>(value);
  a(number);
  if constexpr (Archive::reads) {
    if (number > static_cast<std::uint8_t>(last)) throw CheckpointError("a status in it is unknown");
    value = static_cast<E>(number);
  }
}

template <class Archive, class... T>
void all(Archive& a, T&... values) {
  (a(values), ...);
}

template <class Archive, class C>
void culprit(Archive& a, C& c) {
  all(a, c.name, c.quantity, c.value);
}

template <class Archive, class S>
void statistics(Archive& a, S& s) {
  all(a, s.steps, s.rejected_steps, s.rejected_by_error, s.rejected_by_newton, s.newton_iterations,
      s.evaluations, s.factorizations, s.solves, s.refinements, s.indefinite_factorizations,
      s.growing_factorizations, s.stagnations, s.dropped_geometric_stiffness, s.fallback_factorizations,
      s.restarts, s.multiplier_noise, s.seconds_evaluate, s.seconds_factorize, s.seconds_solve,
      s.seconds_start);
  items(a, s.guards, [&](auto& guard) {
    all(a, guard.name, guard.reports, guard.count, guard.first_t);
    culprit(a, guard.first);
  });
}

template <class Archive, class R>
void result(Archive& a, R& r) {
  choice(a, r.status, Status::exception);
  choice(a, r.cause, Status::exception);
  culprit(a, r.culprit);
  culprit(a, r.start_remark);
  all(a, r.message, r.interrupted, r.sink_failed, r.t_begin, r.t_end, r.step, r.smallest_step, r.largest_step,
      r.steps, r.rejected, r.instants, r.samples, r.resumes, r.t_resumed, r.unfinished);
  culprit(a, r.unfinished_remark);
  culprit(a, r.largest_error);
  a(r.t_largest_error);
  items(a, r.events, [&](auto& e) { all(a, e.number, e.name, e.t, e.rising); });
  all(a, r.seconds_setup, r.seconds_stepping, r.seconds_fastest_step, r.seconds_output, r.seconds_total);
  statistics(a, r.earlier);
}

template <class Archive, class C>
void visit(Archive& a, C& c) {
  items(a, c.identity, [&](auto& entry) { all(a, entry.first, entry.second); });
  a(c.state.t);
  numbers(a, c.state.q);
  numbers(a, c.state.v);
  numbers(a, c.state.a);
  numbers(a, c.state.lambda);
  numbers(a, c.state.memory);
  numbers(a, c.state.discrete);
  auto& r = c.run;
  all(a, r.grid_begin, r.grid_end, r.wanted_step, r.max_cuts, r.instants, r.cell.open, r.cell.to_instant,
      r.cell.target, r.cell.length, r.cell.done, r.cuts, r.on_grid, r.restart, r.h_taken, r.h_next,
      r.last_output);
  numbers(a, r.event_values);
  result(a, r.result);
  numbers(a, c.observed);
}

template <class T>
T number_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::string difference(const Identity& there, const Identity& here) {
  const auto quoted = [](const std::string& s) { return '"' + s + '"'; };
  for (std::size_t k = 0; k < std::max(there.size(), here.size()); ++k) {
    if (k >= there.size()) return here[k].first + " is " + quoted(here[k].second) + " here and absent there";
    if (k >= here.size()) return there[k].first + " is " + quoted(there[k].second) + " there and absent here";
    if (there[k].first != here[k].first)
      return there[k].first + " is there in place of " + here[k].first + " here";
    if (there[k].second != here[k].second)
      return there[k].first + " is " + quoted(there[k].second) + " there and " + quoted(here[k].second) +
             " here";
  }
  return {};
}

std::string to_bytes(const Checkpoint& checkpoint) {
  Writer writer;
  writer.bytes.assign(magic, sizeof magic);
  all(writer, Checkpoint::version, order_mark);
  writer.size(0);
  visit(writer, checkpoint);
  const std::uint64_t length = writer.bytes.size() - head_size;
  std::memcpy(writer.bytes.data() + head_size - sizeof length, &length, sizeof length);
  writer(crc64(writer.bytes));
  return std::move(writer.bytes);
}

Checkpoint checkpoint_from(const std::string& bytes) {
  if (bytes.size() < head_size + tail_size) throw CheckpointError("it ends too early");
  if (std::memcmp(bytes.data(), magic, sizeof magic) != 0) throw CheckpointError("it is no checkpoint");
  const auto mark = number_at<std::uint32_t>(bytes, sizeof magic + 4);
  if (mark == std::uint32_t{0x04030201})
    throw CheckpointError("it was written on a machine of the other byte order");
  const auto version = number_at<std::uint32_t>(bytes, sizeof magic);
  if (version != Checkpoint::version)
    throw CheckpointError("its format has version " + std::to_string(version) +
                          ", this program reads version " + std::to_string(Checkpoint::version));
  const auto length = number_at<std::uint64_t>(bytes, head_size - 8);
  const std::size_t payload = bytes.size() - head_size - tail_size;
  if (length != payload) throw CheckpointError(length > payload ? "it ends too early" : "it is too long");
  if (crc64({bytes.data(), bytes.size() - tail_size}) !=
      number_at<std::uint64_t>(bytes, bytes.size() - tail_size))
    throw CheckpointError("its checksum is wrong: it was damaged");
  Reader reader(bytes.data() + head_size, payload);
  Checkpoint checkpoint;
  visit(reader, checkpoint);
  if (!reader.at_end()) throw CheckpointError("it has data after its end");
  const RunState& run = checkpoint.run;
  if (run.max_cuts < 0 || run.max_cuts > 30 || run.cuts < 0 || run.cuts > run.max_cuts)
    throw CheckpointError("it speaks of steps that are cut more often than a run does");
  return checkpoint;
}

}  // namespace catena
