// Closed loops of hinges: a compliance holds their redundant rows, and no joint opens by it.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/sparse/backends/detail/klu.hpp>

#include "support/few_cases.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace closed_loops_tests {

namespace {

using namespace catena;
using namespace catena::detail;

// A regular polygon of bars of 1 m and 1 kg, one corner on the ground, falling about it.
Model ring(int bars) {
  constexpr double pi = 3.14159265358979323846;
  const Vec3 z = Vec3::Unit(2);
  const double radius = 0.5 / std::sin(pi / bars);
  const auto corner = [&](int k) {
    const double angle = 2.0 * pi * k / bars;
    return Vec3{{radius * std::cos(angle), radius * std::sin(angle), 0.0}};
  };
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  std::vector<BodyId> body;
  for (int k = 0; k < bars; ++k) {
    const double angle = 2.0 * pi * (k + 0.5) / bars + 0.5 * pi;
    Body b;
    b.name = "bar " + std::to_string(k);
    b.mass = 1.0;
    b.inertia = diagonal(Vec3{{0.01, 0.1, 0.1}});
    b.position = 0.5 * (corner(k) + corner(k + 1));
    b.orientation = Quat{std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
    body.push_back(model.add(b));
  }
  const Vec3 left{{-0.5, 0.0, 0.0}}, right{{0.5, 0.0, 0.0}};
  model.add(RevoluteJoint{.bodies = {ground, body[0]},
                          .point_a = corner(0),
                          .point_b = left,
                          .axis_a = z,
                          .axis_b = z,
                          .name = "pin"});
  for (std::size_t k = 0; k < body.size(); ++k)
    model.add(RevoluteJoint{.bodies = {body[k], body[(k + 1) % body.size()]},
                            .point_a = right,
                            .point_b = left,
                            .axis_a = z,
                            .axis_b = z,
                            .name = "hinge " + std::to_string(k)});
  return model;
}

std::vector<std::unique_ptr<Stepper>> index_three() {
  std::vector<std::unique_ptr<Stepper>> all;
  all.push_back(std::make_unique<GeneralizedAlpha>());
  all.push_back(std::make_unique<GeneralizedAlpha>(
      GeneralizedAlphaOptions{.newton = GeneralizedAlphaOptions::Newton::exact}, make_klu));
  all.push_back(std::make_unique<AlphaRattle>());
  all.push_back(std::make_unique<LieDae>());
  all.push_back(std::make_unique<LieDae>(LieDaeOptions{}, make_klu));
  return all;
}

// Every form that does not keep the positions alone, with the bound of the velocity rows, which Newton's matrix, h old,
// leaves of the compliance's 1e-5 m/s; 0: they are not kept.
struct Form {
  std::unique_ptr<Stepper> stepper;
  double velocity;
};
std::vector<Form> other_forms() {
  using Lie = LieDaeOptions;
  std::vector<Form> all;
  for (const int order : {1, 2}) {
    all.push_back({std::make_unique<LieDae>(Lie{.index = Lie::Index::one, .order = order}), 0.0});
    all.push_back({std::make_unique<LieDae>(Lie{.index = Lie::Index::two, .order = order}), 1e-9});
    for (const Lie::Newton newton : {Lie::Newton::quasi, Lie::Newton::exact})
      all.push_back(
          {std::make_unique<LieDae>(Lie{.index = Lie::Index::stabilized, .order = order, .newton = newton}),
           1e-9});
  }
  all.push_back({std::make_unique<AlphaRattle>(), 1e-9});
  all.push_back(
      {std::make_unique<AlphaRattle>(AlphaRattleOptions{.index = AlphaRattleOptions::Index::two}), 1e-9});
  all.push_back({std::make_unique<GeneralizedAlpha>(
                     GeneralizedAlphaOptions{.index = GeneralizedAlphaOptions::Index::two}),
                 1e-7});
  return all;
}

State end_of(const System& system, Stepper& stepper, double h, int steps) {
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < steps; ++k) REQUIRE(stepper.step(state, h).status == Status::ok);
  return state;
}

double distance(const System& system, const State& a, const State& b) {
  std::vector<double> d(a.v.size());
  system.difference(a.q.data(), b.q.data(), d.data());
  double largest = 0.0;
  for (const double x : d) largest = std::max(largest, std::abs(x));
  return largest;
}

// The largest gap within steps of 1 ms.
double largest_gap(const System& system, Stepper& stepper, int steps) {
  constexpr double h = 1e-3;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  const Outcome start = stepper.start(state, h);
  REQUIRE(start.status == Status::ok);
  CHECK(start.culprit.quantity == "redundant rows suspected");
  double gap = 0.0;
  for (int k = 0; k < steps; ++k) {
    REQUIRE(stepper.step(state, h).status == Status::ok);
    gap = std::max(gap, catena_test::residual(system, state, &Evaluation::position));
  }
  return gap;
}

}  // namespace

