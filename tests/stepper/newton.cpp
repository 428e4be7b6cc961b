// NewtonMonitor: when an iteration has converged, wants another matrix, or has failed, and which row it names.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>
#include <catena/stepper/parts/newton.hpp>

#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

namespace {

using namespace catena;
using namespace catena::detail;
using Verdict = NewtonMonitor::Verdict;

IterateResiduals residuals(double balance, double position) {
  IterateResiduals r;
  r.balance = {balance};
  r.work = balance;  // of a body of 1 m
  r.position = position;
  r.inertia = {0.0};
  return r;
}

// Two coordinates of scale 1 m and one multiplier of 10 N; corrections and residuals as given.
struct Iteration {
  explicit Iteration(NewtonOptions options = {}, double contraction = 1e-5) {
    monitor.attach(system);
    monitor.begin_step(options, contraction);
  }
  Verdict operator()(double dx, double dlambda, const IterateResiduals& before = residuals(1.0, 1.0),
                     bool fresh = true) {
    delta[1] = dx;
    delta[2] = dlambda;
    return monitor.observe(delta, 1.0, q, v, lambda, before, fresh);
  }
  catena_test::ToyPendulum system;
  NewtonMonitor monitor;
  double delta[3] = {};
  double q[2] = {0.0, -1.0}, v[2] = {0.0, 0.0}, lambda[1] = {10.0};
};

}  // namespace

TEST_CASE("converged when the largest scaled correction is within tolerance") {
  CHECK(Iteration()(0.9e-10, 0.0) == Verdict::converged);
  CHECK(Iteration()(1.1e-10, 0.0) == Verdict::iterate);
  CHECK(Iteration()(0.0, 0.9e-9) == Verdict::converged);  // against lambda = 10
  CHECK(Iteration()(0.0, 1.1e-9) == Verdict::iterate);
}

namespace {

using Contractions = NewtonMonitor::Contractions;

// The first correction of a step of 1 m/s, by contractions of the steps before. v changes by 1e-6 of what q does, so that
// 5.55e-11 m of q are its roundoff.
Verdict first_of(double dx, double dlambda, const Contractions& known,
                 const NewtonOptions& options = {.foresee = true}, bool fresh = true) {
  Iteration it(options);
  it.v[0] = 1.0;
  it.monitor.foresee(known, 1e-6);
  return it(dx, dlambda, residuals(1.0, 1.0), fresh);
}

}  // namespace

TEST_CASE("a single correction ends a step where nothing is foreseen to remain") {
  // Of a correction of the multiplier, 10 N, what remains is 1e-5 of it, and has to be 1e-10 N.
  CHECK(first_of(0.0, 0.99e-5, {1e-9, 1e-5}) == Verdict::converged);
  CHECK(first_of(0.0, 1.01e-5, {1e-9, 1e-5}) == Verdict::iterate);
  CHECK(first_of(0.0, 0.99e-4, {1e-9, 1e-6}) == Verdict::converged);
  // Of q a quarter of a unit in the last place of the velocities.
  CHECK(first_of(0.9e-9, 0.0, {0.057, 1e-9}) == Verdict::converged);
  CHECK(first_of(0.9e-9, 0.0, {0.059, 1e-9}) == Verdict::iterate);
  // Ten tolerances of q at most.
  CHECK(first_of(0.99e-9, 0.0, {1e-9, 1e-9}) == Verdict::converged);
  CHECK(first_of(1.01e-9, 0.0, {1e-9, 1e-9}) == Verdict::iterate);
  // Nothing is foreseen without the option, contractions, or a matrix of this iterate.
  CHECK(first_of(0.5e-9, 0.0, {1e-9, 1e-9}, {}) == Verdict::iterate);
  CHECK(first_of(0.5e-9, 0.0, {}) == Verdict::iterate);
  CHECK(first_of(0.5e-9, 0.0, {1e-9, 1e-9}, {.foresee = true}, false) == Verdict::iterate);
  CHECK(first_of(0.5e-9, 0.0, {1e-9, 1e-9}, {.extrapolate = false, .foresee = true}) == Verdict::iterate);
  // A correction within tolerance may leave what adds up.
  CHECK(first_of(0.99e-10, 0.0, {0.3, 1e-9}) == Verdict::converged);
  CHECK(first_of(0.99e-10, 0.0, {0.4, 1e-9}) == Verdict::iterate);
  CHECK(first_of(0.0, 0.0, {}) == Verdict::converged);
}

