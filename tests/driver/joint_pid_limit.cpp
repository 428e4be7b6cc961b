// The integral of a continuous controller at its limit, against an integration of its three modes of its own.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/radau.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace joint_pid_limit_tests {
using namespace catena;

// J s'' = Q, |Q| <= limit, of which only the upper one is reached with an integral that would grow:
//   inside    Q = P e + I z + D e', z' = e
//   rests     Q = limit, z' = 0: the demand is beyond the limit
//   follows   Q = limit, and the demand is: with z at rest it would fall, with z' = e it would rise
struct LimitReference {
  JointPid pid = {};
  double J = 0.0;
  enum class Mode { inside, rests, follows } mode = Mode::inside;
  double t = 0.0;
  std::array<double, 3> x{};  // s, s', z
  std::string modes = {};

  struct Seen {
    double e, rate, bend, demand;  // bend: e'' at the limit
  };
  Seen seen(double at, const std::array<double, 3>& y) const {
    const FunctionValue w = pid.target.at(at);
    const double e = w.value - y[0], rate = w.slope - y[1];
    return {e, rate, w.curvature - pid.limit / J,
            pid.proportional * e + pid.integral * y[2] + pid.derivative * rate};
  }
  double growth_of_pd(const Seen& s) const { return pid.proportional * s.rate + pid.derivative * s.bend; }
  std::array<double, 3> rates(double at, const std::array<double, 3>& y) const {
    const Seen s = seen(at, y);
    if (mode == Mode::inside) return {y[1], s.demand / J, s.e};
    return {y[1], pid.limit / J, mode == Mode::rests ? 0.0 : -growth_of_pd(s) / pid.integral};
  }
  // Of Runge and Kutta.
  std::array<double, 3> after(double h) const {
    const auto moved = [&](double by, const std::array<double, 3>& k) {
      return std::array<double, 3>{x[0] + by * k[0], x[1] + by * k[1], x[2] + by * k[2]};
    };
    const auto a = rates(t, x), b = rates(t + h / 2.0, moved(h / 2.0, a)),
               c = rates(t + h / 2.0, moved(h / 2.0, b)), d = rates(t + h, moved(h, c));
    std::array<double, 3> y = x;
    for (std::size_t i = 0; i < 3; ++i) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
    return y;
  }
  // Positive: the mode has ended.
  double end_of_mode(double at, const std::array<double, 3>& y) const {
    const Seen s = seen(at, y);
    if (mode == Mode::inside) return s.demand - pid.limit;
    if (mode == Mode::rests) return pid.limit - s.demand;
    return -growth_of_pd(s) - pid.integral * s.e;
  }
  void change_mode() {
    const double without = growth_of_pd(seen(t, x)), with = without + pid.integral * seen(t, x).e;
    if (mode == Mode::inside)
      mode = without > 0.0 ? Mode::rests : Mode::follows;
    else
      mode = mode == Mode::rests && with > 0.0 ? Mode::follows : Mode::inside;
    note();
  }
  void note() { modes += mode == Mode::inside ? 'i' : mode == Mode::rests ? 'r' : 'f'; }
  void run_to(double end) {
    mode = seen(0.0, x).demand > pid.limit ? Mode::rests : Mode::inside;
    note();
    while (t < end) {
      constexpr double fine = 1e-3;  // the error of a step is 1e-15
      double h = std::min(fine, end - t);
      const bool changes = end_of_mode(t + h, after(h)) > 0.0;
      if (changes) {
        double low = 0.0;
        for (int k = 0; k < 50; ++k) {
          const double middle = 0.5 * (low + h);
          (end_of_mode(t + middle, after(middle)) > 0.0 ? h : low) = middle;
        }
      }
      x = after(h);
      t = end - t <= fine && !changes ? end : t + h;
      if (changes) change_mode();
      REQUIRE(seen(t, x).demand > -pid.limit);
    }
  }
};

struct LimitCase {
  const char* modes;
  JointPid pid;
  double J, end;
};

