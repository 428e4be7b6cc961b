#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/linear/detail/distance_to_rest.hpp>
#include <catena/linear/detail/element_with_past.hpp>
#include <catena/linear/parts/equilibrium.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/rotation.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/fit.hpp>
#include <catena/system/detail/move_lengths.hpp>
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
    gap_.resize(m_);
    delta_.resize(n_);
    next_q_.resize(s.q.size());
    length_ = move_lengths(layout_);
  }

  Equilibrium operator()() {
    if (Culprit past = element_with_past(system_); !past.name.empty()) {
      past.why += ": no balance of forces says where it rests";
      fail(Status::unsupported, std::move(past));
    } else if (attach() && settled(close()) && settled(multipliers()))
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

  bool settled(const KktReport& r) { return r.status == Status::ok || fail(r.status, r.culprit); }

  // Positions on the joints, as Newton's method leaves them.
  KktReport close() {
    double change = 0.0;
    constexpr double roundoff = 32.0 * std::numeric_limits<double>::epsilon();  // as assembly closes them
    return ConsistentValues(system_, kkt_, discrete())
        .project_to_roundoff(found_.state.t, found_.state.q.data(), roundoff, change);
  }

  // Of the balance at rest, those that leave the least acceleration that the rows allow, as if nothing drove them; of redundant rows
  // the smallest.
  KktReport multipliers() {
    State& s = found_.state;
    evaluate_mass_and_rows(system_, point(), kkt_.matrix());
    kkt_.update_proximal();
    KktReport r = kkt_.factorize();
    if (r.status != Status::ok) return r;
    std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
    Evaluation wanted;
    wanted.balance = balance_.data();
    constexpr int passes = 2;  // forces that depend on reactions, and roundoff
    for (int pass = 0; pass < passes; ++pass) {
      system_.evaluate(point(), wanted);
      for (std::size_t k = 0; k < n_; ++k) x_[k] = -balance_[k];
      std::fill(x_.begin() + static_cast<std::ptrdiff_t>(n_), x_.end(), 0.0);
      kkt_.solve_refined(x_.data());
      for (std::size_t k = 0; k < m_; ++k) s.lambda[k] += x_[n_ + k];
    }
    return r;
  }

  // The balance at found_, its largest component over the inertia and the length of a step, and of the residual the worst one.
  double measure() {
    Point at = point();
    Evaluation wanted;
    wanted.balance = balance_.data();
    system_.evaluate(at, wanted);
    sizes_ = block_accelerations(system_, found_.state);
    found_.residual = 0.0;
    double largest = 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
      const double m = inertia(k);
      if (!(m > 0.0)) continue;
      const double off = std::abs(balance_[k]) / m;
      if (!std::isfinite(off)) {
        worst_ = static_cast<int>(k);
        return off;
      }
      largest = std::max(largest, off / length_[k]);
      if (!(off > 0.0)) continue;
      const int block = layout_.pattern->block_of(static_cast<int>(k));
      const double relative =
          off / layout_.scale[k] / std::max(sizes_.size(block), sizes_.reaction[index(block)]);
      if (relative > found_.residual) found_.residual = relative, worst_ = static_cast<int>(k);
    }
    return largest;
  }
  // Also where another body is far stiffer, and where joints bear more than the forces.
  bool at_rest() {
    return found_.residual <= options_.tolerance &&
           distance_to_rest(system_, found_.state, sizes_, kkt_).relative <= options_.tolerance;
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

  Culprit restless() const {
    return {system_.velocity_block_name(layout_.pattern->block_of(worst_)), "force balance",
            balance_[index(worst_)], "does not come to rest"};
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
      if ((stalled > 0 || at_rest()) && ++stalled > 2) return;
      const Culprit last = restless();
      const State before = found_.state;
      const double relative = found_.residual;
      int cuts = 0;
      while (!step(tau)) {
        found_.state = before;
        tau *= 0.25;
        if (++cuts <= 20) continue;
        if (stalled > 0)
          measure();
        else
          fail(Status::newton_not_converged, last);
        return;
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
    if (!at_rest()) fail(Status::newton_not_converged, restless());
  }

  // One implicit Euler step from rest; false: the matrix is not positive definite on the joints, or the step is too long for
  // the tangent. Positions are closed and multipliers are computed anew behind it: increments of them know nothing of
  // redundant rows, which contradict each other by the square of a step.
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
    std::fill(x_.begin() + static_cast<std::ptrdiff_t>(n_), x_.end(), 0.0);
    kkt_.solve_refined(x_.data());
    constexpr double longest_move = 0.5;  // half a radian, to which the tangent serves
    move_ = 0.0;
    for (std::size_t k = 0; k < n_; ++k) move_ = std::max(move_, std::abs(x_[k]) / length_[k]);
    if (!(move_ <= longest_move)) return false;
    along_arcs();
    system_.retract(s.q.data(), x_.data(), next_q_.data());
    s.q = next_q_;
    if (!near_joints()) return false;
    const bool closed = close().status == Status::ok;
    system_.update_discrete(s);
    return closed && multipliers().status == Status::ok;
  }

  // Displacements of bodies that turn as well become arcs, as those about a hinge are.
  void along_arcs() {
    const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system_);
    if (bodies == nullptr) return;
    for (int b = 0; b < bodies->model().body_count(); ++b) {
      const int offset = bodies->v_offset(BodyId{b});
      if (offset < 0) continue;
      const int block = layout_.pattern->block_of(offset);
      const double* q = found_.state.q.data() + bodies->q_offset(BodyId{b});
      double six[6];
      bodies->freedoms().expand(block, x_.data(), six);
      const Vec3 turn = rotation_matrix(Quat{q[3], q[4], q[5], q[6]}) * Vec3{{six[3], six[4], six[5]}};
      const Vec3 arc = tangent(Vec3(-turn)) * Vec3{{six[0], six[1], six[2]}};
      for (int k = 0; k < 3; ++k) six[k] = arc[k];
      bodies->freedoms().reduce(block, six, x_.data());
    }
  }

  // False where a step opens a joint by more than a rod that turns by half a radian changes its length.
  bool near_joints() {
    if (layout_.reach_of.size() != index(layout_.pattern->dual_count())) return true;
    constexpr double most = 0.125;
    Evaluation wanted;
    wanted.position = gap_.data();
    system_.evaluate(point(), wanted);
    const BlockPattern& p = *layout_.pattern;
    for (int d = 0; d < p.dual_count(); ++d)
      for (int r = 0; r < p.dual_size[index(d)]; ++r) {
        const double size = r < layout_.lengths(d) ? layout_.reach_of[index(d)] : 1.0;
        if (!(std::abs(gap_[index(p.dual_offset[index(d)] - p.primal_dimension + r)]) <= most * size))
          return false;
      }
    return true;
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
        if (bodies != nullptr) continue;
        const std::size_t c = index(p.primal_offset[index(b)] + k);
        double& change = c < layout_.rotation.size() && layout_.rotation[c] != 0 ? move.turn : move.distance;
        change = std::max(change, std::abs(d[k]));
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
  BlockAccelerations sizes_;  // at found_
  double move_ = 0.0;         // of the last step, beside length_
  int worst_ = 0;
  std::vector<double> x_, balance_, gap_, delta_, next_q_, length_;
};

}  // namespace

Equilibrium find_equilibrium(const System& system, const State& state, const EquilibriumOptions& options) {
  if (std::string misfit = misfit_of_motion(system.layout(), state); !misfit.empty()) {
    Equilibrium none;
    none.status = Status::unsupported;
    none.culprit.name = std::move(misfit);
    none.state = state;
    return none;
  }
  return PseudoTransient(system, state, options)();
}

}  // namespace catena
