#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/linear/detail/element_with_past.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/linear/parts/equilibrium.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// C. T. Kelley, D. E. Keyes, Convergence analysis of pseudo-transient continuation, SIAM J. Numer. Anal. 35 (1998) 508-523:
// switched evolution relaxation, tau <- tau |r_before| / |r_now|.
class PseudoTransient {
 public:
  PseudoTransient(const System& system, const State& state, const EquilibriumOptions& options)
      : system_(system),
        layout_(system.layout()),
        options_(options),
        start_(state),
        n_(index(layout_.v_size())),
        m_(index(layout_.lambda_size())),
        mass_(layout_.pattern, Border::transposed) {
    found_.state = state;
    State& s = found_.state;
    std::fill(s.v.begin(), s.v.end(), 0.0);
    s.a.assign(n_, 0.0);
    s.lambda.assign(m_, 0.0);
    x_.resize(n_ + m_);
    balance_.resize(n_);
    force_.resize(n_);
    gap_.resize(m_);
    delta_.resize(n_);
    next_q_.resize(s.q.size());
  }

  Equilibrium operator()() {
    if (Culprit past = element_with_past(system_); !past.name.empty()) {
      past.why += ": no balance of forces says where it rests";
      fail(Status::unsupported, std::move(past));
    } else if (attach() && close() && multipliers())
      iterate();
    list_moves();
    if (found_.status == Status::ok && options_.stability) {
      const LinearMotion motion = linearize(system_, found_.state);
      found_.modes = find_modes(motion, {.count = std::max(1, layout_.v_size())});
    }
    return std::move(found_);
  }

 private:
  bool fail(Status status, Culprit culprit) {
    found_.status = status;
    found_.culprit = std::move(culprit);
    return false;
  }
  Point point() const {
    Point at = point_of(found_.state);
    at.v = nullptr;
    at.lambda = found_.state.lambda.data();
    return at;
  }
  const double* discrete() const {
    return found_.state.discrete.empty() ? nullptr : found_.state.discrete.data();
  }

  bool attach() {
    const std::string refusal = kkt_.attach(system_, {});
    if (!refusal.empty()) return fail(Status::unsupported, {.name = refusal, .quantity = {}});
    evaluate_mass_and_rows(system_, point(), mass_);
    return true;
  }

  // Positions on the joints, as Newton's method leaves them.
  bool close() {
    double change = 0.0;
    constexpr double roundoff = 32.0 * std::numeric_limits<double>::epsilon();  // as assembly closes them
    const KktReport r = ConsistentValues(system_, kkt_, discrete())
                            .project_to_roundoff(found_.state.t, found_.state.q.data(), roundoff, change);
    return r.status == Status::ok || fail(r.status, r.culprit);
  }

  // Of the balance at rest, those that leave the least acceleration.
  bool multipliers() {
    State& s = found_.state;
    const KktReport r = ConsistentValues(system_, kkt_, discrete())
                            .accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
    std::fill(s.a.begin(), s.a.end(), 0.0);
    return r.status == Status::ok || fail(r.status, r.culprit);
  }

  // The balance at found_, its norm in units of acceleration, and the worst component.
  double measure() {
    Point at = point();
    Evaluation wanted;
    wanted.balance = balance_.data();
    wanted.position = gap_.data();
    system_.evaluate(at, wanted);
    at.lambda = nullptr;
    wanted = {};
    wanted.balance = force_.data();
    system_.evaluate(at, wanted);
    double size = 0.0, sum = 0.0, largest = -1.0;
    for (std::size_t k = 0; k < n_; ++k) {
      const double unit = inertia(k) * layout_.scale[k];
      if (!(unit > 0.0)) continue;
      const double off = std::abs(balance_[k]) / unit;
      size = std::max(size, std::abs(force_[k]) / unit);
      size = std::max(size, std::abs(force_[k] - balance_[k]) / unit);  // of the joints
      if (!std::isfinite(off)) {
        worst_ = static_cast<int>(k);
        return off;
      }
      if (off > largest) largest = off, worst_ = static_cast<int>(k);
      sum = std::max(sum, off);
    }
    size_ = std::max({size_, size, size_of_accelerations(system_, found_.state)});
    found_.residual = size_ > 0.0 ? sum / size_ : 0.0;
    return sum;
  }
  double inertia(std::size_t k) const {
    const BlockPattern& p = *layout_.pattern;
    const int b = p.block_of(static_cast<int>(k));
    const int i = static_cast<int>(k) - p.primal_offset[index(b)];
    return std::as_const(mass_).H(b)(i, i);
  }

  bool not_finite() {
    Culprit culprit{system_.velocity_block_name(layout_.pattern->block_of(worst_)), "force balance",
                    balance_[index(worst_)]};
    find_undefined(system_, point(), culprit);
    return fail(Status::not_finite, culprit);
  }

