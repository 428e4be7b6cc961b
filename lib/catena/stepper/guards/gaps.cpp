#include <catena/stepper/guards/detail/gaps.hpp>
#include <catena/system/detail/row_length.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {

void GapGuard::attach(const GuardSubject& subject, StepMemory&) { system_ = &subject.system; }

// A joint that has come apart by more than the bodies and their arms reach is none any more, although every step
// converges.
Outcome GapGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  constexpr double apart = 4.0;  // a bar is 3.5 of its characteristic lengths long
  const int n = system_->layout().v_size(), m = system_->layout().lambda_size();
  if (outcome.status != Status::ok || m == 0) return outcome;
  double* rows = workspace.sum + n;
  Evaluation wanted;
  wanted.position = rows;
  system_->evaluate(attempt.end, wanted);
  const auto larger = [](double x, double y) {
    return !std::isnan(x) && (std::isnan(y) || std::abs(x) < std::abs(y));
  };
  const double* worst = std::max_element(rows, rows + m, larger);
  const int component = n + static_cast<int>(worst - rows);
  if (!std::isfinite(*worst)) {
    Culprit culprit{workspace.kkt.owner(component), "position residual", *worst};
    find_undefined(*system_, attempt.end, culprit);
    return failure(Status::not_finite, culprit);
  }
  if (!(std::abs(*worst) > apart * size_of_gaps(system_->layout()))) return outcome;
  return failure(
      Status::unstable,
      {workspace.kkt.owner(component),
       "position residual, which index 1 and 2 let drift; take a smaller step, index = 3 or stabilized",
       *worst});
}

}  // namespace catena::detail
