#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/linear/detail/shifted_solver.hpp>
#include <catena/linear/detail/spectrum.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>

#include <Spectra/GenEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace catena::detail {
namespace {

// (J - sigma E)^-1 E of pairs (x, y), in units of the sizes of the bodies, and of speeds at a rate.
class ShiftedPairs {
 public:
  using Scalar = double;
  ShiftedPairs(const LinearMotion& motion, double sigma, double rate)
      : motion_(motion),
        sigma_(sigma),
        n_(motion.system->layout().v_size()),
        solver_(motion, false),
        products_(motion),
        rhs_(n_ + motion.system->layout().lambda_size()),
        work_(rhs_),
        e_(n_),
        u_(2 * n_),
        unit_(2 * n_) {
    const std::vector<double>& scale = motion.system->layout().scale;
    for (Eigen::Index k = 0; k < n_; ++k) unit_(k) = scale[index(k)], unit_(n_ + k) = rate * scale[index(k)];
  }
  ShiftedSolver& solver() { return solver_; }
  Eigen::Index rows() const { return 2 * n_; }
  Eigen::Index cols() const { return 2 * n_; }

  const Eigen::VectorXd& unit() const { return unit_; }

  void perform_op(const double* in, double* out) const {
    const SystemLayout& layout = motion_.system->layout();
    const BlockPattern& p = *layout.pattern;
    u_ = unit_.cwiseProduct(Eigen::Map<const Eigen::VectorXd>(in, 2 * n_));
    const double *u1 = u_.data(), *u2 = u1 + n_;
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
      out[k] = rhs_(k) / unit_(k);
      out[n_ + k] = (u1[k] + sigma_ * rhs_(k) + e_(k)) / unit_(n_ + k);
    }
  }

 private:
  const LinearMotion& motion_;
  double sigma_;
  Eigen::Index n_;
  mutable ShiftedSolver solver_;
  mutable MotionProducts products_;
  mutable Eigen::VectorXd rhs_, work_, e_, u_;
  Eigen::VectorXd unit_;
};

// With what the iteration leaves: op V = V H + f e^T.
class Arnoldi : public Spectra::GenEigsSolver<ShiftedPairs> {
 public:
  using GenEigsSolver::GenEigsSolver;
  const Eigen::MatrixXd& V() const { return m_fac.matrix_V(); }
  const Eigen::MatrixXd& H() const { return m_fac.matrix_H(); }
  double f() const { return m_fac.f_norm(); }
};

// D_ii / M_ii, the largest in size.
double strongest_damper(const LinearMotion& motion) {
  double largest = 0.0;
  for (int b = 0; b < motion.system->layout().pattern->primal_count(); ++b) {
    const ConstBlockRef D = std::as_const(*motion.damping).H(b), M = std::as_const(*motion.mass).H(b);
    for (int i = 0; i < D.rows; ++i)
      if (M(i, i) > 0.0) largest = std::max(largest, std::abs(D(i, i)) / M(i, i));
  }
  return largest;
}

// Of solutions that are exact to 1e-12.
constexpr double noise = 1e-11;

// Through the operator three times: infinite eigenvalues have no part in it then. None: nothing can move.
std::optional<Eigen::VectorXd> first_vector(const ShiftedPairs& op) {
  Eigen::VectorXd x(op.rows()), y(op.rows());
  for (Eigen::Index k = 0; k < op.rows(); ++k) x(k) = 2.0 * scattered(index(k)) - 1.0;
  double largest = 0.0, length = 0.0;
  for (int k = 0; k < 3; ++k) {
    op.perform_op(x.data(), y.data());
    length = y.norm();
    largest = std::max(largest, length);
    x = y / length;
  }
  return length > noise * largest ? std::optional(x) : std::nullopt;
}

}  // namespace

