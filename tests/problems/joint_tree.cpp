#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/problems/detail/joint_tree_motion.hpp>
#include <catena/problems/detail/joint_tree_system.hpp>
#include <catena/problems/euler_angles.hpp>
#include <catena/problems/space_manipulator.hpp>

#include "support/relative.hpp"
#include "support/system_check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace joint_tree_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using support::SystemProbe;
using Quantity = SystemProbe::Quantity;

class Numbers {
 public:
  explicit Numbers(unsigned seed) : engine_(seed) {}
  double operator()(double size = 1.0) {
    return std::uniform_real_distribution<double>(-size, size)(engine_);
  }
  Vec3 vector(double size = 1.0) { return {{(*this)(size), (*this)(size), (*this)(size)}}; }
  std::vector<double> many(int count, double size = 1.0) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& value : x) value = (*this)(size);
    return x;
  }

 private:
  std::mt19937 engine_;
};

// The manipulator in any place, moving anyhow; theta3 of centre and shoulders well away from the pole.
JointTree random_manipulator(Numbers& number, AngleForm centre, AngleForm shoulders) {
  SpaceManipulatorParameters p;
  p.passage = ManipulatorPassage::none;
  p.motor_torque = 3.0;
  JointTree tree = SpaceManipulator(p).tree();
  for (TreeLink& link : tree.links) {
    link.start.omega = number.vector(2.0);
    link.start.velocity = number.vector(2.0);
    link.start.position = number.vector(2.0);
    link.start.angle = number(3.0);
    link.start.rate = number(2.0);
    const Vec3 theta = {{number(3.0), number(3.0), 1.6 + number(0.9)}};
    const auto about = [](int axis, double angle) {
      Vec3 v = Vec3::Zero();
      v[axis] = angle;
      return exponential(v);
    };
    link.start.rotation = about(2, theta[1]) * about(0, theta[2]) * about(2, theta[0]);
    if (link.type == JointType::floating) link.form = centre;
    if (link.type == JointType::ball) link.form = shoulders;
  }
  return tree;
}

// The angle of a rotation matrix.
double angle_of(const Mat3& R) {
  const Vec3 w = {{R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1)}};
  return std::atan2(0.5 * norm(w), 0.5 * (R(0, 0) + R(1, 1) + R(2, 2) - 1.0));
}

std::vector<double> accelerations(const System& system, const State& s) {
  KktSolver kkt;
  REQUIRE(kkt.attach(system, KktOptions{}).empty());
  ConsistentValues values(system, kkt);
  std::vector<double> a(s.v.size()), lambda(s.lambda.size() + 1);
  REQUIRE(values.accelerations(s.t, s.q.data(), s.v.data(), a.data(), lambda.data()).status == Status::ok);
  return a;
}

// Accelerations of the centres of mass in the world frame and, in body axes, of the orientation of every body:
// (v', Omega').
std::vector<double> body_accelerations(const JointTreeSystem& system, const State& s,
                                       const std::vector<double>& a) {
  Point at;
  at.q = s.q.data();
  at.v = s.v.data();
  at.a = a.data();
  Vec3 linear[JointTree::max_links], angular[JointTree::max_links];
  system.body_accelerations(at, linear, angular);
  std::vector<double> out;
  for (std::size_t k = 0; k < system.tree().links.size(); ++k) {
    out.insert(out.end(), linear[k].e, linear[k].e + 3);
    out.insert(out.end(), angular[k].e, angular[k].e + 3);
  }
  return out;
}

constexpr AngleForm forms[] = {AngleForm::plain, AngleForm::replaced, AngleForm::mixed};

// Fourth-order differences, h = 1e-3, of numbers of order 1e3 with fifth derivatives below 1e5: h^4 1e5 / 30 of
// the size, 1e-9 relative (support/system_check.hpp).
constexpr double difference_tolerance = 1e-8;

}  // namespace