TEST_CASE("contractions that steps foresee and do not measure age, those that are measured are kept") {
  const NewtonOptions foresee{.foresee = true};
  const auto aged = [](const Contractions& known, const NewtonOptions& options) {
    Iteration it(options);
    it.v[0] = 1.0;
    it.monitor.foresee(known, 1e-6);
    CHECK(it(0.5e-9, 0.0) == Verdict::converged);
    return it.monitor.foreseen();
  };
  CHECK(aged({1e-3, 2e-5}, foresee).of_q == doctest::Approx(1.1e-3).epsilon(1e-12));
  CHECK(aged({1e-3, 2e-5}, foresee).of_lambda == doctest::Approx(2.2e-5).epsilon(1e-12));
  CHECK(aged({0.0099, 1e-9}, {.foresee = true, .slow = 0.01}).of_q == 0.01);

  // The larger one of the two, where rows are none of roundoff; a third of the one before at least.
  const auto measured = [&](double dx, double dlambda, const Contractions& before) {
    Iteration it(foresee);
    it.monitor.foresee(before, 1e-6);
    CHECK(it(1e-6, 1e-2) == Verdict::iterate);  // 10 N: 1e-3
    it(dx, dlambda);
    return it.monitor.foreseen();
  };
  CHECK(measured(1e-9, 1e-4, {1e-4, 1e-4}).of_q == doctest::Approx(1e-2).epsilon(1e-9));
  CHECK(measured(1e-9, 1e-4, {1e-4, 1e-4}).of_lambda == doctest::Approx(1e-2).epsilon(1e-9));
  CHECK(measured(1e-8, 1e-6, {1e-4, 1e-4}).of_lambda == doctest::Approx(1e-2).epsilon(1e-9));
  CHECK(measured(1e-15, 1e-14, {1e-4, 1e-5}).of_q == doctest::Approx(3e-5).epsilon(1e-9));
  CHECK(measured(1e-15, 1e-14, {1e-4, 1e-5}).of_lambda == doctest::Approx(3e-6).epsilon(1e-9));
  CHECK(measured(1e-15, 1e-14, {}).of_q == doctest::Approx(0.03).epsilon(1e-9));  // of slow = 0.1
  CHECK(measured(2e-6, 1e-2, {1e-4, 1e-4}).of_q == 1.0);
}

TEST_CASE("where rows are roundoff, multipliers contract as the balance does, and q that moves by roundoff") {
  const auto measured = [](double dx, double dlambda, double balance) {
    Iteration it({.foresee = true});
    it.monitor.foresee({1e-12, 1e-12}, 1e-6);
    CHECK(it(1e-7, 1e-3, residuals(1e-2, 1e-8)) == Verdict::iterate);  // multipliers: 1e-4 of 10 N
    it(dx, dlambda, residuals(balance, 0.0));
    return it.monitor.foreseen();
  };
  CHECK(measured(1e-11, 1e-6, 2e-6).of_q == doctest::Approx(1e-4).epsilon(1e-9));
  CHECK(measured(1e-11, 1e-6, 2e-6).of_lambda == doctest::Approx(2e-4).epsilon(1e-9));  // 1e-3 by themselves
  CHECK(measured(1e-11, 1e-8, 2e-6).of_lambda == doctest::Approx(1e-5).epsilon(1e-9));
  // Four units in the last place of 1 m are 0.89e-15, of 10 N 0.89e-14.
  CHECK(measured(0.8e-15, 1e-6, 2e-6).of_q == doctest::Approx(2e-4).epsilon(1e-9));
  CHECK(measured(1.2e-15, 1e-6, 2e-6).of_q == doctest::Approx(1.2e-8).epsilon(1e-9));
  CHECK(measured(0.8e-15, 1e-6, 0.8e-14).of_q == doctest::Approx(3e-13).epsilon(1e-9));
  CHECK(measured(0.8e-15, 1e-6, 1.0e-14).of_q == doctest::Approx(1e-12).epsilon(1e-9));
}

TEST_CASE("corrections count by the size of the body, by 1 rad, and by the largest multiplier") {
  // Radii of gyration about the mean axis: (tr J / 2 m)^(1/2), of these two 0.01 m and 20 m.
  Model model;
  const double gyration[2] = {0.01, 20.0};
  for (const double r : gyration) {
    const double mass = 3.0, moment = 2.0 * mass * r * r;
    model.add(SphericalJoint{
        .bodies = {ground,
                   model.add(Body{.mass = mass, .inertia = diagonal(moment * Vec3{{0.4, 0.35, 0.25}})})}});
  }
  const MultibodySystem system(std::move(model));
  const State state = system.initial_state();
  const double lambda[6] = {0.0, -3.0, 0.0, 0.0, 50.0, 0.0};
  const auto verdict = [&](std::size_t component, double size) {
    NewtonMonitor monitor;
    monitor.attach(system);
    monitor.begin_step({});
    IterateResiduals before;
    before.balance = {1.0, 1.0};
    before.inertia = {0.0, 0.0};
    before.position = 1.0;
    double delta[18] = {};
    delta[component] = size;
    return monitor.observe(delta, 1.0, state.q.data(), state.v.data(), lambda, before, true);
  };
  for (std::size_t k = 0; k < 18; ++k) {
    CAPTURE(k);
    const double s = k >= 12 ? 50.0 : k % 6 >= 3 ? 1.0 : gyration[k / 6];  // [N], [rad], [m]
    CHECK(verdict(k, 0.99e-10 * s) == Verdict::converged);
    CHECK(verdict(k, -1.01e-10 * s) == Verdict::iterate);
  }
}

