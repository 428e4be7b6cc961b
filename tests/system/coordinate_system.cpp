#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/relative.hpp"
#include "support/system_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

namespace {

using namespace catena;
using support::SystemProbe;
using Quantity = SystemProbe::Quantity;

constexpr double gravity = 9.81;

// Two rods hanging one below the other; q: their angles against -y, counter-clockwise about z [rad].
struct DoublePendulum {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "double pendulum";
  double m1 = 1.5, m2 = 0.8, l1 = 1.0, l2 = 0.7;  // [kg], [m]
  double j1 = 0.13, j2 = 0.04;                    // about the centres, z axis [kg m^2]

  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>& q) const {
    const S c = 0.5 * m2 * l1 * l2 * cos(q[0] - q[1]);
    return {{S(j1 + m1 * 0.25 * l1 * l1 + m2 * l1 * l1), c, c, S(j2 + m2 * 0.25 * l2 * l2)}};
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>& q, const Vec<S, 2>& v, const S&) const {
    const S s = 0.5 * m2 * l1 * l2 * sin(q[0] - q[1]);
    return {{-s * v[1] * v[1] - gravity * (0.5 * m1 + m2) * l1 * sin(q[0]),
             s * v[0] * v[0] - 0.5 * gravity * m2 * l2 * sin(q[1])}};
  }
  template <class S>
  S potential(const Vec<S, 2>& q) const {
    return -gravity * ((0.5 * m1 + m2) * l1 * cos(q[0]) + 0.5 * m2 * l2 * cos(q[1]));
  }
};

// Its twin in maximal coordinates, with the same motion.
Model twin(const DoublePendulum& p, const Vec<double, 2>& q, const Vec<double, 2>& v) {
  Model model;
  model.gravity = {{0.0, -gravity, 0.0}};
  Vec3 hinge = Vec3::Zero(), hinge_velocity = Vec3::Zero();
  BodyId parent = ground;
  for (int k = 0; k < 2; ++k) {
    const double l = k == 0 ? p.l1 : p.l2, s = std::sin(q[k]), c = std::cos(q[k]);
    const Vec3 along{{s, -c, 0.0}}, across{{c, s, 0.0}};
    Body b;
    b.mass = k == 0 ? p.m1 : p.m2;
    const double j = k == 0 ? p.j1 : p.j2;
    b.inertia = diagonal(Vec3{{j, 0.5 * j, j}});
    b.position = hinge + (0.5 * l) * along;
    b.velocity = hinge_velocity + (0.5 * l * v[k]) * across;
    b.orientation = {std::cos(0.5 * q[k]), 0.0, 0.0, std::sin(0.5 * q[k])};
    b.angular_velocity = {{0.0, 0.0, v[k]}};
    const BodyId id = model.add(b);
    const Vec3 from = k == 0 ? Vec3::Zero() : Vec3{{0.0, -0.5 * p.l1, 0.0}};
    model.add(RevoluteJoint{.bodies = {parent, id}, .point_a = from, .point_b = {{0.0, 0.5 * l, 0.0}}});
    parent = id;
    hinge = hinge + l * along;
    hinge_velocity = hinge_velocity + (l * v[k]) * across;
  }
  return model;
}

// A bead on a rising helix that carries a spinning disc and a skate: every optional member.
struct Bead {
  static constexpr int coordinates = 4;  // x, y, z, spin
  template <class S>
  Mat<S, 4, 4> mass(const Vec<S, 4>& q) const {
    Mat<S, 4, 4> m = diagonal4(S(2.0), S(2.0), S(2.0), 0.3 + 0.1 * q[2] * q[2]);
    m(0, 3) = m(3, 0) = 0.2 * sin(q[1]);
    return m;
  }
  template <class S>
  Vec<S, 4> force(const Vec<S, 4>& q, const Vec<S, 4>& v, const S& t) const {
    return {{-0.5 * v[0] * v[3], q[0] * t - v[1], S(-19.62), -0.3 * v[3] * v[3] * q[1]}};
  }
  template <class S>
  Vec<S, 2> gap(const Vec<S, 4>& q, const S& t) const {
    return {{q[0] - cos(q[2]) - 0.1 * t * t, q[1] - sin(q[2] + t)}};
  }
  template <class S>
  Mat<S, 1, 4> velocity_rows(const Vec<S, 4>& q, const S& t) const {
    return {{q[1], S(0.0), 1.0 + t, -cos(q[3])}};
  }
  template <class S>
  Vec<S, 1> velocity_bias(const Vec<S, 4>& q, const S& t) const {
    return {{0.3 * t * q[2]}};
  }

