// lie_dae on loops with redundant rows, on systems in their own coordinates and on velocity constraints.
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/system/coordinate_system.hpp>

#include "solvers/lie_dae_support.hpp"
#include "support/few_cases.hpp"
#include "support/relative.hpp"

#include <numbers>

namespace lie_dae_systems_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::lie;

// Two bars of 1 m and a coupler of 2 m on four hinges: a loop with three redundant rows in space. lean: of the
// bars against the vertical [rad].
Model four_bar(double lean) {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const auto bar = [&](const char* name, double x, double y, double angle, double length) {
    return model.add(Body{.name = name,
                          .mass = 2.0,
                          .inertia = diagonal(Vec3{{0.02, 0.2, 0.2}}),
                          .position = {{x, y, 0.0}},
                          .orientation = {std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)},
                          .velocity = Vec3::Zero() * length});
  };
  const double angle = std::numbers::pi / 2 - lean, c = std::cos(angle), s = std::sin(angle);
  const BodyId left = bar("left", 0.5 * c, 0.5 * s, angle, 1.0),
               coupler = bar("coupler", c + 1.0, s, 0.0, 2.0),
               right = bar("right", 2.0 + 0.5 * c, 0.5 * s, angle, 1.0);
  const Vec3 z = Vec3::Unit(2);
  const auto hinge = [&](BodyId a, const Vec3& on_a, BodyId b, const Vec3& on_b, const char* name) {
    model.add(RevoluteJoint{
        .bodies = {a, b}, .point_a = on_a, .point_b = on_b, .axis_a = z, .axis_b = z, .name = name});
  };
  hinge(ground, Vec3::Zero(), left, {{-0.5, 0.0, 0.0}}, "a");
  hinge(left, {{0.5, 0.0, 0.0}}, coupler, {{-1.0, 0.0, 0.0}}, "b");
  hinge(coupler, {{1.0, 0.0, 0.0}}, right, {{0.5, 0.0, 0.0}}, "c");
  hinge(ground, {{2.0, 0.0, 0.0}}, right, {{-0.5, 0.0, 0.0}}, "d");
  return model;
}

// A binary tree of bars hanging in the plane y = 0, two at the end of each; ball joints and hinges by turns.
Model tree(int count) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const Vec3 to_end{{0.2, 0.0, 0.0}}, y = Vec3::Unit(1);
  std::vector<BodyId> bars;
  for (int k = 0; k < count; ++k) {
    const BodyId parent = k == 0 ? ground : bars[static_cast<std::size_t>((k - 1) / 2)];
    const double angle = 0.3 * k;  // about y
    const Quat turn{std::cos(0.5 * angle), 0.0, std::sin(0.5 * angle), 0.0};
    Vec3 joint = Vec3::Zero(), on_parent = Vec3::Zero();
    if (k > 0) {
      const Body& b = model.body(parent);
      joint = b.position + rotation_matrix(b.orientation) * to_end;
      on_parent = to_end;
    }
    bars.push_back(model.add(Body{.name = "bar " + std::to_string(k),
                                  .mass = 1.0,
                                  .inertia = diagonal(Vec3{{0.002, 0.014, 0.014}}),
                                  .position = joint + rotation_matrix(turn) * to_end,
                                  .orientation = turn}));
    if (k % 2 == 0)
      model.add(SphericalJoint{.bodies = {parent, bars.back()}, .point_a = on_parent, .point_b = -to_end});
    else
      model.add(RevoluteJoint{.bodies = {parent, bars.back()},
                              .point_a = on_parent,
                              .point_b = -to_end,
                              .axis_a = y,
                              .axis_b = y});
  }
  return model;
}

