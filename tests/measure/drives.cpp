// Power and work of constraints that move by themselves, and the balance of energy of driven models.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace drives_tests {

using namespace catena;
using namespace catena::detail;

namespace {

constexpr double gravity = 9.81;

// Turns a body about y of the ground by u0 + u1 t + u2 t^2 / 2.
struct Crankshaft {
  static constexpr const char* type_name = "crankshaft";
  std::array<BodyId, 2> bodies;
  double rate = 0.0, acceleration = 0.0;
  std::string name = "shaft";
  auto made_of() const {
    return rows::list(
        rows::angle(Vec3::Unit(1), Vec3::Unit(0), Vec3::Unit(1), Vec3::Unit(0), {0.0, rate, acceleration}));
  }
};

// Lifts a body along z of the ground likewise.
struct Lift {
  static constexpr const char* type_name = "lift";
  std::array<BodyId, 2> bodies;
  double rate = 0.0, acceleration = 0.0;
  std::string name = "lift";
  auto made_of() const {
    return rows::list(
        rows::displacement(Vec3::Zero(), Vec3::Zero(), Vec3::Unit(2), {0.0, rate, acceleration}));
  }
};

// A user's: shakes a body along z, from `begin` on.
struct Shaker {
  static constexpr const char* type_name = "shaker";
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  double begin = 0.0;  // [s]
  std::string name = "shaker";
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S& t) const {
    using std::sin;
    const S late = t - S(begin);
    if (late < S(0.0)) return {{A.x[2]}};
    const S s = sin(S(6.0) * late);
    return {{A.x[2] - S(0.2) * s * s}};
  }
};

std::shared_ptr<const Model> shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

Body rod_of(double mass) {
  return Body{.name = "rod", .mass = mass, .inertia = 0.1 * Mat3::Identity(), .position = {{0.5, 0.0, 0.0}}};
}

// A rod of 2 kg, its centre 0.5 m from the pin, level at first.
std::shared_ptr<const Model> crank(double rate, double acceleration) {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  const BodyId rod = model.add(rod_of(2.0));
  model.add(RevoluteJoint{.bodies = {ground, rod},
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(1),
                          .name = "pin"});
  model.add(Crankshaft{.bodies = {ground, rod}, .rate = rate, .acceleration = acceleration});
  return shared(std::move(model));
}

std::shared_ptr<const Model> slider(double rate, double acceleration) {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  const BodyId load = model.add(Body{.name = "load", .mass = 3.0, .inertia = Mat3::Identity()});
  model.add(PrismaticJoint{.bodies = {ground, load}, .name = "guide"});
  model.add(Lift{.bodies = {ground, load}, .rate = rate, .acceleration = acceleration});
  return shared(std::move(model));
}

// A shaken carriage with a damped pendulum on it; `stiffness` [N/m] of a spring between them, 0: none.
std::shared_ptr<const Model> shaken(double begin, double stiffness = 0.0) {
  Model model;
  model.gravity = {{0.0, 0.0, -gravity}};
  const BodyId carriage = model.add(Body{.name = "carriage", .mass = 1.0, .inertia = Mat3::Identity()});
  const BodyId rod = model.add(rod_of(2.0));
  model.add(ConstantOrientationJoint{.bodies = {ground, carriage}, .name = "guide"});
  model.add(PointOnLineJoint{.bodies = {ground, carriage}, .name = "rail"});
  model.add(Shaker{.bodies = {carriage}, .begin = begin});
  model.add(RevoluteJoint{.bodies = {carriage, rod},
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(1),
                          .name = "pin"});
  model.add(SpringDamper{.bodies = {ground, rod},
                         .point_a = {{0.2, 0.0, -1.0}},
                         .point_b = {{0.3, 0.0, 0.0}},
                         .stiffness = stiffness,
                         .damping = 1.5,
                         .rest_length = 1.0,
                         .name = "damper"});
  return shared(std::move(model));
}

const Catalog& known() {
  static const Catalog catalog = builtin();
  return catalog;
}

Record result_of(std::shared_ptr<const Model> model, const std::string& stepper, double h, double end,
                 const std::string& record = "energy/total,forces,drives") {
  Scenario scenario{
      .model = std::move(model), .stepper = stepper, .step = h, .end = end, .every = 1, .record = record};
  if (stepper == "dormand_prince") scenario.option("control", "fixed");
  Record record_of_run = run(scenario, known());
  REQUIRE_MESSAGE(record_of_run.ok(), termination(record_of_run.report));
  return record_of_run;
}

