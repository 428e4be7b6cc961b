// The guard over explicit runs whose steps stability limits, not accuracy. Hairer and Wanner, Solving ODEs II, IV.2: h
// times an estimate of the largest eigenvalue, from the last stage and the end of the step, beyond the domain of
// stability in 15 steps that six good ones in a row do not part; looked for in every thousandth step.
#include <catena/stepper/explicit/parts/explicit_options.hpp>
#include <catena/stepper/guards/parts/guard.hpp>

#include <algorithm>
#include <cmath>

namespace catena {
namespace {

class StabilityGuard : public StepGuard {
 public:
  void attach(const GuardSubject&, StepMemory& memory) override { slot_ = memory.add("stability", 3); }
  Outcome assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) override;
  void accept(State& state) override { std::copy_n(counts_, 3, slot_.of(state)); }

 private:
  MemorySlot slot_;
  double counts_[3] = {};  // with the attempt: steps, those that stability limits, good ones in a row
};

// h times the estimate.
double estimate_of(const ExplicitStages& s, double h) {
  double change = 0.0, distance = 0.0;
  const auto add = [](double& sum, const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  };
  add(change, s.x_rate, s.x_rate_last);
  add(change, s.v_rate, s.v_rate_last);
  add(distance, s.x, s.x_last);
  add(distance, s.v, s.v_last);
  return distance > 0.0 ? h * std::sqrt(change / distance) : 0.0;
}

Outcome StabilityGuard::assess(Outcome outcome, const StepAttempt& attempt, GuardWorkspace& workspace) {
  constexpr double interval = 1000.0, enough = 15.0, cleared = 6.0;
  std::copy_n(slot_.of(attempt.state), 3, counts_);
  if (outcome.status != Status::ok || attempt.stages == nullptr) return outcome;
  const ExplicitStages& stages = *attempt.stages;
  if (!(stages.stability_boundary > 0.0)) return outcome;
  double &steps = counts_[0], &limited = counts_[1], &good = counts_[2];
  steps += 1.0;
  if (limited == 0.0 && std::fmod(steps, interval) != 0.0) return outcome;
  const double stiff = estimate_of(stages, attempt.h);
  if (stiff > stages.stability_boundary) {
    good = 0.0;
    limited += 1.0;
  } else {
    good += 1.0;
    if (good >= cleared) limited = 0.0;
  }
  if (limited < enough) return outcome;
  const std::vector<double>&end = stages.v_rate, &last = stages.v_rate_last;
  std::size_t worst = 0;
  for (std::size_t i = 1; i < end.size(); ++i)
    if (std::abs(end[i] - last[i]) > std::abs(end[worst] - last[worst])) worst = i;
  return failure(Status::unstable,
                 {workspace.kkt.owner(static_cast<int>(worst)), "h times the largest eigenvalue", stiff,
                  "stability limits the steps, not accuracy: take an implicit stepper"});
}

}  // namespace

const GuardType stability_guard{"guard_stability", "a run ends whose steps stability limits, not accuracy",
                                &make_guard<StabilityGuard>};

}  // namespace catena