void arnoldi_modes(const LinearMotion& motion, const ModesOptions& options, Modes& modes) {
  modes.method = "Arnoldi";
  modes.at_least = true;
  const SystemLayout& layout = motion.system->layout();
  const Eigen::Index n = layout.v_size();
  double rate = std::sqrt(stiffest(motion));
  for (Eigen::Index k = 0; k < n; ++k)
    rate = std::max(rate, std::abs(motion.state.v[index(k)]) / layout.scale[index(k)]);
  if (!(rate > 0.0)) rate = 1.0;
  // No eigenvalue is there: stiffness, dampers and speeds are too small by a factor of 100.
  const double beyond = 100.0 * (rate + strongest_damper(motion) + std::abs(options.shift));
  // Not 0: there J is singular where a motion is free.
  const double sigma = options.shift != 0.0 ? options.shift : 1e-3 * rate;
  ShiftedPairs op(motion, sigma, std::max(std::abs(sigma), 1e-3 * rate));
  const auto fail = [&](Status status, Culprit culprit) {
    modes.status = status;
    modes.culprit = std::move(culprit);
  };
  if (!op.solver().refusal().empty())
    return fail(Status::unsupported, {.name = op.solver().refusal(), .quantity = {}});
  if (const KktReport r = op.solver().factorize(sigma); r.status != Status::ok)
    return fail(r.status, r.culprit);
  const std::optional<Eigen::VectorXd> x = first_vector(op);
  if (!x) return;
  // Vanishing eigenvalues are nearest to a small shift: twice as many are asked for until enough others are found.
  const Eigen::Index most = 2 * n - 2;
  bool all = false;
  for (Eigen::Index wanted = std::min<Eigen::Index>(2 * options.count + 2, most); !all;
       wanted = std::min<Eigen::Index>(2 * wanted, most)) {
    modes.modes.clear();
    modes.zeros = modes.unstable = 0;
    const Eigen::Index base = std::min<Eigen::Index>(2 * n, 3 * wanted + 20);
    const bool complete = base == 2 * n;  // H has all eigenvalues of the operator
    Arnoldi eigen(op, wanted, base);
    eigen.init(x->data());
    Eigen::Index converged = 0;
    try {
      converged = eigen.compute(Spectra::SortRule::LargestMagn, options.iterations, options.tolerance);
    } catch (const std::exception&) {  // the library throws where it finds no eigenvalues of H
    }
    modes.solves = op.solver().solves;
    if (eigen.info() != Spectra::CompInfo::Successful)
      return fail(Status::newton_not_converged, {.name = "",
                                                 .quantity = "eigenvalues that the iteration found",
                                                 .value = static_cast<double>(converged)});
    const double least = complete ? 0.0 : (1.0 - 1e-9) * eigen.eigenvalues().cwiseAbs().minCoeff();
    // Jordan blocks would split by the cube root of eps: those at zero, and those at infinity, where roundoff brings the
    // directions that rows forbid into an iteration that has found all others.
    const Spectrum spectrum = spectrum_beside({-1.0 / sigma, 0.0}, eigen.H(), noise * eigen.H().norm());
    if (!spectrum.found)
      return fail(Status::newton_not_converged, {.name = "", .quantity = "eigenvalues of the iteration"});
    modes.zeros = static_cast<int>(spectrum.known[0]);
    all = complete || spectrum.known[1] > 0;
    for (Eigen::Index k = 0; k < spectrum.values.size(); ++k) {
      const std::complex<double> nu = spectrum.values(k), s = sigma + 1.0 / nu;
      const Eigen::VectorXcd z = spectrum.vectors.col(k);
      const double residual = eigen.f() * std::abs(z(base - 1)) / z.norm();
      if (std::abs(nu) * beyond < 1.0) continue;
      const bool exact = complete || residual <= 10.0 * options.tolerance * std::abs(nu);
      all = all && exact;
      if (!exact || std::abs(nu) < least) continue;
      // Of a Jordan block at zero that the iteration has in part.
      if (std::abs(s) <= std::min(spectrum.errors(k) / std::norm(nu), 0.1 * std::abs(sigma))) {
        ++modes.zeros;
        continue;
      }
      if (s.real() > 1e-9 * rate) ++modes.unstable;
      if (s.imag() < 0.0) continue;
      const Eigen::VectorXcd shape =
          op.unit().head(n).cwiseProduct(Eigen::VectorXcd(eigen.V().topRows(n) * z));
      modes.modes.push_back(make_mode(*motion.system, {s.real(), std::abs(s.imag())},
                                      std::vector<std::complex<double>>(shape.data(), shape.data() + n)));
    }
    constexpr Eigen::Index most_vectors = 300;  // beyond, dense matrices take less time
    if (modes.modes.size() >= index(options.count) || 6 * wanted + 20 > most_vectors) break;
  }
  if (modes.modes.size() < index(options.count) && !all) {
    constexpr Eigen::Index largest_dense = 400;  // 5 s (measured)
    if (n <= largest_dense) {
      modes = {};
      return dense_modes(motion, modes);
    }
    if (modes.modes.empty())
      return fail(Status::unsupported, {"", "eigenvalues that vanish", static_cast<double>(modes.zeros),
                                        "no others were found beside them: --shift S takes those near S"});
    modes.missing = options.count - static_cast<int>(modes.modes.size());
  }
  modes.stability = modes.unstable > 0 ? Stability::unstable : Stability::unknown;
}

}  // namespace catena::detail