std::vector<std::size_t> columns(const Table& table, const std::string& beginning) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].starts_with(beginning)) found.push_back(c);
  REQUIRE(!found.empty());
  return found;
}

// Largest |E - E(0) - work of forces - work of drives| over the run [J].
double imbalance(const Record& record) {
  const Table& table = record.table;
  const std::size_t energy = columns(table, "energy/total").front();
  std::vector<std::size_t> works = columns(table, "drives/work");
  for (const std::size_t c : columns(table, "forces/work")) works.push_back(c);
  double worst = 0.0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    double balance = table.at(row, energy) - table.at(0, energy);
    for (const std::size_t c : works) balance -= table.at(row, c);
    worst = std::max(worst, std::abs(balance));
  }
  return worst;
}

// Two coordinates, mass of the second depends on the first; a potential, a damper, a motor.
struct Arm {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "arm";
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>& q) const {
    return {{S(2.0), S(0.0), S(0.0), S(0.5) + q[0] * q[0]}};
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>& q, const Vec<S, 2>& v, const S& t) const {
    return {{q[0] * v[1] * v[1] - S(40.0) * (q[0] - S(1.0)) - S(0.8) * v[0],
             S(-2.0) * q[0] * v[0] * v[1] + S(3.0) + S(0.0) * t}};
  }
  template <class S>
  S potential(const Vec<S, 2>& q) const {
    return S(20.0) * (q[0] - S(1.0)) * (q[0] - S(1.0));
  }
};

struct Oscillator {
  static constexpr int coordinates = 1;
  static constexpr const char* name = "oscillator";
  double stiffness = 100.0, damping = 0.0;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(1.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>& q, const Vec<S, 1>& v, const S&) const {
    return {{-stiffness * q[0] - damping * v[0]}};
  }
  template <class S>
  S potential(const Vec<S, 1>& q) const {
    return S(0.5 * stiffness) * q[0] * q[0];
  }
};

int energy_remarks(const Record& record) {
  int count = 0;
  for (const Remark& remark : record.report.run.remarks) count += remark.key == RemarkKey::energy ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a crank at constant speed supplies the torque of gravity times its speed") {
  for (const double rate : {1.5, -2.0})
    for (const char* stepper :
         {"generalized_alpha", "lie_dae", "discrete_action", "dormand_prince", "alpha_rattle"}) {
      CAPTURE(stepper);
      CAPTURE(rate);
      const Record record = result_of(crank(rate, 0.0), stepper, 1e-3, 1.0, "drives");
      const Table& table = record.table;
      const std::size_t power = columns(table, "drives/power of joint \"shaft\"").front();
      const std::size_t work = columns(table, "drives/work of joint \"shaft\"").front();
      const bool half = std::string(stepper) == "discrete_action" || std::string(stepper) == "alpha_rattle";
      for (std::size_t row = 100; row < table.rows(); row += 100) {
        // Turned about y by phi the centre is at x = cos phi / 2, z = -sin phi / 2.
        const double phi = rate * table.at(row, 0);
        const double torque = -2.0 * gravity * 0.5 * std::cos(phi);
        // Multipliers of half steps belong to half a step before.
        CHECK(std::abs(table.at(row, power) - torque * rate) < (half ? 2e-2 : 1e-4));
        CHECK(std::abs(table.at(row, work) + 2.0 * gravity * 0.5 * std::sin(phi)) < 1e-4);
      }
    }
}

TEST_CASE("a slider supplies m (g + a) times its speed, joints that do not move supply nothing") {
  const Record record = result_of(slider(0.5, 1.5), "generalized_alpha", 1e-3, 1.0, "drives");
  const Table& table = record.table;
  const std::size_t power = columns(table, "drives/power of joint \"lift\"").front();
  const std::size_t idle = columns(table, "drives/power of joint \"guide\"").front();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double t = table.at(row, 0);
    CHECK(table.at(row, power) == doctest::Approx(3.0 * (gravity + 1.5) * (0.5 + 1.5 * t)).epsilon(1e-6));
    CHECK(table.at(row, idle) == 0.0);
  }
}

