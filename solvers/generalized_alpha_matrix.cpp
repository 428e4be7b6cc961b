// jacobian = when_slow: a matrix that serves several steps. State::memory tells where it was made, so that a
// stepper which does not have it (a fresh object, a state from elsewhere) makes the same one, to the bit.
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/generalized_alpha_memory.hpp>

#include <algorithm>

namespace catena {

// The matrix is being made at the present iterate.
void GeneralizedAlpha::note_matrix(const State& state, double h) {
  auto out = matrix_point_.begin();
  *out++ = theta_ == 0.0 ? h : 0.0;  // one of a first step with weights of its own serves no other
  *out++ = state.t + h;
  const auto append = [&out](const std::vector<double>& x) { out = std::copy(x.begin(), x.end(), out); };
  append(q_);
  append(v_);
  append(vdot_);
  append(lambda_);
  append(xi_);
  append(state.discrete);
  have_matrix_ = true;
}

// Whether there is a matrix for steps of this size; it is the one in hand, or is made again.
bool GeneralizedAlpha::find_matrix(const State& state, const NewtonStep& step) {
  const double* point = Memory::of(state).matrix_point();
  if (point[0] != step.h) return false;
  if (have_matrix_ && std::equal(matrix_point_.begin(), matrix_point_.end(), point)) return true;
  std::copy(point, point + matrix_point_.size(), matrix_point_.begin());
  Point at;
  at.t = point[1];
  at.q = point + 2;
  at.v = at.q + q_.size();
  at.a = at.v + v_.size();
  at.lambda = at.a + v_.size();
  NewtonStep there = step;
  there.lambda = at.lambda;
  there.weights.increment = at.lambda + lambda_.size();
  at.discrete = there.weights.increment + v_.size();
  newton_.begin(there);
  have_matrix_ = newton_.solve([&](const Evaluation& wanted) { evaluate_at(at, wanted); });
  return have_matrix_;
}

}  // namespace catena
