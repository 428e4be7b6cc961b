#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/linear/detail/shifted_solver.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>

#include <Spectra/GenEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// (J - sigma E)^-1 E of pairs (x, y).
class ShiftedPairs {
 public:
  using Scalar = double;
  ShiftedPairs(const LinearMotion& motion, double sigma)
      : motion_(motion),
        sigma_(sigma),
        n_(motion.system->layout().v_size()),
        solver_(motion, false),
        products_(motion),
        rhs_(n_ + motion.system->layout().lambda_size()),
        work_(rhs_),
        e_(n_) {}
  ShiftedSolver& solver() { return solver_; }
  Eigen::Index rows() const { return 2 * n_; }
  Eigen::Index cols() const { return 2 * n_; }

  void perform_op(const double* u, double* out) const {
    const SystemLayout& layout = motion_.system->layout();
    const BlockPattern& p = *layout.pattern;
    const double *u1 = u, *u2 = u + n_;
    products_.mass(u1, work_.data());
    rhs_.setZero();
    for (int d = 0; d < p.dual_count(); ++d)
      if (layout.level[index(d)] == Level::velocity)
        rhs_.segment(p.dual_offset[index(d)], p.dual_size[index(d)]) =
            -work_.segment(p.dual_offset[index(d)], p.dual_size[index(d)]);
    rhs_.head(n_) = -sigma_ * work_.head(n_);
    products_.mass(u2, work_.data());
    rhs_.head(n_) -= work_.head(n_);
    products_.damping(u1, work_.data());
    rhs_.head(n_) -= work_.head(n_);
    if (motion_.idle_count > 0)
      for (Eigen::Index k = 0; k < n_; ++k)
        if (motion_.idle[index(k)] != 0) rhs_(k) = 0.0;
    solver_.solve(rhs_.data());
    times_E(motion_, rhs_.data(), e_.data());
    for (Eigen::Index k = 0; k < n_; ++k) {
      out[k] = rhs_(k);
      out[n_ + k] = u1[k] + sigma_ * rhs_(k) + e_(k);
    }
  }

 private:
  const LinearMotion& motion_;
  double sigma_;
  Eigen::Index n_;
  mutable ShiftedSolver solver_;
  mutable MotionProducts products_;
  mutable Eigen::VectorXd rhs_, work_, e_;
};

}  // namespace

void arnoldi_modes(const LinearMotion& motion, const ModesOptions& options, Modes& modes) {
  modes.method = "Arnoldi";
  const SystemLayout& layout = motion.system->layout();
  const Eigen::Index n = layout.v_size();
  double rate = std::sqrt(stiffest(motion));
  for (Eigen::Index k = 0; k < n; ++k)
    rate = std::max(rate, std::abs(motion.state.v[index(k)]) / layout.scale[index(k)]);
  if (!(rate > 0.0)) rate = 1.0;
  // Not 0: there J is singular where a motion is free.
  const double sigma = options.shift != 0.0 ? options.shift : 1e-3 * rate;
  ShiftedPairs op(motion, sigma);
  const auto fail = [&](Status status, Culprit culprit) {
    modes.status = status;
    modes.culprit = std::move(culprit);
  };
  if (!op.solver().refusal().empty())
    return fail(Status::unsupported, {.name = op.solver().refusal(), .quantity = {}});
  if (const KktReport r = op.solver().factorize(sigma); r.status != Status::ok)
    return fail(r.status, r.culprit);
  // Through the operator three times: infinite eigenvalues have no part in it then.
  Eigen::VectorXd x(2 * n), y(2 * n);
  for (Eigen::Index k = 0; k < 2 * n; ++k)
    x(k) = layout.scale[index(k % n)] * (2.0 * scattered(index(k)) - 1.0);
  for (int k = 0; k < 3; ++k) {
    op.perform_op(x.data(), y.data());
    x = y / y.norm();
  }
  // Vanishing eigenvalues are nearest to a small shift: twice as many are asked for until enough others are found.
  const Eigen::Index most = 2 * n - 2;
  bool grows = false;
  for (Eigen::Index wanted = std::min<Eigen::Index>(2 * options.count + 2, most);;
       wanted = std::min<Eigen::Index>(2 * wanted, most)) {
    modes.modes.clear();
    modes.zeros = modes.unstable = 0;
    const Eigen::Index base = std::min<Eigen::Index>(2 * n, 3 * wanted + 20);
    Spectra::GenEigsSolver<ShiftedPairs> eigen(op, wanted, base);
    eigen.init(x.data());
    const Eigen::Index converged =
        eigen.compute(Spectra::SortRule::LargestMagn, options.iterations, options.tolerance);
    modes.solves = op.solver().solves;
    if (eigen.info() != Spectra::CompInfo::Successful)
      return fail(Status::newton_not_converged, {.name = "",
                                                 .quantity = "eigenvalues that the iteration found",
                                                 .value = static_cast<double>(converged)});
    const Eigen::VectorXcd nu = eigen.eigenvalues();
    const Eigen::MatrixXcd pairs = eigen.eigenvectors();
    // A Jordan block of two at zero is computed as two eigenvalues of the size of sqrt(eps) times the shift.
    const double zero = 1e-6 * std::abs(sigma);
    for (Eigen::Index k = 0; k < nu.size(); ++k) {
      const std::complex<double> s = sigma + 1.0 / nu(k);
      const Eigen::VectorXcd shape = pairs.col(k).head(n);
      if (std::abs(s) <= zero) {
        ++modes.zeros;
        continue;
      }
      if (s.real() > 1e-9 * rate) ++modes.unstable, grows = true;
      if (s.imag() < 0.0) continue;
      modes.modes.push_back(
          make_mode(*motion.system, s, std::vector<std::complex<double>>(shape.data(), shape.data() + n)));
    }
    if (modes.modes.size() >= index(options.count) || wanted >= most || wanted > 8 * options.count + 64)
      break;
  }
  modes.stability = grows ? Stability::unstable : Stability::unknown;
}

}  // namespace catena::detail