// A planar double pendulum in Cartesian coordinates of its two masses, with a damper: q = (x1, y1, x2, y2).
struct CartesianPendulum {
  static constexpr int coordinates = 4;
  static constexpr const char* name = "double pendulum";
  template <class S>
  Mat<S, 4, 4> mass(const Vec<S, 4>&) const {
    return Mat<S, 4, 4>::Identity();
  }
  template <class S>
  Vec<S, 4> force(const Vec<S, 4>&, const Vec<S, 4>& v, const S&) const {
    const S g(9.81), d(0.1);
    return {{-d * v[0], -d * v[1] - g, -d * v[2], -d * v[3] - g}};
  }
  template <class S>
  Vec<S, 2> gap(const Vec<S, 4>& q, const S&) const {
    const S half(0.5), one(1.0), dx = q[2] - q[0], dy = q[3] - q[1];
    return {{half * (q[0] * q[0] + q[1] * q[1] - one), half * (dx * dx + dy * dy - one)}};
  }
};

// A point mass on a bowl z = (x^2 + y^2)/2 whose skate keeps its heading t, with M that depends on q:
// a position row and a velocity row together.
struct SkateOnBowl {
  static constexpr int coordinates = 3;
  static constexpr const char* name = "skate";
  template <class S>
  Mat<S, 3, 3> mass(const Vec<S, 3>& q) const {
    Mat<S, 3, 3> m = Mat<S, 3, 3>::Identity();
    m(0, 0) = S(1.0) + S(0.25) * q[1] * q[1];
    return m;
  }
  // -(dM/dt) v + dT/dq of M_xx(y), and gravity
  template <class S>
  Vec<S, 3> force(const Vec<S, 3>& q, const Vec<S, 3>& v, const S&) const {
    return {{S(-0.5) * q[1] * v[1] * v[0], S(0.25) * q[1] * v[0] * v[0], S(-9.81)}};
  }
  template <class S>
  Vec<S, 1> gap(const Vec<S, 3>& q, const S&) const {
    return {{q[2] - S(0.5) * (q[0] * q[0] + q[1] * q[1])}};
  }
  template <class S>
  Mat<S, 1, 3> velocity_rows(const Vec<S, 3>& q, const S&) const {
    return {{sin(q[0]), -cos(q[0]), S(0.0)}};
  }
};

void check_orders(const System& system, double end, double h) {
  for (const Index index : forms)
    for (const int order : {1, 2}) {
      CAPTURE(name(index));
      CAPTURE(order);
      Options o;
      o.index = index;
      o.order = order;
      o.engine.newton_tolerance = 1e-13;
      const Orders measured = measured_orders(system, end, h, o);
      CHECK(measured.q == catena_test::relative(order, 0.05));
      CHECK(measured.v == catena_test::relative(order, 0.05));
      CHECK(measured.lambda_end == catena_test::relative(order, 0.05));
      CHECK(measured.lambda_all >= 0.93 * order);
    }
}

}  // namespace

TEST_CASE("a four-bar loop with redundant rows swings in every form, closed and with bounded multipliers") {
  const MultibodySystem system(four_bar(0.3));
  for (const Index index : forms)
    for (const int order : {1, 2}) {
      CAPTURE(name(index));
      CAPTURE(order);
      Options o;
      o.index = index;
      o.order = order;
      Run run(system, 1e-3, o);
      CHECK(run.start.culprit.quantity == "redundant rows suspected");
      const double at_start = largest(run.state.lambda), energy = run.energy();
      double lambda = 0.0, worst = 0.0;
      for (int k = 0; k < 500; ++k) {
        run.step();
        lambda = std::max(lambda, largest(run.state.lambda));
        worst = std::max(worst, std::abs(run.energy() - energy));
      }
      // 60 N of weight, and centripetal forces of the like: nothing that grows
      CHECK(lambda < 10.0 * at_start);
      CHECK(worst < (order == 1 ? 0.3 : 0.01));  // [J] of 20 J exchanged
      if (index == Index::three || index == Index::stabilized)
        CHECK(run.residual(&Evaluation::position) < 1e-10);  // what the compliance of redundant rows allows
    }
}

TEST_CASE("a tree of 255 bars falls in every form, its joints closed and its energy kept to the order") {
  const MultibodySystem system(tree(catena_test::few_cases ? 31 : 255));
  for (const Index index : forms)
    for (const int order : {1, 2}) {
      CAPTURE(name(index));
      CAPTURE(order);
      Options o;
      o.index = index;
      o.order = order;
      Run run(system, 1e-3, o);
      const double initial = run.energy();
      run.until(0.1);
      const double kinetic = system.energy(point_of(run.state)).kinetic;
      CHECK(std::abs(run.energy() - initial) < (order == 1 ? 0.1 : 0.005) * kinetic);
      if (run.stepper.traits().position_residual) CHECK(run.residual(&Evaluation::position) < 1e-14);
    }
}

