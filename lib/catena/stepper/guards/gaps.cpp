#include <catena/stepper/guards/detail/gaps.hpp>
#include <catena/system/detail/row_length.hpp>
#include <catena/system/detail/undefined.hpp>

#include <cmath>

namespace catena::detail {

void GapGuard::attach(const GuardSubject& subject, StepMemory&) { system_ = &subject.system; }

// A joint that has come apart by more than its bodies and their arms reach is none any more, although every step
// converges.
Outcome GapGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  constexpr double apart = 4.0;  // a bar is 3.5 of its characteristic lengths long
  const int n = system_->layout().v_size(), m = system_->layout().lambda_size();
  if (outcome.status != Status::ok || m == 0) return outcome;
  double* rows = workspace.sum + n;
  Evaluation wanted;
  wanted.position = rows;
  system_->evaluate(attempt.end, wanted);
  const LargestGap gap = largest_gap(system_->layout(), rows);
  const double* const worst = rows + gap.row;
  const int component = n + gap.row;
  if (!std::isfinite(*worst)) {
    Culprit culprit{workspace.kkt.owner(component), "position residual", *worst};
    find_undefined(*system_, attempt.end, culprit);
    return failure(Status::not_finite, culprit);
  }
  if (!(std::abs(*worst) > apart * gap.of)) return outcome;
  return failure(
      Status::unstable,
      {workspace.kkt.owner(component),
       "position residual, which index 1 and 2 let drift; take a smaller step, index = 3 or stabilized",
       *worst});
}

}  // namespace catena::detail
