// Rows that jump within a step end a run of dormand_prince, with the joint and the time.
#include <catena/math/rotation.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/system/coordinate_system.hpp>

#include "solvers/dormand_prince_support.hpp"

namespace dormand_prince_jump_tests {

using namespace catena::detail;

using namespace catena_test::explicit_rk;

namespace {

// A disc that leans at 45 degrees and rolls without slip, from rest: it falls flat about the point in contact, and
// there that point is undefined.
constexpr double lean = 0.25 * M_PI;
Model falling_disc(double heading) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const Vec3 about = {{lean * std::cos(heading), lean * std::sin(heading), 0.0}};
  const BodyId disc = model.add(Body{.name = "disc",
                                     .mass = 1.0,
                                     .inertia = diagonal(Vec3{{0.25, 0.25, 0.5}}),
                                     .position = {{0.0, 0.0, std::sin(lean)}},
                                     .orientation = exponential(about)});
  RollingDisc rolling{.bodies = {disc}};
  model.add(contact_of(rolling));
  model.add(rolling);
  return model;
}

// J phi'^2 / 2 = m g r (sin 45 deg - sin phi), J = 5/4 m r^2 about the point in contact; with phi = lean - u^2 the
// integrand is smooth. The midpoint rule with 1e4 points errs by 1e-9.
double time_of_fall() {
  constexpr int points = 10000;
  const double du = std::sqrt(lean) / points;
  double t = 0.0;
  for (int k = 0; k < points; ++k) {
    const double u = (k + 0.5) * du;
    t += 2.0 * u * du / std::sqrt(2.0 * 9.81 / 1.25 * (std::sin(lean) - std::sin(lean - u * u)));
  }
  return t;
}

RunResult fall(const DormandPrinceOptions& options, double h, double heading) {
  const MultibodySystem system(falling_disc(heading));
  DormandPrince stepper(options);
  State state = system.initial_state();
  return run(system, stepper, state, {.step = h, .end = 1.0});
}

RunResult drive(const DormandPrinceOptions& options, double h, double slope) {
  CoordinateSystem<Road> system{Road{slope}};
  DormandPrince stepper(options);
  State state = system.initial_state();
  state.v = {1.0, 0.0};
  return run(system, stepper, state, {.step = h, .end = 2.0});
}

}  // namespace

TEST_CASE("a disc that falls flat ends the run there, with the joint, for fixed steps") {
  const double end = time_of_fall();
  CHECK(std::abs(end - 0.50664) <= 5e-6);
  for (const double heading : {0.0, 0.7})
    for (const double h : {5e-2, 1e-2, 1e-3}) {
      const RunResult result = fall(fixed_step(), h, heading);
      CHECK(result.status == Status::step_too_small);
      CHECK(result.cause == Status::singular_kkt);
      CHECK(result.culprit.name.rfind("joint", 0) == 0);
      CHECK(result.culprit.quantity.find("rows jump within a step from t = 0.5066") == 0);
      CHECK(result.culprit.value > 0.05);
      // Steps are cut to h/1024; one that misses the place by 5 % of itself passes.
      CHECK(std::abs(result.t_end - end) <= h / 1024 + 0.05 * h);
    }
}

TEST_CASE("a disc that falls flat ends the run there with control of the step too, without crawling") {
  const double end = time_of_fall();
  for (const double heading : {0.0, 0.7})
    for (const double tol : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const RunResult result = fall(tolerance(tol), 1e-2, heading);
      CHECK(result.status == Status::step_too_small);
      // The joint; or where roundoff turns the disc about the vertical the body, which the contact whirls at omega/s.
      const bool jumps = result.cause == Status::singular_kkt;
      const bool flat = result.message.find("the disc lies parallel to its plane") != std::string::npos;
      CHECK(result.culprit.name.rfind(jumps || flat ? "joint" : "body \"disc\"", 0) == 0);
      CHECK((jumps || flat || tol <= 1e-12));
      CHECK(std::abs(result.t_end - end) <= tol + 1e-9);  // at 3.3 rad/s
      CHECK(result.steps + result.rejected <= 500);
    }
}

TEST_CASE("velocities that rows would turn at once end the run, named; fixed steps let 5 % pass") {
  for (const DormandPrinceOptions& options : {fixed_step(), tolerance(1e-8)}) {
    const RunResult result = drive(options, 1e-2, 0.5);
    CHECK(result.status == Status::step_too_small);
    CHECK(result.culprit.name == "\"road\" of \"point\"");
    CHECK(result.culprit.quantity.find("rows jump") == 0);
    CHECK(std::abs(result.t_end - 1.0) <= 1.01 * 1e-2 / 1024);
  }
  CHECK(drive(fixed_step(), 1e-2, 1e-3).status == Status::ok);
  const RunResult result = drive(tolerance(1e-8), 1e-2, 1e-3);
  CHECK(result.status == Status::step_too_small);
  CHECK(result.culprit.name == "\"road\" of \"point\"");
  CHECK(result.culprit.quantity.find("rows jump") == 0);
  CHECK(std::abs(result.t_end - 1.0) <= 1e-8);
}

}  // namespace dormand_prince_jump_tests
