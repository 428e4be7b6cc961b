// What ida holds behind its public class.
#pragma once
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/detail/redundant_pivot.hpp>
#include <catena/solvers/detail/ida_session.hpp>
#include <catena/solvers/ida.hpp>
#include <catena/stepper/guards/detail/forbidden_velocities.hpp>
#include <catena/stepper/guards/detail/guard_decision.hpp>
#include <catena/stepper/guards/detail/multiplier_pole.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <optional>
#include <vector>

namespace catena {
using namespace detail;

// The integrator of one run: where it is, how it begins, what it reports.
struct Ida::Work {
  Work(const System& s, const IdaOptions& o, StepperStatistics& counts)
      : system(s),
        options(o),
        statistics(counts),
        equations(s, static_cast<ida_detail::Form>(o.form)),
        last(s.initial_state()) {
    result.assign(static_cast<std::size_t>(equations.size()), 0.0);
    jerk.assign(last.v.size(), 0.0);
    pole.attach(pole_guard, o.guards.mode(pole_guard), statistics);
    if (o.form == IdaOptions::Form::index1)
      forbidden.attach(forbidden_velocity_guard, o.guards.mode(forbidden_velocity_guard), statistics);
  }

  bool knows(const State& state) const;
  bool redundant(const KktReport& index_1);
  Culprit redundant_rows(const KktReport& index_1) const;
  Outcome accelerations(State& state);
  Outcome polish();
  Outcome forget(Outcome outcome);
  void rate_of_acceleration();
  Outcome begin();
  Outcome watch(double t0, double t1);
  Outcome watch_velocities(double t0, double t1);
  bool keeps_positions() const;
  void set_roundoff();
  bool passes(double t0, double t1, double part);
  Outcome failed(int flag, const State& state);
  Culprit culprit_of_failure(const State& state, double t);
  std::string dependent_constraints(const State& state, const std::string& known);
  void count();

  const System& system;
  const IdaOptions& options;
  StepperStatistics& statistics;
  KktSolver kkt;
  ida_detail::Equations equations;
  std::optional<ida_detail::Session> session;
  GuardDecision pole;             // over rows that were dependent on the way of a step
  GuardDecision forbidden;        // index1: over velocities that the rows forbid
  double weakest_at_start = 0.0;  // Equations::weakest() at the first state
  ida_detail::Counters counted;   // what of session->counters() is in the statistics already
  State last;                     // that the integrator has reached
  State ahead;                    // for rate_of_acceleration()
  std::vector<double> jerk;
  std::vector<double> allowed, momentum;  // of watch_velocities()
  std::vector<double> rows, gaps;         // of passes()
  bool has_last = false;                  // last is the state of start() or of a step
  bool fresh = false;  // last came from start() or restart(): a and lambda belong to it to roundoff
  bool live = false;   // the history in session belongs to last
  bool choose = true;  // dummy_derivatives: dependent coordinates wanted
  double t_before = 0.0, t_after = 0.0;  // of the step just taken
  mutable std::vector<double> result;
};

}  // namespace catena
