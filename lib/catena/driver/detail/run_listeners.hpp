// Notifies the sinks and observers of a run; for the driver itself.
#pragma once
#include <catena/driver/run.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Writes their answers into the result: an observer stops the run, a sink cannot write.
class RunListeners {
 public:
  RunListeners(const System& system, const Listeners& listeners, RunResult& result)
      : system_(system), listeners_(listeners), result_(result) {}

  void begin();
  // Instead, where a run is resumed at state; last: the last output instant of the sinks.
  void resume(const State& state, double last);
  // Flushes the sinks and keeps a checkpoint.
  void save(const State& state, const RunState& run);
  // Keeps a checkpoint, unless a sink has failed.
  void keep(const State& state, const RunState& run);
  // All observers, and the sinks where the state is one of the output.
  void notify(const State& state, const Outcome& outcome, bool output_instant);
  void accept(const State& state, const Outcome& outcome);  // the sinks
  // True: an observer asks to stop here.
  bool event(const EventRecord& record, const State& state);
  // The last state of the run, where the sinks have not seen it, and the end.
  void end(const State& state, const Outcome& outcome);
  // The state has changed since the sinks saw it.
  void state_is_new() { written_ = false; }

 private:
  void flush();
  // One sink after the other, until one fails: the first may refuse a folder in which others would write.
  template <class Work>
  void open(const Work& work);
  template <class Work>
  void guard(const Work& work);

  const System& system_;
  const Listeners& listeners_;
  RunResult& result_;
  std::vector<Sink*> sinks_;  // that were opened
  bool written_ = false;      // the present state has reached the sinks
};

}  // namespace catena::detail
