// Explicit methods of a user's own: a table each, on the engine that runs dormand_prince.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/driver/run.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/rotary_pendulum.hpp>
#include <catena/stepper/explicit/explicit_stepper.hpp>

#include "support/allocation_count.hpp"
#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace user_explicit_tests {

using namespace catena;
using namespace catena::detail;
using catena_test::largest;

namespace {

// Bogacki, Shampine, Appl. Math. Lett. 2 (1989) 321-325: order 3 with an embedded solution of order 2 (ode23).
struct BogackiShampine : ExplicitStepper {
  using Options = ExplicitOptions;
  explicit BogackiShampine(Options options = {}, LinearSolverFactory backend = {})
      : ExplicitStepper({.name = "bogacki_shampine",
                         .summary = "Bogacki-Shampine 3(2)",
                         .order = 3,
                         .embedded_order = 2,
                         .c = {0.0, 1.0 / 2.0, 3.0 / 4.0},
                         .a = {{}, {1.0 / 2.0}, {0.0, 3.0 / 4.0}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}},
                         .error = {-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0}},
                        std::move(options), std::move(backend)) {}
};

struct Heun : ExplicitStepper {
  Heun() : ExplicitStepper({.name = "heun", .order = 2, .c = {0.0, 1.0}, .a = {{}, {1.0}, {0.5, 0.5}}}) {}
};

struct Euler : ExplicitStepper {
  Euler() : ExplicitStepper({.name = "euler", .order = 1, .c = {0.0}, .a = {{}, {1.0}}}) {}
};

struct FixedBogackiShampine : BogackiShampine {
  FixedBogackiShampine() : BogackiShampine({.control = ExplicitOptions::Control::fixed}) {}
};

// Digital filter in place of PI control.
struct Filtered : BogackiShampine {
  explicit Filtered(Options options) : BogackiShampine(std::move(options)) {
    controller() = StepController::filter(3);
  }
};

struct Distance {
  double q, v, lambda;
};
Distance distance(const System& system, const State& a, const State& b) {
  std::vector<double> q(a.v.size()), v = a.v, lambda = a.lambda;
  system.difference(a.q.data(), b.q.data(), q.data());
  for (std::size_t k = 0; k < v.size(); ++k) v[k] -= b.v[k];
  for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] -= b.lambda[k];
  return {largest(q), largest(v), largest(lambda)};
}

template <class S>
State end_of(const System& system, double h, int steps) {
  S stepper;
  State state = system.initial_state();
  const RunResult result = run(system, stepper, state, {.step = h, .end = h * steps});
  REQUIRE(result.status == Status::ok);
  return state;
}

// log2 of the errors at h and h/2, against h/16: the reference, off by 16^-p of the coarse error, shifts that of order 1
// by log2((1 - 1/16) / (1 - 1/8)) = 0.1, and the next term of the error by less than that at these steps.
template <class S>
void check_order(const System& system, double h, int steps, double order, bool rows) {
  const State coarse = end_of<S>(system, h, steps), fine = end_of<S>(system, 0.5 * h, 2 * steps),
              best = end_of<S>(system, h / 16.0, 16 * steps);
  const Distance far = distance(system, coarse, best), near = distance(system, fine, best);
  CHECK(std::log2(far.q / near.q) >= order - 0.1);
  CHECK(std::log2(far.v / near.v) >= order - 0.1);
  if (rows) CHECK(std::log2(far.lambda / near.lambda) >= order - 0.1);
  CHECK(std::log2(far.q / near.q) <= order + 1.0);
}

ExplicitOptions tolerance(double tol) {
  return {.rtol_position = tol, .atol_position = tol, .rtol_velocity = tol, .atol_velocity = tol};
}

}  // namespace

TEST_CASE("tables of a user's own keep their order on groups with constraints and in plain coordinates") {
  const MultibodySystem top(HeavyTop().model());
  const MultibodySystem chain(HelixChain({.n = 5}).model());
  const auto pendulum = RotaryPendulum().own_system();
  check_order<FixedBogackiShampine>(top, 1e-3, 40, 3.0, true);
  check_order<FixedBogackiShampine>(chain, 5e-3, 20, 3.0, true);
  check_order<FixedBogackiShampine>(*pendulum, 5e-3, 40, 3.0, false);
  check_order<Heun>(top, 5e-4, 80, 2.0, true);
  check_order<Heun>(chain, 2.5e-3, 40, 2.0, true);
  check_order<Euler>(top, 5e-5, 400, 1.0, true);
  check_order<Euler>(chain, 5e-4, 100, 1.0, true);
}

TEST_CASE("an embedded solution in a table gives error control: the error follows the tolerance") {
  const MultibodySystem chain(HelixChain({.n = 5}).model());
  const double end = 0.3;
  const State exact = end_of<FixedBogackiShampine>(chain, 1e-4, 3000);  // 1e-9 of an error
  double before = 1.0;
  for (const double tol : {1e-4, 1e-5, 1e-6, 1e-7}) {
    CAPTURE(tol);
    BogackiShampine stepper(tolerance(tol));
    State state = chain.initial_state();
    const RunResult result = run(chain, stepper, state, {.step = end, .end = end});
    REQUIRE(result.status == Status::ok);
    const Distance error = distance(chain, state, exact);
    CHECK(std::max(error.q, error.v) <=
          100.0 * tol);  // some tens of steps, each of which may err by the tolerance
    CHECK(std::max(error.q, error.v) <=
          0.4 * before);  // a tenth, for an error that steps in h^3 and a tolerance in h^2
    before = std::max(error.q, error.v);
  }
}