TEST_CASE("energy minus the work of forces and drives is constant to the order of the method") {
  struct Method {
    const char* stepper;
    double h, order;
  };
  for (const Method& method : {Method{"generalized_alpha", 4e-3, 2.0}, Method{"lie_dae", 4e-3, 2.0},
                               Method{"alpha_rattle", 4e-3, 2.0}, Method{"discrete_action", 4e-3, 2.0},
                               Method{"dormand_prince", 4e-2, 4.0}}) {
    const double wide = imbalance(result_of(shaken(0.0), method.stepper, method.h, 1.6));
    const double fine = imbalance(result_of(shaken(0.0), method.stepper, 0.5 * method.h, 1.6));
    CAPTURE(method.stepper);
    CAPTURE(wide);
    CAPTURE(fine);
    CHECK(std::log2(wide / fine) > method.order - 0.25);
    CHECK(wide < 0.1);  // of some 15 J
  }
}

TEST_CASE(
    "the balance of driven models is assessed: work of drives is no error, what the steps lose is one") {
  for (const double begin : {0.0, 0.5})
    for (const char* stepper :
         {"generalized_alpha", "lie_dae", "discrete_action", "dormand_prince", "alpha_rattle"}) {
      CAPTURE(stepper);
      CAPTURE(begin);
      const Record good = result_of(shaken(begin), stepper, 2e-3, 2.0, "energy");
      const MonitorResult& seen = good.report.monitor;
      CHECK(std::abs(seen.energy_final.total() - seen.energy_initial.total()) > 1.0);  // work was done
      CHECK(seen.energy_error.value < 0.1);
      CHECK(energy_remarks(good) == 0);
    }
  const Record lost = result_of(shaken(0.5, 3e4), "lie_dae", 1e-2, 2.0, "energy");
  CHECK(energy_remarks(lost) == 1);
}

TEST_CASE(
    "power, of systems in their own coordinates: the rate of the energy beside potential and constraints") {
  const CoordinateSystem<Arm> system({}, {{1.2, 0.0}}, {{0.7, 1.9}});
  const State state = system.initial_state();
  // The damper and the motor alone.
  CHECK(system.power(point_of(state)).value() ==
        doctest::Approx(-0.8 * 0.7 * 0.7 + 3.0 * 1.9).epsilon(1e-14));
}

TEST_CASE("the balance of a system in its own coordinates is assessed where it states its power") {
  const auto remarks = [](double stiffness, double damping, double h) {
    const CoordinateSystem<Oscillator> system({stiffness, damping}, {{1.0}}, {{0.3}});
    const auto stepper = known().stepper("generalized_alpha").setup()->make({}, {});
    State state = system.initial_state();
    const RunResult result = run(system, *stepper, state, {.step = h, .end = 1.0});
    REQUIRE(result.status == Status::ok);
    int count = 0;
    for (const Remark& remark : result.remarks) count += remark.key == RemarkKey::energy ? 1 : 0;
    return count;
  };
  CHECK(remarks(100.0, 0.0, 1e-3) == 0);
  CHECK(remarks(100.0, 4.0, 1e-3) == 0);
  CHECK(remarks(1e8, 0.0, 1e-2) == 1);
}

// With the steps of another method, but without its multipliers.
struct WithoutMultipliers final : GeneralizedAlpha {
  const Traits& traits() const override {
    without_ = GeneralizedAlpha::traits();
    without_.order_lambda = 0;
    return without_;
  }

 private:
  mutable Traits without_;
};

TEST_CASE("a stepper that computes no multipliers leaves the balance of driven models open") {
  const MultibodySystem system(*slider(0.5, 1.5));
  for (const bool multipliers : {false, true}) {
    Monitor monitor;
    RunVerdict verdict(monitor);
    monitor.begin(system);
    verdict.begin(system);
    GeneralizedAlpha all;
    WithoutMultipliers none;
    Stepper& stepper = multipliers ? static_cast<Stepper&>(all) : none;
    State state = system.initial_state(), before = state;
    for (int n = 0; n <= 1000; ++n) {
      before = state;
      state.t = 1e-3 * n;
      state.q[2] = 0.5 * state.t + 0.75 * state.t * state.t;
      state.v[2] = 0.5 + 1.5 * state.t;
      // Of the lift, behind five of the guide; two and a half times what the motion needs.
      state.lambda.back() = multipliers ? -2.5 * 3.0 * (gravity + 1.5) : 0.0;
      if (n > 0) monitor.step({before, state, stepper});
      monitor.observe(state);
      REQUIRE(verdict.observe(state));
    }
    RunResult result;
    result.t_end = 1.0;
    const auto remarks = verdict.remarks(state, result, {}, {});
    int count = 0;
    for (const Remark& remark : remarks) count += remark.key == RemarkKey::energy ? 1 : 0;
    CHECK(count == (multipliers ? 1 : 0));
    CHECK(monitor.result().work_known == (multipliers ? WorkKnown::yes : WorkKnown::no_multipliers));
    CHECK(std::isnan(monitor.result().energy_error_max()) == !multipliers);
  }
}

