// How a run of Dormand-Prince begins, and goes on after a jump.
#include <catena/kkt/consistent.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/dormand_prince_memory.hpp>
#include <catena/stepper/phase_timer.hpp>

#include <algorithm>

namespace catena {

Outcome DormandPrince::start(State& state, double h) {
  const PhaseTimer timer(statistics_.seconds_start);
  discrete_ = state.discrete.data();
  {
    constexpr double position_tolerance = 1e-6;  // [m]: more is a model that does not fit together
    ConsistentValues consistent(*system_, kkt_, discrete_);
    KktReport report = consistent.check_positions(state.t, state.q.data(), position_tolerance);
    if (report.status != Status::ok) return failure(report);
  }
  KktReport report = make_ready(state);
  if (report.status != Status::ok) {
    report.status = Status::inconsistent_start;
    return failure(report);
  }
  state.memory.assign(Memory::size, 0.0);
  Memory memory = Memory::of(state);
  memory.error() = 1e-4;
  memory.h() = !adaptive()                   ? h
               : options_.initial_step > 0.0 ? options_.initial_step
                                             : first_step(state, 100.0 * h);
  if (adaptive() && options_.max_step > 0.0) memory.h() = std::min(memory.h(), options_.max_step);
  Outcome outcome;
  outcome.h_next = memory.h();
  return outcome;
}

// Steps go on as they were: a jump of a force by a controller is no reason to find the first one again.
Outcome DormandPrince::restart(State& state, double h) {
  if (state.memory.size() != Memory::size) return start(state, h);
  const PhaseTimer timer(statistics_.seconds_start);
  discrete_ = state.discrete.data();
  const KktReport report = make_ready(state);
  if (report.status != Status::ok) return failure(report);
  Outcome outcome;
  outcome.h_next = Memory::of(state).h();
  return outcome;
}

// q and v onto the constraints, a and lambda from the index-1 system. On failure the state is untouched.
KktReport DormandPrince::make_ready(State& state) {
  h_taken_ = h_before_ = 0.0;
  std::copy(state.q.begin(), state.q.end(), q_.begin());
  std::copy(state.v.begin(), state.v.end(), v_.begin());
  const KktReport report = finish(state.t);
  if (report.status != Status::ok) return report;
  std::copy(q_.begin(), q_.end(), state.q.begin());
  std::copy(v_.begin(), v_.end(), state.v.begin());
  std::copy(a_.begin(), a_.end(), state.a.begin());
  std::copy(lambda_.begin(), lambda_.end(), state.lambda.begin());
  return report;
}

}  // namespace catena
