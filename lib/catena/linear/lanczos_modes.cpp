#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/linear/detail/shifted_solver.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>

#include <Eigen/SparseCore>
#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

Eigen::SparseMatrix<double> sparse_mass(const LinearMotion& motion) {
  const BlockMatrix& M = *motion.mass;
  const BlockPattern& p = M.pattern();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const ConstBlockRef& H, int i, int j) {
    for (int r = 0; r < H.rows; ++r)
      for (int c = 0; c < H.cols; ++c)
        if (H(r, c) != 0.0)
          entries.emplace_back(p.primal_offset[index(i)] + r, p.primal_offset[index(j)] + c, H(r, c));
  };
  for (int b = 0; b < p.primal_count(); ++b) add(M.H(b), b, b);
  for (std::size_t k = 0; k < p.couplings.size(); ++k) {
    add(M.H_upper(static_cast<int>(k)), p.couplings[k].i, p.couplings[k].j);
    add(M.H_lower(static_cast<int>(k)), p.couplings[k].j, p.couplings[k].i);
  }
  Eigen::SparseMatrix<double> mass(p.primal_dimension, p.primal_dimension);
  mass.setFromTriplets(entries.begin(), entries.end());
  return mass;
}

// Lanczos iterations for K x = omega^2 M x with G x = 0, in the inner product of M. What is found is taken out of the
// operator, so that the next run finds the others of a multiple eigenvalue, which one run of the iteration does not see.
class Lanczos {
 public:
  Lanczos(const LinearMotion& motion, const ModesOptions& options, Modes& modes)
      : motion_(motion),
        options_(options),
        modes_(modes),
        n_(motion.system->layout().v_size()),
        solver_(motion, true),
        mass_(sparse_mass(motion)) {}

  void operator()() {
    modes_.method = "Lanczos";
    if (!solver_.refusal().empty())
      return fail(Status::unsupported, {.name = solver_.refusal(), .quantity = {}});
    if (!choose_shift()) return;
    const Eigen::Index free = n_ - motion_.idle_count - motion_.system->layout().lambda_size();
    const auto wanted = [&] { return std::min<Eigen::Index>(options_.count, free - found()); };
    // Until a run finds nothing nearer than the last of the modes that are asked for.
    for (int run = 0; run < 2 + options_.count && wanted() > 0; ++run) {
      const Eigen::Index ask =
          run == 0 ? wanted() : std::min<Eigen::Index>(wanted(), (options_.count + 1) / 2);
      const double last = squares_.size() < index(options_.count) ? INFINITY : last_distance();
      double nearest = INFINITY;
      if (!iterate(std::max<Eigen::Index>(ask, 1), nearest)) return;
      if (nearest > last) break;
    }
    finish();
  }

  // For Spectra: inner product of M, and the operator.
  using Scalar = double;
  Eigen::Index rows() const { return n_; }
  void set_shift(double) {}
  void apply(const double* b, double* x) {
    solver_.solve_upper(b, x);
    remove_found(x);
  }
  void times_mass(const double* x, double* out) const {
    Eigen::Map<Eigen::VectorXd>(out, n_) = mass_ * Eigen::Map<const Eigen::VectorXd>(x, n_);
  }

 private:
  struct Operator {
    using Scalar = double;
    Lanczos& of;
    Eigen::Index rows() const { return of.n_; }
    void set_shift(double) {}
    void perform_op(const double* x, double* y) const { of.apply(x, y); }
  };
  struct Mass {
    using Scalar = double;
    Lanczos& of;
    Eigen::Index rows() const { return of.n_; }
    void perform_op(const double* x, double* y) const { of.times_mass(x, y); }
  };

  void fail(Status status, Culprit culprit) {
    modes_.status = status;
    modes_.culprit = std::move(culprit);
  }
  Eigen::Index found() const { return static_cast<Eigen::Index>(vectors_.size()); }

  void remove_found(double* x) const {
    Eigen::Map<Eigen::VectorXd> y(x, n_);
    for (std::size_t k = 0; k < vectors_.size(); ++k) y -= vectors_[k] * mass_times_[k].dot(y);
  }
  void keep(const Eigen::VectorXd& x) {
    Eigen::VectorXd y(x), My(n_);
    remove_found(y.data());
    times_mass(y.data(), My.data());
    const double length = std::sqrt(y.dot(My));
    vectors_.emplace_back(y / length);
    mass_times_.emplace_back(My / length);
  }

  // A vector that the rows allow, from directions that differ in all components, of length 1.
  Eigen::VectorXd start(std::size_t seed) {
    Eigen::VectorXd x(n_), b(n_);
    for (Eigen::Index k = 0; k < n_; ++k)
      x(k) = motion_.idle[index(k)] != 0
                 ? 0.0
                 : motion_.system->layout().scale[index(k)] *
                       (2.0 * scattered(index(k), 0.1 * static_cast<double>(seed)) - 1.0);
    times_mass(x.data(), b.data());
    apply(b.data(), x.data());
    return x;
  }

  bool factorize() {
    const KktReport r = solver_.factorize(std::sqrt(square_));
    indefinite_ = r.indefinite;
    if (r.status == Status::ok) return true;
    fail(r.status, r.culprit);
    return false;
  }

