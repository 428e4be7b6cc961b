// The derivative of a step: forward against finite differences, transposed against forward, and a gradient over a run.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace step_linearization_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using Vector = std::vector<double>;

constexpr double h = 2e-3;

struct Kind {
  const char* name;
  std::unique_ptr<ImplicitStepper> (*make)();
  std::vector<const char*> slots;
};

template <class S, class Options>
std::unique_ptr<ImplicitStepper> made(Options o) {
  o.engine.newton_tolerance = 1e-14;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.engine.guards.guards = GuardMode::off;  // the map of the method alone
  o.newton = Options::Newton::exact;
  return std::make_unique<S>(o);
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"generalized_alpha, index 3",
       [] { return made<GeneralizedAlpha>(GeneralizedAlphaOptions{}); },
       {"a", "a before"}},
      {"generalized_alpha, index 2",
       [] {
         return made<GeneralizedAlpha>(GeneralizedAlphaOptions{.index = GeneralizedAlphaOptions::Index::two});
       },
       {"a", "a before"}},
      {"lie_dae, BDF2", [] { return made<LieDae>(LieDaeOptions{}); }, {"increment rate", "velocity rate"}}};
  return all;
}

// Three links between two points of the ground: a closed loop whose rows are independent.
Model loop() {
  const Vec3 corners[] = {Vec3{{0.0, 0.0, 0.0}}, Vec3{{0.1, 0.4, 0.05}}, Vec3{{0.6, 0.5, -0.1}},
                          Vec3{{0.7, 0.0, 0.1}}};
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  BodyId before = ground;
  Vec3 on_before = corners[0];
  for (int k = 0; k < 3; ++k) {
    const Vec3 half = 0.5 * (corners[k + 1] - corners[k]);
    const BodyId link = model.add(Body{.mass = 0.5 + 0.1 * k,
                                       .inertia = diagonal(Vec3{{0.01, 0.013, 0.017}}),
                                       .position = corners[k] + half,
                                       .angular_velocity = {{0.5, -1.0 + k, 2.0}}});
    model.add(SphericalJoint{.bodies = {before, link}, .point_a = on_before, .point_b = -1.0 * half});
    before = link;
    on_before = half;
  }
  model.add(SphericalJoint{.bodies = {before, ground}, .point_a = on_before, .point_b = corners[3]});
  return model;
}

std::vector<Model> models() {
  std::vector<Model> all;
  all.push_back(loop());
  all.push_back(HeavyTop().model());
  all.push_back(RollingDiscProblem().model());  // rows at velocity level
  return all;
}

State started(const System& system, ImplicitStepper& stepper, int steps) {
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(s, h).status == Status::ok);
  return s;
}

// The state moved by a perturbation in the layout of StepLinearization.
State moved(const System& system, const ImplicitStepper& stepper, const Kind& kind, const State& from,
            const Vector& by, double factor) {
  State s = from;
  const std::size_t n = s.v.size();
  Vector delta(n);
  for (std::size_t k = 0; k < n; ++k) delta[k] = factor * by[k];
  system.retract(from.q.data(), delta.data(), s.q.data());
  double* const a_before = stepper.memory().find("acceleration before").of(s);
  for (std::size_t k = 0; k < n; ++k) {
    s.v[k] += factor * by[n + k];
    s.a[k] += factor * by[2 * n + k];
    a_before[k] += factor * by[3 * n + k];
  }
  for (std::size_t j = 0; j < kind.slots.size(); ++j) {
    double* const x = stepper.memory().find(kind.slots[j]).of(s);
    for (std::size_t k = 0; k < n; ++k) x[k] += factor * by[(4 + j) * n + k];
  }
  return s;
}

// (plus - minus) / (2 factor) in the same layout.
Vector difference(const System& system, const ImplicitStepper& stepper, const Kind& kind, const State& plus,
                  const State& minus, double factor) {
  const std::size_t n = plus.v.size(), m = plus.lambda.size(), slots = kind.slots.size();
  Vector d((4 + slots) * n + m);
  system.difference(minus.q.data(), plus.q.data(), d.data());
  const double* const b = stepper.memory().find("acceleration before").of(plus);
  const double* const c = stepper.memory().find("acceleration before").of(minus);
  for (std::size_t k = 0; k < n; ++k) {
    d[n + k] = plus.v[k] - minus.v[k];
    d[2 * n + k] = plus.a[k] - minus.a[k];
    d[3 * n + k] = b[k] - c[k];
  }
  for (std::size_t j = 0; j < slots; ++j) {
    const double* const x = stepper.memory().find(kind.slots[j]).of(plus);
    const double* const y = stepper.memory().find(kind.slots[j]).of(minus);
    for (std::size_t k = 0; k < n; ++k) d[(4 + j) * n + k] = x[k] - y[k];
  }
  for (std::size_t k = 0; k < m; ++k) d[(4 + slots) * n + k] = plus.lambda[k] - minus.lambda[k];
  for (double& x : d) x /= 2.0 * factor;
  return d;
}