TEST_CASE(
    "a method without dense coefficients interpolates by the cubic Hermite polynomial: h^4 within a step") {
  const MultibodySystem top(HeavyTop().model());
  const auto error = [&](double h) {
    FixedBogackiShampine stepper;
    State state = top.initial_state();
    REQUIRE(stepper.attach(top).status == Status::ok);
    REQUIRE(stepper.start(state, h).status == Status::ok);
    REQUIRE(stepper.step(state, h).status == Status::ok);
    State between = state;
    stepper.interpolate(0.4, between.q.data(), between.v.data());
    const Distance d = distance(top, between, end_of<FixedBogackiShampine>(top, 0.4 * h / 8.0, 8));
    return std::max(d.q, d.v);
  };
  CHECK(std::log2(error(2e-3) / error(1e-3)) >= 3.7);
}

TEST_CASE("a digital filter in place of PI control keeps to the tolerance as well, with smoother steps") {
  const auto pendulum = RotaryPendulum().own_system();
  struct Steps : Observer {
    double t = 0.0, h = 0.0, rough = 0.0;  // sum of |log h_n / h_{n-1}|
    bool observe(const State& s) override {
      const double now = s.t - t;
      if (h > 0.0 && now > 0.0) rough += std::abs(std::log(now / h));
      t = s.t;
      h = now;
      return true;
    }
  };
  const auto roughness = [&](Stepper& stepper) {
    State state = pendulum->initial_state();
    Steps steps;
    const RunResult result =
        run(*pendulum, stepper, state, {.step = 1.0, .end = 1.0}, Listeners{.observers = {&steps}});
    CHECK(result.status == Status::ok);
    CHECK(std::abs(state.q[0] - end_of<FixedBogackiShampine>(*pendulum, 1e-4, 10000).q[0]) <= 1e-4);
    return steps.rough / static_cast<double>(result.steps);
  };
  BogackiShampine plain(tolerance(1e-6));
  Filtered filtered(tolerance(1e-6));
  CHECK(roughness(filtered) < roughness(plain));
}

TEST_CASE(
    "a user's table steps without allocation, continues from a copied state, and is listed with its "
    "options") {
  const MultibodySystem chain(HelixChain({.n = 10}).model());
  BogackiShampine stepper(tolerance(1e-6)), other(tolerance(1e-6));
  State state = chain.initial_state();
  REQUIRE(stepper.attach(chain).status == Status::ok);
  REQUIRE(stepper.start(state, 1e-3).status == Status::ok);
  if (test::allocation_counting_works())
    CHECK(test::count_allocations([&] {
            for (int k = 0; k < 10; ++k) stepper.step(state, stepper.proposed_step(state));
          }) == 0);
  State copy = state;
  REQUIRE(other.attach(chain).status == Status::ok);
  for (int k = 0; k < 10; ++k) {
    REQUIRE(stepper.step(state, stepper.proposed_step(state)).status == Status::ok);
    REQUIRE(other.step(copy, other.proposed_step(copy)).status == Status::ok);
  }
  CHECK(state.q == copy.q);
  CHECK(state.memory == copy.memory);

  Catalog catalog = builtin();
  catalog.add<BogackiShampine>("bogacki_shampine");
  const auto& entry = catalog.steppers().back();
  CHECK(entry.setup()->make({}, {})->traits().chooses_step);
  CHECK(entry.setup()->make({}, {})->traits().order_lambda == 3);
}

TEST_CASE("a table with a mistake in it is refused with the row") {
  const MultibodySystem top(HeavyTop().model());
  const auto refusal = [&](ButcherTable table) { return ExplicitStepper(std::move(table)).refuses(top); };
  CHECK(refusal({.name = "mine", .order = 2, .c = {0.0, 1.0}, .a = {{}, {1.0}, {0.5, 0.5}}}).empty());
  CHECK(refusal({.name = "mine", .order = 2, .c = {0.0, 1.0}, .a = {{}, {1.0}, {0.5, 0.6}}}) ==
        "the Butcher table of mine: row 2 of a needs 2 numbers with the sum c, or 1");
  CHECK(refusal({.name = "mine", .order = 2, .c = {0.0, 1.0}, .a = {{}, {1.0}}}).find("for each stage") !=
        std::string::npos);
  CHECK(refusal(
            {.name = "mine", .order = 2, .embedded_order = 1, .c = {0.0, 1.0}, .a = {{}, {1.0}, {0.5, 0.5}}})
            .find("embedded") != std::string::npos);
  CHECK(refusal({.name = "mine",
                 .order = 2,
                 .embedded_order = 1,
                 .c = {0.0, 1.0},
                 .a = {{}, {1.0}, {0.5, 0.5}},
                 .error = {-0.5, 0.5}})
            .find("need 3 numbers") != std::string::npos);
  CHECK(refusal({.name = "mine", .c = {0.0}, .a = {{}, {1.0}}}).find("needs an order") != std::string::npos);
}

}  // namespace user_explicit_tests