  void iterate() {
    double residual = measure();
    if (!std::isfinite(residual)) {
      not_finite();
      return;
    }
    // The first step moves the fastest body by a tenth of its size: tau^2 |a| = 0.1.
    double tau = residual > 0.0 ? std::sqrt(0.1 / residual) : 1.0;
    // M / tau^2 must remain above the roundoff of K where a motion meets no stiffness; that motion then does not move.
    const double longest = 1e6 * tau;
    int stalled = 0;
    for (found_.iterations = 0; found_.iterations < options_.iterations; ++found_.iterations) {
      // One more after the tolerance is met: the step of Newton's method that ends at roundoff.
      if (found_.residual <= options_.tolerance && ++stalled > 2) return;
      const Culprit last = {system_.velocity_block_name(layout_.pattern->block_of(worst_)), "force balance",
                            balance_[index(worst_)], "does not come to rest"};
      const State before = found_.state;
      const double relative = found_.residual;
      int cuts = 0;
      while (!step(tau)) {
        found_.state = before;
        tau *= 0.25;
        if (++cuts > 20) {
          if (relative <= options_.tolerance) {
            found_.residual = relative;
            return;
          }
          fail(Status::newton_not_converged, last);
          return;
        }
      }
      const double now = measure();
      if (!std::isfinite(now)) {
        not_finite();
        return;
      }
      if (stalled > 0 && found_.residual > relative) {  // at roundoff
        found_.state = before;
        measure();
        return;
      }
      // A residual that grows on the way down shortens no step: what makes a step too long cuts it.
      const double growth = now > 0.0 ? residual / now : 10.0;
      tau = std::min(longest, tau * std::clamp(growth, move_ < 0.1 ? 1.5 : 1.0, 10.0));
      residual = now;
    }
    if (found_.residual <= options_.tolerance) return;
    fail(Status::newton_not_converged, {system_.velocity_block_name(layout_.pattern->block_of(worst_)),
                                        "force balance", balance_[index(worst_)], "does not come to rest"});
  }

  // One implicit Euler step from rest; false: the matrix is not positive definite on the joints, or the step is too long for
  // the tangent. Multipliers are kept to the balance.
  bool step(double tau) {
    State& s = found_.state;
    Linearization lin;
    lin.matrix = &kkt_.matrix();
    lin.mass = 1.0 / (tau * tau);
    lin.damping = 1.0 / tau;
    lin.stiffness = 1.0;
    Evaluation wanted;
    wanted.linearization = &lin;
    Point at = point();
    at.a = s.a.data();
    system_.evaluate(at, wanted);
    kkt_.update_proximal();
    const KktReport report = kkt_.factorize();
    if (report.status != Status::ok || report.indefinite) return false;
    for (std::size_t k = 0; k < n_; ++k) x_[k] = -balance_[k];
    for (std::size_t k = 0; k < m_; ++k) x_[n_ + k] = -gap_[k];
    hold_velocity_rows();
    kkt_.solve_refined(x_.data());
    constexpr double longest_move = 0.5;  // of the size of a body: half a radian, to which the tangent serves
    move_ = largest_scaled(layout_, x_.data());
    if (!(move_ <= longest_move)) return false;
    system_.retract(s.q.data(), x_.data(), next_q_.data());
    s.q = next_q_;
    for (std::size_t k = 0; k < m_; ++k) s.lambda[k] += x_[n_ + k];
    system_.update_discrete(s);
    return true;
  }

  // A delta = 0: what rolls or slides on a blade stays where its rows let it.
  void hold_velocity_rows() {
    const BlockPattern& p = *layout_.pattern;
    for (int d = 0; d < p.dual_count(); ++d)
      if (layout_.level[index(d)] == Level::velocity)
        std::fill_n(x_.begin() + p.dual_offset[index(d)], p.dual_size[index(d)], 0.0);
  }

  void list_moves() {
    system_.difference(start_.q.data(), found_.state.q.data(), delta_.data());
    const BlockPattern& p = *layout_.pattern;
    const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system_);
    std::vector<std::pair<double, Equilibrium::Move>> moves;
    for (int b = 0; b < p.primal_count(); ++b) {
      const double* d = delta_.data() + p.primal_offset[index(b)];
      Equilibrium::Move move{.name = system_.velocity_block_name(b)};
      double size = 0.0;
      for (int k = 0; k < p.primal_size[index(b)]; ++k) {
        size = std::max(size, std::abs(d[k]) / layout_.scale[index(p.primal_offset[index(b)] + k)]);
        if (bodies == nullptr) move.distance = std::max(move.distance, std::abs(d[k]));
      }
      if (bodies != nullptr) {
        double six[6];
        bodies->freedoms().expand(b, delta_.data(), six);
        move.distance = norm(Vec3{{six[0], six[1], six[2]}});
        move.turn = norm(Vec3{{six[3], six[4], six[5]}});
      }
      constexpr double least = 1e-12;  // less is the roundoff of positions
      if (size > least) moves.emplace_back(size, std::move(move));
    }
    std::stable_sort(moves.begin(), moves.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [size, move] : moves) found_.moves.push_back(std::move(move));
  }

  const System& system_;
  const SystemLayout& layout_;
  const EquilibriumOptions& options_;
  const State start_;
  std::size_t n_, m_;
  BlockMatrix mass_;
  KktSolver kkt_;
  Equilibrium found_;
  double size_ = 0.0;  // of accelerations by forces and reactions so far
  double move_ = 0.0;  // of the last step, beside the size of the body
  int worst_ = 0;
  std::vector<double> x_, balance_, force_, gap_, delta_, next_q_;
};

}  // namespace

Equilibrium find_equilibrium(const System& system, const State& state, const EquilibriumOptions& options) {
  return PseudoTransient(system, state, options)();
}

}  // namespace catena
