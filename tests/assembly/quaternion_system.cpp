#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include "support/fixture_joints.hpp"
#include "support/relative.hpp"
#include "support/system_check.hpp"

#include <doctest/doctest.h>

#include <random>

namespace quaternion_system_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using support::Dense;
using support::SystemProbe;
using Quantity = SystemProbe::Quantity;

struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  double number(double size) { return std::uniform_real_distribution<double>(-size, size)(engine); }
  std::vector<double> numbers(int count, double size) {
    std::vector<double> x(static_cast<std::size_t>(count));
    for (double& value : x) value = number(size);
    return x;
  }
  Vec3 vector(double size) { return {{number(size), number(size), number(size)}}; }
  Quat rotation() { return normalized(Quat{1.0 + number(1.0), number(1.0), number(1.0), number(1.0)}); }
  std::mt19937 engine;
};

// Four moving bodies and a fixed one; every kind of constraint and force: lanes, automatic derivatives, three
// bodies, drives, velocity level, dampers.
Model everything(bool velocity_rows) {
  Random random(7);
  Model model;
  model.gravity = {{0.3, -0.2, -9.8}};
  BodyId id[5];
  for (int k = 0; k < 5; ++k) {
    Body b;
    b.mass = 1.5 + k;
    b.inertia = {{1.0 + 0.1 * k, 0.1, -0.05, 0.1, 1.2, 0.07, -0.05, 0.07, 0.9}};
    b.position = random.vector(2.0);
    b.orientation = random.rotation();
    b.velocity = random.vector(1.0);
    b.angular_velocity = random.vector(1.0);
    b.fixed = k == 2;
    if (b.fixed) b.velocity = b.angular_velocity = Vec3::Zero();
    id[k] = model.add(b);
  }
  const auto p = [&] { return random.vector(0.5); };
  model.add(SphericalJoint{.bodies = {ground, id[0]}, .point_a = p(), .point_b = p()});
  model.add(
      RevoluteJoint{.bodies = {id[3], id[1]}, .point_a = p(), .point_b = p(), .axis_a = p(), .axis_b = p()});
  model.add(SphericalJoint{.bodies = {id[2], id[4]}, .point_a = p(), .point_b = p()});
  model.add(DistanceConstraint{.bodies = {id[0], id[1]}, .point_a = p(), .point_b = p(), .length = 1.0});
  model.add(fixture::RopeOverPulley{
      .bodies = {id[4], id[0], id[3]}, .point_a = p(), .point_b = p(), .point_c = p()});
  model.add(fixture::DrivenDistance{.bodies = {id[1], id[4]}, .length = 1.0});
  if (velocity_rows) model.add(fixture::KnifeEdge{.bodies = {id[1]}, .point = p()});
  model.add(SpringDamper{
      .bodies = {id[0], id[3]}, .point_a = p(), .point_b = p(), .stiffness = 20.0, .damping = 3.0});
  model.add(SpringDamper{
      .bodies = {id[2], id[1]}, .point_a = p(), .point_b = p(), .stiffness = -5.0, .damping = 1.0});
  model.add(fixture::PropellerDrag{.bodies = {id[1]}, .point = p(), .coefficient = 0.5});
  model.add(fixture::Cluster{.bodies = {id[0], id[1], id[4]}, .stiffness = 2.0});
  return model;
}

// Quaternions of any length: what holds on the unit sphere alone is no derivative.
SystemProbe random_probe(const QuaternionSystem& system, unsigned seed, bool unit_length) {
  Random random(seed);
  const State s = system.initial_state();
  std::vector<double> q = s.q, v = random.numbers(system.layout().v_size(), 1.0);
  for (std::size_t k = 0; k < q.size(); k += 7) {
    const Quat e = random.rotation();
    const double length = unit_length ? 1.0 : 1.0 + random.number(0.2);
    q[k + 3] = length * e.w;
    q[k + 4] = length * e.x;
    q[k + 5] = length * e.y;
    q[k + 6] = length * e.z;
    if (!unit_length) continue;
    const double radial =
        q[k + 3] * v[k + 3] + q[k + 4] * v[k + 4] + q[k + 5] * v[k + 5] + q[k + 6] * v[k + 6];
    for (std::size_t i = 3; i < 7; ++i) v[k + i] -= radial * q[k + i];
  }
  return SystemProbe(system, 0.4, q, v, random.numbers(system.layout().v_size(), 2.0),
                     random.numbers(system.layout().lambda_size(), 5.0));
}

// Differences of fourth order with h = 1e-3: h^4 f^(5)/30 ~ 3e-14 f^(5) and 1.5 eps |f| / h ~ 3e-13 |f|, with
// |f| up to 1e2 here.
constexpr double difference_tolerance = 1e-9;

