#include <catena/linear/detail/constrained_basis.hpp>
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/parts/state_space.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/move_lengths.hpp>

namespace catena {
using namespace detail;

StateSpace state_space(const LinearMotion& motion) {
  StateSpace space;
  space.status = motion.status;
  space.culprit = motion.culprit;
  if (motion.status != Status::ok) return space;
  MotionRates rates(motion);
  if (const KktReport r = rates.factorize(); r.status != Status::ok) {
    space.status = r.status;
    space.culprit = r.culprit;
    return space;
  }
  const SystemLayout& layout = motion.system->layout();
  const Eigen::Index n = layout.v_size();
  Eigen::VectorXd scale(2 * n);
  const std::vector<double> lengths = move_lengths(layout);
  for (Eigen::Index k = 0; k < 2 * n; ++k) scale(k) = lengths[index(k % n)];
  const Eigen::MatrixXd Q = basis_of_states(motion);
  const Eigen::Index d = Q.cols();
  space.size = static_cast<int>(d);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  space.matrix.resize(index(d * d));
  space.basis.resize(index(2 * n * d));
  Eigen::Map<Rows> A(space.matrix.data(), d, d), B(space.basis.data(), 2 * n, d);
  B = scale.asDiagonal() * Q;
  Eigen::VectorXd z(2 * n), rate(2 * n);
  for (Eigen::Index j = 0; j < d; ++j) {
    z = B.col(j);
    rates(z.data(), z.data() + n, rate.data(), rate.data() + n);
    A.col(j) = Q.transpose() * rate.cwiseQuotient(scale);
  }
  if (!A.allFinite()) {
    space.status = Status::not_finite;
    space.culprit.quantity = "matrix of the state space";
  }
  return space;
}

}  // namespace catena
