#include <catena/linear/detail/mode_solvers.hpp>
#include <catena/linear/detail/shifted_solver.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

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
    if (modes_.zeros > 0) largest_nu_ = 1.0 / square_;
    // Until a run finds nothing nearer than the last of the modes that are asked for.
    for (bool first = true;; first = false) {
      const double last = last_distance();
      double nearest = INFINITY;
      if (!iterate(first ? options_.count : (options_.count + 1) / 2, nearest)) return;
      if (!(nearest < (1.0 - 1e-9) * last)) break;
      if (static_cast<Eigen::Index>(zeros_) > most_free()) {
        too_many_free();
        return;
      }
    }
    finish();
  }

 private:
  // The operator, on b = M x.
  void apply(const double* b, double* x) {
    solver_.solve_upper(b, x);
    remove_found(x);
  }
  void times_mass(const double* x, double* out) const {
    Eigen::Map<Eigen::VectorXd>(out, n_) = mass_ * Eigen::Map<const Eigen::VectorXd>(x, n_);
  }

  void fail(Status status, Culprit culprit) {
    modes_.status = status;
    modes_.culprit = std::move(culprit);
  }
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
        if (static_cast<Eigen::Index>(modes_.zeros) > 2 * most_free()) return too_many_free();
        continue;
      }
      if (options_.shift != 0.0) break;
      // Far below omega^2 the inertias vanish beside the stiffness, and elimination loses the digits between.
      constexpr double far = 64.0;
      if (!indefinite_ && square > far * square_) {
        square_ = square / far;
        return factorize();
      }
      if (4.0 * std::abs(square) >= square_ || square_ <= least) break;
      square_ = std::max(std::abs(square), least);
      if (!factorize()) return false;
    }
    return true;
  }

  // Lanczos iteration with all inner products, restarted with the Ritz vectors of the largest |nu|: K. Wu, H. Simon,
  // Thick-restart Lanczos, SIAM J. Matrix Anal. Appl. 22 (2000) 602-616.
  bool iterate(Eigen::Index wanted, double& nearest) {
    const Eigen::Index base = std::min<Eigen::Index>(n_, std::max<Eigen::Index>(2 * wanted + 10, 24));
    Eigen::MatrixXd V(n_, base), H = Eigen::MatrixXd::Zero(base, base);
    Eigen::VectorXd x = start(7 + vectors_.size()), b(n_);
    times_mass(x.data(), b.data());
    double length = std::sqrt(x.dot(b));
    if (!(length > 0.0)) return true;  // nothing is left
    Eigen::Index size = 0;
    for (int restart = 0; restart < options_.iterations; ++restart) {
      while (size < base && length > 0.0) {
        V.col(size) = x / length;
        b /= length;
        apply(b.data(), x.data());
        ++size;
        Eigen::VectorXd h = Eigen::VectorXd::Zero(size);
        for (int pass = 0; pass < 2; ++pass) {
          times_mass(x.data(), b.data());
          const Eigen::VectorXd part = V.leftCols(size).transpose() * b;
          x -= V.leftCols(size) * part;
          h += part;
        }
        H.col(size - 1).head(size) = h;
        H.row(size - 1).head(size) = h.transpose();
        times_mass(x.data(), b.data());
        length = std::sqrt(std::max(0.0, x.dot(b)));
        largest_nu_ = std::max(largest_nu_, std::abs(h(size - 1)));
        // The iteration has all that there is from this start; what is left is roundoff of the solutions.
        if (length <= noise * largest_nu_) length = 0.0;
      }
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(H.topLeftCorner(size, size));
      if (!H.topLeftCorner(size, size).allFinite() || ritz.info() != Eigen::Success) {
        fail(Status::not_finite, {.name = "", .quantity = "shifted matrix"});
        return false;
      }
      std::vector<Eigen::Index> order(index(size));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) {
        return std::abs(ritz.eigenvalues()(i)) > std::abs(ritz.eigenvalues()(j));
      });
      const Eigen::MatrixXd Y = ritz.eigenvectors()(Eigen::all, order);
      const Eigen::VectorXd nu = ritz.eigenvalues()(order);
      Eigen::Index exact = 0;
      while (exact < std::min(wanted, size) &&
             (length * std::abs(Y(size - 1, exact)) <= options_.tolerance * std::abs(nu(exact)) ||
              std::abs(nu(exact)) <= least_nu()))
        ++exact;
      if (length == 0.0 || exact == wanted) {
        take(V.leftCols(size) * Y.leftCols(std::min(wanted, size)), nu, nearest);
        return true;
      }
      const Eigen::Index kept = std::min(wanted + (size - wanted) / 2, size - 1);
      V.leftCols(kept) = (V.leftCols(size) * Y.leftCols(kept)).eval();
      H.setZero();
      H.diagonal().head(kept) = nu.head(kept);
      size = kept;
    }
    fail(Status::newton_not_converged, {.name = "",
                                        .quantity = "eigenvalues that the iteration found",
                                        .value = static_cast<double>(squares_.size())});
    return false;
  }

  // Less is roundoff, and no omega^2 is that large, as stiffest() says.
  double least_nu() const { return std::max(noise * largest_nu_, 1e-3 / (stiffest(motion_) + square_)); }

  // Ritz vectors that are modes: of those that are roundoff the operator makes nothing.
  void take(const Eigen::MatrixXd& shapes, const Eigen::VectorXd& nu, double& nearest) {
    for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
      if (std::abs(nu(k)) <= least_nu()) continue;
      const double square = 1.0 / nu(k) - square_;
      nearest = std::min(nearest, 1.0 / std::abs(nu(k)));
      keep(shapes.col(k));
      squares_.push_back(square);
      shapes_.push_back(vectors_.back());
      if (std::abs(square) <= zero_) ++zeros_;
    }
  }

  // From the shift, of the last of the modes that are asked for; infinite where some are missing.
  double last_distance() const {
    std::vector<double> far;
    for (const double s : squares_)
      if (std::abs(s) > zero_) far.push_back(std::abs(s + square_));
    if (far.size() < index(options_.count)) return INFINITY;
    std::nth_element(far.begin(), far.begin() + (options_.count - 1), far.end());
    return far[index(options_.count - 1)];
  }

  // Each is a vector of n numbers, twice.
  Eigen::Index most_free() const { return std::max<Eigen::Index>(60, 20000000 / n_); }
  bool too_many_free() {
    fail(Status::unsupported,
         {"", "free motions", static_cast<double>(most_free()), "more motions than that meet no stiffness"});
    return false;
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
    modes_.stability = indefinite_ || modes_.unstable > 0 ? Stability::unstable : Stability::neutral;
    if (modes_.stability == Stability::neutral) return;
    // The list has those nearest to the shift. The factor of K + zero M has as many more negative pivots than rows as squares are
    // below -zero.
    square_ = zero_;
    const int below = factorize() ? solver_.below() : -1;
    if (modes_.status != Status::ok) fail(Status::ok, {});
    modes_.at_least = below < std::max(modes_.unstable, 1);
    modes_.unstable = std::max({modes_.unstable, below, 1});
  }

  // Of the largest nu: solutions are exact to 1e-12 of it, where no rows are redundant.
  static constexpr double noise = 1e-10;

  const LinearMotion& motion_;
  const ModesOptions& options_;
  Modes& modes_;
  Eigen::Index n_;
  ShiftedSolver solver_;
  Eigen::SparseMatrix<double> mass_;
  double square_ = 0.0;      // sigma^2; the shift of omega^2 is its negative
  double zero_ = 0.0;        // smaller omega^2 vanish
  double largest_nu_ = 0.0;  // |1 / (omega^2 + sigma^2)| so far
  int zeros_ = 0;            // of squares_
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