 private:
  template <class S>
  static Mat<S, 4, 4> diagonal4(const S& a, const S& b, const S& c, const S& d) {
    const S o(0.0);
    return {{a, o, o, o, o, b, o, o, o, o, c, o, o, o, o, d}};
  }
};

// A pendulum as a point on a circle, with analytic derivatives.
struct PointOnCircle {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "point on a circle";
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return Mat<S, 2, 2>::Identity();
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>& v, const S&) const {
    return {{-0.1 * v[0], -gravity - 0.1 * v[1]}};
  }
  template <class S>
  Vec<S, 1> gap(const Vec<S, 2>& q, const S&) const {
    return {{0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0)}};
  }
  Mat<double, 1, 2> gap_jacobian(const Vec<double, 2>& q, double) const { return {{q[0], q[1]}}; }
  void force_derivatives(const Vec<double, 2>&, const Vec<double, 2>&, double, Mat<double, 2, 2>& K,
                         Mat<double, 2, 2>& D) const {
    K = Mat<double, 2, 2>::Zero();
    D = 0.1 * Mat<double, 2, 2>::Identity();
  }
};

template <class D>
SystemProbe random_probe(const CoordinateSystem<D>& system, unsigned seed) {
  std::mt19937 engine(seed);
  const auto numbers = [&](int count) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& value : x) value = std::uniform_real_distribution<double>(-1.5, 1.5)(engine);
    return x;
  };
  const int n = system.layout().v_size();
  return SystemProbe(system, 0.7, numbers(n), numbers(n), numbers(n), numbers(system.layout().lambda_size()));
}

// Fourth-order differences, h = 1e-3, numbers of order 10: support/system_check.hpp.
constexpr double difference_tolerance = 1e-10;

template <class D>
void check_derivatives(const D& definition) {
  const CoordinateSystem<D> system(definition);
  SystemProbe p = random_probe(system, 1);
  CHECK(support::distance(p.H(1, 0, 0), p.by(&SystemProbe::a, Quantity::balance)) < difference_tolerance);
  CHECK(support::distance(p.H(0, 1, 0), p.by(&SystemProbe::v, Quantity::balance)) < difference_tolerance);
  CHECK(support::distance(p.H(0, 0, 1), p.by_q(Quantity::balance)) < difference_tolerance);
  CHECK(p.lagrangian_error() < difference_tolerance);
  if (p.m == 0) return;
  CHECK(support::distance(p.B(), p.by(&SystemProbe::lambda, Quantity::balance)) < difference_tolerance);
  CHECK(support::distance(p.C(1, 0), p.by(&SystemProbe::v, Quantity::velocity)) < difference_tolerance);
  CHECK(support::distance(p.C(0, 1), p.by_q(Quantity::velocity)) < difference_tolerance);
  const std::vector<double> rate = p.by_time(Quantity::velocity), given = p.get(Quantity::acceleration);
  for (std::size_t k = 0; k < rate.size(); ++k) CHECK(given[k] == catena_test::relative(rate[k], 1e-9));
}

// Accelerations of the index-1 system.
std::vector<double> accelerations(const System& system, const State& s,
                                  std::vector<double>* lambda = nullptr) {
  KktSolver kkt;
  REQUIRE(kkt.attach(system, KktOptions{}).empty());
  ConsistentValues values(system, kkt);
  std::vector<double> a(s.v.size()), multipliers(s.lambda.size() + 1);
  REQUIRE(values.accelerations(s.t, s.q.data(), s.v.data(), a.data(), multipliers.data()).status ==
          Status::ok);
  if (lambda != nullptr) *lambda = multipliers;
  return a;
}

}  // namespace

TEST_CASE("the point of a state is its t, q, v and discrete values, and nothing else") {
  State s;
  s.t = 0.5;
  s.q = {1.0, 2.0};
  s.v = {3.0};
  s.a = {4.0};
  s.lambda = {5.0};
  const Point bare = point_of(s);
  CHECK(bare.t == 0.5);
  CHECK(bare.q == s.q.data());
  CHECK(bare.v == s.v.data());
  CHECK(bare.a == nullptr);
  CHECK(bare.lambda == nullptr);
  CHECK(bare.forces);
  CHECK(bare.discrete == nullptr);  // none: what initial_state() has
  s.discrete = {6.0};
  CHECK(point_of(s).discrete == s.discrete.data());
}

TEST_CASE("own coordinates: every derivative agrees with differences") {
  check_derivatives(DoublePendulum{});
  check_derivatives(Bead{});
  check_derivatives(PointOnCircle{});
}

