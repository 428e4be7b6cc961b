// jacobian = when_slow: matrices that serve several steps. State::memory tells where they were made, so that a stepper
// which does not have them (a fresh object, a state from elsewhere) makes the same ones, to the bit.
#include <catena/solvers/lie_dae_memory.hpp>

#include <algorithm>

namespace catena {

// The matrix is being made at the present iterate.
void LieDae::note_matrix() {
  auto out = matrix_point_.begin();
  *out++ = h_tilde_;
  *out++ = t_;
  const auto append = [&out](const std::vector<double>& x) { out = std::copy(x.begin(), x.end(), out); };
  append(q_);
  append(v_);
  append(a_);
  append(xi_);
  append(lambda_);
  if (stabilized()) append(mu_);
  std::copy(discrete_, discrete_ + (matrix_point_.end() - out), out);
  have_matrix_ = true;
}

// Whether there is a matrix for steps of this h~; it is the one in hand, or is made again.
bool LieDae::find_matrix(const State& state, NewtonStep step) {
  const double* point = Memory::of(state).matrix_point(stabilized());
  if (point[0] != h_tilde_) return false;
  if (have_matrix_ && std::equal(matrix_point_.begin(), matrix_point_.end(), point)) return true;
  std::copy(point, point + matrix_point_.size(), matrix_point_.begin());
  Point at;
  at.t = point[1];
  at.q = point + 2;
  at.v = at.q + q_.size();
  at.a = at.v + v_.size();
  const double* xi = at.a + v_.size();
  at.lambda = xi + v_.size();
  const double* mu = at.lambda + lambda_.size();
  at.discrete = mu + mu_.size();
  step.lambda = at.lambda;
  step.weights.increment = xi;
  newton_.begin(step);
  have_matrix_ = newton_.solve([&](Evaluation wanted) {
    if (stabilized() && wanted.velocity == nullptr) wanted.velocity = velocity_rows_.data();
    system_->evaluate(at, wanted);
  });
  if (have_matrix_ && stabilized() && exact()) linearize_couplings(at, xi, mu);
  return have_matrix_;
}

// The projector that the end of the last step has left, at q of the state.
bool LieDae::find_projector(const State& state) {
  if (have_projector_) return true;
  std::copy(state.q.begin(), state.q.end(), q_.begin());
  const double t = t_;
  t_ = state.t;
  const KktReport report = refresh_projector(has_velocity_level_);
  t_ = t;
  return report.status == Status::ok;
}

}  // namespace catena