const std::vector<LimitCase>& limit_cases() {
  static const std::vector<LimitCase> all{
      // A jump of the target: at the limit from the start on, and out of it.
      {"ri",
       {.target = 1.0, .proportional = 20.0, .integral = 15.0, .derivative = 4.0, .limit = 6.0},
       0.5,
       1.0},
      // The integral holds the demand at the limit for a while.
      {"rfi",
       {.target = 1.0, .proportional = 2.0, .integral = 8.0, .derivative = 0.5, .limit = 1.0},
       2.0,
       2.2},
      // A target that runs away and comes back.
      {"irfi",
       {.target = functions::Polynomial{{0.0, 0.0, 1.2, -0.4}},
        .proportional = 3.0,
        .integral = 20.0,
        .derivative = 1.0,
        .limit = 2.5},
       2.0,
       1.9}};
  return all;
}

// The largest error of s, s' and z at the end.
double error_at_end(const LimitCase& of, const std::array<double, 3>& exact, Stepper& stepper, double h) {
  Model model;
  const BodyId wheel =
      model.add(Body{.name = "wheel", .mass = 3.0, .inertia = diagonal(Vec3{{of.J, of.J, of.J}})});
  const ConstraintId hinge = model.add(RevoluteJoint{.bodies = {ground, wheel}, .name = "axle"});
  JointPid pid = of.pid;
  pid.joint = hinge;
  const ForceId motor = model.add(pid);
  const MultibodySystem system(std::move(model));
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = h, .end = of.end}, {}).status == Status::ok);
  const JointCoordinates seen = coordinate(system, state, hinge);
  const double* held = state.discrete.data() + system.discrete_offset(motor);
  return std::max(
      {std::abs(seen.angle - exact[0]), std::abs(seen.angle_rate - exact[1]), std::abs(held[2] - exact[2])});
}

}  // namespace joint_pid_limit_tests
using namespace joint_pid_limit_tests;

TEST_CASE("an integral at the limit is exact to the order of the method, through all modes") {
  for (const LimitCase& of : limit_cases()) {
    CAPTURE(std::string(of.modes));
    LimitReference reference{of.pid, of.J};
    reference.run_to(of.end);
    CHECK(reference.modes == of.modes);
    GeneralizedAlpha coarse, fine;
    const double first = error_at_end(of, reference.x, coarse, 0.01),
                 second = error_at_end(of, reference.x, fine, 0.00125);
    CHECK(first < 1e-3);
    CHECK(second < first / 40.0);  // order 2: 64 where no instant of a mode counts
    DormandPrince sharp(
        {.rtol_position = 1e-11, .atol_position = 1e-11, .rtol_velocity = 1e-11, .atol_velocity = 1e-11});
    CHECK(error_at_end(of, reference.x, sharp, 0.01) < 1e-8);
    Radau implicit(
        {.rtol_position = 1e-9, .atol_position = 1e-9, .rtol_velocity = 1e-9, .atol_velocity = 1e-9});
    CHECK(error_at_end(of, reference.x, implicit, 0.01) < 1e-6);
  }
}

// Within a step z depends on the state: its derivatives are in the matrix of the step.
TEST_CASE(
    "the slopes of a bounded force with an integral are those of its values, in steps that reach the limit "
    "too") {
  const Function target = 0.3;
  const detail::ControllerLaw law{&target, 4.0, 2.0, 1.0, 1.5, 0.0};
  constexpr double h = 1e-6;
  int inside = 0, through_limit = 0;
  for (std::size_t n = 0; n < 2000; ++n) {
    std::size_t k = 7 * n;
    const auto next = [&k] { return 2.0 * detail::scattered(k++) - 1.0; };
    const double s = next(), rate = next(), t = 1.0 + 0.5 * next();
    const double held[5] = {1.0, next(), next(), next(), t - 0.4};
    const auto value = [&](double ds, double dv) { return law.at(s + ds, rate + dv, t, held).force; };
    const detail::CoordinateLaw::Value given = law.at(s, rate, t, held);
    if (std::abs(given.force) >= law.limit * (1.0 - 1e-9)) continue;
    ++inside;
    const double demand = 4.0 * held[2] + 2.0 * held[1] + 1.0 * held[3];
    if (std::abs(demand) > law.limit) ++through_limit;
    const double by_s = (value(h, 0.0) - value(-h, 0.0)) / (2.0 * h),
                 by_rate = (value(0.0, h) - value(0.0, -h)) / (2.0 * h);
    CHECK(given.by_coordinate == catena_test::relative(by_s, 1e-6));
    CHECK(given.by_rate == catena_test::relative(by_rate, 1e-6));
  }
  CHECK(inside > 200);
  CHECK(through_limit > 50);
}