  // sigma^2 about as small as the smallest omega^2: the iteration converges in few rounds then. Free motions, whose
  // omega^2 vanishes, are found on the way and taken out.
  bool choose_shift() {
    const double largest = stiffest(motion_);
    // Below it omega^2 is roundoff of K: half of a digit above eps.
    const double least = 1e-15 * largest;
    zero_ = 1e-12 * largest;
    if (!(largest > 0.0)) {
      fail(Status::unsupported,
           {.name = "", .quantity = "stiffness", .why = "nothing has a stiffness: every motion is free"});
      return false;
    }
    square_ = options_.shift != 0.0 ? options_.shift * options_.shift : 1e-6 * largest;
    if (!factorize()) return false;
    constexpr int rounds = 64, iterations = 4, most_iterations = 60;
    // A vector that is taken out ends at roundoff of the solutions, some 1e-11; what of it is wrong comes back into the others,
    // squared, times the ratio of their omega^2 to sigma^2.
    constexpr double exact = 1e-13, sufficiently = 1e-7;
    Eigen::VectorXd b(n_), y(n_);
    for (int round = 0; round < rounds; ++round) {
      Eigen::VectorXd x = start(index(round));
      double square = 0.0, residual = 0.0, before = INFINITY;
      for (int k = 0; k < most_iterations; ++k) {
        times_mass(x.data(), b.data());
        const double length = std::sqrt(x.dot(b));
        x /= length, b /= length;
        apply(b.data(), y.data());
        const double nu = b.dot(y);
        const Eigen::VectorXd off = y - nu * x;
        times_mass(off.data(), b.data());
        residual = std::sqrt(std::max(0.0, off.dot(b))) / std::abs(nu);
        square = 1.0 / nu - square_;
        x = y;
        // Only what is well below the shift may vanish, and is iterated as long as that helps.
        const bool below = 4.0 * std::abs(square) < square_;
        if (k + 1 >= iterations && (!below || residual < exact || residual > 0.5 * before)) break;
        before = residual;
      }
      if (!std::isfinite(square)) {
        fail(Status::not_finite, {.name = "", .quantity = "shifted matrix"});
        return false;
      }
      if (std::abs(square) <= zero_ && residual < sufficiently) {
        keep(x);
        add_free(x);
        if (modes_.zeros > 2 * most_free) {
          fail(Status::unsupported, {modes_.free_motions.back(), "free motions", most_free,
                                     "more motions than that meet no stiffness"});
          return false;
        }
        continue;
      }
      if (options_.shift != 0.0 || 4.0 * std::abs(square) >= square_ || square_ <= least) break;
      square_ = std::max(std::abs(square), least);
      if (!factorize()) return false;
    }
    return true;
  }

  bool iterate(Eigen::Index wanted, double& nearest) {
    Operator op{*this};
    Mass mass{*this};
    const Eigen::Index base = std::min<Eigen::Index>(n_, std::max<Eigen::Index>(2 * wanted + 10, 24));
    Spectra::SymGEigsShiftSolver<Operator, Mass, Spectra::GEigsMode::ShiftInvert> eigen(op, mass, wanted,
                                                                                        base, -square_);
    const Eigen::VectorXd x = start(7 + vectors_.size());
    eigen.init(x.data());
    const Eigen::Index converged =
        eigen.compute(Spectra::SortRule::LargestMagn, options_.iterations, options_.tolerance);
    if (eigen.info() != Spectra::CompInfo::Successful) {
      fail(Status::newton_not_converged, {.name = "",
                                          .quantity = "eigenvalues that the iteration found",
                                          .value = static_cast<double>(converged)});
      return false;
    }
    const Eigen::VectorXd values = eigen.eigenvalues();
    const Eigen::MatrixXd shapes = eigen.eigenvectors();
    for (Eigen::Index k = 0; k < values.size(); ++k) {
      nearest = std::min(nearest, std::abs(values(k) + square_));
      keep(shapes.col(k));
      squares_.push_back(values(k));
      shapes_.push_back(vectors_.back());
    }
    return true;
  }

  // From the shift, of the mode of that number.
  double last_distance() const {
    std::vector<double> far;
    for (const double s : squares_) far.push_back(std::abs(s + square_));
    std::nth_element(far.begin(), far.begin() + (options_.count - 1), far.end());
    return far[index(options_.count - 1)];
  }

  void add_free(const Eigen::VectorXd& x) {
    add_free_motion(motion_, {x.data(), x.data() + n_}, modes_);
    modes_.zeros += 2;
  }

  void finish() {
    modes_.solves = solver_.solves;
    for (std::size_t k = 0; k < squares_.size(); ++k) {
      if (std::abs(squares_[k]) <= zero_)
        add_free(shapes_[k]);
      else
        add_square(*motion_.system, squares_[k], {shapes_[k].data(), shapes_[k].data() + n_}, modes_);
    }
    // Where the factor has as many negative pivots as rows, no omega^2 is below -sigma^2, and those above it that are
    // negative were nearest to the shift.
    modes_.stability = indefinite_ || modes_.unstable > 0 ? Stability::unstable : Stability::neutral;
    modes_.unstable = std::max(modes_.unstable, indefinite_ ? 1 : 0);
  }

  static constexpr int most_free = 60;  // one in each round of choose_shift()

  const LinearMotion& motion_;
  const ModesOptions& options_;
  Modes& modes_;
  Eigen::Index n_;
  ShiftedSolver solver_;
  Eigen::SparseMatrix<double> mass_;  // Spectra multiplies with it four times a step
  double square_ = 0.0;               // sigma^2; the shift of omega^2 is its negative
  double zero_ = 0.0;                 // smaller omega^2 vanish
  bool indefinite_ = false;
  std::vector<Eigen::VectorXd> vectors_, mass_times_;  // found, of length 1 in M
  std::vector<double> squares_;
  std::vector<Eigen::VectorXd> shapes_;
};

}  // namespace

void lanczos_modes(const LinearMotion& motion, const ModesOptions& options, Modes& modes) {
  Lanczos(motion, options, modes)();
}

}  // namespace catena::detail