TEST_CASE("Euler angles: the rotation's rate is R omega~ with omega = E theta'") {
  Numbers number(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 theta = number.vector(3.0), rate = number.vector(3.0);
    const auto at = [&](double s) {
      const Mat3 R = euler::rotation(Vec3(theta + s * rate));
      return std::vector<double>(R.e, R.e + 9);
    };
    const std::vector<double> dR = support::derivative(at);
    const Mat3 expected = euler::rotation(theta) * skew(Vec3(euler::rate_matrix(theta) * rate));
    for (std::size_t k = 0; k < 9; ++k) CHECK(std::abs(dR[k] - expected.e[k]) < 1e-9);
    const auto omega = [&](double s) {
      const Vec3 w = euler::rate_matrix(Vec3(theta + s * rate)) * rate;
      return std::vector<double>(w.e, w.e + 3);
    };
    const std::vector<double> drift = support::derivative(omega);
    const Vec3 given = euler::rate_drift(theta, rate);
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(drift[k] - given.e[k]) < 1e-9);
    CHECK(norm(Vec3(euler::rates(theta, euler::rate_matrix(theta) * rate) - rate)) <
          1e-14 * norm(rate) / std::abs(std::sin(theta[2])));
  }
}

TEST_CASE("Euler angles: E at the pole has -sin theta1 where (18) prints 0") {
  const Vec3 theta = {{0.6, 0.3, 0.0}};
  const Mat3 E = euler::rate_matrix(theta), printed = euler::printed::rate_matrix_at_pole(theta);
  for (int k = 0; k < 9; ++k)
    CHECK(std::abs(E.e[k] - printed.e[k]) == catena_test::component(k == 5 ? std::sin(0.6) : 0.0, 1e-15));
}

TEST_CASE("Euler angles: angles of a rotation matrix give it back however near the pole") {
  // Ten roundings of numbers of order one.
  Numbers number(2);
  for (const double away : {0.0, 1e-300, 1e-17, 1e-12, 1e-8, 1e-4, 0.3, 1.5})
    for (const double pole : {0.0, std::acos(-1.0), -std::acos(-1.0)})
      for (int trial = 0; trial < 4; ++trial) {
        const Vec3 theta = {{number(3.0), number(3.0), pole + (trial % 2 == 0 ? away : -away)}};
        const Mat3 R = euler::rotation(theta);
        for (const Vec3& found : {euler::angles(R), euler::angles_near(R, theta + number.vector(0.1))}) {
          const Mat3 back = euler::rotation(found);
          for (int k = 0; k < 9; ++k) CHECK(std::abs(back.e[k] - R.e[k]) < 2e-15);
        }
        const Vec3 near = theta + Vec3{{12.566370614359172, -6.283185307179586, 6.283185307179586}};
        if (away > 0.1) CHECK(norm(Vec3(euler::angles_near(R, near) - near)) < 1e-14);
      }
}

TEST_CASE("Euler angles: the 1-norm condition lies within a factor 3 of the 2-norm's table") {
  // methods: 193, 1.95e4, 1.95e6, 1.95e8 for the test body at sin theta3 = 1e-1 ... 1e-4; ||A||_2/sqrt(3) <=
  // ||A||_1 <= sqrt(3) ||A||_2, and the same of the inverse.
  const Vec3 centre = {{0.02, 0.01, 0.2}};
  const Mat3 J = diagonal(Vec3{{0.10, 0.12, 0.05}}) - 2.0 * (skew(centre) * skew(centre));
  const double two_norm[] = {193.0, 1.95e4, 1.95e6, 1.95e8};
  for (int k = 0; k < 4; ++k) {
    const Mat3 E = euler::rate_matrix(Vec3{{0.6, 0.3, std::asin(std::pow(10.0, -1 - k))}});
    const double found = euler::condition(transpose_times(E, J * E));
    CHECK(found > two_norm[k] / 3.0);
    CHECK(found < two_norm[k] * 3.0);
  }
  CHECK(std::isinf(euler::condition(Mat3::Zero())));
  CHECK(std::isinf(euler::condition(outer(Vec3{{1.0, 2.0, 3.0}}, Vec3{{1.0, 2.0, 3.0}}))));
  CHECK(euler::condition(Mat3::Identity()) == 1.0);
}