Dense zero(int n) { return Dense(n, n); }

}  // namespace

TEST_CASE("seven coordinates: every linearization is the derivative of the residuals") {
  const QuaternionSystem system(everything(true));
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SystemProbe p = random_probe(system, seed, false);
    CHECK(support::distance(p.H(1.0, 0.0, 0.0), p.by(&SystemProbe::a, Quantity::balance)) <
          difference_tolerance);
    CHECK(support::distance(p.H(0.0, 1.0, 0.0), p.by(&SystemProbe::v, Quantity::balance)) <
          difference_tolerance);
    CHECK(support::distance(p.H(0.0, 0.0, 1.0), p.by_q(Quantity::balance)) < difference_tolerance);
    CHECK(support::distance(p.B(), p.by(&SystemProbe::lambda, Quantity::balance)) < difference_tolerance);
    CHECK(support::distance(p.C(1.0, 0.0), p.by(&SystemProbe::v, Quantity::velocity)) < difference_tolerance);
    CHECK(support::distance(p.C(0.0, 1.0), p.by_q(Quantity::velocity)) < difference_tolerance);
    CHECK(support::distance(p.C(1.0, 0.0), support::transposed(p.B())) < 1e-15);
    const std::vector<double> rate = p.by_time(Quantity::velocity), given = p.get(Quantity::acceleration);
    for (std::size_t k = 0; k < rate.size(); ++k) CHECK(given[k] == catena_test::relative(rate[k], 1e-8));
  }
}

TEST_CASE("seven coordinates: position rows of C are the derivative of the gaps") {
  const QuaternionSystem system(everything(false));
  SystemProbe p = random_probe(system, 4, false);
  CHECK(support::distance(p.C(1.0, 0.0), p.by_q(Quantity::position)) < difference_tolerance);
}

TEST_CASE("seven coordinates: second derivatives of the Lagrangian agree with differences") {
  const QuaternionSystem system(everything(false));
  for (unsigned seed = 5; seed <= 7; ++seed) {
    SystemProbe p = random_probe(system, seed, false);
    CHECK(p.lagrangian_error() < difference_tolerance);
  }
}

TEST_CASE("seven coordinates: the balance is the Euler-Lagrange equation") {
  // d/dt dL/dv - dL/dq - F + C^T lambda on the unit sphere; both are sums of the same numbers.
  const QuaternionSystem system(everything(false));
  SystemProbe p = random_probe(system, 8, true);
  const std::vector<double> balance = p.get(Quantity::balance), lagrangian = p.lagrangian();
  const Dense mass = p.lagrangian_H(0, 0, 0, 1), mixed = p.lagrangian_H(0, 0, 1, 0), B = p.B();
  for (int i = 0; i < p.n; ++i) {
    double sum = -lagrangian[static_cast<std::size_t>(i)];
    for (int j = 0; j < p.n; ++j)
      sum += mass(i, j) * p.a[static_cast<std::size_t>(j)] + mixed(i, j) * p.v[static_cast<std::size_t>(j)];
    for (int j = 0; j < p.m; ++j) sum += B(i, j) * p.lambda[static_cast<std::size_t>(j)];
    CHECK(balance[static_cast<std::size_t>(i)] == catena_test::relative(sum, 1e-12));
  }
}

TEST_CASE("seven coordinates: the conversion of the six-velocity balance") {
  // r_7 = T^T r_6 but for the direction of e, which the norm multiplier takes up.
  const QuaternionSystem seven(everything(true));
  const MultibodySystem six(everything(true));
  SystemProbe p = random_probe(seven, 9, true);
  std::fill(p.lambda.begin() + six.layout().lambda_size(), p.lambda.end(), 0.0);
  std::vector<double> v(static_cast<std::size_t>(six.layout().v_size())), a(v), r(v);
  std::vector<QuaternionRates<double>> rates;
  for (std::size_t b = 0; b < v.size() / 6; ++b) {
    const auto part4 = [&](const std::vector<double>& x) {
      return Vec4{{x[7 * b + 3], x[7 * b + 4], x[7 * b + 5], x[7 * b + 6]}};
    };
    rates.emplace_back(part4(p.q), part4(p.v));
    const Vec3 angular = rates.back().angular_acceleration(part4(p.a));
    for (std::size_t i = 0; i < 3; ++i) {
      v[6 * b + i] = p.v[7 * b + i];
      a[6 * b + i] = p.a[7 * b + i];
      v[6 * b + 3 + i] = rates.back().omega[static_cast<int>(i)];
      a[6 * b + 3 + i] = angular[static_cast<int>(i)];
    }
  }
  Point at;
  at.t = p.t;
  std::vector<double> q = p.q;
  q.resize(static_cast<std::size_t>(six.layout().q_size), 0.0);  // low parts of the positions
  at.q = q.data();
  at.v = v.data();
  at.a = a.data();
  at.lambda = p.lambda.data();
  Evaluation wanted;
  wanted.balance = r.data();
  six.evaluate(at, wanted);
  const std::vector<double> balance = p.get(Quantity::balance);
  for (std::size_t b = 0; b < v.size() / 6; ++b) {
    const Vec4 e{{p.q[7 * b + 3], p.q[7 * b + 4], p.q[7 * b + 5], p.q[7 * b + 6]}};
    const Vec4 torque = transpose_times(rates[b].P, Vec3{{r[6 * b + 3], r[6 * b + 4], r[6 * b + 5]}});
    Vec4 given{{balance[7 * b + 3], balance[7 * b + 4], balance[7 * b + 5], balance[7 * b + 6]}};
    given -= dot(given, e) * e;
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(balance[7 * b + i] == catena_test::relative(r[6 * b + i], 1e-12));
    for (int i = 0; i < 4; ++i) CHECK(given[i] == catena_test::relative(torque[i], 1e-11));
  }
}

