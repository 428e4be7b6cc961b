// A step of Dormand-Prince that is taken: the new state, and what interpolates within the step.
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/dormand_prince_tableau.hpp>

#include <algorithm>
#include <cassert>

namespace catena {

namespace tableau = dormand_prince_tableau;

KktReport DormandPrince::accept(State& state, double h) {
  const auto dense = [&](std::vector<double>* r, const std::vector<double>* k, std::size_t i, double from,
                         double to) {
    const double increment = to - from;
    r[0][i] = increment;
    r[1][i] = h * k[0][i] - increment;
    r[2][i] = increment - h * k[6][i] - r[1][i];
    double sum = 0.0;
    for (int s = 0; s < stages; ++s) sum += tableau::d[s] * k[s][i];
    r[3][i] = h * sum;
  };
  for (std::size_t i = 0; i < x_.size(); ++i) dense(dense_x_, kx_, i, plain_ ? state.q[i] : 0.0, x_[i]);
  for (std::size_t i = 0; i < v_.size(); ++i) dense(dense_v_, kv_, i, state.v[i], v_[i]);
  q_before_.swap(state.q);
  v_before_.swap(state.v);
  state.q.swap(q_);
  std::copy(v_.begin(), v_.end(), state.v.begin());
  std::copy(a_.begin(), a_.end(), state.a.begin());
  lambda_before_.swap(state.lambda);
  std::copy(lambda_.begin(), lambda_.end(), state.lambda.begin());
  const double t = state.t;
  state.t = t + h;
  // Where the system exchanges its coordinates or its velocities, a and lambda of the new ones.
  std::copy_n(state.discrete.begin(), discrete_before_.size(), discrete_before_.begin());
  if (system_->update_discrete(state)) {
    const KktReport report = make_ready(state);
    if (report.status != Status::ok) {
      state.t = t;
      state.q.swap(q_before_);
      state.v.swap(v_before_);
      std::copy(kv_[0].begin(), kv_[0].end(), state.a.begin());
      state.lambda.swap(lambda_before_);
      std::copy(discrete_before_.begin(), discrete_before_.end(), state.discrete.begin());
      return report;
    }
  }
  h_taken_ = h_before_ = h;
  ++statistics_.steps;
  return {};
}

void DormandPrince::interpolate(double theta, double* q, double* v) const {
  assert(h_taken_ > 0.0 && "no step was taken last");
  const double rest = 1.0 - theta;
  const auto value = [&](const std::vector<double>* r, std::size_t i) {
    return theta * (r[0][i] + rest * (r[1][i] + theta * (r[2][i] + rest * r[3][i])));
  };
  for (std::size_t i = 0; i < v_before_.size(); ++i) v[i] = v_before_[i] + value(dense_v_, i);
  for (std::size_t i = 0; i < between_.size(); ++i) between_[i] = value(dense_x_, i);
  if (plain_)
    for (std::size_t i = 0; i < between_.size(); ++i) q[i] = q_before_[i] + between_[i];
  else
    system_->retract(q_before_.data(), between_.data(), q);
}

}  // namespace catena
