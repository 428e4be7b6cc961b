#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/rank_rows.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

namespace catena::detail {
namespace {

using Clock = std::chrono::steady_clock;
using RowJson = nlohmann::json;

// First letters of messages, before a row's number or what it gave.
struct Letter {
  static constexpr char ready = 'a', work = 'w', done = 'd', given_up = 'g', refused = 'x', end = 'e';
};

// For ranks that were stopped. Open MPI kills all of them a second after one has died, and the first still has to say so.
constexpr std::chrono::milliseconds moment{300};

// Between looks for messages: others get the processor at once, and soon it is left to them for longer.
class Pause {
 public:
  void operator()() {
    if (Clock::now() - begun_ < std::chrono::milliseconds(2))
      ::sched_yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }

 private:
  Clock::time_point begun_ = Clock::now();
};

std::string bytes_of(const RowJson& json) {
  const std::vector<std::uint8_t> bytes = RowJson::to_cbor(json);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::string to_bytes(const RankRow& row) {
  const RowResult& r = row.result;
  RowJson numbers = RowJson::array();
  for (const auto& [name, value] : r.numbers) numbers.push_back({name, value});
  RowJson series = RowJson::array();
  for (const KeptSeries& one : r.series) series.push_back({one.name, one.numbers});
  return bytes_of(RowJson::array({row.missing, r.row, r.key, r.values, r.status, r.error, r.culprit,
                                  r.verdict, r.t, r.steps, numbers, r.seconds, r.machine, series}));
}

RankRow rank_row(const std::string& bytes) {
  const RowJson json = RowJson::from_cbor(bytes.begin(), bytes.end());
  RankRow row;
  row.missing = json.at(0).get<std::string>();
  RowResult& r = row.result;
  r.row = json.at(1).get<std::size_t>();
  r.key = json.at(2).get<std::string>();
  r.values = json.at(3).get<std::vector<std::string>>();
  r.status = json.at(4).get<std::string>();
  r.error = json.at(5).get<std::string>();
  r.culprit = json.at(6).get<std::string>();
  r.verdict = json.at(7).get<std::string>();
  r.t = json.at(8).get<double>();
  r.steps = json.at(9).get<long>();
  for (const RowJson& number : json.at(10))
    r.numbers.emplace_back(number.at(0).get<std::string>(), number.at(1).get<double>());
  r.seconds = json.at(11).get<double>();
  r.machine = json.at(12).get<std::string>();
  for (const RowJson& one : json.at(13))
    r.series.push_back({one.at(0).get<std::string>(), one.at(1).get<std::vector<double>>()});
  return row;
}

RowDealer::~RowDealer() {
  if (!finished_ && !abandoned_) end_others(ranks_);
}

void RowDealer::finish() {
  if (abandoned_) return;
  end_others(ranks_);
  ranks_.finish();
  finished_ = true;
}

std::size_t RowDealer::running() const {
  return static_cast<std::size_t>(
      std::count_if(row_of_.begin(), row_of_.end(), [](std::size_t row) { return row != none; }));
}

void RowDealer::hand_out(std::size_t row) {
  const int rank = free_.back();
  free_.pop_back();
  row_of_[static_cast<std::size_t>(rank)] = row;
  ranks_.send(rank, Letter::work + std::to_string(row));
}

void RowDealer::take(const Ranks::Message& message, const Events& events) {
  const char kind = message.text.front();
  const std::string text = message.text.substr(1);
  if (kind == Letter::refused) throw UsageError(text);
  if (kind == Letter::ready && text != events.sweep)
    throw UsageError(
        fmt::format("rank {} has read other model files than the first rank: they have changed while the "
                    "ranks started, or are not the same on all machines; start the sweep again",
                    message.from));
  const std::size_t row = std::exchange(row_of_[static_cast<std::size_t>(message.from)], none);
  if (kind != Letter::given_up)
    free_.push_back(message.from);  // who gives up was stopped, and waits for its end
  if (kind == Letter::done) events.done(rank_row(text));
  if (kind == Letter::given_up) events.given_up(row);
}

bool RowDealer::deal(const std::vector<std::size_t>& rows, const Events& events) {
  std::size_t next = 0;
  std::optional<Clock::time_point> killed_at;
  Pause pause;
  while (next < rows.size() || running() > 0) {
    if (!killed_at && events.killed()) killed_at = Clock::now();
    const bool ended = killed_at || events.ended();
    if (ended && running() == 0) return true;
    if (killed_at && Clock::now() - *killed_at > moment) {
      ranks_.abandon();
      abandoned_ = true;
      return false;
    }
    while (!ended && next < rows.size() && !free_.empty()) {
      events.begin(rows[next]);
      hand_out(rows[next++]);
    }
    const std::optional<Ranks::Message> message = ranks_.receive();
    if (message) {
      take(*message, events);
      pause = Pause();
    } else {
      pause();
    }
  }
  return true;
}

void serve_rows(Ranks& ranks, const std::string& sweep,
                const std::function<std::optional<RankRow>(std::size_t row)>& run) {
  ranks.send(0, Letter::ready + sweep);
  for (Pause pause;;) {
    const std::optional<Ranks::Message> message = ranks.receive();
    if (!message) {
      pause();
      continue;
    }
    if (message->text.front() == Letter::end) return;
    const std::optional<RankRow> row = run(std::stoul(message->text.substr(1)));
    ranks.send(0, row ? Letter::done + to_bytes(*row) : std::string(1, Letter::given_up));
    pause = Pause();
  }
}

void end_others(Ranks& ranks) {
  for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, std::string(1, Letter::end));
}

void report_refusal(Ranks& ranks, const std::string& why) { ranks.send(0, Letter::refused + why); }

}  // namespace catena::detail
