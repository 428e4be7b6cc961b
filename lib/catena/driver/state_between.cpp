#include <catena/driver/detail/state_between.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/stepper/detail/redundant_equations.hpp>
#include <catena/system/detail/row_length.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace catena::detail {

State& StateBetween::scratch(const State& sizes) {
  state_.q.resize(sizes.q.size());
  state_.v.resize(sizes.v.size());
  state_.memory.clear();
  return state_;
}

const State& StateBetween::at(double theta, const Stepper& stepper, const State& state, double h) {
  scratch(state);
  state_.t = state.t - (1.0 - theta) * h;
  state_.a = state.a;
  state_.lambda = state.lambda;
  state_.discrete = state.discrete;
  stepper.interpolate(theta, state_.q.data(), state_.v.data());
  finished_ = true;
  if (!attached_) {
    attached_ = true;
    refusal_ = kkt_.attach(system_, {});
    if (refusal_.empty()) attach_where_redundant(equations_, system_, statistics_);
  }
  KktReport report;
  if (!refusal_.empty()) {
    report.culprit = {"", refusal_, 0.0};
    return unfinished(report, "analysis");
  }
  if (equations_) {
    State closed = state_;
    if (equations_->close(closed).status == Status::ok) {
      std::swap(state_, closed);
      return state_;
    }
  }
  constexpr double relative =
      64.0 * std::numeric_limits<double>::epsilon();  // of the numbers that a row sees
  double change = 0.0;
  ConsistentValues consistent(system_, kkt_, state_.discrete.data());
  if (!state_.lambda.empty()) {
    std::vector<double> q = state_.q;
    report = consistent.project_to_roundoff(state_.t, q.data(), relative, change);
    if (report.status != Status::ok) return unfinished(report, "positions");
    state_.q = std::move(q);
    report = consistent.project_velocities(state_.t, state_.q.data(), state_.v.data(), change);
    if (report.status != Status::ok) return unfinished(report, "velocities");
  }
  report = consistent.accelerations(state_.t, state_.q.data(), state_.v.data(), state_.a.data(),
                                    state_.lambda.data());
  return report.status == Status::ok ? state_ : unfinished(report, "accelerations");
}

const State& StateBetween::unfinished(const KktReport& report, const char* what) {
  finished_ = false;
  if (failures_++ == 0) {
    remark_ = report.culprit;
    remark_.quantity = std::string("inside a step, at t = ") + std::to_string(state_.t) +
                       " s: no consistent " + what + (remark_.quantity.empty() ? "" : ", ") +
                       remark_.quantity;
  }
  return state_;
}

}  // namespace catena::detail
