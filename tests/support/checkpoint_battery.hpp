// Runs with and without a break, compared bit by bit; for any system, stepper, events and controllers.
#pragma once
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/crc64.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace catena::detail;

namespace catena_test {

inline std::uint64_t hash(const catena::State& s) {
  catena::detail::Crc64 crc;
  crc.add(&s.t, sizeof s.t);
  for (const std::vector<double>* part : {&s.q, &s.v, &s.a, &s.lambda, &s.memory, &s.discrete})
    if (!part->empty()) crc.add(part->data(), part->size() * sizeof(double));
  return crc.value();
}

struct StateTrail : catena::Observer {
  std::vector<std::uint64_t> seen;
  long stop_after = -1;  // asks for that by the flag, as Ctrl-C does
  std::atomic<bool> stop{false};
  void resume(const catena::System&, const catena::State&) override {}
  bool observe(const catena::State& s) override {
    seen.push_back(hash(s));
    if (stop_after >= 0 && static_cast<long>(seen.size()) >= stop_after) stop = true;
    return true;
  }
};

// Rows as a file would hold them.
struct OutputTrail : catena::Sink {
  struct Row {
    double t = 0.0;
    std::uint64_t bits = 0;
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows, events;
  void begin(const catena::System&) override { rows.clear(), events.clear(); }
  void resume(const catena::System&, const catena::State& state, double last) override {
    std::erase_if(rows, [&](const Row& row) { return row.t > last; });
    std::erase_if(events, [&](const Row& row) { return row.t > state.t; });
  }
  void accept(const catena::State& s, const catena::Outcome& o) override {
    rows.push_back({s.t, hash(s) ^ std::bit_cast<std::uint64_t>(o.h_taken)});
  }
  void event(const catena::EventRecord& e, const catena::State& s) override {
    events.push_back({e.t, hash(s)});
  }
};

// Keeps every checkpoint, as bytes.
struct Shelf : catena::CheckpointKeeper {
  std::vector<std::string> all;
  bool due() override { return true; }
  void save(const catena::State& state, const catena::RunState& run) override {
    all.push_back(catena::to_bytes({.identity = {}, .state = state, .run = run, .observed = {}}));
  }
};

struct Scenario {
  const catena::System* system = nullptr;
  std::function<std::unique_ptr<catena::Stepper>()> stepper;
  catena::RunOptions options;
  std::vector<catena::Event> events = {};
  std::function<std::vector<std::unique_ptr<catena::Controller>>()> controllers = {};
};

class CheckpointBattery {
 public:
  explicit CheckpointBattery(const Scenario& scenario) : s_(scenario) {}

  // True: the run was possible. Checks that it is resumed from `breaks` of its checkpoints to the same bits, in one
  // part more and in two.
  bool operator()(std::size_t breaks) {
    StateTrail seen;
    whole_ = run(seen, whole_output_, nullptr, nullptr);
    if (whole_.status == catena::Status::unsupported || whole_.status == catena::Status::inconsistent_start)
      return false;
    whole_final_ = final_;
    whole_seen_ = seen.seen;
    Shelf shelf;
    OutputTrail again;
    StateTrail seen_again;
    run(seen_again, again, nullptr, &shelf);
    REQUIRE(seen_again.seen == whole_seen_);  // saving changes nothing
    REQUIRE(!shelf.all.empty());
    for (std::size_t k = 0; k < breaks; ++k) {
      const std::size_t place = k * (shelf.all.size() - 1) / std::max<std::size_t>(1, breaks - 1);
      CAPTURE(place);
      compare(shelf.all[place], -1);
      compare(shelf.all[place], 2);
    }
    return true;
  }

  const catena::RunResult& whole() const { return whole_; }