TEST_CASE("a contracting correction counts as what remains after it") {
  Iteration fast;
  CHECK(fast(1e-3, 0.0) == Verdict::iterate);
  CHECK(fast(1e-7, 0.0) == Verdict::converged);  // theta = 1e-4: 1e-11 remains
  Iteration slow;
  CHECK(slow(1e-6, 0.0) == Verdict::iterate);
  CHECK(slow(1e-8, 0.0) == Verdict::iterate);  // theta = 1e-2: 1e-10 and a little more
}

TEST_CASE("one small ratio of two corrections is no contraction") {
  // Corrections of a simple pendulum at index 1, in steps of 0.1 s: 0.28, then 4e-6, where all steps before contracted
  // by 0.05 in each iteration. 0.05 of 4e-6 remain, 2000 tolerances.
  Iteration accident({}, 0.05);
  CHECK(accident(0.28, 0.0) == Verdict::iterate);
  CHECK(accident(4e-6, 0.0) == Verdict::iterate);
  CHECK(accident.monitor.contraction() == doctest::Approx(0.3 * 0.05));
  CHECK(accident(2e-7, 0.0) == Verdict::iterate);
  CHECK(accident.monitor.contraction() == doctest::Approx(0.05));

  // A faster iteration is believed step by step: 0.3 of the last contraction.
  double carried = 0.05;
  for (int step = 0; step < 8; ++step) {
    Iteration steady({}, carried);
    CHECK(steady(1e-3, 0.0) == Verdict::iterate);
    steady(1e-9, 0.0);
    CHECK(steady.monitor.contraction() == doctest::Approx(std::max(1e-6, 0.3 * carried)));
    carried = steady.monitor.contraction();
  }

  // Nothing is known: as slow as an iteration may be before its matrix is made anew.
  Iteration first({}, 0.0);
  CHECK(first(1e-3, 0.0) == Verdict::iterate);
  CHECK(first(4e-9, 0.0) == Verdict::iterate);  // 0.03 of it is above 1e-10
  Iteration near({}, 0.0);
  CHECK(near(1e-3, 0.0) == Verdict::iterate);
  CHECK(near(3e-9, 0.0) == Verdict::converged);
  // Slower than that is noise, or a matrix that is no longer in use.
  Iteration noise({}, 0.9);
  CHECK(noise(1e-3, 0.0) == Verdict::iterate);
  CHECK(noise(3e-9, 0.0) == Verdict::converged);
}

TEST_CASE("rows of a rail are roundoff beside the way that it has gone, and those of a ball joint are not") {
  Model model;
  const auto add = [&](const Vec3& at) {
    return model.add(Body{.inertia = 0.02 * Mat3::Identity(), .position = at});
  };
  const BodyId bob = add({{0.5, 0.0, 0.0}}), sled = add({{0.0, 0.0, 0.0}});
  model.add(SphericalJoint{.bodies = {ground, bob}, .point_b = {{-0.5, 0.0, 0.0}}});
  model.add(PointOnLineJoint{.bodies = {ground, sled}, .axis_a = {{0.6, 0.0, -0.8}}});
  const MultibodySystem system(std::move(model));
  REQUIRE(system.layout().open_rows.size() == 1);
  State state = system.initial_state();
  const double lambda[5] = {1.0, 1.0, 1.0, 1.0, 1.0};
  const auto verdict = [&](double rail, double ball) {
    NewtonMonitor monitor;
    monitor.attach(system);
    monitor.begin_step({});
    IterateResiduals before;
    before.balance = before.inertia = {0.0, 0.0};
    before.open = {rail};
    before.position = ball;
    double delta[17] = {};
    delta[0] = 1e-8;
    return monitor.observe(delta, 1.0, state.q.data(), state.v.data(), lambda, before, true);
  };
  const double noise = 2e-13;  // eps times a kilometre, about
  CHECK(verdict(noise, 0.0) == Verdict::iterate);
  state.q[7] = 600.0;
  state.q[9] = -800.0;
  CHECK(verdict(noise, 0.0) == Verdict::converged);
  CHECK(verdict(20.0 * noise, 0.0) == Verdict::iterate);  // it is open
  CHECK(verdict(noise, noise) == Verdict::iterate);
}

