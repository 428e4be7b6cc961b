#include <catena/kkt/consistent.hpp>
#include <catena/linear/detail/constant_coefficients.hpp>
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
    check_along_the_motion();
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

  // The rates of the same perturbations, a little later on the motion: they are the same where the coefficients are constant
  // in the frame.
  void check_along_the_motion() {
    if (motion_.at_rest) return check_later();
    const std::size_t n = index(layout_.v_size());
    std::vector<double> here(n), there(n), rate(n);
    const std::vector<double> x = scattered_perturbation(0.0), y = scattered_perturbation(0.37);
    MotionRates rates(motion_);
    if (const KktReport r = rates.factorize(); r.status != Status::ok) {
      stop(r.status, r.culprit);
      return;
    }
    rates(x.data(), y.data(), rate.data(), here.data());
    const double fastest = largest_scaled(layout_, motion_.state.v.data());
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
      MotionRates rates_there(moved);
      if (rates_there.factorize().status != Status::ok) return;
      const auto carried = [&](std::vector<double> z) {
        carry(system_, motion_.state, s, motion_.turning, later, z.data());
        return z;
      };
      rates_there(carried(x).data(), carried(y).data(), rate.data(), there.data());
      if (!same(carried(here), there)) return;
    }
  }

  std::vector<double> scattered_perturbation(double offset) const {
    std::vector<double> x(index(layout_.v_size()));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = layout_.scale[k] * (2.0 * scattered(k, offset) - 1.0);
    return x;
  }

  // At rest: drives and forces that depend on time have other values later.
  void check_later() {
    const State& s = motion_.state;
    const std::size_t n = index(layout_.v_size()), m = index(layout_.lambda_size());
    std::vector<double> gap(m), force(n), force_later(n), stiff(n + m), stiff_later(n + m);
    const std::vector<double> x = scattered_perturbation(0.0);
    Point at = point_of(s);
    at.lambda = s.lambda.data();
    Evaluation wanted;
    wanted.balance = force.data();
    system_.evaluate(at, wanted);
    MotionProducts(motion_).stiffness(x.data(), stiff.data());
    const double size = size_of_accelerations(system_, s);
    for (const double later : {0.37, 4.1}) {  // [s]: no common period of two digits
      LinearMotion moved;
      moved.system = &system_;
      moved.state = s;
      moved.state.t += later;
      at.t = moved.state.t;
      wanted.balance = force_later.data();
      wanted.position = gap.data();
      system_.evaluate(at, wanted);
      for (std::size_t r = 0; r < m; ++r)
        if (!(std::abs(gap[r]) <= tolerance_)) {
          stop(Status::inconsistent_start,
               {system_.constraint_name(layout_.pattern->block_of(static_cast<int>(n + r))),
                "position residual", gap[r], "moves by itself: the mechanism does not stay at rest"});
          return;
        }
      differentiate(moved);
      MotionProducts(moved).stiffness(x.data(), stiff_later.data());
      stiff.resize(n), stiff_later.resize(n);
      if (!same_forces(force, force_later, size) ||
          !same_forces(stiff, stiff_later, size + acceleration_of(stiff)))
        return;
      stiff.resize(n + m), stiff_later.resize(n + m);
    }
  }

  // The largest of forces over inertias.
  double acceleration_of(const std::vector<double>& force) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < force.size(); ++k)
      if (inertia(k) > 0.0) largest = std::max(largest, std::abs(force[k]) / (inertia(k) * layout_.scale[k]));
    return largest;
  }
  double inertia(std::size_t component) const {
    const BlockPattern& p = *layout_.pattern;
    const int block = p.block_of(static_cast<int>(component));
    const int i = static_cast<int>(component) - p.primal_offset[index(block)];
    return std::as_const(*motion_.mass).H(block)(i, i);
  }
  bool same_forces(const std::vector<double>& now, const std::vector<double>& later, double size) {
    std::vector<double> change(now.size());
    for (std::size_t k = 0; k < now.size(); ++k) change[k] = later[k] - now[k];
    const double by = acceleration_of(change);
    if (!(by > tolerance_ * size)) return true;
    std::size_t worst = 0;
    for (std::size_t k = 0; k < change.size(); ++k)
      if (inertia(k) > 0.0 && std::abs(change[k]) / (inertia(k) * layout_.scale[k]) >= by) worst = k;
    stop(Status::inconsistent_start,
         {system_.velocity_block_name(layout_.pattern->block_of(static_cast<int>(worst))),
          "change of the force on it with time", change[worst], "what acts on it depends on time"});
    return false;
  }

  bool same(const std::vector<double>& expected, const std::vector<double>& there) {
    double worst = 0.0;
    int component = 0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const double off = std::abs(there[k] - expected[k]) / layout_.scale[k];
      if (off > worst) worst = off, component = static_cast<int>(k);
    }
    const double size = largest_scaled(layout_, expected.data());
    if (!(worst > tolerance_ * size)) return true;
    const std::string block = system_.velocity_block_name(layout_.pattern->block_of(component));
    stop(Status::inconsistent_start,
         {block, "relative change of the coefficients along the motion", worst / size,
          "its inertia or what acts on it changes as it moves: the linearized equations are not constant in "
          "a frame "
          "that turns steadily"});
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