TEST_CASE("seven coordinates: momentum and velocity are inverse to each other where e' is normal to e") {
  const QuaternionSystem system(everything(false));
  const SystemProbe p = random_probe(system, 10, true);
  std::vector<double> momentum(p.v.size()), back(p.v.size());
  system.momentum(p.q.data(), p.v.data(), momentum.data());
  system.velocity(p.q.data(), momentum.data(), back.data());
  const std::vector<double> lagrangian = p.lagrangian();
  for (std::size_t k = 0; k < back.size(); ++k) {
    CHECK(back[k] == catena_test::relative(p.v[k], 1e-13));
    CHECK(momentum[k] == catena_test::relative(lagrangian[p.v.size() + k], 1e-13));
  }
}

TEST_CASE("seven coordinates: bodies and energy are those of the six-velocity system") {
  const QuaternionSystem seven(everything(true));
  const MultibodySystem six(everything(true));
  const State s7 = seven.initial_state(), s6 = six.initial_state();
  const auto b7 = seven.bodies(s7), b6 = six.bodies(s6);
  REQUIRE(b7.size() == b6.size());
  for (std::size_t k = 0; k < b7.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      CHECK(b7[k].velocity[i] == catena_test::relative(b6[k].velocity[i], 1e-14));
      CHECK(b7[k].angular_velocity[i] == catena_test::relative(b6[k].angular_velocity[i], 1e-13));
    }
  const Energy e7 = seven.energy(point_of(s7)), e6 = six.energy(point_of(s6));
  CHECK(e7.kinetic == catena_test::relative(e6.kinetic, 1e-13));
  CHECK(e7.potential == catena_test::relative(e6.potential, 1e-13));
  CHECK(seven.constraint_name(seven.joint_count()) == "unit quaternion of " + seven.velocity_block_name(0));
  CHECK(seven.body_names() == six.body_names());
}

TEST_CASE("seven coordinates: keep_Bt leaves the rows of another point in Bt") {
  const QuaternionSystem system(everything(false));
  const SystemProbe p = random_probe(system, 11, true), other = random_probe(system, 12, true);
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.q = p.q.data();
  system.evaluate(at, wanted);
  const Dense first = support::dense(matrix);
  lin.keep_Bt = true;
  at.q = other.q.data();
  system.evaluate(at, wanted);
  const Dense second = support::dense(matrix);
  const int n = p.n, m = p.m;
  CHECK(support::part(first, 0, n, n, m).e == support::part(second, 0, n, n, m).e);
  CHECK(support::distance(support::part(first, n, 0, m, n), support::part(second, n, 0, m, n)) > 0.1);
  CHECK(support::distance(support::part(second, 0, 0, n, n), zero(n)) == 0.0);
}

TEST_CASE("bodies that were fixed after their joints were added: both kinds of system refuse by name") {
  // Unrefused, all spherical joints would be left out of the assembly: they share a pool.
  Model model;
  const BodyId a = model.add(Body{}), b = model.add(Body{});
  model.add(SphericalJoint{.bodies = {ground, a}, .name = "hip"});
  model.add(SphericalJoint{.bodies = {a, b}, .name = "knee"});
  CHECK_NOTHROW(QuaternionSystem{model});
  model.body(a).fixed = true;
  const char* message = R"(joint "hip" (spherical): none of its bodies moves)";
  CHECK_THROWS_WITH_AS(QuaternionSystem{model}, message, ModelError);
  CHECK_THROWS_WITH_AS(MultibodySystem{model}, message, ModelError);
}

}  // namespace quaternion_system_tests