 private:
  void compare(const std::string& bytes, long pause_after) {
    catena::Checkpoint from = catena::checkpoint_from(bytes);
    CHECK(catena::to_bytes(from) == bytes);
    OutputTrail output = whole_output_;  // rows behind the checkpoint are there, as after kill -9
    std::vector<std::uint64_t> seen;
    if (pause_after >= 0) {
      Shelf shelf;
      StateTrail first;
      first.stop_after = pause_after;
      run(first, output, &from, &shelf);
      seen = first.seen;
      REQUIRE(!shelf.all.empty());
      from = catena::checkpoint_from(shelf.all.back());
    }
    StateTrail rest;
    const catena::RunResult result = run(rest, output, &from, nullptr);
    seen.insert(seen.end(), rest.seen.begin(), rest.seen.end());
    REQUIRE(seen.size() <= whole_seen_.size());
    CHECK(std::equal(seen.rbegin(), seen.rend(), whole_seen_.rbegin()));
    CHECK(final_ == whole_final_);
    CHECK(output.rows == whole_output_.rows);
    CHECK(output.events == whole_output_.events);
    CHECK(result.status == whole_.status);
    CHECK(result.steps == whole_.steps);
    CHECK(result.rejected == whole_.rejected);
    CHECK(result.instants == whole_.instants);
    CHECK(result.samples == whole_.samples);
    CHECK(result.events.size() == whole_.events.size());
    CHECK(result.smallest_step == whole_.smallest_step);
    CHECK(result.largest_step == whole_.largest_step);
    CHECK(result.t_begin == whole_.t_begin);
    CHECK(result.resumes == (pause_after >= 0 ? 2 : 1));
    catena::StepperStatistics sum = result.earlier;
    catena::add(sum, statistics_);
    catena::StepperStatistics once = whole_statistics_;
    CHECK(sum.steps == once.steps);
    CHECK(sum.rejected_steps == once.rejected_steps);
    CHECK(sum.newton_iterations == once.newton_iterations);
    CHECK(sum.evaluations == once.evaluations);
    CHECK(sum.factorizations == once.factorizations);
    CHECK(sum.solves == once.solves);
    CHECK(sum.refinements == once.refinements);
    CHECK(sum.restarts == once.restarts);
    CHECK(sum.multiplier_noise == once.multiplier_noise);
    REQUIRE(sum.guards.size() == once.guards.size());
    for (std::size_t g = 0; g < sum.guards.size(); ++g) {
      CAPTURE(once.guards[g].name);
      CHECK(sum.guards[g].name == once.guards[g].name);
      CHECK(sum.guards[g].count == once.guards[g].count);
      CHECK(sum.guards[g].first_t == once.guards[g].first_t);
      CHECK(sum.guards[g].first.name == once.guards[g].first.name);
    }
    CHECK(of_guards(result.remarks) == of_guards(whole_.remarks));
  }

  static std::vector<std::string> of_guards(const std::vector<catena::Remark>& remarks) {
    std::vector<std::string> texts;
    for (const catena::Remark& remark : remarks)
      if (remark.key == catena::RemarkKey::guard) texts.push_back(remark.text);
    return texts;
  }

  catena::RunResult run(StateTrail& seen, OutputTrail& output, const catena::Checkpoint* from, Shelf* shelf) {
    const std::unique_ptr<catena::Stepper> stepper = s_.stepper();
    std::vector<std::unique_ptr<catena::Controller>> controllers;
    if (s_.controllers) controllers = s_.controllers();
    catena::Listeners listeners;
    listeners.sinks = {&output};
    listeners.observers = {&seen};
    listeners.stop = &seen.stop;
    listeners.events = s_.events;
    for (const auto& c : controllers) listeners.controllers.push_back(c.get());
    listeners.checkpoints = shelf;
    catena::State state = from != nullptr ? from->state : s_.system->initial_state();
    const catena::RunResult result =
        from != nullptr ? catena::run(*s_.system, *stepper, state, s_.options, listeners, from->run)
                        : catena::run(*s_.system, *stepper, state, s_.options, listeners);
    final_ = hash(state);
    statistics_ = stepper->statistics();
    if (from == nullptr) whole_statistics_ = statistics_;
    return result;
  }

  const Scenario& s_;
  catena::RunResult whole_;
  OutputTrail whole_output_;
  std::vector<std::uint64_t> whole_seen_;
  std::uint64_t whole_final_ = 0, final_ = 0;
  catena::StepperStatistics statistics_, whole_statistics_;
};

}  // namespace catena_test
