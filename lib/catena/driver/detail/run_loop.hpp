// One run in progress, as verbs; for the driver itself.
#pragma once
#include <catena/driver/detail/cell.hpp>
#include <catena/driver/detail/run_listeners.hpp>
#include <catena/driver/detail/state_between.hpp>
#include <catena/driver/detail/step_errors.hpp>
#include <catena/driver/run.hpp>

#include <chrono>

namespace catena::detail {

// Throws std::invalid_argument, see run().
const RunOptions& checked(const RunOptions& options, double t_begin);

// run() without its verdict. from: null, or the state of a resumed run.
RunResult run_without_verdict(const System& system, Stepper& stepper, State& state, const RunOptions& options,
                              const Listeners& listeners, const RunState* from);

class RunLoop {
 public:
  // from: the state of a resumed run; null: from the start.
  RunLoop(const System& system, Stepper& stepper, State& state, const RunOptions& options,
          const Listeners& listeners, const RunState* from);

  RunResult operator()();

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  }

  // From beginning to end.
  // An exception in it ends the run; name: of what throws where the exception does not say it.
  template <class Work>
  void guard(const std::string& name, const Work& work);
  void finish();
  static RunState beginning(const RunOptions& options, double t);
  static Grid scheduled(RunState& run, const RunOptions& options, double t);
  void set_up();
  RunResult so_far() const;
  // At the end: steppers that do not keep gaps do not notice one that is not a number.
  void look_at(const std::vector<double>& gaps);
  // Adds to a culprit the reason that its element gives.
  void explain_culprit();
  // The state of the run, for checkpoints.
  const RunState& saved();
  void save_where_due();
  bool stop_requested();

  // From state to state.
  void advance_to_next_instant();
  // One step of the size that the stepper chooses, to the end or to the next sample at most.
  void advance_freely();
  // Size of the next step that the stepper advises.
  double advised_step() const;
  Outcome timed_step(double h);
  // Whether a step from t that was asked for h took a part of it; else the run is over.
  bool moved_on(const Outcome& outcome, double h, double t);
  // False: a stepper that closes nothing has made numbers that are none, and the run is over.
  bool state_holds();
  // False: steps have been too short for too long, and the run is over.
  bool makes_progress(double h_taken);
  void note_error(const StepError& error);
  // False: the run is over.
  bool cut(const Outcome& outcome);
  // Ends the run for what the stepper says.
  void fail(const Outcome& outcome);

  // What is done where a step ends and inside it.
  // Events inside the step just taken and, where dense, instants of the grid, in the order of time.
  void serve_step(double h, bool dense);
  // True: the run ends at this event.
  bool meet(const EventFinder::Root& root, double t, double h);
  // Lets controllers sample that are due, and makes the state consistent where they have changed
  // something, or a much shorter step follows.
  void sample();
  void restart(double h);    // with steps of about h behind it
  double near() const;       // [s] controllers that are due within it sample now
  Cell coming_cell() const;  // that the next step opens
  void notify(bool output_instant);
  void reach_instant();
  bool is_at_next_instant() const;
  double next_break_point(double t) const;
  // Where something throws between a step and its end being served. With the state before the step the run is back there, and
  // continues from it to the same bits. Else it starts anew from the end of the step.
  void undo_or_leave();
  void leave_state();
  bool is_output_instant() const;

  const System& system_;
  Stepper& stepper_;
  State& state_;
  const RunOptions options_;
  const Listeners& listeners_;
  const bool resumed_;
  RunState at_;
  const Grid grid_;
  const bool free_;                   // the stepper chooses its steps
  bool served_ = true;                // events and controllers know the present state
  bool notified_since_step_ = false;  // the time since last_time_ belongs to the listeners
  long short_steps_ = 0;
  int error_component_ = -1;  // of RunResult::largest_error; -1: of an earlier part, or none
  const ControllerSchedule schedule_;
  const std::vector<double>
      break_points_;  // of what drives and forces follow; used where the stepper chooses its steps
  EventFinder finder_;
  StateBetween between_;
  StepErrors step_errors_;
  RunResult result_;
  RunState saved_;
  RunListeners run_listeners_;
  Outcome last_outcome_;
  // Before a step: where an observer wants it, and where outputs inside the step may throw.
  struct BeforeStep {
    Cell cell = {};
    long instants = 0;
    int cuts = 0;
    bool on_grid = true;
    double last_output = 0.0;
    long instants_of_result = 0, samples = 0;
    std::size_t events = 0;
    double h_taken = 0.0, h_next = 0.0;
    std::vector<double> event_values = {};
  };
  State before_;
  BeforeStep before_step_;
  bool can_undo_ = false;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_time_;
};

}  // namespace catena::detail
