#include <catena/math/detail/index.hpp>
#include <catena/stepper/detail/recomputed_multipliers.hpp>
#include <catena/stepper/detail/redundant_equations.hpp>

#include <algorithm>
#include <limits>

namespace catena::detail {

const double* RecomputedMultipliers::operator()(const State& state) {
  at_.t = state.t;
  at_.q = state.q;
  at_.v = state.v;
  at_.discrete = state.discrete;
  at_.a.resize(state.v.size());
  at_.lambda.resize(index(system_.layout().lambda_size()));
  // Redundant rows contradict each other off the positions that they allow, by any error of q.
  if (!consistent_ && !equations_) attach_where_redundant(equations_, system_, statistics_);
  const bool redundant = equations_ && equations_->redundant();
  if (!(redundant && solve_on_rows()) && !solve() && !solve_on_rows())
    std::fill(at_.lambda.begin(), at_.lambda.end(), std::numeric_limits<double>::quiet_NaN());
  return at_.lambda.data();
}

bool RecomputedMultipliers::solve() {
  const double* const discrete = at_.discrete.empty() ? nullptr : at_.discrete.data();
  if (!consistent_ || discrete != discrete_) {
    if (!consistent_ && !kkt_.attach(system_, {}).empty()) return false;
    consistent_.emplace(system_, kkt_, discrete);
    discrete_ = discrete;
  }
  double change = 0.0;
  if (consistent_->project_velocities(at_.t, at_.q.data(), at_.v.data(), change).status != Status::ok)
    return false;
  return consistent_->accelerations(at_.t, at_.q.data(), at_.v.data(), at_.a.data(), at_.lambda.data())
             .status == Status::ok;
}

bool RecomputedMultipliers::solve_on_rows() {
  if (!equations_) {
    equations_.emplace();
    if (!equations_->attach(system_, {}, statistics_, GuardMode::off).empty()) {
      equations_.reset();
      return false;
    }
  }
  std::fill(at_.a.begin(), at_.a.end(), 0.0);
  std::fill(at_.lambda.begin(), at_.lambda.end(), 0.0);
  return equations_->close(at_).status == Status::ok;
}

}  // namespace catena::detail
