// The condition number that the source of methods tabulates: of the matrix by (a_{n+1}, lambda_{n+1}).
#include <catena/kkt/condition.hpp>
#include <catena/solvers/generalized_alpha.hpp>

namespace catena {

double GeneralizedAlpha::condition_number(const State& state, double h) {
  theta_ = 0.0;
  have_matrix_ = false;
  const AlphaWeights w(c_, 0.0);
  const NewtonStep step = newton_step(h);
  Linearization lin = step.weights;
  lin.matrix = &newton_.kkt().matrix();
  lin.increment = nullptr;
  // dg = beta h^2 G da and d(A v) = gamma h A da + beta h^2 (A v)_q da, times the factor of the rows.
  lin.velocity_rows = {step.velocity_factor * w.gamma * h, 0.0, step.velocity_factor * w.beta * h * h};
  lin.position_rows =
      index_three() ? RowWeights{step.position_factor * w.beta * h * h, 0.0, 0.0} : lin.velocity_rows;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = point_of(state);
  at.a = state.a.data();
  at.lambda = state.lambda.data();
  system_->evaluate(at, wanted);
  DenseMatrix matrix = to_dense(newton_.kkt().matrix());
  for (int i = 0; i < system_->layout().v_size(); ++i)
    for (int j = 0; j < matrix.cols; ++j) matrix(i, j) /= w.mass;
  return catena::condition_number(matrix);
}

}  // namespace catena