// Numbers between -1 and 1, the same everywhere.
Vector numbers(std::size_t count, unsigned seed) {
  Vector x(count);
  unsigned z = seed;
  for (double& y : x) {
    z = z * 1664525u + 1013904223u;
    y = static_cast<double>(z >> 8) / 8388608.0 - 1.0;
  }
  return x;
}

// Perturbations of sizes that a step answers alike: 1 of q, 1/h of v, 1/h^2 of accelerations.
void scale(Vector& x, std::size_t n, std::size_t parts, double power) {
  for (std::size_t part = 1; part < parts; ++part)
    for (std::size_t k = 0; k < n; ++k) x[part * n + k] *= std::pow(h, part == 1 ? -power : -2.0 * power);
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double norm(const Vector& a) { return std::sqrt(dot(a, a)); }

}  // namespace

namespace {

// Of the step of this size behind `before` steps of h, in every part of the state. noise: of the differences, where the
// derivative vanishes.
void compare_with_differences(int before, double size_of_step, double noise) {
  CAPTURE(before);
  CAPTURE(size_of_step);
  for (const Model& model : models())
    for (const Kind& kind : kinds()) {
      CAPTURE(kind.name);
      const MultibodySystem system(model);
      const auto stepper = kind.make();
      const State from = started(system, *stepper, before);
      State end = from;
      REQUIRE(stepper->step(end, size_of_step).status == Status::ok);
      StepLinearization derivative;
      REQUIRE(stepper->linearize_step(end, derivative).status == Status::ok);
      const std::size_t n = end.v.size(), m = end.lambda.size(),
                        size = static_cast<std::size_t>(derivative.size());
      const std::size_t parts = 4 + kind.slots.size();
      REQUIRE(size == parts * n + m);
      for (std::size_t part = 0; part < parts; ++part) {
        CAPTURE(part);
        Vector by(size, 0.0), found(size);
        const Vector random = numbers(n, 7u + static_cast<unsigned>(part));
        std::copy(random.begin(), random.end(), by.begin() + static_cast<std::ptrdiff_t>(part * n));
        derivative.apply(by.data(), found.data());
        // A way that moves q by about 1e-6.
        const double epsilon = part == 0   ? 1e-6
                               : part == 1 ? 1e-6 / size_of_step
                                           : 1e-6 / (size_of_step * size_of_step);
        State plus = moved(system, *stepper, kind, from, by, epsilon),
              minus = moved(system, *stepper, kind, from, by, -epsilon);
        REQUIRE(stepper->step(plus, size_of_step).status == Status::ok);
        REQUIRE(stepper->step(minus, size_of_step).status == Status::ok);
        const Vector expected = difference(system, *stepper, kind, plus, minus, epsilon);
        for (std::size_t block = 0; block <= parts; ++block) {
          CAPTURE(block);
          const auto first = static_cast<std::ptrdiff_t>(block * n);
          const auto last =
              block < parts ? first + static_cast<std::ptrdiff_t>(n) : static_cast<std::ptrdiff_t>(size);
          const Vector x(expected.begin() + first, expected.begin() + last),
              y(found.begin() + first, found.begin() + last);
          Vector wrong(x.size());
          for (std::size_t k = 0; k < x.size(); ++k) wrong[k] = y[k] - x[k];
          CHECK(norm(wrong) <= 1e-5 * norm(x) + noise);
        }
      }
    }
}

}  // namespace

TEST_CASE("the derivative of a step is that of finite differences, in every part of the state") {
  compare_with_differences(5, h, 1e-9);
}

TEST_CASE(
    "so is that of a step which changes the offset of the velocities: the first, and one of another size") {
  // Newton's iteration ends at corrections of 1e-14 of a size: in v' and lambda that over the square of the step, and in
  // differences over 2e-6 of the same.
  constexpr double noise = 1e-14 / 2e-6;
  compare_with_differences(0, h, noise);
  compare_with_differences(5, 0.6 * h, noise);
  compare_with_differences(5, 1.5 * h, noise);
}

TEST_CASE("forward and transposed derivatives of a step are transposed to roundoff") {
  std::vector<Model> all = models();
  all.push_back(FourBar().model());  // with redundant rows, which a compliance holds
  for (const Model& model : all)
    for (const Kind& kind : kinds())
      for (const int before : {0, 5})  // the first step; one of another size
        for (const double size_of_step : {h, 0.6 * h}) {
          CAPTURE(kind.name);
          CAPTURE(before);
          CAPTURE(size_of_step);
          const MultibodySystem system(model);
          const auto stepper = kind.make();
          State end = started(system, *stepper, before);
          REQUIRE(stepper->step(end, size_of_step).status == Status::ok);
          StepLinearization derivative;
          REQUIRE(stepper->linearize_step(end, derivative).status == Status::ok);
          const auto size = static_cast<std::size_t>(derivative.size());
          const std::size_t n = end.v.size(), parts = 4 + kind.slots.size();
          Vector x = numbers(size, 3u), w = numbers(size, 11u), Ax(size), Atw(size);
          scale(x, n, parts, 1.0);
          scale(w, n, parts, -1.0);
          for (std::size_t k = parts * n; k < size; ++k) w[k] *= h * h;
          derivative.apply(x.data(), Ax.data());
          derivative.apply_transposed(w.data(), Atw.data());
          double there = 0.0, here = 0.0, sum = 0.0;
          for (std::size_t k = 0; k < size; ++k) {
            there += w[k] * Ax[k];
            here += Atw[k] * x[k];
            sum += std::abs(w[k] * Ax[k]) + std::abs(Atw[k] * x[k]);
          }
          CHECK(std::abs(there - here) <= 1e-11 * sum);
        }
}

