// What generalized_alpha keeps: constraints, energy, memory, and its order when the step changes.
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/simple_pendulum.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "support/allocation_count.hpp"
#include "support/interpolation.hpp"
#include "support/relative.hpp"
#include "support/same_state.hpp"

#include <limits>

namespace generalized_alpha_behaviour_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

Model helix(int n) {
  HelixChainParameters p;
  p.n = n;
  return HelixChain(p).model();
}

// Largest energy error of the first and of the second half of a run.
struct Halves {
  double first = 0.0, second = 0.0;
};
Halves energy_errors(const MultibodySystem& system, double h, int steps, const Options& o) {
  Run run(system, h, o);
  const double initial = run.energy();
  Halves e;
  for (int k = 0; k < steps; ++k) {
    run.step();
    double& worst = k < steps / 2 ? e.first : e.second;
    worst = std::max(worst, std::abs(run.energy() - initial));
  }
  return e;
}

// Pulls a body back to x = 0 with omega = 1e4 1/s: nothing but a stiff mode.
struct StiffSpring {
  static constexpr const char* type_name = "stiff_spring";
  std::array<BodyId, 1> bodies;

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(-1e8) * A.x[0];
    return w;
  }
};

}  // namespace

TEST_CASE("index 3 keeps the gap, index 2 its rate, at roundoff over 1000 steps") {
  const MultibodySystem system(helix(10));
  const auto worst = [&](const Options& o, double* speed) {
    Run run(system, 1e-3, o);
    double residual = 0.0;
    for (int k = 0; k < 1000; ++k) {
      run.step();
      *speed = std::max(*speed, largest(run.state.v));
      residual = std::max(
          residual, run.residual(o.index == Index::three ? &Evaluation::position : &Evaluation::velocity));
    }
    return residual;
  };
  double speed = 1.0;
  // The gap is quadratic in the last correction of 1e-10: what remains are units in the last place of 0.4 m.
  CHECK(worst({}, &speed) < 16.0 * epsilon * 0.4);
  Options o;
  o.index = Index::two;
  o.newton = Newton::exact;
  CHECK(worst(o, &speed) < 16.0 * epsilon * speed);
  // Quasi-Newton contracts linearly at index 2 and leaves its tolerance.
  o.newton = Newton::quasi;
  CHECK(worst(o, &speed) < o.engine.newton_tolerance * speed);
}

TEST_CASE("the energy error is bounded and of order 2: rho_inf = 1 at index 2, 0.95 at index 3") {
  const MultibodySystem pendulum(SimplePendulum().model()), top(HeavyTop().model());
  for (const MultibodySystem* system : {&pendulum, &top})
    for (const Index index : {Index::two, Index::three}) {
      Options o;
      o.index = index;
      o.rho_inf = index == Index::two ? 1.0 : 0.95;
      const bool is_top = system == &top;
      const double h = is_top ? 1e-3 : 1e-2;
      const int steps = is_top ? 2000 : 4000;
      const Halves coarse = energy_errors(*system, h, steps, o),
                   fine = energy_errors(*system, 0.5 * h, 2 * steps, o);
      CHECK(coarse.second < 1.02 * coarse.first);  // no drift over 20 swings, over 2 s of the top
      CHECK(fine.second < 1.02 * fine.first);
      CHECK(fine.second == catena_test::relative(0.25 * coarse.second, 0.05));
    }
}

TEST_CASE("index 3 with rho_inf = 1, where multipliers grow without bound, is refused in a sentence") {
  const MultibodySystem system(HeavyTop().model());
  Options o;
  o.rho_inf = 1.0;
  CHECK(GeneralizedAlpha(o).refuses(system).find("rho_inf") != std::string::npos);
  o.index = Index::two;
  CHECK(GeneralizedAlpha(o).refuses(system).empty());
  CHECK(GeneralizedAlpha().refuses(system).empty());
}

TEST_CASE("a stiff mode decays by rho_inf a step with 0.8 and keeps its size with 1") {
  Model model;
  const BodyId body = model.add(Body{.position = {{1e-3, 0.0, 0.0}}});
  model.add(StiffSpring{.bodies = {body}});
  const MultibodySystem system(std::move(model));
  // Largest deflection of the steps 91 ... 100 against 41 ... 50, at omega h = 100.
  const auto decay = [&](double rho_inf) {
    Options o;
    o.rho_inf = rho_inf;
    Run run(system, 1e-2, o);
    double early = 0.0, late = 0.0;
    for (int k = 1; k <= 100; ++k) {
      run.step();
      if (k > 40 && k <= 50) early = std::max(early, std::abs(run.state.q[0]));
      if (k > 90) late = std::max(late, std::abs(run.state.q[0]));
    }
    return late / early;
  };
  CHECK(decay(0.8) < 10.0 * std::pow(0.8, 50));  // roots that are nearly equal add a factor of steps
  CHECK(decay(1.0) > 0.5);
  CHECK(decay(1.0) < 2.5);
}

