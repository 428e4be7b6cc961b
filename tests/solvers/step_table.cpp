// Tables as data: rows, their product with a history, their transpose, and what follows from the numbers alone.
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/detail/alpha_table.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace step_table_tests {

namespace {

using namespace catena;
using namespace catena::detail;

constexpr int size = 600;  // more than one buffer of apply()

double number(int k) { return std::sin(1.0 + 0.7 * k); }

struct Columns {
  std::vector<double> data[table_columns];
  const double* at[table_columns];
  explicit Columns(int first) {
    for (int j = 0; j < table_columns; ++j) {
      for (int k = 0; k < size; ++k) data[j].push_back(number(first + 31 * j + 7 * k));
      at[j] = data[j].data();
    }
  }
};

StepTable bdf2(const StepSizes& s) {
  const double r = s.h / s.h_before, sigma = (1.0 + 2.0 * r) / (1.0 + r), ht = s.h / sigma;
  StepTable t;
  t.velocity = unknown;
  t.increment = ht * (unknown + (sigma - 1.0) * slot(0));
  t.acceleration = (1.0 / ht) * (unknown - last_velocity) - (sigma - 1.0) * slot(1);
  t.next = {(1.0 / s.h) * t.increment, (1.0 / s.h) * (unknown - last_velocity)};
  return t;
}
StartRows bdf2_start(double h) {
  return {{{1.0, -0.5 * h, h * h / 6.0, h * h / 12.0}, {0.0, 1.0, -0.5 * h, 0.0}}};
}

}  // namespace

TEST_CASE("apply() is the sum over columns, for every number of them, also onto a column itself") {
  Columns x(0);
  for (int count = 0; count <= table_columns; ++count) {
    TableRow rows[2];
    for (int j = 0; j < count; ++j)
      for (int r = 0; r < 2; ++r)
        rows[r].weight[static_cast<std::size_t>((j + 3) % table_columns)] = number(100 + 2 * j + r);
    std::vector<double> out[2];
    for (auto& o : out) o.assign(size, 9.0);
    double* to[2] = {out[0].data(), out[1].data()};
    apply(rows, 2, x.at, 0, size, to);
    double worst = 0.0;
    for (int r = 0; r < 2; ++r)
      for (int k = 0; k < size; ++k) {
        double sum = 0.0;
        for (int j = 0; j < table_columns; ++j) sum += rows[r][j] * x.at[j][k];
        worst = std::max(worst, std::abs(sum - out[r][static_cast<std::size_t>(k)]));
      }
    CHECK(worst <= 8.0 * table_columns * std::numeric_limits<double>::epsilon());
    if (count < table_columns) continue;
    double* onto[2] = {x.data[0].data(), x.data[1].data()};
    apply(rows, 2, x.at, 0, size, onto);
    CHECK(x.data[0] == out[0]);
    CHECK(x.data[1] == out[1]);
  }
}

TEST_CASE("the transposed table is the adjoint: <T x, y> = <x, T' y>") {
  const StepTable t = bdf2({1e-3, 2e-3, false});
  const TableRow rows[4] = {t.increment, t.velocity, t.next[0], t.next[1]};
  const Columns x(0), y(1000);
  std::vector<double> out[4], back[table_columns];
  double* to[4];
  for (int r = 0; r < 4; ++r) {
    out[r].assign(size, 0.0);
    to[r] = out[r].data();
  }
  double* from[table_columns];
  for (int j = 0; j < table_columns; ++j) {
    back[j].assign(size, 0.0);
    from[j] = back[j].data();
  }
  apply(rows, 4, x.at, 0, size, to);
  apply_transposed(rows, 4, y.at, size, from);
  double there = 0.0, here = 0.0, scale = 0.0;
  for (int k = 0; k < size; ++k) {
    const auto i = static_cast<std::size_t>(k);
    for (int r = 0; r < 4; ++r) {
      there += out[r][i] * y.at[r][k];
      scale += std::abs(out[r][i] * y.at[r][k]);
    }
    for (int j = 0; j < table_columns; ++j) here += x.at[j][k] * back[j][i];
  }
  CHECK(std::abs(there - here) <= size * std::numeric_limits<double>::epsilon() * scale);
}

TEST_CASE("Newton's weights are the last column") {
  const double h = 0.01;
  const AlphaCoefficients c = AlphaCoefficients::of(0.8);
  const NewtonWeights alpha = newton_weights(alpha_table(c, 0.0, {h, h, false}));
  const double per = (1.0 - c.alpha_f) / (1.0 - c.alpha_m);
  CHECK(alpha.unit == catena_test::relative(c.beta * h * h * per, 1e-14));
  CHECK(alpha.damping == catena_test::relative(c.gamma * h * per, 1e-14));
  const NewtonWeights bdf = newton_weights(bdf2({h, h, false}));
  CHECK(bdf.unit == catena_test::relative(4.0 / 9.0 * h * h, 1e-14));
  CHECK(bdf.damping == catena_test::relative(2.0 / 3.0 * h, 1e-14));
}

TEST_CASE("the offset of velocities at index 3 follows from the table") {
  const double h = 0.01, p = 0.016;
  const AlphaCoefficients c = AlphaCoefficients::of(0.8);
  const StepSizes same{h, h, false};
  const VelocityOffset alpha = velocity_offset(alpha_table(c, 0.0, same), alpha_start(c, h), same, 2);
  CHECK(alpha.jerk == catena_test::relative(h * h * (1.0 / 6.0 - 0.5 * c.alpha() - c.beta), 1e-12));
  CHECK(alpha.bracket == catena_test::relative(h * h / 12.0, 1e-12));
  CHECK(alpha.rate == 0.0);
  // BDF2 with another step before: xi/h of that step is eta, and sigma xi - (sigma - 1) eta gives v.
  const StepSizes other{h, p, false};
  const VelocityOffset bdf = velocity_offset(bdf2(other), bdf2_start(p), other, 2);
  CHECK(bdf.jerk == catena_test::relative(-h * (h + p) / 6.0, 1e-12));
  const double sigma = (p + 2.0 * h) / (h + p);
  CHECK(bdf.bracket == catena_test::relative((sigma * h * h - (sigma - 1.0) * p * p) / 12.0, 1e-12));
  StepTable euler;
  euler.velocity = unknown;
  euler.increment = h * unknown;
  euler.acceleration = (1.0 / h) * (unknown - last_velocity);
  CHECK(velocity_offset(euler, {}, same, 1).rate == catena_test::relative(-0.5 * h, 1e-12));
}

TEST_CASE("the answer of accelerations to an error of a position follows from the table") {
  StepTable euler;
  euler.velocity = euler.increment = unknown;
  euler.acceleration = unknown - last_velocity;
  CHECK(gain_from_positions(euler) == catena_test::relative(std::sqrt(6.0), 1e-12));  // 1, -2, 1
  // 9/4, -6, 11/2, -2, 1/4
  CHECK(gain_from_positions(bdf2({1.0, 1.0, false})) ==
        catena_test::relative(std::sqrt(5.0625 + 36.0 + 30.25 + 4.0 + 0.0625), 1e-12));
  const auto alpha = [](double rho) {
    return gain_from_positions(alpha_table(AlphaCoefficients::of(rho), 0.0, {1.0, 1.0, false}));
  };
  CHECK(alpha(0.8) > alpha(0.5));
  CHECK(std::isinf(alpha(1.0)));
}

// Both tables act on the history and the unknown of a step that generalized-alpha has taken. Its own increment has an
// error of order h^3; that of the explicit Taylor series, which takes a_n for v'_n + alpha h v''_n, another one, so that
// the difference falls by 8 when the step is halved, and it is as large as the error of the step.
TEST_CASE("the difference of two tables on one history estimates the error of a step") {
  HelixChainParameters p;
  p.n = 4;
  const MultibodySystem system(HelixChain(p).model());
  const AlphaCoefficients c = AlphaCoefficients::of(0.8);
  const auto estimate = [&](double h) {
    GeneralizedAlphaOptions o;
    o.engine.newton_tolerance = 1e-13;
    GeneralizedAlpha stepper(o);
    REQUIRE(stepper.attach(system).status == Status::ok);
    State s = system.initial_state();
    REQUIRE(stepper.start(s, h).status == Status::ok);
    for (int k = 0; k < static_cast<int>(std::lround(0.2 / h)); ++k)
      REQUIRE(stepper.step(s, h).status == Status::ok);
    const State before = s;
    REQUIRE(stepper.step(s, h).status == Status::ok);
    const MemorySlot a = stepper.memory().find("a");
    const double* columns[table_columns] = {before.v.data(), before.a.data()};
    columns[3] = a.of(before);
    columns[table_columns - 1] = a.of(s);  // u of the step
    const StepTable table = alpha_table(c, 0.0, {h, h, false});
    // Order 3: h v + h^2/2 v' + h^3/6 v'', with h v'' = u - a_n.
    const TableRow third =
        h * last_velocity + (h * h / 2.0) * last_acceleration + (h * h / 6.0) * (unknown - slot(0));
    const TableRow difference = table.increment - third;
    const int n = static_cast<int>(s.v.size());
    std::vector<double> error(s.v.size());
    double* to[1] = {error.data()};
    apply(&difference, 1, columns, 0, n, to);
    double largest = 0.0;
    for (const double x : error) largest = std::max(largest, std::abs(x));
    return largest;
  };
  const double coarse = estimate(2e-3), fine = estimate(1e-3);
  CHECK(std::log2(coarse / fine) == catena_test::relative(3.0, 0.05));
}

}  // namespace step_table_tests