TEST_CASE("joint tree: every derivative agrees with differences, in every form, near the pole too") {
  Numbers number(3);
  for (const AngleForm centre : {AngleForm::plain, AngleForm::mixed})
    for (const AngleForm shoulders : forms)
      for (const bool pole : {false, true}) {
        CAPTURE(static_cast<int>(centre));
        CAPTURE(static_cast<int>(shoulders));
        CAPTURE(pole);
        JointTree tree = random_manipulator(number, centre, shoulders);
        PoleRule rule;
        rule.refuse_plain = false;
        // sin theta3 = 1 is then near the pole as well, so that differences do not leave the band
        if (pole) rule.test = PoleRule::Test::sine;
        if (pole) rule.epsilon = 2.0;
        rule.release = 1.0;
        const JointTreeSystem system(tree, rule);
        const int n = system.layout().v_size();
        SystemProbe p(system, 0.0, system.initial_state().q, number.many(n), number.many(n), {});
        CHECK(support::distance(p.H(1, 0, 0), p.by(&SystemProbe::a, Quantity::balance)) <
              difference_tolerance);
        CHECK(support::distance(p.H(0, 1, 0), p.by(&SystemProbe::v, Quantity::balance)) <
              difference_tolerance);
        CHECK(support::distance(p.H(0, 0, 1), p.by_q(Quantity::balance)) < difference_tolerance);
        // rate() is what retract() does
        if (!system.has_rate() || (pole && centre == AngleForm::mixed) ||
            (pole && shoulders == AngleForm::mixed))
          continue;
        const auto along = [&](double s) {
          std::vector<double> delta(p.v), q(p.q);
          for (double& x : delta) x *= s;
          system.retract(p.q.data(), delta.data(), q.data());
          return q;
        };
        const std::vector<double> expected = support::derivative(along);
        std::vector<double> rate(expected);
        Point at;
        at.q = p.q.data();
        at.v = p.v.data();
        system.rate(at, rate.data());
        for (std::size_t k = 0; k < rate.size(); ++k) CHECK(std::abs(rate[k] - expected[k]) < 1e-8);
      }
}

TEST_CASE("joint tree: the mixed form is the group SO(3) and SE(3)") {
  Numbers number(4);
  const JointTreeSystem system(random_manipulator(number, AngleForm::mixed, AngleForm::mixed), PoleRule{});
  const int n = system.layout().v_size();
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> q = system.initial_state().q, xi = number.many(n), delta = number.many(n);
    std::vector<double> end(q), back(xi), moved(xi);
    system.retract(q.data(), xi.data(), end.data());
    system.difference(q.data(), end.data(), back.data());
    // a logarithm of numbers of order one: 1e-14 with ten roundings
    for (std::size_t k = 0; k < xi.size(); ++k) CHECK(std::abs(back[k] - xi[k]) < 1e-13);
    // q exp(xi) exp(s delta) = q exp(xi + s T^-1 delta + O(s^2))
    const auto increment = [&](double s) {
      std::vector<double> d(delta), last(end), x(xi);
      for (double& value : d) value *= s;
      system.retract(end.data(), d.data(), last.data());
      system.difference(q.data(), last.data(), x.data());
      return x;
    };
    system.inverse_tangent(xi.data(), delta.data(), moved.data());
    const std::vector<double> expected = support::derivative(increment);
    for (std::size_t k = 0; k < xi.size(); ++k) CHECK(std::abs(moved[k] - expected[k]) < 1e-9);
    system.tangent(xi.data(), moved.data(), back.data());  // by the elimination of each block
    for (std::size_t k = 0; k < xi.size(); ++k) CHECK(std::abs(back[k] - delta[k]) < 1e-13);
    // exp(s x) exp(s y) exp(-s x) exp(-s y) = exp(s^2 [x, y] + O(s^3))
    const auto loop = [&](double s) {
      std::vector<double> at(q), d(xi);
      for (const auto& [way, sign] : {std::pair{&xi, s}, {&delta, s}, {&xi, -s}, {&delta, -s}}) {
        for (std::size_t k = 0; k < d.size(); ++k) d[k] = sign * (*way)[k];
        system.retract(at.data(), d.data(), at.data());
      }
      system.difference(q.data(), at.data(), d.data());
      for (double& value : d) value /= s * s;
      return d;
    };
    std::vector<double> bracket(xi);
    system.bracket(xi.data(), delta.data(), bracket.data());
    // odd orders cancel in the mean; what is left is s^2 times a fourfold bracket
    const std::vector<double> plus = loop(1e-3), minus = loop(-1e-3);
    for (std::size_t k = 0; k < xi.size(); ++k)
      CHECK(std::abs(0.5 * (plus[k] + minus[k]) - bracket[k]) < 1e-4);
  }
}

