// Notifies the sinks and observers of a run; for the driver itself.
#pragma once
#include <catena/driver/run.hpp>

#include <vector>

namespace catena::detail {

// Writes their answers into the result: an observer stops the run, a sink cannot write, one of them throws.
class RunListeners {
 public:
  RunListeners(const System& system, const Listeners& listeners, RunResult& result)
      : system_(system), listeners_(listeners), result_(result) {}

  void begin();
  // Instead, where a run is resumed at state; last: the last output instant of the sinks.
  void resume(const State& state, double last);
  // Flushes the sinks and keeps a checkpoint.
  void save(const State& state, const RunState& run);
  // Keeps a checkpoint, unless a sink has failed or an observer may not have seen the state.
  void keep(const State& state, const RunState& run);
  // Whether an observer wants step(); after begin() or resume().
  bool wants_steps() const { return !step_observers_.empty(); }
  void step(const AcceptedStep& step);
  // All observers, and the sinks where the state is one of the output.
  void notify(const State& state, const Outcome& outcome, bool output_instant);
  void accept(const State& state, const Outcome& outcome);  // the sinks
  // True: an observer asks to stop here.
  bool event(const EventRecord& record, const State& state);
  // The last state of the run, where the sinks have not seen it, and the end.
  void end(const State& state, const Outcome& outcome);
  // The state has changed since the sinks saw it.
  void state_is_new() { written_ = false; }
  // The sinks need not see it.
  void state_is_known() { written_ = true; }

 private:
  struct OpenSink {
    Sink* sink;
    bool threw = false;  // what is no SinkError: it gets no further states
  };

  void flush();
  bool sinks_are_sound() const;
  void cannot_write(const SinkError& error);
  // One sink after the other, until one fails: the first may refuse a folder in which others would write.
  template <class Work>
  void open(const Work& work);
  template <class Work>
  void guard(OpenSink& open, const Work& work);
  // Calls an observer: false where it throws.
  template <class Work>
  bool ask(Observer& observer, const Work& work);

  const System& system_;
  const Listeners& listeners_;
  RunResult& result_;
  std::vector<OpenSink> sinks_;
  std::vector<Observer*> step_observers_;
  bool observer_threw_ = false;
  bool keeper_threw_ = false;  // of checkpoints: it is not asked again
  bool written_ = false;       // the present state has reached the sinks
};

}  // namespace catena::detail
