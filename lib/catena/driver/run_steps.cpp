// The steps of a run: to the next instant of the grid, cut where they fail, or as the stepper chooses them.
#include <catena/driver/detail/not_finite.hpp>
#include <catena/driver/detail/run_loop.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <limits>

namespace catena::detail {

void RunLoop::advance_to_next_instant() {
  if (!at_.cell.open) at_.cell = coming_cell();
  while (at_.cell.open) {
    if (stop_requested()) return;
    const double h = cell_step(at_), t = state_.t;
    const Outcome outcome = timed_step(h);
    if (outcome.status != Status::ok) {
      if (!cut(outcome)) return;
      continue;
    }
    const bool whole = outcome.h_taken == h;
    if (!whole && !moved_on(outcome, h, t)) return;
    const bool arrived = whole ? pass(at_) : pass_part(at_, grid_, state_.t, h);
    if (arrived) state_.t = at_.cell.target;  // no drift of t by additions
    last_outcome_ = outcome;
    if (!state_holds()) return;
    serve_step(outcome.h_taken, false);
    if (result_.status != Status::ok) return;
    at_.on_grid = arrived && at_.cell.to_instant;
    if (at_.on_grid) reach_instant();
    sample();
    notify(at_.on_grid && is_output_instant());
    if (result_.status != Status::ok) return;
    save_where_due();
  }
}

void RunLoop::advance_freely() {
  if (stop_requested()) return;
  const double t = state_.t;
  const double end = grid_.instant(grid_.steps()), sampling = schedule_.next_instant(state_);
  const double next = std::min(sampling, next_break_point(t));
  const double target = next < end - roundoff(grid_, end) ? next : end;
  double h = advised_step();
  const double rest = target - t;
  const bool last = h * 1.01 >= rest;
  if (last)
    h = rest;
  else if (2.0 * h > rest)  // two equal steps, no sliver
    h = 0.5 * rest;
  const Outcome outcome = timed_step(h);
  if (outcome.status != Status::ok) {
    fail(outcome);
    return;
  }
  if (outcome.h_taken != h && !moved_on(outcome, h, t)) return;
  if (last && outcome.h_taken == h) state_.t = target;  // no drift of t by additions
  last_outcome_ = outcome;
  if (!state_holds() || !makes_progress(outcome.h_taken)) return;
  serve_step(state_.t - t, true);
  if (result_.status != Status::ok) return;
  sample();
  const bool hit = is_at_next_instant();
  if (hit) reach_instant();
  notify(hit && is_output_instant());
  save_where_due();
}

// Infinite behind the last one.
double RunLoop::next_break_point(double t) const {
  const auto next = std::upper_bound(break_points_.begin(), break_points_.end(), t + roundoff(grid_, t));
  return next == break_points_.end() ? std::numeric_limits<double>::infinity() : *next;
}

double RunLoop::advised_step() const {
  const double h = stepper_.proposed_step(state_);
  return h > 0.0 ? h : last_outcome_.h_next > 0.0 ? last_outcome_.h_next : grid_.step();
}

Outcome RunLoop::timed_step(double h) {
  const Clock::time_point from = Clock::now();
  if (notified_since_step_) result_.seconds_output += seconds(last_time_, from);
  const long rejected = stepper_.statistics().rejected_steps;
  if (run_listeners_.wants_steps() || (free_ && !listeners_.sinks.empty())) {
    before_ = state_;
    before_step_ = {at_.cell,
                    at_.instants,
                    at_.cuts,
                    at_.on_grid,
                    at_.last_output,
                    result_.instants,
                    result_.samples,
                    result_.events.size(),
                    last_outcome_.h_taken,
                    last_outcome_.h_next,
                    finder_.values()};
    can_undo_ = true;
  }
  const bool estimated = options_.estimate_every > 0 && result_.steps % options_.estimate_every == 0;
  if (options_.estimate_every > 0) stepper_.estimate_errors(estimated);
  Outcome outcome = stepper_.step(state_, h);
  last_time_ = Clock::now();
  notified_since_step_ = false;
  const double taken = seconds(from, last_time_);
  result_.seconds_stepping += taken;
  result_.failed_step = outcome.status == Status::ok ? 0.0 : h;
  if (outcome.status == Status::ok) {
    served_ = false;
    ++result_.steps;
    result_.seconds_fastest_step = std::min(result_.seconds_fastest_step, taken);
    result_.smallest_step = std::min(result_.smallest_step, outcome.h_taken);
    result_.largest_step = std::max(result_.largest_step, outcome.h_taken);
    result_.rejected += stepper_.statistics().rejected_steps - rejected;
    step_errors_.add(state_, outcome.h_taken);
    if (estimated) note_error(outcome.error);
  }
  return outcome;
}

void RunLoop::note_error(const StepError& error) {
  Culprit& largest = result_.largest_error;
  if (!error.known() || (!largest.quantity.empty() && !(error.largest > largest.value))) return;
  if (largest.quantity.empty()) largest.quantity = "local error of a step";
  largest.value = error.largest;
  error_component_ = error.component;  // its name is wanted at the end alone, and allocates
  result_.t_largest_error = state_.t;
}

bool RunLoop::state_holds() {
  std::optional<Culprit> lost = without_square(system_, state_);
  if (!lost) return true;
  result_.status = Status::not_finite;
  result_.culprit = std::move(*lost);
  return false;
}

bool RunLoop::makes_progress(double h_taken) {
  // 1e10 such steps would be needed, and 1e5 of them have been taken: this is no transient, but a tolerance below the
  // roundoff of the fastest component.
  constexpr double shortest = 1e-10;
  constexpr long many = 100000;
  const double length = grid_.instant(grid_.steps()) - grid_.instant(0);
  short_steps_ = h_taken < shortest * length ? short_steps_ + 1 : 0;
  if (short_steps_ < many) return true;
  const int fastest = fastest_component(system_.layout(), state_.v.data());
  result_.status = Status::step_too_small;
  result_.culprit = {velocity_owner(system_, fastest), "velocity",
                     state_.v[static_cast<std::size_t>(fastest)]};
  result_.message =
      "100000 steps in a row shorter than 1e-10 of the run: it would not end; the tolerances ask for "
      "more than the roundoff of this motion allows";
  return false;
}

bool RunLoop::moved_on(const Outcome& outcome, double h, double t) {
  if (outcome.h_taken > 0.0 && outcome.h_taken < h && state_.t > t) return true;
  const bool too_far = outcome.h_taken > h;
  result_.status = too_far ? Status::unsupported : Status::step_too_small;
  result_.message = too_far ? "the stepper went beyond the step that it was asked for"
                            : "the stepper reports success but time does not advance";
  run_listeners_.state_is_new();
  at_.cell = {};
  at_.on_grid = false;
  return false;
}

bool RunLoop::cut(const Outcome& outcome) {
  if (recoverable(outcome.status) && at_.cuts < at_.max_cuts) {
    ++result_.rejected;
    ++at_.cuts;
    return true;
  }
  fail(outcome);
  return false;
}

void RunLoop::fail(const Outcome& outcome) {
  result_.culprit = outcome.culprit;
  explain_culprit();
  result_.status = outcome.status;
  if (!recoverable(outcome.status)) return;
  result_.status = Status::step_too_small;
  result_.cause = outcome.status;
}

}  // namespace catena::detail