// J = c.q_20 (by increments from a reference) + sum of h |lambda_k|^2 over 20 steps.
TEST_CASE(
    "the gradient of a result of 20 steps of a closed loop by transposed derivatives is that of "
    "differences, from the first step on and with steps of three sizes") {
  constexpr int steps = 20;
  const auto size_of = [](int k) { return k % 7 == 3 ? 0.5 * h : k % 7 == 5 ? 1.25 * h : h; };
  const MultibodySystem system(loop());
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.name);
    const auto stepper = kind.make();
    const State from = started(system, *stepper, 0);
    const std::size_t n = from.v.size();
    const Vector c = numbers(n, 5u);
    State reference;
    const auto result = [&](State s) {
      double J = 0.0;
      for (int k = 0; k < steps; ++k) {
        REQUIRE(stepper->step(s, size_of(k)).status == Status::ok);
        J += h * 1e-3 * dot(s.lambda, s.lambda);
      }
      Vector increment(n);
      if (reference.q.empty()) reference = s;
      system.difference(reference.q.data(), s.q.data(), increment.data());
      return J + 1e3 * dot(c, increment);
    };
    result(from);
    // Forward, with the derivative of each step kept; then backward.
    std::vector<StepLinearization> derivatives(steps);
    std::vector<Vector> lambda;
    State s = from;
    for (int k = 0; k < steps; ++k) {
      REQUIRE(stepper->step(s, size_of(k)).status == Status::ok);
      REQUIRE(stepper->linearize_step(s, derivatives[static_cast<std::size_t>(k)]).status == Status::ok);
      lambda.push_back(s.lambda);
    }
    const auto size = static_cast<std::size_t>(derivatives[0].size());
    const auto at_lambda = static_cast<std::size_t>(derivatives[0].lambda());
    Vector eta(size, 0.0), before(size);
    for (std::size_t k = 0; k < n; ++k) eta[k] = 1e3 * c[k];
    for (int k = steps; k-- > 0;) {
      const Vector& l = lambda[static_cast<std::size_t>(k)];
      for (std::size_t i = 0; i < l.size(); ++i) eta[at_lambda + i] += 2.0 * h * 1e-3 * l[i];
      derivatives[static_cast<std::size_t>(k)].apply_transposed(eta.data(), before.data());
      eta.swap(before);
    }
    Vector direction = numbers(size, 17u);
    for (std::size_t k = at_lambda; k < size; ++k) direction[k] = 0.0;
    const double epsilon = 1e-6;
    const double expected = (result(moved(system, *stepper, kind, from, direction, epsilon)) -
                             result(moved(system, *stepper, kind, from, direction, -epsilon))) /
                            (2.0 * epsilon);
    CHECK(dot(eta, direction) == catena_test::relative(expected, 1e-6));
  }
}

TEST_CASE("a step back in time has a derivative and states within as any other") {
  const MultibodySystem system(HeavyTop().model());
  GeneralizedAlpha stepper;
  State s = started(system, stepper, 1);
  const State before = s;
  REQUIRE(stepper.step(s, -1e-3).status == Status::ok);
  StepLinearization derivative;
  CHECK(stepper.linearize_step(s, derivative).status == Status::ok);
  std::vector<double> q(s.q.size()), v(s.v.size());
  stepper.interpolate(0.0, q.data(), v.data());
  for (std::size_t k = 0; k < q.size(); ++k) CHECK(std::abs(q[k] - before.q[k]) < 1e-12);
}

TEST_CASE("steps without a derivative say why") {
  const MultibodySystem system(HeavyTop().model());
  StepLinearization derivative;
  LieDaeOptions one{.index = LieDaeOptions::Index::one}, all{.index = LieDaeOptions::Index::stabilized};
  for (const LieDaeOptions& o : {one, all}) {
    LieDae stepper(o);
    const State s = started(system, stepper, 1);
    CHECK(stepper.linearize_step(s, derivative).status == Status::unsupported);
  }
  GeneralizedAlpha stepper;
  const State s = started(system, stepper, 0);
  CHECK(stepper.linearize_step(s, derivative).culprit.name == "there is no step to linearise");
  // Asked of the contract, a method that is no table says so.
  DormandPrince other;
  REQUIRE(other.attach(system).status == Status::ok);
  Stepper& any = other;
  CHECK(any.linearize_step(s, derivative).status == Status::unsupported);
  CHECK(any.linearize_step(s, derivative).culprit.name == "dormand_prince has no derivative of its steps");
}

}  // namespace step_linearization_tests
