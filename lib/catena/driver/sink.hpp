// What a run reports, and who may listen. The driver declares both interfaces and knows none
// of those who implement them.
#pragma once
#include <catena/driver/parts/event.hpp>
#include <catena/stepper/stepper.hpp>

#include <stdexcept>
#include <string>

namespace catena {

// Thrown by a sink that cannot write (disk full, no permission). The run ends with what it has.
class SinkError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Receives the states at the output instants: the start, every K-th instant of the grid, and the last state
// of the run, whatever ended it. Instants come in order, none twice. Where the stepper chooses its steps, states
// at instants inside a step come from its interpolant, moved onto the constraints.
class Sink {
 public:
  virtual ~Sink() = default;
  // The system of the run, which outlives it; before the first accept().
  virtual void begin(const System& system) { (void)system; }
  // Instead of begin() where a run is resumed from a checkpoint, at state. Drop the states written of instants after
  // last, the last output instant before the checkpoint (last <= state.t; behind it may be the final state of
  // an interrupted run), and events after state.t; continue behind the rest. The next accept() is of an instant after
  // state.t. Throws SinkError where the file cannot be continued.
  virtual void resume(const System& system, const State& state, double last) {
    (void)state, (void)last;
    begin(system);
  }
  // outcome: of the step that led here; at the start h_taken is 0.
  virtual void accept(const State& state, const Outcome& outcome) = 0;
  // In the order of time among the calls of accept(); at a terminal event, before the last of them.
  virtual void event(const EventRecord& event, const State& state) { (void)event, (void)state; }
  // Before a checkpoint is written: what was accepted must be on disk (fsync) and readable when it returns, so that
  // a run that is resumed from the checkpoint finds the results up to there. May come at any moment between begin()
  // and end(), and several times in a row.
  virtual void flush() {}
  // Behind resume(): how many events the run has reported up to state.t.
  virtual void resume_events(long count) { (void)count; }
  // After the last accept(), also after a failure; files are complete when it returns.
  virtual void end() {}
  // After end(): what is missing in the results though the run is fine, a sentence; empty: nothing.
  virtual std::string remark() const { return {}; }
};

// A step that a stepper has just completed, before events are looked for and controllers sample. Where a terminal event
// is found inside, the run ends there, and only the part up to it counts.
class AcceptedStep {
 public:
  AcceptedStep(const State& before, const State& after, const Stepper& stepper)
      : before_(before), after_(after), stepper_(stepper), h_(after.t - before.t) {}

  const State& before() const { return before_; }  // at its start: controllers have sampled
  const State& after() const { return after_; }    // at its end
  double h() const { return h_; }                  // [s]
  const Traits& traits() const { return stepper_.traits(); }
  // The state at theta of the step, 0 <= theta <= 1: t, q and v of the stepper's interpolant, not moved onto the
  // constraints; a and lambda on the line between the ends (lambda between the instants that it belongs to,
  // Traits::lambda_at), empty where one of them has none; the discrete values of the step; no memory. Allocates at the first
  // use of `out` at most.
  void at(double theta, State& out) const;

 private:
  const State &before_, &after_;
  const Stepper& stepper_;
  double h_;
};

// Sees every accepted state, the start and the parts of a cut step included; for derived quantities during
// the run. Must not change anything that the run depends on.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual std::string name() const { return "observer"; }  // for messages
  virtual void begin(const System& system) { (void)system; }
  // Instead of begin() where a run is resumed from a checkpoint, at state, which an observer of the run has seen.
  virtual void resume(const System& system, const State& state) {
    (void)state;
    begin(system);
  }
  // False ends the run after this state, with Status::stopped or as failure() says. Controllers have sampled already.
  virtual bool observe(const State& state) = 0;
  // Whether step() is wanted; asked once, after begin() or resume(). The driver then copies the state before each step.
  virtual bool wants_steps() const { return false; }
  // After each accepted step, before observe() of its end: what is integrated over time, work for instance.
  virtual void step(const AcceptedStep& step) { (void)step; }
  // Asked where observe() has returned false: what is wrong with the state; ok: nothing is.
  virtual Outcome failure() const { return {}; }
  // False ends the run at this event, as a terminal one does but with Status::stopped.
  virtual bool event(const EventRecord& event, const State& state) {
    (void)event, (void)state;
    return true;
  }
};

}  // namespace catena