// The compliance of 1e-5 alone leaves 2.5e-9 to 5e-9 m in the linkage and 2e-8 m in the ring.
TEST_CASE("joints of closed loops are kept to 1e-12 m by every implicit stepper of index 3") {
  const MultibodySystem linkage(FourBar().model()), polygon(ring(12));
  for (const auto& stepper : index_three()) {
    CAPTURE(stepper->traits().name);
    CHECK(largest_gap(linkage, *stepper, catena_test::few_cases ? 100 : 1000) <= 1e-12);
    CHECK(largest_gap(polygon, *stepper, catena_test::few_cases ? 50 : 500) <= 1e-12);
  }
}

TEST_CASE("the solves that close a ring's joints leave the balance of forces at roundoff") {
  const MultibodySystem system(ring(12));
  GeneralizedAlpha stepper;
  constexpr double h = 1e-3;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  REQUIRE(stepper.start(state, h).status == Status::ok);
  for (int k = 0; k < (catena_test::few_cases ? 30 : 300); ++k) {
    REQUIRE(stepper.step(state, h).status == Status::ok);
    // Weights and multipliers are of 1e2 N; quasi-Newton leaves h of a correction of 1e-5 of them, squared
    REQUIRE(catena_test::residual(system, state, &Evaluation::balance) <= 1e-7);
  }
}

TEST_CASE("closed loops keep what their stepper promises at every level: no compliance is left in the rows") {
  const MultibodySystem linkage(FourBar().model()), polygon(ring(12));
  constexpr double h = 1e-3;
  for (const Form& form : other_forms())
    for (const auto& [system, full] : {std::pair<const System*, int>{&linkage, 1000}, {&polygon, 300}}) {
      const int steps = catena_test::few_cases ? full / 10 : full;
      const Traits& traits = form.stepper->traits();
      CAPTURE(traits.name);
      CAPTURE(std::string(traits.summary));
      REQUIRE(form.stepper->attach(*system).status == Status::ok);
      State state = system->initial_state();
      REQUIRE(form.stepper->start(state, h).status == Status::ok);
      double position = 0.0, velocity = 0.0, acceleration = 0.0;
      for (int k = 0; k < steps; ++k) {
        REQUIRE(form.stepper->step(state, h).status == Status::ok);
        position = std::max(position, catena_test::residual(*system, state, &Evaluation::position));
        velocity = std::max(velocity, catena_test::residual(*system, state, &Evaluation::velocity));
        acceleration =
            std::max(acceleration, catena_test::residual(*system, state, &Evaluation::acceleration));
      }
      if (traits.position_residual) CHECK(position <= 1e-12);
      if (form.velocity > 0.0) CHECK(velocity <= form.velocity);
      if (traits.acceleration_residual) CHECK(acceleration <= 1e-10 / (h * h));  // Newton's tolerance
    }
}

// With the compliance in the rows, index 1 converged to another motion: gaps of 5e-4 m with h = 2e-3, 9e-4 with 1e-3.
TEST_CASE("on the linkage every form converges to the motion of dormand_prince, with its order") {
  const MultibodySystem system(FourBar().model());
  DormandPrince exact({.control = DormandPrinceOptions::Control::fixed});
  const int steps = catena_test::few_cases ? 100 : 1000;
  const State reference = end_of(system, exact, 1e-3, steps);
  for (const Form& form : other_forms()) {
    CAPTURE(std::string(form.stepper->traits().summary));
    const int order = form.stepper->traits().order_q;
    CAPTURE(order);
    const double coarse = distance(system, end_of(system, *form.stepper, 1e-3, steps), reference),
                 fine = distance(system, end_of(system, *form.stepper, 5e-4, 2 * steps), reference);
    CHECK(std::log2(coarse / fine) >= order - 0.2);
  }
}

TEST_CASE("a run says which joint is open where its method lets positions drift, and nothing elsewhere") {
  const MultibodySystem system(FourBar().model());
  const auto said = [&](LieDaeOptions::Index index, int order) {
    LieDae stepper({.index = index, .order = order});
    State state = system.initial_state();
    const RunResult result = run(system, stepper, state, {.step = 1e-3, .end = 1.8});
    CHECK(result.status == (result.message.empty() ? Status::ok : Status::unstable));
    std::string all = result.message;
    for (const Remark& remark : result.remarks) all += remark.text + "\n";
    return all;
  };
  const std::string first_order = said(LieDaeOptions::Index::one, 1);  // 6.8e-3 m
  CAPTURE(first_order);
  CHECK(first_order.find("joint \"a\" (revolute) has a gap of 0.006") != std::string::npos);
  CHECK(first_order.find("lie_dae does not keep positions") != std::string::npos);
  for (const auto& [index, order] : {std::pair{LieDaeOptions::Index::one, 2},  // 3.4e-5 m
                                     {LieDaeOptions::Index::three, 1},
                                     {LieDaeOptions::Index::stabilized, 1}})
    if (!catena_test::few_cases) CHECK(said(index, order).find("open") == std::string::npos);
}

}  // namespace closed_loops_tests