TEST_CASE("helix chain: energy is not gained with rho_inf = 0.8") {
  const MultibodySystem system(helix(10));
  const double scale = [&] {
    Run run(system, 1e-3);
    run.until(0.5);
    return system.energy(point_of(run.state)).kinetic;
  }();
  Run run(system, 1e-3);
  const double initial = run.energy();
  run.until(0.5);
  CHECK(run.energy() - initial < 1e-6 * scale);
  CHECK(std::abs(run.energy() - initial) < 1e-4 * scale);
}

TEST_CASE("a step allocates nothing after the first two") {
  const MultibodySystem system(helix(40));
  for (const Index index : {Index::three, Index::two})
    for (const Newton newton : {Newton::quasi, Newton::exact}) {
      Options o;
      o.index = index;
      o.newton = newton;
      Run run(system, 1e-3, o);
      run.steps(2);
      const long count = test::count_allocations([&] {
        for (int k = 0; k < 28; ++k) run.stepper.step(run.state, 1e-3);  // at the 17th it looks for a pole
      });
      CHECK(run.stepper.statistics().steps == 30);
      if (index == Index::three && newton == Newton::quasi)
        CHECK(run.stepper.statistics().factorizations >= 30 + 3);
      if (test::allocation_counting_works()) CHECK(count == 0);
    }
}

TEST_CASE("a copied state continues with the same bits in another stepper") {
  const MultibodySystem system(helix(40));
  for (const Newton newton : {Newton::quasi, Newton::exact}) {
    Options o;
    o.newton = newton;
    Run run(system, 1e-3, o);
    run.steps(30);
    State copy = run.state;
    GeneralizedAlpha other(o);
    REQUIRE(other.attach(system).status == Status::ok);
    for (int k = 0; k < 30; ++k) {
      run.step();
      REQUIRE(other.step(copy, 1e-3).status == Status::ok);
    }
    CHECK(catena_test::same_state(copy, run.state));
  }
}

TEST_CASE("interpolate ends at the states and is of order 3 or more between them") {
  const MultibodySystem system(HeavyTop().model());
  for (const Index index : {Index::three, Index::two}) {
    Options o;
    o.index = index;
    o.engine.newton_tolerance = 1e-12;
    const auto error = [&](double h) {
      const auto e = catena_test::interpolation_error<Run>(system, h, o);
      CHECK(e.begin.q < 2 * epsilon);
      CHECK(e.begin.v == 0.0);
      CHECK(e.end.q == 0.0);
      CHECK(e.end.v == 0.0);
      return e.middle;
    };
    const auto coarse = error(4e-4), fine = error(2e-4);
    CHECK(std::log2(coarse.q / fine.q) > 2.8);
    // Velocities of index 3 are off by h^2 of their own, which no interpolant mends.
    CHECK(std::log2(coarse.v / fine.v) > (index == Index::three ? 1.8 : 2.8));
  }
}

TEST_CASE("order 2 stays when the step alternates between h and h/2") {
  for (const bool top : {true, false}) {
    const MultibodySystem system(top ? HeavyTop().model() : helix(10));
    const double end = top ? 0.09 : 0.45;
    for (const Index index : {Index::three, Index::two}) {
      Options o;
      o.index = index;
      o.engine.newton_tolerance = 1e-12;
      const auto solution = [&](int pairs) {
        const double h = end / (1.5 * pairs);
        Run run(system, h, o);
        for (int k = 0; k < pairs; ++k) {
          run.step(h);
          run.step(0.5 * h);
        }
        Vector x = coordinates(system, run.state);
        x.insert(x.end(), run.state.v.begin(), run.state.v.end());
        return x;
      };
      const int pairs = top ? 300 : 120;
      const Vector a = solution(pairs), b = solution(2 * pairs), c = solution(4 * pairs);
      const double order = std::log2(distance(a, b) / distance(b, c));
      CHECK(order == catena_test::relative(2.0, 0.025));
    }
  }
}

}  // namespace generalized_alpha_behaviour_tests
