#include <catena/kkt/consistent.hpp>
#include <catena/linear/detail/constant_coefficients.hpp>
#include <catena/linear/detail/distance_to_rest.hpp>
#include <catena/linear/detail/frame_operator.hpp>
#include <catena/linear/detail/steady_frame.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {

void differentiate(LinearMotion& motion) {
  const System& system = *motion.system;
  Point at = point_of(motion.state);
  at.a = motion.state.a.data();
  at.lambda = motion.state.lambda.data();
  const auto fill = [&](double mass, double damping, double stiffness, RowWeights rows) {
    auto matrix = std::make_shared<BlockMatrix>(system.layout().pattern, Border::transposed);
    matrix->set_zero();
    Linearization lin;
    lin.matrix = matrix.get();
    lin.mass = mass, lin.damping = damping, lin.stiffness = stiffness;
    lin.position_rows = lin.velocity_rows = rows;
    Evaluation wanted;
    wanted.linearization = &lin;
    system.evaluate(at, wanted);
    return matrix;
  };
  motion.mass = fill(1.0, 0.0, 0.0, {.jacobian = 1.0});
  motion.damping = fill(0.0, 1.0, 0.0, {.jacobian = 0.0});
  motion.stiffness = fill(0.0, 0.0, 1.0, {.jacobian = 0.0, .rate = 1.0});
}

namespace {

class Later {
 public:
  Later(const LinearMotion& motion, double tolerance)
      : motion_(motion), system_(*motion.system), layout_(system_.layout()), tolerance_(tolerance) {}
  Change operator()() {
    if (check_later() && !motion_.at_rest) check_along_the_motion();
    return std::move(change_);
  }

 private:
  bool stop(Status status, Culprit culprit) {
    change_.status = status;
    change_.culprit = std::move(culprit);
    return false;
  }
  static const double* discrete_of(const State& state) {
    return state.discrete.empty() ? nullptr : state.discrete.data();
  }

  // The accelerations, and the rates of the same perturbations, a little later on the motion: velocities and coefficients that are
  // constant in the frame give the same.
  void check_along_the_motion() {
    const std::size_t n = index(layout_.v_size());
    std::vector<double> here(n), there(n), rate(n);
    const std::vector<double> x = scattered_perturbation(0.0), y = scattered_perturbation(0.37);
    MotionRates rates(motion_);
    if (const KktReport r = rates.factorize(); r.status != Status::ok) {
      stop(r.status, r.culprit);
      return;
    }
    rates(x.data(), y.data(), rate.data(), here.data());
    const double fastest = fastest_turn(system_, motion_.state, motion_.turning);
    if (!steady(motion_, fastest)) return;
    // After a turn of 0.7 rad and one of 1.9 rad no body but one that is symmetric looks the same twice.
    for (const double turn : {0.7, 1.9}) {
      const double later = turn / fastest;
      LinearMotion moved;
      moved.system = &system_;
      moved.state = moved_along(system_, motion_.state, motion_.turning, later);
      State& s = moved.state;
      KktSolver kkt;
      if (!kkt.attach(system_, {}).empty()) return;
      const KktReport r = ConsistentValues(system_, kkt, discrete_of(s))
                              .accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data());
      if (r.status != Status::ok) {
        stop(r.status, r.culprit);
        return;
      }
      moved.frame = frame_rates(system_, s, motion_.turning);
      differentiate(moved);
      if (!steady(moved, fastest)) return;
      MotionRates rates_there(moved);
      if (rates_there.factorize().status != Status::ok) return;
      const auto carried = [&](std::vector<double> z) {
        carry(system_, motion_.state, s, motion_.turning, later, z.data());
        return z;
      };
      rates_there(carried(x).data(), carried(y).data(), rate.data(), there.data());
      if (!same(carried(here), there, fastest)) return;
    }
  }

  // Also where another body is far stiffer, or the same body in another direction.
  bool steady(const LinearMotion& motion, double fastest) {
    const std::vector<double> change = accelerations_in_frame(system_, motion.state, motion_.turning);
    const BlockAccelerations sizes = block_accelerations(system_, motion.state);
    Unsteady found = largest_change(layout_, change, sizes);
    if (const Distance d = distance_to_steady(motion, change, sizes, fastest);
        std::isfinite(d.relative) && d.relative > found.by)
      found = {d.relative, d.block, largest_of(layout_, change, d.block)};
    if (!(found.by > tolerance_)) return true;
    change_.by = found.by;
    return stop(Status::inconsistent_start,
                {system_.velocity_block_name(found.block), "acceleration in the frame of the motion",
                 found.acceleration, "its velocity does not stay constant: the motion is not steady"});
  }

  std::vector<double> scattered_perturbation(double offset) const {
    std::vector<double> x(index(layout_.v_size()));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = layout_.scale[k] * (2.0 * scattered(k, offset) - 1.0);
    return x;
  }

