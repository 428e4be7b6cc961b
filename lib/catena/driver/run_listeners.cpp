#include <catena/driver/detail/run_listeners.hpp>
#include <catena/driver/detail/thrown.hpp>
#include <catena/math/detail/named_error.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {

template <class Work>
void RunListeners::guard(OpenSink& open, const Work& work) {
  try {
    work(*open.sink);
  } catch (const SinkError& error) {
    cannot_write(error);
  } catch (...) {
    open.threw = true;
    end_for_exception(result_, "what writes results");
  }
}

namespace {

std::string label_of(const Observer& observer) {
  try {
    return "observer \"" + observer.name() + '"';
  } catch (...) {
    return "an observer whose name() throws";
  }
}

}  // namespace

template <class Work>
bool RunListeners::ask(Observer& observer, const Work& work) {
  try {
    work();
    return true;
  } catch (...) {
    observer_threw_ = true;
    end_for_exception(result_, label_of(observer));
    return false;
  }
}

void RunListeners::cannot_write(const SinkError& error) {
  if (result_.status == Status::ok) result_.status = Status::stopped;
  result_.sink_failed = true;
  result_.message = error.what();
}

bool RunListeners::sinks_are_sound() const {
  return !result_.sink_failed &&
         std::none_of(sinks_.begin(), sinks_.end(), [](const OpenSink& s) { return s.threw; });
}

template <class Work>
void RunListeners::open(const Work& work) {
  for (Observer* observer : listeners_.observers)
    ask(*observer, [&] {
      if (observer->wants_steps()) step_observers_.push_back(observer);
    });
  if (observer_threw_) return;
  for (Sink* sink : listeners_.sinks) {
    if (!sinks_are_sound()) return;
    sinks_.push_back({sink});
    guard(sinks_.back(), work);
  }
}

void RunListeners::begin() {
  for (Observer* observer : listeners_.observers) ask(*observer, [&] { observer->begin(system_); });
  if (observer_threw_) return;  // what an earlier run has written is not replaced for this one
  open([&](Sink& sink) { sink.begin(system_); });
}

void RunListeners::resume(const State& state, double last) {
  for (Observer* observer : listeners_.observers) ask(*observer, [&] { observer->resume(system_, state); });
  if (observer_threw_) return;
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
  if (listeners_.checkpoints == nullptr || !sinks_are_sound() || observer_threw_ || keeper_threw_) return;
  try {
    listeners_.checkpoints->save(state, run);
  } catch (const SinkError& error) {
    cannot_write(error);
  } catch (...) {
    keeper_threw_ = true;
    end_for_exception(result_, "what keeps checkpoints");
  }
}

void RunListeners::flush() {
  for (OpenSink& open : sinks_)
    if (!open.threw) guard(open, [](Sink& sink) { sink.flush(); });
}

// Where an element of the model or a quantity throws, the observer keeps what it has of the state before the step, to which
// the run returns.
void RunListeners::step(const AcceptedStep& step) {
  for (Observer* observer : step_observers_)
    ask(*observer, [&] {
      try {
        observer->step(step);
      } catch (const NamedError& error) {
        end_for_exception(result_, error.name());
      }
    });
}

void RunListeners::notify(const State& state, const Outcome& outcome, bool output_instant) {
  for (Observer* observer : listeners_.observers)
    ask(*observer, [&] {
      if (observer->observe(state) || result_.status != Status::ok) return;
      const Outcome failure = observer->failure();
      result_.status = failure.status == Status::ok ? Status::stopped : failure.status;
      result_.culprit = failure.culprit;
      if (failure.status == Status::ok) result_.message = "an observer asked to stop";
    });
  written_ = output_instant;
  if (output_instant) accept(state, outcome);
}

void RunListeners::accept(const State& state, const Outcome& outcome) {
  for (OpenSink& open : sinks_)
    if (!open.threw) guard(open, [&](Sink& sink) { sink.accept(state, outcome); });
}

bool RunListeners::event(const EventRecord& record, const State& state) {
  bool stop = false;
  for (Observer* observer : listeners_.observers)
    if (!ask(*observer, [&] { stop = !observer->event(record, state) || stop; })) stop = true;
  for (OpenSink& open : sinks_)
    if (!open.threw) guard(open, [&](Sink& sink) { sink.event(record, state); });
  return stop;
}

void RunListeners::end(const State& state, const Outcome& outcome) {
  if (!written_ && !result_.sink_failed) accept(state, outcome);
  if (listeners_.checkpoints != nullptr && !result_.sink_failed) flush();
  for (OpenSink& open : sinks_) {
    guard(open, [](Sink& sink) { sink.end(); });
    guard(open, [&](Sink& sink) {
      if (std::string remark = sink.remark(); !remark.empty())
        result_.remarks.push_back({RemarkKey::lost_events, {}, std::move(remark)});
    });
  }
}

}  // namespace catena::detail