TEST_CASE("residuals at roundoff end the iteration, and multipliers that follow the noise of the rows") {
  const double eps = std::numeric_limits<double>::epsilon();
  CHECK(Iteration()(1e-9, 0.0, residuals(10.0 * eps, eps)) == Verdict::converged);
  CHECK(Iteration()(1e-9, 0.0, residuals(10.0 * eps, 8.0 * eps)) == Verdict::iterate);  // the gap is not
  CHECK(Iteration()(1e-9, 0.0, residuals(1e-12, eps)) == Verdict::iterate);             // the balance is not
  // q does not change, lambda moves by 1e-6 of itself, the balance is within 1e-10 of lambda
  CHECK(Iteration()(1e-12, 1e-5, residuals(1e-10, eps)) == Verdict::converged);
  // ... or a hundredth of how lambda moves on and on
  Iteration noise;
  CHECK(noise(1e-12, 1e-5, residuals(1e-7, eps)) == Verdict::iterate);
  CHECK(noise(1e-12, 0.9e-5, residuals(0.8e-7, eps)) == Verdict::converged);
  Iteration balance;
  CHECK(balance(1e-12, 1e-5, residuals(1e-5, eps)) == Verdict::iterate);
  CHECK(balance(1e-12, 0.9e-5, residuals(1e-5, eps)) != Verdict::converged);
}

TEST_CASE("slow contraction asks for a new matrix, unless this one is new") {
  Iteration kept;
  CHECK(kept(1e-3, 0.0, residuals(1.0, 1.0), false) == Verdict::iterate);
  CHECK(kept(0.5e-3, 0.0, residuals(1.0, 1.0), false) == Verdict::refresh);
  Iteration fresh;
  CHECK(fresh(1e-3, 0.0) == Verdict::iterate);
  CHECK(fresh(0.5e-3, 0.0, residuals(1.0, 1.0), true) == Verdict::iterate);
  Iteration every({1e-10, 12, JacobianUpdate::every_iteration});
  CHECK(every(1e-3, 0.0) == Verdict::refresh);
}

TEST_CASE("fails after the last iteration, on growth, and at once on what is not a number") {
  Iteration few({1e-10, 3, JacobianUpdate::every_step});
  CHECK(few(1e-2, 0.0) == Verdict::iterate);
  CHECK(few(0.5e-2, 0.0) == Verdict::iterate);
  CHECK(few(0.25e-2, 0.0) == Verdict::failed);
  CHECK(few.monitor.iterations() == 3);
  CHECK(few.monitor.worst_component(few.delta) == 1);
  CHECK(few.monitor.correction() == 0.25e-2);

  Iteration growing;
  for (const double x : {1e-3, 3e-3, 9e-3}) CHECK(growing(x, 0.0) == Verdict::iterate);
  CHECK(growing(27e-3, 0.0) == Verdict::failed);

  Iteration nan;
  CHECK(nan(0.0, std::nan("")) == Verdict::failed);
  CHECK(nan.monitor.worst_component(nan.delta) == 2);
  CHECK(std::isnan(nan.monitor.correction()));
}

TEST_CASE("a balance is assessed by the forces on its own body, not by the largest of the system") {
  Model model;
  for (const char* name : {"light", "heavy"}) {
    const BodyId body = model.add(Body{.name = name});
    model.add(SphericalJoint{.bodies = {ground, body}});
  }
  const MultibodySystem system(std::move(model));
  const State state = system.initial_state();
  const double lambda[6] = {1.0, 0.0, 0.0, 1e8, 0.0, 0.0};
  const auto verdict = [&](double balance_of_light, double inertia_of_light) {
    NewtonMonitor monitor;
    monitor.attach(system);
    monitor.begin_step({});
    IterateResiduals before;
    before.balance = {balance_of_light, 1e-7};  // 64 units in the last place of 1e8 are 1.4e-6
    before.inertia = {inertia_of_light, 0.0};
    double delta[18] = {1e-9};
    return monitor.observe(delta, 1.0, state.q.data(), state.v.data(), lambda, before, true);
  };
  CHECK(verdict(1e-14, 0.0) == Verdict::converged);
  CHECK(verdict(1e-7, 0.0) == Verdict::iterate);
  CHECK(verdict(1e-7, 1e8) == Verdict::converged);  // what inertia over h^2 makes of a unit in the last place
}
