// The guard over rows that jump within an explicit step. The projection at the end of a step takes the local error out,
// unless the rows there are not those that the stages have followed, as behind the instant at which a disc has fallen
// flat and its contact is elsewhere on the rim. Then it takes a part of the motion, however short the step is: velocities
// in an impact, or positions back to where the rows are the old ones, step after step. The stages do not see it, for their
// slopes stay bounded.
#include <catena/math/detail/printed.hpp>
#include <catena/stepper/explicit/parts/explicit_options.hpp>
#include <catena/stepper/guards/parts/guard.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

class JumpingRowsGuard : public StepGuard {
 public:
  void attach(const GuardSubject& subject, StepMemory&) override { system_ = &subject.system; }
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;

 private:
  const System* system_ = nullptr;
  // Of the last attempt that was refused for its positions: where it began, what the projection took, in sizes of bodies a second,
  // and what was said.
  double refused_at_ = std::numeric_limits<double>::quiet_NaN(), undone_rate_ = 0.0;
  Culprit refused_;
};

Outcome JumpingRowsGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  // 5 % of the motion in the norm of the mass matrix, as the watch over poles lets constraint forces err by
  // (docs/theory/newton.md).
  constexpr double bound = 0.05;
  if (outcome.status != Status::ok || attempt.stages == nullptr || system_->layout().lambda_size() == 0)
    return outcome;
  const ExplicitStages& stages = *attempt.stages;
  const auto largest = [&](const std::vector<double>& taken) {
    double most = 0.0;
    for (std::size_t i = 0; i < stages.v.size(); ++i)
      most = std::max(most, std::abs(taken[i]) / system_->layout().scale[i]);
    return most;
  };
  const double noise_x = speed_at_rest * attempt.h + stages.noise(0.0);
  const double taken_x = stages.plain ? 0.0 : largest(stages.x_taken), taken_v = largest(stages.v_taken);
  // Shorter than what was refused, a step may undo less than noise. Rows that jump take a part of the motion then too, which
  // shrinks with the step; an error, which falls with a power of it, was none of a jump. Below roundoff that is not known.
  constexpr double as_fast = 0.5;
  const double of_jump = refused_at_ == attempt.state.t ? as_fast * undone_rate_ * attempt.h : 0.0;
  if (!(taken_x > noise_x) && !(taken_v > speed_at_rest)) {
    const bool still_jumps = of_jump > 0.0 && (taken_x >= of_jump || of_jump <= stages.noise(0.0));
    workspace.shorter_fails = still_jumps;
    return still_jumps ? failure(Status::singular_kkt, refused_) : std::move(outcome);
  }
  const Point from = point_of(attempt.state);
  const auto norm = [&](const Point& at, const std::vector<double>& v) {
    return norm_by_mass(*system_, at, v.data(), workspace.sum);
  };
  const double speed = std::max(norm(from, attempt.state.v), norm(attempt.end, stages.v));
  const double of_v = norm(attempt.end, stages.v_taken) / speed;
  const double of_x = stages.plain ? 0.0
                                   : norm(attempt.end, stages.x_taken) /
                                         std::max(norm(attempt.end, stages.x), attempt.h * speed);
  if (!(std::max(of_v, of_x) > bound)) return outcome;
  std::string text =
      printed("rows jump within a step from t = %.7g s, part of the motion undone by the projection",
              attempt.state.t);
  Culprit culprit = {
      stages.worst_constraint(attempt.end, attempt.h, workspace.kkt, workspace.sum, workspace.way),
      std::move(text), std::max(of_v, of_x)};
  if (of_x > of_v) {
    refused_at_ = attempt.state.t;
    undone_rate_ = taken_x / attempt.h;
    refused_ = culprit;
  }
  return failure(Status::singular_kkt, std::move(culprit));
}

}  // namespace

const GuardType jumping_rows_guard{"guard_jumping_rows",
                                   "a step within which rows jump fails, and names the constraint",
                                   &make_guard<JumpingRowsGuard>};

}  // namespace catena