TEST_CASE("joint tree: a linearization at the end of an increment carries its inverse tangent operator") {
  Numbers number(5);
  const JointTreeSystem system(random_manipulator(number, AngleForm::mixed, AngleForm::mixed), PoleRule{});
  const int n = system.layout().v_size();
  SystemProbe p(system, 0.0, system.initial_state().q, number.many(n), number.many(n), {});
  const std::vector<double> xi = number.many(n);
  Linearization lin;
  lin.mass = 1.0;
  const support::Dense M = p.linearization(lin);
  lin.increment = xi.data();
  const support::Dense MT = p.linearization(lin);
  for (int trial = 0; trial < 3; ++trial) {
    const std::vector<double> delta = number.many(n);
    std::vector<double> turned(delta);
    system.inverse_tangent(xi.data(), delta.data(), turned.data());
    for (int i = 0; i < n; ++i) {
      double got = 0.0, expected = 0.0;
      for (int k = 0; k < n; ++k) {
        got += MT(i, k) * delta[static_cast<std::size_t>(k)];
        expected += M(i, k) * turned[static_cast<std::size_t>(k)];
      }
      CHECK(got == catena_test::relative(expected, 1e-12));
    }
  }
}

TEST_CASE("joint tree: accelerations and energy are those of its bodies in maximal coordinates") {
  // The condition of either system is below 1e5 (masses and moments over three decades): 1e5 eps of the largest.
  Numbers number(6);
  for (const AngleForm centre : {AngleForm::plain, AngleForm::mixed})
    for (const AngleForm shoulders : forms)
      for (int trial = 0; trial < 5; ++trial) {
        const JointTree tree = random_manipulator(number, centre, shoulders);
        const JointTreeSystem angles(tree, PoleRule{});
        const MultibodySystem bodies(model_of(tree));
        const State sa = angles.initial_state(), sb = bodies.initial_state();
        const auto parts = angles.bodies(sa), twins = bodies.bodies(sb);
        for (std::size_t k = 0; k < parts.size(); ++k) {
          CHECK(norm(Vec3(parts[k].position - twins[k].position)) < 1e-13);
          CHECK(norm(Vec3(parts[k].velocity - twins[k].velocity)) < 1e-13);
          CHECK(norm(Vec3(parts[k].angular_velocity - twins[k].angular_velocity)) < 1e-13);
          CHECK(angle_of(transpose_times(rotation_matrix(parts[k].orientation),
                                         rotation_matrix(twins[k].orientation))) < 1e-13);
        }
        CHECK(angles.energy(point_of(sa)).total() ==
              catena_test::relative(bodies.energy(point_of(sb)).total(), 1e-13));
        const std::vector<double> a = body_accelerations(angles, sa, accelerations(angles, sa)),
                                  b = accelerations(bodies, sb);
        REQUIRE(a.size() == b.size());
        double size = 1.0, worst = 0.0;
        for (std::size_t k = 0; k < b.size(); ++k) {
          size = std::max(size, std::abs(b[k]));
          worst = std::max(worst, std::abs(a[k] - b[k]));
        }
        CHECK(worst < 1e-10 * size);
      }
}

TEST_CASE("joint tree: nonsense is refused by name") {
  SpaceManipulatorParameters p;
  p.passage = ManipulatorPassage::none;
  const JointTree good = SpaceManipulator(p).tree();
  JointTree massless = good;
  massless.links[2].mass = 0.0;
  CHECK_THROWS_WITH_AS(JointTreeSystem(massless, PoleRule{}),
                       "body \"left forearm\": mass must be positive, is 0.000000", ModelError);
  JointTree order = good;
  order.links[1].parent = 3;
  CHECK_THROWS_AS(JointTreeSystem(order, PoleRule{}), ModelError);
  CHECK_THROWS_AS(JointTreeSystem(JointTree{}, PoleRule{}), ModelError);
}

}  // namespace joint_tree_tests
