#include <catena/driver/detail/run_listeners.hpp>

#include <utility>

namespace catena::detail {

template <class Work>
void RunListeners::guard(const Work& work) {
  try {
    work();
  } catch (const SinkError& error) {
    if (result_.status == Status::ok) result_.status = Status::stopped;
    result_.sink_failed = true;
    result_.message = error.what();
  }
}

template <class Work>
void RunListeners::open(const Work& work) {
  for (Sink* sink : listeners_.sinks) {
    if (result_.sink_failed) return;
    sinks_.push_back(sink);
    guard([&] { work(*sink); });
  }
}

void RunListeners::begin() {
  for (Observer* observer : listeners_.observers) observer->begin(system_);
  open([&](Sink& sink) { sink.begin(system_); });
}

void RunListeners::resume(const State& state, double last) {
  for (Observer* observer : listeners_.observers) observer->resume(system_, state);
  open([&](Sink& sink) {
    sink.resume(system_, state, last);
    sink.resume_events(static_cast<long>(result_.events.size()));
  });
  written_ = last == state.t;
}

void RunListeners::save(const State& state, const RunState& run) {
  flush();
  keep(state, run);
}

void RunListeners::keep(const State& state, const RunState& run) {
  if (listeners_.checkpoints != nullptr && !result_.sink_failed)
    guard([&] { listeners_.checkpoints->save(state, run); });
}

void RunListeners::flush() {
  for (Sink* sink : sinks_) guard([&] { sink->flush(); });
}

void RunListeners::notify(const State& state, const Outcome& outcome, bool output_instant) {
  for (Observer* observer : listeners_.observers) {
    if (observer->observe(state) || result_.status != Status::ok) continue;
    const Outcome failure = observer->failure();
    result_.status = failure.status == Status::ok ? Status::stopped : failure.status;
    result_.culprit = failure.culprit;
    if (failure.status == Status::ok) result_.message = "an observer asked to stop";
  }
  written_ = output_instant;
  if (output_instant) accept(state, outcome);
}

void RunListeners::accept(const State& state, const Outcome& outcome) {
  for (Sink* sink : sinks_) guard([&] { sink->accept(state, outcome); });
}

bool RunListeners::event(const EventRecord& record, const State& state) {
  bool stop = false;
  for (Observer* observer : listeners_.observers)
    if (!observer->event(record, state)) stop = true;
  for (Sink* sink : sinks_) guard([&] { sink->event(record, state); });
  return stop;
}

void RunListeners::end(const State& state, const Outcome& outcome) {
  if (!written_ && !result_.sink_failed) accept(state, outcome);
  if (listeners_.checkpoints != nullptr && !result_.sink_failed) flush();
  for (Sink* sink : sinks_) {
    guard([&] { sink->end(); });
    if (std::string remark = sink->remark(); !remark.empty()) result_.remarks.push_back(std::move(remark));
  }
}

}  // namespace catena::detail