TEST_CASE("a free body, without any constraint, falls and spins in every form") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  model.add(Body{.inertia = diagonal(Vec3{{1.0, 2.0, 2.5}}), .angular_velocity = {{1.0, 5.0, -2.0}}});
  const MultibodySystem system(std::move(model));
  const double energy = 0.5 * (1.0 + 2.0 * 25.0 + 2.5 * 4.0);
  for (const Index index : forms)
    for (const Newton newton : {Newton::automatic, Newton::exact}) {
      Options o;
      o.index = index;
      o.newton = newton;
      Run run(system, 1e-3, o);
      run.until(0.5);
      CHECK(run.state.q[2] == catena_test::relative(-0.5 * 9.81 * 0.25, 1e-10));  // BDF2 is exact here
      CHECK(std::abs(run.energy() - energy) < 1e-3);                              // h^2 |Omega|^2 of 30 J
    }
}

TEST_CASE("systems in their own coordinates: the orders of the traits for position rows") {
  check_orders(CoordinateSystem<CartesianPendulum>({}, {{1.0, 0.0, 1.0, -1.0}}, {{0.0, 1.0, 0.5, 1.0}}), 0.4,
               6.25e-4);
}

TEST_CASE("a position and a velocity row together, mass matrix that depends on q: the orders of the traits") {
  check_orders(CoordinateSystem<SkateOnBowl>({}, {{0.6, 0.3, 0.225}},
                                             {{1.0, std::tan(0.6), 0.6 + 0.3 * std::tan(0.6)}}),
               0.5, 2.5e-3);
}

TEST_CASE("the snakeboard in every form reaches the reference at T = 0.5 with the order of the traits") {
  const auto system = Snakeboard().own_system();
  const double q_reference[6] = {0.343214655527, -0.132140013908, -0.629201731819,
                                 0.526817386540, 0.284972455976,  -0.0514890697469};
  for (const Index index : forms)
    for (const int order : {1, 2}) {
      CAPTURE(name(index));
      CAPTURE(order);
      const auto error = [&](double h) {
        Options o;
        o.index = index;
        o.order = order;
        o.engine.newton_tolerance = 1e-12;
        Run run(*system, h, o);
        run.until(0.5);
        double worst = 0.0;
        for (std::size_t k = 0; k < 6; ++k)
          worst = std::max(worst, std::abs(run.state.q[k] - q_reference[k]));
        return worst;
      };
      CHECK(std::log2(error(2e-3) / error(1e-3)) == catena_test::relative(order, 0.05));
    }
}

// The rows of both pairs of wheels become dependent at t = 1.2537 s, where |lambda| grows without bound. Forms that
// keep the rows at velocity level cannot step over that; index 1, whose rows drift, ends before
// (tests/problems/snakeboard_poles.long.cpp).
TEST_CASE("the snakeboard's singularity at t = 1.2537 s ends the run, with the rows that become dependent") {
  const auto system = Snakeboard().own_system();
  for (const Index index : {Index::two, Index::three, Index::stabilized})
    for (const double h : {1e-2, 1e-3}) {
      CAPTURE(name(index));
      CAPTURE(h);
      Options o;
      o.index = index;
      LieDae stepper(o);
      State state = system->initial_state();
      const RunResult r = catena::run(*system, stepper, state, RunOptions{.step = h, .end = 3.0});
      CHECK(r.status == Status::step_too_small);
      CHECK(r.cause == Status::singular_kkt);
      // the error of phi_b and phi_f there, of order h^2, over their rates of 30 rad/s
      CHECK(std::abs(state.t - 1.2537) < 50.0 * h * h + 1e-4);
      CHECK(r.culprit.name.find("back wheels") != std::string::npos);
      CHECK(r.culprit.name.find("front wheels") != std::string::npos);
    }
}

}  // namespace lie_dae_systems_tests
