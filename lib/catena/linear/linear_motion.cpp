#include <catena/kkt/consistent.hpp>
#include <catena/linear/detail/constant_coefficients.hpp>
#include <catena/linear/detail/distance_to_rest.hpp>
#include <catena/linear/detail/element_with_past.hpp>
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/idle.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/system/detail/fit.hpp>
#include <catena/system/detail/scaled.hpp>
#include <catena/system/detail/undefined.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const double* discrete_of(const State& state) {
  return state.discrete.empty() ? nullptr : state.discrete.data();
}

class Linearizer {
 public:
  // with_bodies: of several frames in which the motion is steady, the one that turns with the fastest body.
  Linearizer(const System& system, const State& state, const LinearizeOptions& options, bool with_bodies)
      : system_(system), layout_(system.layout()), options_(options), with_bodies_(with_bodies) {
    motion_.system = &system;
    motion_.state = state;
  }

  LinearMotion operator()() {
    if (refuse_past() || !at_steady_state()) return std::move(motion_);
    differentiate(motion_);
    if (!finite()) return std::move(motion_);
    classify();
    if (const Change change = look_for_changes(motion_, options_.tolerance); change.status != Status::ok) {
      motion_.unsteady = std::max(motion_.unsteady, change.by);
      motion_.unsteady_block = change.culprit.name;
      fail(change.status, change.culprit);
    }
    return std::move(motion_);
  }

 private:
  bool fail(Status status, Culprit culprit) {
    motion_.status = status;
    motion_.culprit = std::move(culprit);
    return false;
  }

  bool refuse_past() {
    Culprit past = element_with_past(system_);
    if (past.name.empty()) return false;
    past.why += ": equations of the bodies with constant coefficients do not describe it";
    fail(Status::unsupported, std::move(past));
    return true;
  }

  // Velocities on the constraints, accelerations, multipliers; false: not a steady state.
  bool at_steady_state() {
    State& s = motion_.state;
    s.a.assign(index(layout_.v_size()), 0.0);
    s.lambda.assign(index(layout_.lambda_size()), 0.0);
    KktSolver kkt;
    const std::string refusal = kkt.attach(system_, {});
    if (!refusal.empty()) return fail(Status::unsupported, {.name = refusal, .quantity = {}});
    ConsistentValues consistent(system_, kkt, discrete_of(s));
    constexpr double closed = 1e-9;  // as of the positions of models (Model::check_initial_positions)
    double change = 0.0;
    KktReport r = consistent.check_positions(s.t, s.q.data(), closed);
    if (r.status == Status::ok) r = consistent.project_velocities(s.t, s.q.data(), s.v.data(), change);
    if (r.status == Status::ok)
      r = consistent.accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
    if (r.status != Status::ok) return fail(r.status, r.culprit);
    refine(kkt);
    motion_.at_rest = std::all_of(s.v.begin(), s.v.end(), [](double v) { return v == 0.0; });
    if (!motion_.at_rest && !layout_.reaction_force.empty())
      return fail(
          Status::unsupported,
          {layout_.reaction_force, "sliding", 0.0,
           "its friction depends on reactions, whose changes the linearisation about a motion leaves out"});
    const SteadyFrame frame = find_steady_frame(system_, s);
    motion_.turning = with_bodies_ ? frame.turning : frame.smallest;
    motion_.frame = frame_rates(system_, s, motion_.turning);
    const BlockAccelerations sizes = block_accelerations(system_, s);
    Unsteady found = largest_change(layout_, accelerations_in_frame(system_, s, motion_.turning), sizes);
    if (motion_.at_rest) {
      const Distance rest = distance_to_rest(system_, s, sizes, kkt);
      if (std::isfinite(rest.relative))
        found = {rest.relative, rest.block, largest_of(layout_, s.a, rest.block)};
    }
    motion_.unsteady = found.by;
    motion_.unsteady_block = system_.velocity_block_name(found.block);
    if (found.by <= options_.tolerance) return true;
    if (motion_.at_rest)
      return fail(Status::inconsistent_start, {motion_.unsteady_block, "acceleration", found.acceleration,
                                               "accelerates from rest: the state is not an equilibrium"});
    if (const Culprit drive = moves_by_itself(); !drive.name.empty())
      return fail(Status::inconsistent_start, drive);
    return fail(Status::inconsistent_start,
                {motion_.unsteady_block, "acceleration in the frame of the motion", found.acceleration,
                 "its velocity changes in every frame that turns steadily: the motion is not steady"});
  }

