// The condition number that the source tabulates: of the matrix by (a_{n+1}, lambda_{n+1}).
#include <catena/kkt/detail/condition.hpp>
#include <catena/solvers/alpha_rattle.hpp>

#include <utility>
#include <vector>

namespace catena {
using namespace detail;

// Rows: M a - (1 - alpha_f)/(1 - alpha_m) f, and A v times its factor. a moves q by beta h^2 and v by gamma h; lambda
// moves them by h^2/2 P and h P, P = -M^-1 A^T in the middle of the step.
double AlphaRattle::condition_number(const State& state, double h) {
  theta_ = 0.0;
  const AlphaWeights w(c_, 0.0);
  const SystemLayout& layout = system_->layout();
  const int n = layout.v_size(), m = layout.lambda_size();
  const double factor = newton_step(h).velocity_factor;
  Point at = point_of(state);
  at.a = state.a.data();
  // [mass M + dv D + dq K, .; factor (dv A + dq (A v)_q), .]
  const auto derivative = [&](double mass, double dv, double dq) {
    Linearization lin;
    lin.matrix = &newton_.kkt().matrix();
    lin.mass = mass;
    lin.damping = dv;
    lin.stiffness = dq;
    lin.velocity_rows = lin.position_rows = {factor * dv, 0.0, factor * dq};
    Evaluation wanted;
    wanted.linearization = &lin;
    system_->evaluate(at, wanted);
    return to_dense(std::as_const(newton_.kkt()).matrix());
  };
  DenseMatrix matrix = derivative(w.mass, w.gamma * h, w.beta * h * h);
  const DenseMatrix by_reaction = derivative(0.0, h, 0.5 * h * h);
  fill_reactions(state, h);
  const DenseMatrix half = to_dense(std::as_const(newton_.kkt()).matrix());  // its B is A^T
  std::vector<double> column(static_cast<std::size_t>(n));
  for (int r = 0; r < m; ++r) {
    for (int i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = -half(i, n + r);
    mass_half_.solve(column.data());
    for (int i = 0; i < n + m; ++i) {
      matrix(i, n + r) = 0.0;
      for (int j = 0; j < n; ++j) matrix(i, n + r) += by_reaction(i, j) * column[static_cast<std::size_t>(j)];
    }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n + m; ++j) matrix(i, j) /= w.mass;
  return catena::detail::condition_number(matrix);
}

}  // namespace catena
