// Methods of fixed steps that choose them by a tolerance: what a run is wrong by, and that the steps follow the motion.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/solvers/runge_kutta_4.hpp>
#include <catena/system/coordinate_system.hpp>

#include "solvers/projected_steps.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

using namespace catena;
using namespace catena_test::projected;

namespace controlled_steps_tests {
namespace {

// A planet on an ellipse of eccentricity 0.6, G M = 1: it is four times as fast where it is nearest.
struct Orbit {
  static constexpr int coordinates = 2;
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return {{S(1.0), S(0.0), S(0.0), S(1.0)}};
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>& q, const Vec<S, 2>&, const S&) const {
    const S square = q[0] * q[0] + q[1] * q[1], cube = square * sqrt(square);
    return {{-q[0] / cube, -q[1] / cube}};
  }
};

State exact_at(const System& system, double end) {
  ExplicitOptions o;
  o.rtol_position = o.atol_position = o.rtol_velocity = o.atol_velocity = 1e-13;
  return run_to<Dop853>(system, o, end);
}

AlphaRattleOptions alpha_rattle(double tolerance, AlphaRattleOptions::Index index) {
  AlphaRattleOptions o;
  o.index = index;
  o.tolerance = tolerance;
  return o;
}

LieDaeOptions stabilized(double tolerance) {
  LieDaeOptions o;
  o.index = LieDaeOptions::Index::stabilized;
  o.engine.tolerance = tolerance;
  return o;
}

// What a run of `end` seconds is wrong by, in tolerances times seconds, in characteristic sizes.
template <class Method, class Options>
double achieved(const System& system, const Options& options, double tolerance, double end) {
  const State state = run_to<Method>(system, options, end), exact = exact_at(system, end);
  std::vector<double> d(state.v.size());
  system.difference(exact.q.data(), state.q.data(), d.data());
  double largest = 0.0;
  for (std::size_t k = 0; k < d.size(); ++k)
    largest = std::max(largest, std::abs(d[k]) / system.layout().scale[k]);
  return largest / (tolerance * end);
}

}  // namespace
}  // namespace controlled_steps_tests
using namespace controlled_steps_tests;

TEST_CASE("alpha_rattle is wrong by about its tolerance times the time") {
  using Index = AlphaRattleOptions::Index;
  const MultibodySystem top(HeavyTop().model()), helix(HelixChain({.n = 5}).model()),
      skate(KnifeEdgeProblem().model());
  for (const double tolerance : {1e-3, 1e-4}) {
    CAPTURE(tolerance);
    for (const auto& [system, end] :
         {std::pair<const System*, double>{&top, 1.0}, {&helix, 0.5}, {&skate, 2.0}})
      for (const Index index : {Index::three, Index::two}) {
        const double parts = achieved<AlphaRattle>(*system, alpha_rattle(tolerance, index), tolerance, end);
        CHECK(parts >= 0.05);
        CHECK(parts <= 10.0);
      }
  }
}

TEST_CASE("the stabilized form of lie_dae is wrong by about its tolerance times the time") {
  const MultibodySystem top(HeavyTop().model()), helix(HelixChain({.n = 5}).model());
  for (const double tolerance : {1e-3, 1e-4}) {
    CAPTURE(tolerance);
    for (const auto& [system, end] : {std::pair<const System*, double>{&top, 0.1}, {&helix, 0.5}}) {
      const double parts = achieved<LieDae>(*system, stabilized(tolerance), tolerance, end);
      CHECK(parts >= 0.05);
      CHECK(parts <= 10.0);
    }
  }
}

TEST_CASE("along a damper that dominates the inertia errors are seen, and fall with the tolerance") {
  // m x'' + c x' + k x = 0 with m = 1e-5, c = k = 10: behind 1e-6 s x = 0.5 e^(-t) beside the length at rest.
  Model model;
  model.gravity = Vec3::Zero();
  const BodyId body = model.add(Body{.name = "slider",
                                     .mass = 1e-5,
                                     .inertia = diagonal(Vec3{{1e-5, 1e-5, 1e-5}}),
                                     .position = Vec3{{1.0, 0.0, 0.0}}});
  model.add(joint_at<PrismaticJoint>(model, ground, body, {.axis = Vec3::Unit(0)}, "rail"));
  model.add(SpringDamper{
      .bodies = {ground, body}, .stiffness = 10.0, .damping = 10.0, .rest_length = 0.5, .name = "oil"});
  const MultibodySystem system(model);
  const double exact = 0.5 + 0.5 * std::exp(-2.0 * 0.999999);  // the slow root: -1 - 1e-6
  const auto error = [&](const State& state) { return std::abs(state.q[0] - exact); };
  for (const double tolerance : {1e-4, 1e-6}) {
    CAPTURE(tolerance);
    LieBdfOptions bdf;
    bdf.rtol_position = bdf.atol_position = bdf.rtol_velocity = bdf.atol_velocity = tolerance;
    CHECK(error(run_to<LieBdf>(system, bdf, 2.0)) < 20.0 * tolerance);
    GeneralizedAlphaOptions alpha;
    alpha.engine.tolerance = tolerance;
    CHECK(error(run_to<GeneralizedAlpha>(system, alpha, 2.0)) < 20.0 * tolerance);
    LieDaeOptions dae;
    dae.engine.tolerance = tolerance;
    CHECK(error(run_to<LieDae>(system, dae, 2.0)) < 20.0 * tolerance);
  }
}

TEST_CASE("runge_kutta_4 with a tolerance takes short steps where a planet is near, and comes back") {
  constexpr double eccentricity = 0.6, period = 6.283185307179586;
  const CoordinateSystem<Orbit> orbit(Orbit{}, {{1.0 - eccentricity, 0.0}},
                                      {{0.0, std::sqrt((1.0 + eccentricity) / (1.0 - eccentricity))}});
  double before = 0.0;
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    CAPTURE(tolerance);
    RungeKutta4Options options;
    options.tolerance = tolerance;
    RungeKutta4 stepper(options);
    CHECK(stepper.traits().chooses_step);
    State state = orbit.initial_state();
    const RunResult result = run(orbit, stepper, state, {.step = period, .end = period, .verdict = false});
    REQUIRE(result.status == Status::ok);
    CHECK(result.largest_step > 5.0 * result.smallest_step);
    const double error = distance(orbit, orbit.initial_state(), state);
    // The error of a step falls with h^5 and is estimated by one that falls with h^4: tolerances that are a hundred times
    // finer give errors that are 100^(4/4) smaller at least.
    CHECK(error <= 100.0 * tolerance);
    CHECK(error >= 0.05 * tolerance);
    if (before > 0.0) CHECK(error <= before / 50.0);
    before = error;
  }
}

TEST_CASE("without a tolerance these methods take the steps that they are given") {
  CHECK_FALSE(RungeKutta4().traits().chooses_step);
  CHECK_FALSE(AlphaRattle().traits().chooses_step);
  CHECK(AlphaRattle(alpha_rattle(1e-4, AlphaRattleOptions::Index::two)).traits().chooses_step);
}
