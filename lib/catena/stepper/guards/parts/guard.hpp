// The contract of a guard. A guard looks at a step that was attempted and says whether it may be accepted.
//
// Guards are no part of a method. They see its residuals, multipliers and matrix, and they change nothing but the
// arrays and the matrix of their workspace. A guard of one's own is a class and a GuardType, which a method lists:
//
//     struct Spin : catena::StepGuard { ... };
//     const catena::GuardType spin_guard{"guard_spin", "a step that turns a body too far fails", &make_guard<Spin>};
//     method.guards.push_back(&spin_guard);
//
// What a guard remembers is kept in slots of State::memory, so that a copied
// state continues with the same bits.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/guards/parts/explicit_stages.hpp>
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/parts/step_memory.hpp>
#include <catena/stepper/stepper.hpp>

namespace catena {

// Arrays and a matrix that a stepper does not need after an attempt. Guards may overwrite all of them.
struct GuardWorkspace {
  double* sum;         // [v_size + lambda_size]
  double *way, *part;  // [v_size]
  double* q;           // [q_size]
  KktSolver& kkt;      // with a factor of the attempt
  // Of the mass matrix and the rows in that matrix, as its proximal term was made for.
  Linearization weights;
  StepperStatistics& statistics;
  bool shorter_fails = false;  // out: what is refused would be refused in every shorter step
  bool matrix_used = false;    // out: matrix and factor are others now
};

// A step that was attempted.
struct StepAttempt {
  const System& system;
  const State& state;  // at its beginning
  Point end;           // the iterate: t, q, v, a, lambda and discrete values
  double h;            // [s]
  bool same_size;      // the step before had this size
  bool first;          // there was none before
  // Multipliers of the step before the last, [lambda_size]: State::lambda is between these and end.lambda.
  const double* lambda_before;
  bool held;  // a compliance holds rows that are redundant from the start: their multipliers are open
  double newton_tolerance;
  // How long before the time of their q the multipliers of state and of end apply [s].
  double multipliers_behind_state = 0.0, multipliers_behind_end = 0.0;
  const ExplicitStages* stages = nullptr;  // of an explicit method
};

// What a guard may know of a run from its beginning.
struct GuardSubject {
  const System& system;
  StepperStatistics& statistics;
  int order_lambda = 2;
};

// Which errors of the position rows a method turns into which accelerations; see step_resolution.hpp.
namespace detail {
struct RowErrors;
}

class StepGuard {
 public:
  virtual ~StepGuard() = default;

  // Symbolic work, arrays, and the slots that the guard needs.
  virtual void attach(const GuardSubject& subject, StepMemory& memory) = 0;
  // Of implicit methods: the matrix of the system's initial state is in kkt, and scales are taken here. May factorise it.
  virtual void scale(KktSolver& /*kkt*/) {}
  // At a started state. Overwrites the workspace.
  virtual void start(State& /*state*/, const detail::RowErrors& /*errors*/, GuardWorkspace& /*workspace*/) {}
  // The outcome that the attempt has so far, or another one.
  virtual Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) = 0;
  // The attempt is accepted: what is to be remembered goes to the memory of the state at its end.
  virtual void accept(State& /*state*/) {}
};

// A GuardType's make().
template <class Guard>
std::unique_ptr<StepGuard> make_guard() {
  return std::make_unique<Guard>();
}

}  // namespace catena