  // The constraint with the largest rate of its own, a drive say; without a name: there is none.
  Culprit moves_by_itself() {
    const State& s = motion_.state;
    const std::vector<double> still(s.v.size(), 0.0);
    std::vector<double> rates(s.lambda.size(), 0.0);
    Point at = point_of(s);
    at.v = still.data();
    Evaluation wanted;
    wanted.velocity = rates.data();
    system_.evaluate(at, wanted);
    const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
    const auto worst = std::max_element(rates.begin(), rates.end(), larger);
    if (worst == rates.end() || *worst == 0.0) return {};
    const BlockPattern& p = *layout_.pattern;
    const int row = static_cast<int>(worst - rates.begin()) + p.primal_dimension;
    int dual = p.dual_count() - 1;
    while (p.dual_offset[index(dual)] > row) --dual;
    return {system_.constraint_name(dual), "rate of its own", std::abs(*worst),
            "moves " + motion_.unsteady_block + ", so that there is no rest and no steady motion"};
  }

  // Accelerations and multipliers to roundoff of the balance. In chains of thousands of bodies the residual that one solution
  // leaves gives tensions with eight digits, and frequencies with as many.
  void refine(KktSolver& kkt) {
    constexpr int passes = 4;
    State& s = motion_.state;
    const std::size_t n = s.a.size();
    std::vector<double> x(n + s.lambda.size());
    Point at = point_of(s);
    at.a = s.a.data();
    at.lambda = s.lambda.data();
    Evaluation wanted;
    wanted.balance = x.data();
    wanted.acceleration = x.data() + n;
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < passes; ++pass) {
      system_.evaluate(at, wanted);
      for (double& e : x) e = -e;
      kkt.solve_refined(x.data());
      const double change = largest_scaled(layout_, x.data());
      if (!(change < 0.5 * before)) return;
      before = change;
      for (std::size_t k = 0; k < n; ++k) s.a[k] += x[k];
      for (std::size_t k = 0; k < s.lambda.size(); ++k) s.lambda[k] += x[n + k];
    }
  }

  bool finite() {
    std::vector<double> x(index(layout_.v_size())), y(index(layout_.v_size() + layout_.lambda_size()));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = layout_.scale[k] * (scattered(k) - 0.5);
    MotionProducts products(motion_);
    const auto check = [&](const char* what) {
      for (int k = 0; k < layout_.v_size() + layout_.lambda_size(); ++k)
        if (!std::isfinite(y[index(k)])) {
          const BlockPattern& p = *layout_.pattern;
          Culprit culprit{k < p.primal_dimension ? system_.velocity_block_name(p.block_of(k))
                                                 : system_.constraint_name(p.block_of(k)),
                          what, y[index(k)], "its derivatives are not finite here"};
          find_undefined(system_, point_of(motion_.state), culprit);
          return fail(Status::not_finite, culprit);
        }
      return true;
    };
    products.stiffness(x.data(), y.data());
    if (!check("stiffness")) return false;
    products.damping(x.data(), y.data());
    return check("damping");
  }

  void classify() {
    const MatrixKinds kinds = look_at_matrices(motion_);
    const bool position_rows_only =
        std::all_of(layout_.level.begin(), layout_.level.end(), [](Level l) { return l == Level::position; });
    motion_.symmetric = motion_.at_rest && position_rows_only && kinds.undamped && kinds.symmetric;
    if (motion_.at_rest) find_idle(motion_);
  }

  const System& system_;
  const SystemLayout& layout_;
  const LinearizeOptions& options_;
  bool with_bodies_;
  LinearMotion motion_;
};

}  // namespace

LinearMotion linearize(const System& system, const State& state, const LinearizeOptions& options) {
  if (std::string misfit = misfit_of_motion(system.layout(), state); !misfit.empty()) {
    LinearMotion none;
    none.status = Status::unsupported;
    none.culprit.name = std::move(misfit);
    none.state = state;
    return none;
  }
  LinearMotion motion = Linearizer(system, state, options, false)();
  if (motion.status != Status::inconsistent_start || motion.at_rest) return motion;
  // A hub that turns about its axis of symmetry is steady in every frame that turns about it, and what hangs on it in one alone.
  LinearMotion turning = Linearizer(system, state, options, true)();
  return turning.status == Status::ok ? turning : motion;
}

}  // namespace catena