TEST_CASE("a drive that needs no multipliers has a known balance with methods that compute them") {
  Model model;
  const BodyId wheel = model.add(Body{.name = "wheel", .angular_velocity = {{0.0, 0.0, 3.0}}});
  const ConstraintId axle = model.add(RevoluteJoint{.bodies = {ground, wheel}, .name = "axle"});
  model.add(JointDrive{.joint = axle, .target = functions::Polynomial{{0.0, 3.0}}, .name = "motor"});
  for (const char* name : {"dop853", "dormand_prince", "rattle", "generalized_alpha"}) {
    CAPTURE(name);
    const Record record = run(
        {.model = std::make_shared<const Model>(model), .stepper = name, .step = 0.01, .end = 0.1}, known());
    REQUIRE(record.ok());
    CHECK(record.report.monitor.work_known == WorkKnown::yes);
  }
}

TEST_CASE(
    "corners of a rate on the grid and between steps that a method chooses leave the balance at the error of "
    "the motion") {
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  const BodyId arm = model.add(Body{
      .name = "arm", .mass = 2.0, .inertia = diagonal(Vec3{{0.1, 0.1, 0.2}}), .position = {{0.4, 0.0, 0.0}}});
  const ConstraintId pin =
      model.add(joint_at<RevoluteJoint>(model, ground, arm, {.point = Vec3::Zero()}, "pin"));
  model.add(JointDrive{.joint = pin,
                       .rate = true,
                       .target = functions::Table{.x = {0.0, 0.2, 0.5, 0.8, 1.0},
                                                  .y = {0.0, 3.0, 3.0, -1.0, 0.0},
                                                  .spline = functions::Spline::linear},
                       .name = "motor"});
  const auto error = [&](const char* name, double step, bool fixed, double tolerance = 0.0) {
    Scenario scenario{
        .model = std::make_shared<const Model>(model), .stepper = name, .step = step, .end = 1.0};
    if (fixed) scenario.options = {{"control", "fixed"}};
    if (tolerance > 0.0) scenario.tolerance = tolerance;
    const Record record = run(scenario, known());
    REQUIRE_MESSAGE(record.ok(), termination(record.report));
    return record.report.monitor.energy_error_max();
  };
  CHECK(error("radau", 0.05, false, 1e-9) < 2e-6);
  CHECK(error("dop853", 0.05, false, 1e-9) < 2e-6);
  CHECK(error("radau", 0.01, true) < 1e-6);
  CHECK(error("dormand_prince", 0.01, true) < 1e-6);
}

TEST_CASE("a driven run in two parts has the verdict and the files of the run without a break") {
  const catena_test::TemporaryFolder folder;
  for (const double stiffness : {0.0, 3e4}) {
    CAPTURE(stiffness);
    const std::string name = stiffness > 0.0 ? "stiff" : "soft";
    const auto part = [&](const std::string& output, double end, bool resume) {
      return run(
          {.model = shaken(0.3, stiffness),
           .stepper = "lie_dae",
           .step = 0.0078125,
           .end = end,
           .every = 4,
           .record = "energy,drives,forces"},
          known(),
          {.settings = {.output = (folder.path() / output).string(), .format = "csv"}, .resume = resume});
    };
    const Record whole = part(name + "_whole", 2.0, false);
    REQUIRE(part(name + "_parts", 0.75, false).ok());
    const Record rest = part(name + "_parts", 2.0, true);
    REQUIRE(rest.report.run.resumes == 1);
    CHECK(energy_remarks(whole) == (stiffness > 0.0 ? 1 : 0));
    REQUIRE(rest.report.run.remarks.size() == whole.report.run.remarks.size());
    for (std::size_t k = 0; k < rest.report.run.remarks.size(); ++k)
      CHECK(rest.report.run.remarks[k].text == whole.report.run.remarks[k].text);
    for (const char* file : {"scalars.csv", "constraints.csv", "forces.csv"}) {
      CAPTURE(file);
      CHECK((catena_test::file_text(folder.path() / (name + "_whole") / file) ==
             catena_test::file_text(folder.path() / (name + "_parts") / file)));
    }
  }
}

}  // namespace drives_tests
