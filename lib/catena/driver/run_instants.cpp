// What a run does at the end of a step and inside it: events, controllers and outputs, in the order of time.
#include <catena/driver/detail/run_loop.hpp>

#include <cmath>

namespace catena::detail {

void RunLoop::serve_step(double h, bool dense) {
  notified_since_step_ = true;
  if (run_listeners_.wants_steps()) run_listeners_.step({before_, state_, stepper_});
  if (result_.status != Status::ok) return undo_or_leave();
  const auto serve_instants = [&](double until) {
    while (dense && result_.status == Status::ok && at_.instants < grid_.steps()) {
      const double t = grid_.instant(at_.instants + 1);
      if (t > until || t >= state_.t - roundoff(grid_, state_.t)) break;
      reach_instant();
      if (!is_output_instant() || listeners_.sinks.empty()) continue;
      const State& inside = between_.at(1.0 - (state_.t - t) / h, stepper_, state_, h);
      run_listeners_.accept(inside, last_outcome_);
      at_.last_output = t;
    }
  };
  if (!finder_.empty())
    for (const EventFinder::Root& root : finder_.find(stepper_, state_, h, between_.scratch(state_))) {
      const double t = root.theta == 1.0 ? state_.t : state_.t - (1.0 - root.theta) * h;
      serve_instants(t);
      if (result_.status != Status::ok || meet(root, t, h)) return;
    }
  serve_instants(state_.t);
}

bool RunLoop::meet(const EventFinder::Root& root, double t, double h) {
  const Event& event = listeners_.events[static_cast<std::size_t>(root.number)];
  const EventRecord record{root.number, event.name, t, root.rising};
  result_.events.push_back(record);
  const State& at_event = root.theta == 1.0 ? state_ : between_.at(root.theta, stepper_, state_, h);
  const bool asked = run_listeners_.event(record, at_event), stop = asked || event.terminal;
  if (!stop) return false;
  if (root.theta != 1.0) state_ = at_event;
  state_.memory.clear();
  at_.restart = true;
  at_.cell = {};
  at_.on_grid = is_at_next_instant();
  if (at_.on_grid) reach_instant();
  if (result_.status == Status::ok) {
    result_.status = event.terminal ? Status::event : Status::stopped;
    result_.message =
        (event.terminal ? "event \"" : "an observer asked to stop at event \"") + event.name + "\"";
  }
  notify(false);
  return true;
}

void RunLoop::sample() {
  if (schedule_.empty()) return;
  notified_since_step_ = true;
  const bool changed = schedule_.sample(state_, near(), result_.samples);
  if (free_) {
    if (changed) restart(advised_step());
    return;
  }
  const double h = at_.cell.open ? cell_step(at_) : step_of(coming_cell(), at_.cuts);
  // What a step leaves open of the velocities, in proportion to its square, a much shorter one closes by multipliers of that over
  // its own size.
  constexpr double much_shorter = 0.25;
  if (changed || (!at_.cell.open && h < much_shorter * last_outcome_.h_taken)) restart(h);
}

double RunLoop::near() const {
  return free_ ? roundoff(grid_, state_.t) : nearness(grid_, state_.t, schedule_.shortest_period());
}

Cell RunLoop::coming_cell() const {
  return next_cell(at_, grid_, state_.t, schedule_.next_instant(state_), near());
}

void RunLoop::restart(double h) {
  const Clock::time_point from = Clock::now();
  const Outcome outcome = stepper_.restart(state_, h);
  const Clock::duration spent = Clock::now() - from;
  result_.seconds_stepping += std::chrono::duration<double>(spent).count();
  last_time_ += spent;
  if (outcome.status != Status::ok) {
    at_.restart = true;
    fail(outcome);
    return;
  }
  finder_.begin(state_);
  step_errors_.begin_anew(state_);
}

void RunLoop::notify(bool output_instant) {
  notified_since_step_ = served_ = true;
  run_listeners_.notify(state_, last_outcome_, output_instant);
  if (output_instant) at_.last_output = state_.t;
}

void RunLoop::reach_instant() {
  ++at_.instants;
  ++result_.instants;
}

bool RunLoop::is_at_next_instant() const {
  return at_.instants < grid_.steps() &&
         std::abs(grid_.instant(at_.instants + 1) - state_.t) <= roundoff(grid_, state_.t);
}

void RunLoop::undo_or_leave() {
  if (!can_undo_ || served_) return leave_state();
  served_ = true;
  state_ = before_;
  at_.cell = before_step_.cell;
  at_.instants = before_step_.instants;
  at_.cuts = before_step_.cuts;
  at_.on_grid = before_step_.on_grid;
  at_.last_output = before_step_.last_output;
  result_.instants = before_step_.instants_of_result;
  result_.samples = before_step_.samples;
  result_.events.resize(before_step_.events);
  --result_.steps;
  last_outcome_.h_taken = before_step_.h_taken;
  last_outcome_.h_next = before_step_.h_next;
  finder_.begin(before_step_.event_values);
  run_listeners_.state_is_known();  // it is older than what the sinks have
}

// Instants inside the step that nobody could be given are behind the run: it continues from the end of the step.
void RunLoop::leave_state() {
  served_ = at_.restart = true;
  at_.cell = {};
  while (at_.instants < grid_.steps() &&
         grid_.instant(at_.instants + 1) <= state_.t + roundoff(grid_, state_.t))
    reach_instant();
  at_.on_grid = std::abs(grid_.instant(at_.instants) - state_.t) <= roundoff(grid_, state_.t);
  notify(false);
}

bool RunLoop::is_output_instant() const {
  return at_.instants % options_.every == 0 || at_.instants == grid_.steps();
}

}  // namespace catena::detail