TEST_CASE("own coordinates: position rows and velocity rows are one dual block each") {
  const CoordinateSystem<Bead> bead{Bead{}};
  CHECK(bead.layout().pattern->dual_size == std::vector<int>{2, 1});
  CHECK(bead.layout().level == std::vector<Level>{Level::position, Level::velocity});
  CHECK(bead.constraint_name(1) == "velocity rows of \"system in its own coordinates\"");
  CHECK(CoordinateSystem<PointOnCircle>(PointOnCircle{}).constraint_name(0) ==
        "position rows of \"point on a circle\"");
  CHECK(CoordinateSystem<DoublePendulum>(DoublePendulum{}).velocity_block_name(0) ==
        "coordinates of \"double pendulum\"");
}

TEST_CASE("double pendulum in angles: accelerations are those of its maximal-coordinate twin") {
  // Both solve the same equations; the condition of either system is below 1e3.
  const DoublePendulum pendulum;
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> number(-3.0, 3.0);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec<double, 2> q{{number(engine), number(engine)}}, v{{number(engine), number(engine)}};
    const CoordinateSystem<DoublePendulum> angles(pendulum, q, v);
    const MultibodySystem bodies(twin(pendulum, q, v));
    const State sa = angles.initial_state(), sb = bodies.initial_state();
    const std::vector<double> a = accelerations(angles, sa), b = accelerations(bodies, sb);
    CHECK(b[5] == catena_test::relative(a[0], 1e-11));  // Omega_z' of either rod
    CHECK(b[11] == catena_test::relative(a[1], 1e-11));
    const Energy ea = angles.energy(point_of(sa)), eb = bodies.energy(point_of(sb));
    CHECK(ea.kinetic == catena_test::relative(eb.kinetic, 1e-13));
    CHECK(ea.potential == catena_test::relative(eb.potential, 1e-13));
  }
}

TEST_CASE("double pendulum in angles: the motion converges to that of its maximal-coordinate twin") {
  // Two different discretisations of order 2: their distance falls by four when h is halved.
  const DoublePendulum pendulum;
  const Vec<double, 2> q0{{1.0, -0.4}}, v0{{0.3, 1.0}};
  const auto distance = [&](double h) {
    const CoordinateSystem<DoublePendulum> angles(pendulum, q0, v0);
    const QuaternionSystem bodies(twin(pendulum, q0, v0));
    State x[2] = {angles.initial_state(), bodies.initial_state()};
    const System* system[2] = {&angles, &bodies};
    for (int k = 0; k < 2; ++k) {
      DiscreteAction stepper;
      REQUIRE(stepper.attach(*system[k]).status == Status::ok);
      REQUIRE(stepper.start(x[k], h).status == Status::ok);
      for (int step = 0; step < static_cast<int>(std::lround(1.0 / h)); ++step)
        REQUIRE(stepper.step(x[k], h).status == Status::ok);
    }
    const auto rod = bodies.bodies(x[1]);
    double d = 0.0;
    for (std::size_t k = 0; k < 2; ++k) {
      const double angle = 2.0 * std::atan2(rod[k].orientation.z, rod[k].orientation.w);
      d = std::max(d, std::abs(std::remainder(angle - x[0].q[k], 2.0 * std::acos(-1.0))));
      d = std::max(d, std::abs(rod[k].angular_velocity[2] - x[0].v[k]));
    }
    return d;
  };
  const double coarse = distance(0.01), fine = distance(0.005);
  CHECK(std::log2(coarse / fine) == catena_test::relative(2.0, 0.03));
  // Richardson: what is left is of order h^4.
  const double finest = distance(0.0025);
  CHECK(std::abs(4.0 * finest - fine) < 0.02 * fine);
}

TEST_CASE("point on a circle: accelerations and the reaction force are those of the pendulum") {
  const double phi = 0.6, rate = 1.7;  // against -y
  const Vec<double, 2> q{{std::sin(phi), -std::cos(phi)}}, v{{rate * std::cos(phi), rate * std::sin(phi)}};
  const CoordinateSystem<PointOnCircle> system(PointOnCircle{}, q, v);
  std::vector<double> lambda;
  const std::vector<double> a = accelerations(system, system.initial_state(), &lambda);
  const double angular = -gravity * std::sin(phi) - 0.1 * rate;
  CHECK(a[0] == catena_test::relative(angular * std::cos(phi) - rate * rate * std::sin(phi), 1e-12));
  CHECK(a[1] == catena_test::relative(angular * std::sin(phi) + rate * rate * std::cos(phi), 1e-12));
  CHECK(lambda[0] == catena_test::relative(gravity * std::cos(phi) + rate * rate, 1e-12));
}