  // Instants at which functions of the time are looked at. No sine has a period of which all of the first are multiples; between
  // break points the parts of an interval differ, and a step from one constant to another shows at any of them.
  std::vector<double> instants() const {
    const double now = motion_.state.t;
    std::vector<double> later;
    for (const double after : {1.0 / 3.14159265358979, 1.41421356237310, 4.12310562561766})
      later.push_back(now + after);
    double begin = now;
    for (const double end : system_.break_points()) {
      if (end <= now) continue;
      for (const double part : {0.381966, 0.723607}) later.push_back(begin + part * (end - begin));
      begin = end;
    }
    if (begin > now)
      for (const double after : {1.0 / 3.14159265358979, 1.41421356237310}) later.push_back(begin + after);
    return later;
  }

  // Drives and forces that depend on time have other values later, at the same positions and velocities.
  bool check_later() {
    const State& s = motion_.state;
    const std::size_t n = index(layout_.v_size()), m = index(layout_.lambda_size());
    const std::vector<double> x = scattered_perturbation(0.0);
    const BlockAccelerations sizes = block_accelerations(system_, s);
    std::vector<double> force(n), gap(m), rate(m), bias(m), stiff(n + m);
    std::vector<double> force_later(n), gap_later(m), rate_later(m), bias_later(m), stiff_later(n + m);
    const auto look = [&](double t, std::vector<double>& f, std::vector<double>& g, std::vector<double>& v,
                          std::vector<double>& b) {
      Point at = point_of(s);
      at.t = t;
      at.lambda = s.lambda.data();
      Evaluation wanted;
      wanted.balance = f.data();
      wanted.position = g.data();
      wanted.velocity = v.data();
      wanted.acceleration = b.data();
      system_.evaluate(at, wanted);
    };
    look(s.t, force, gap, rate, bias);
    MotionProducts(motion_).stiffness(x.data(), stiff.data());
    for (const double t : instants()) {
      look(t, force_later, gap_later, rate_later, bias_later);
      if (motion_.at_rest && !same_rows(gap, gap_later, "position residual")) return false;
      if (!same_rows(rate, rate_later, "rate of its own") ||
          !same_rows(bias, bias_later, "acceleration of its own") || !same_forces(force, force_later, sizes))
        return false;
      LinearMotion then;
      then.system = &system_;
      then.state = s;
      then.state.t = t;
      differentiate(then);
      MotionProducts(then).stiffness(x.data(), stiff_later.data());
      if (!same_forces(stiff, stiff_later, sizes)) return false;
    }
    return true;
  }

  // Values beyond the end of a table are not finite: no motion gets there.
  bool same_rows(const std::vector<double>& now, const std::vector<double>& later, const char* quantity) {
    for (std::size_t r = 0; r < now.size(); ++r)
      if (std::abs(later[r] - now[r]) > tolerance_ * std::max(1.0, std::abs(now[r])))
        return stop(Status::inconsistent_start,
                    {system_.constraint_name(
                         layout_.pattern->block_of(static_cast<int>(index(layout_.v_size()) + r))),
                     quantity, later[r],
                     motion_.at_rest ? "moves by itself: the mechanism does not stay at rest"
                                     : "what it follows changes with time: the motion does not stay steady"});
    return true;
  }

  bool same_forces(const std::vector<double>& now, const std::vector<double>& later,
                   const BlockAccelerations& sizes) {
    std::vector<double> change(index(layout_.v_size()));
    for (std::size_t k = 0; k < change.size(); ++k) change[k] = later[k] - now[k];
    const std::vector<double> by = by_blocks(layout_, *motion_.mass, change.data());
    for (std::size_t b = 0; b < by.size(); ++b) {
      const int block = static_cast<int>(b);
      if (!(by[b] > tolerance_ * sizes.size(block))) continue;
      return stop(Status::inconsistent_start,
                  {system_.velocity_block_name(block), "change of the force on it with time",
                   largest_of(layout_, change, block), "what acts on it depends on time"});
    }
    return true;
  }

  bool same(const std::vector<double>& expected, const std::vector<double>& there, double fastest) {
    double worst = 0.0;
    int component = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const double off = std::abs(there[k] - expected[k]) / layout_.scale[k];
      if (off > worst) worst = off, component = static_cast<int>(k);
    }
    // Where nothing but its own rotation acts on a body, rates are roundoff of w |y| + w^2 |x|.
    constexpr double part = 1e-6;
    const double size = std::max(largest_scaled(layout_, expected.data()), part * fastest * (1.0 + fastest));
    if (!(worst > tolerance_ * size)) return true;
    const std::string block = system_.velocity_block_name(layout_.pattern->block_of(component));
    stop(Status::inconsistent_start,
         {block, "relative change of the coefficients along the motion", worst / size,
          "its inertia or what acts on it changes as it moves: the linearized equations are not constant in "
          "a frame that turns steadily"});
    change_.by = worst / size;
    return false;
  }

  const LinearMotion& motion_;
  const System& system_;
  const SystemLayout& layout_;
  double tolerance_;
  Change change_;
};

}  // namespace

Change look_for_changes(const LinearMotion& motion, double tolerance) { return Later(motion, tolerance)(); }

}  // namespace catena::detail
