// The verdict on a run: what is to be said against a result that did not fail.
#include <catena/assembly/multibody_system.hpp>
#include <catena/builtin/builtin.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/measure/detail/oscillation.hpp>
#include <catena/measure/detail/verdict.hpp>
#include <catena/measure/detail/work_meter.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/stepper/simple_stepper.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace verdict_tests {

using namespace catena;
using namespace catena::detail;

namespace {

const Mat3 round_inertia = Mat3::Identity();

std::shared_ptr<const Model> shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

Body ball(const char* name, const Vec3& position) {
  return Body{.name = name, .mass = 1.0, .inertia = round_inertia, .position = position};
}

// A mass of 1 kg on a spring of `stiffness`, a tenth too long for it.
std::shared_ptr<const Model> mass_on_spring(double stiffness) {
  Model model;
  Body mass = ball("mass", {{1.0, 0.0, 0.0}});
  mass.velocity = {{0.0, 1.0, 0.0}};
  const BodyId id = model.add(mass);
  model.add(
      SpringDamper{.bodies = {ground, id}, .stiffness = stiffness, .rest_length = 0.9, .name = "spring"});
  return shared(std::move(model));
}

std::shared_ptr<const Model> spinning(const Vec3& omega) {
  Model model;
  model.add(ball("slow", Vec3::Zero()));
  Body top = ball("top", {{1.0, 0.0, 0.0}});
  top.inertia = diagonal(Vec3{{1.0, 2.0, 2.5}});
  top.angular_velocity = omega;
  model.add(top);
  return shared(std::move(model));
}

// A rod on a pin that is turned by a torque, or slowed down by a damper, or both.
std::shared_ptr<const Model> pendulum(double torque, double damping, int dampers = 1) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = model.add(ball("rod", {{0.5, 0.0, 0.0}}));
  model.add(RevoluteJoint{.bodies = {ground, rod},
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(1),
                          .name = "pin"});
  if (torque != 0.0) model.add(Torque{.bodies = {rod}, .torque = {{0.0, torque, 0.0}}, .name = "motor"});
  for (int k = 0; k < dampers && damping != 0.0; ++k)
    model.add(SpringDamper{.bodies = {ground, rod},
                           .point_a = {{0.2, 0.0, -1.0}},
                           .point_b = {{0.3, 0.0, 0.0}},
                           .stiffness = 0.0,
                           .damping = damping / dampers,
                           .name = "damper " + std::to_string(k)});
  return shared(std::move(model));
}

// Holds a distance that grows from `begin` on.
struct Ram {
  static constexpr const char* type_name = "ram";
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  double begin = 0.0;  // [s]
  std::string name = "ram";
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S& t) const {
    const S late = t - S(begin);
    const S way = late < S(0.0) ? S(0.0) : late * late;
    return {{A.x[2] - way}};
  }
};

std::shared_ptr<const Model> lifted(double begin) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId load = model.add(ball("load", Vec3::Zero()));
  model.add(Ram{.bodies = {load}, .begin = begin});
  return shared(std::move(model));
}

// Moves freely, and claims to keep the joints.
struct Careless : SimpleStepper {
  const Traits& traits() const override {
    static const Traits promised{.name = "careless",
                                 .order_q = 1,
                                 .order_v = 1,
                                 .position_residual = true,
                                 .variable_step = true,
                                 .velocity_constraints = true};
    return promised;
  }
  KktReport advance(State& s, double h) override {
    move(s, s.v, h);
    s.t += h;
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] += h * s.a[k];
    return {};
  }
};

// Loses so many percent of the kinetic energy of a free flight in one step.
template <int percent>
struct Leaking : SimpleStepper {
  const Traits& traits() const override {
    static const Traits all{.name = "leaking", .order_q = 1, .order_v = 1};
    return all;
  }
  KktReport advance(State& s, double h) override {
    move(s, s.v, h);
    const bool now = s.t < 0.5 && s.t + h >= 0.5;
    s.t += h;
    for (double& v : s.v) v *= now ? std::sqrt(1.0 - 0.01 * percent) : 1.0;
    return {};
  }
};

const Catalog& known() {
  static const Catalog catalog = [] {
    Catalog all = builtin();
    all.add<Careless>("careless");
    all.add<Leaking<8>>("leaking_8");
    all.add<Leaking<12>>("leaking_12");
    return all;
  }();
  return catalog;
}

Record result_of(std::shared_ptr<const Model> model, const std::string& stepper, double h, double end) {
  return run({.model = std::move(model), .stepper = stepper, .step = h, .end = end}, known());
}

std::set<RemarkKey> keys(const Record& record) {
  std::set<RemarkKey> all;
  for (const Remark& remark : record.report.run.remarks) all.insert(remark.key);
  return all;
}

const Remark& remark_of(const Record& record, RemarkKey key) {
  for (const Remark& remark : record.report.run.remarks)
    if (remark.key == key) return remark;
  FAIL("no remark of this key");
  return record.report.run.remarks.front();
}

// A wheel that turns about z against a bushing of stiffness k [N m/rad] there.
std::shared_ptr<const Model> wheel_in_bushing(double k, double speed) {
  Model model;
  Body wheel = ball("wheel", Vec3::Zero());
  wheel.angular_velocity = speed * Vec3::Unit(2);
  const BodyId id = model.add(wheel);
  model.add(RevoluteJoint{.bodies = {ground, id}, .name = "pin"});
  Bushing mount{.bodies = {ground, id}, .name = "mount"};
  mount.stiffness(5, 5) = k;
  mount.stiffness(0, 0) = 3.0;
  mount.stiffness(3, 3) = mount.stiffness(4, 4) = 30.0;
  model.add(mount);
  return shared(std::move(model));
}

// A force, and a joint, that open where a body rises above half a metre.
struct Latch {
  static constexpr const char* type_name = "latch";
  static constexpr const char* jump = "it has opened";
  std::array<BodyId, 1> bodies;
  std::string name = {};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    return Vec<S, 6>::Zero();
  }
  bool jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const {
    return before[0].x[2] < 0.495 && after[0].x[2] >= 0.495;
  }
};
struct ThrowingLatch : Latch {
  static constexpr const char* type_name = "throwing_latch";
  bool jumped(const BodyFrame<double>*, const BodyFrame<double>*) const { throw std::runtime_error("stuck"); }
};
struct LatchedRail {
  static constexpr const char* type_name = "latched_rail";
  static constexpr const char* jump = "it has opened";
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  std::string name = {};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[0]}};
  }
  bool jumped(const BodyFrame<double>* before, const BodyFrame<double>* after) const {
    return before[0].x[2] < 0.495 && after[0].x[2] >= 0.495;
  }
};
// What a user's force has of the same name is not taken for it.
struct Jumper {
  std::array<BodyId, 1> bodies;
  double jump = 3.0;  // [N]
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    return jump * Vec<S, 6>::Unit(2);
  }
};

}  // namespace

TEST_CASE("no stiff, buckling or fast run ends well while its energy is off by a tenth") {
  int runs = 0;
  const auto look = [&](const std::shared_ptr<const Model>& model, const std::string& stepper, double h) {
    ++runs;
    const Record record = result_of(model, stepper, h, 1.0);
    const MonitorResult& seen = record.report.monitor;
    const double off = seen.energy_error.value / std::abs(seen.energy_initial.total());
    if (record.ok() && !(off <= 0.1))
      CHECK_MESSAGE(verdict(record.report) == std::string("remarks"), stepper);
  };
  for (const char* stepper : {"generalized_alpha", "hht", "lie_dae", "alpha_rattle"})
    for (const double h : {1e-3, 1e-2, 1e-1}) {
      for (const double k : {1e4, 1e6, 1e9, 1e15, 1e30, -1e4, -1e6, -1e9, -1e15, -1e30})
        look(mass_on_spring(k), stepper, h);
      for (const Vec3& omega : {Vec3{{1e3, 2e3, 3e3}}, Vec3{{1e5, 2e4, 3e5}}})
        look(spinning(omega), stepper, h);
    }
  CHECK(runs == 144);
}

TEST_CASE("a balance that is off by a tenth of the energies exchanged is broken, one by less is not") {
  Model model;
  Body stone = ball("stone", Vec3::Zero());
  stone.velocity = {{3.0, 0.0, 0.0}};
  model.add(stone);
  const auto flight = shared(std::move(model));
  CHECK(keys(result_of(flight, "leaking_8", 0.02, 1.0)).empty());
  const Remark remark = remark_of(result_of(flight, "leaking_12", 0.02, 1.0), RemarkKey::energy);
  CHECK(remark.culprit.value == doctest::Approx(0.12 * 4.5).epsilon(1e-9));
}

TEST_CASE("a broken balance names the body, its force and a step that resolves it") {
  const Record record = result_of(mass_on_spring(1e6), "generalized_alpha", 0.01, 1.0);
  const Remark& remark = remark_of(record, RemarkKey::energy);
  CAPTURE(remark.text);
  CHECK(remark.culprit.name == "force \"spring\" (spring_damper)");
  CHECK(remark.text.find("body \"mass\" can oscillate at 9") != std::string::npos);
  CHECK(remark.text.find("; h^2 k/m is 100 at force \"spring\" (spring_damper): take") != std::string::npos);
  CHECK(remark.text.find(" at force \"spring\" (spring_damper): take steps below 0.0005") !=
        std::string::npos);
  CHECK(keys(result_of(mass_on_spring(1e6), "generalized_alpha", 5e-5, 0.1)).empty());
}

TEST_CASE(
    "what runs away on a negative stiffness is called wrong where the steps do not resolve its growth") {
  const auto remark_on = [](double k, double h, double end) {
    const Record record = result_of(mass_on_spring(k), "generalized_alpha", h, end);
    CHECK(record.report.monitor.energy_error.value > 10.0 * 0.1 * std::abs(k) * 0.01);
    return keys(record).count(RemarkKey::energy) == 0 ? std::string()
                                                      : remark_of(record, RemarkKey::energy).text;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  // 0.9 m + 0.1 m cosh(19.5) = 1.5e7 m: the run ends at 7e9 m, and one in steps of 10 ms to 0.18 s at 6.5 times the
  // true displacement.
  for (const double h : {0.015, 0.01}) {
    CAPTURE(h);
    const std::string text = remark_on(-1e4, h, h == 0.01 ? 0.18 : 0.195);
    CHECK(has(text, "body \"mass\" runs away at 100 1/s on negative stiffness, e^1"));
    CHECK(has(text, "the motion shown has no digit of the true one; take steps below 0.005 s"));
  }
  // In steps of a thousandth of the time of growth 5 digits are right.
  CHECK(remark_on(-1.0, 1e-3, 18.0).empty());
  CHECK(has(remark_on(-1.0, 1e-3, 25.0), "what the start is off by, roundoff included, has grown as much"));
}

// rattle keeps the energy of both to a part of the exchanged ones: no balance shows what is wrong.
TEST_CASE("a phase or a growth that the steps make wrong is said where the energy is kept") {
  const auto motion = [](double k, double h, double end, const char* stepper = "rattle",
                         Settings options = {}) {
    Model model;
    Body mass = ball("mass", {{1.0, 0.0, 0.0}});
    const BodyId id = model.add(mass);
    model.add(SpringDamper{.bodies = {ground, id}, .stiffness = k, .name = "spring"});
    return run({.model = shared(std::move(model)),
                .stepper = stepper,
                .options = std::move(options),
                .step = h,
                .end = end},
               known());
  };
  // x(5 s) is -0.85 m and shown as 0.78 m.
  const Record record = motion(2e3, 0.01, 5.0);
  const Remark& phase = remark_of(record, RemarkKey::coarse_steps);
  CHECK(phase.culprit.name == "body \"mass\"");
  CHECK(phase.culprit.quantity == "error of the phase [rad]");
  CHECK(phase.culprit.value == doctest::Approx(std::sqrt(2e3) * 5.0 * 0.2 / 12.0).epsilon(0.03));
  CHECK(phase.text.find(
            "body \"mass\" can oscillate at 44.7 rad/s on force \"spring\" (spring_damper), 0.45 within a "
            "step: over this run its phase is wrong by 3.7 rad; take steps below 0.0037 s") == 0);
  CHECK(keys(motion(2e3, 0.0036, 5.0)).empty());
  CHECK(keys(motion(2e3, 0.01, 0.1)).empty());
  // A twentieth of the size of the body, and nothing else moves: errors of steps do not add up to the size, the phase is as wrong.
  Model small;
  const BodyId light = small.add(ball("mass", {{1.0, 0.0, 0.0}}));
  small.add(SpringDamper{.bodies = {ground, light}, .stiffness = 2e3, .rest_length = 0.95, .name = "spring"});
  const Record short_way =
      run({.model = shared(std::move(small)), .stepper = "rattle", .step = 0.01, .end = 5.0}, known());
  CHECK(remark_of(short_way, RemarkKey::coarse_steps).culprit.value == doctest::Approx(phase.culprit.value));
  // Off by a factor of 2.7 behind ten growths.
  const Settings conserving{{"rho_inf", "1"}};
  const Record runaway = motion(-1e4, 0.01, 0.1, "generalized_alpha", conserving);
  const Remark& growth = remark_of(runaway, RemarkKey::coarse_steps);
  CHECK(growth.text.find(
            "body \"mass\" runs away at 100 1/s on negative stiffness, and the steps make the exponent") ==
        0);
  CHECK(keys(motion(-1e4, 1e-4, 0.1, "generalized_alpha", conserving)).empty());
  // A damper takes the energy before the phase counts.
  Model damped;
  const BodyId mass = damped.add(ball("mass", {{1.0, 0.0, 0.0}}));
  damped.add(SpringDamper{.bodies = {ground, mass}, .stiffness = 2e3, .damping = 5.0, .name = "spring"});
  CHECK(keys(result_of(shared(std::move(damped)), "generalized_alpha", 0.01, 5.0))
            .count(RemarkKey::coarse_steps) == 0);
}

// Beside a station of 1e4 m radius of gyration a hinge that is open by a decimetre was closed.
TEST_CASE("a gap counts beside the bodies of its own joint") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  Body rod = ball("rod", {{1.0, 0.0, 0.0}});
  rod.inertia = diagonal(Vec3{{0.1, 0.1, 0.1}});
  const BodyId id = model.add(rod);
  model.add(RevoluteJoint{.bodies = {ground, id},
                          .point_b = {{-1.0, 0.0, 0.0}},
                          .axis_a = {{0.0, 1.0, 0.0}},
                          .axis_b = {{0.0, 1.0, 0.0}},
                          .name = "hinge"});
  Body station = ball("station", {{1000.0, 0.0, 0.0}});
  station.inertia = diagonal(Vec3{{1e8, 1e8, 1e8}});
  model.add(station);
  const Record record = run({.model = shared(std::move(model)),
                             .stepper = "lie_dae",
                             .options = {{"index", "2"}},
                             .step = 0.1,
                             .end = 3.0},
                            known());
  CHECK(record.report.run.status == Status::unstable);
  CHECK(record.report.run.culprit.name == "joint \"hinge\" (revolute)");
  CHECK(record.report.run.culprit.value < 1.0);
}

TEST_CASE("roundoff of a heavy shaft at rest in three bearings is no error of the balance") {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const double radius = 0.02, mass = 7800.0 * 3.14159265358979 * radius * radius;
  Body shaft = ball("shaft", Vec3::Zero());
  shaft.mass = mass;
  const double across = mass * (3.0 * radius * radius + 1.0) / 12.0;
  shaft.inertia = diagonal(Vec3{{across, across, 0.5 * mass * radius * radius}});
  const BodyId id = model.add(shaft);
  for (const double z : {-0.4, 0.0, 0.4})
    model.add(RevoluteJoint{.bodies = {ground, id}, .point_a = {{0.0, 0.0, z}}, .point_b = {{0.0, 0.0, z}}});
  const Record record = result_of(shared(std::move(model)), "generalized_alpha", 1e-3, 0.01);
  CHECK(record.report.monitor.energy_error.value > 0.0);
  for (const RemarkKey key : keys(record)) CHECK(key != RemarkKey::energy);
}

TEST_CASE("work of torques and dampers is no error of the balance") {
  struct Load {
    double torque, damping;
  };
  for (const Load& load : {Load{30.0, 0.0}, {0.0, 3.0}, {25.0, 3.0}}) {
    CAPTURE(load.torque);
    const Record record = result_of(pendulum(load.torque, load.damping), "generalized_alpha", 1e-3, 2.0);
    const MonitorResult& seen = record.report.monitor;
    CHECK(std::abs(seen.energy_final.total() - seen.energy_initial.total()) > 1.0);  // work was done
    CHECK(seen.energy_error.value < 1e-3 * seen.kinetic_max);
    CHECK(keys(record).empty());
  }
}

TEST_CASE("the work of many forces is that of one with their sum") {
  const Record one = result_of(pendulum(0.0, 3.0), "generalized_alpha", 1e-3, 2.0),
               many = result_of(pendulum(0.0, 3.0, 60), "generalized_alpha", 1e-3, 2.0);
  CHECK(keys(many).empty());
  const double work = one.report.monitor.work.forces;
  CHECK(work < -1.0);
  CHECK(many.report.monitor.work.forces == doctest::Approx(work).epsilon(1e-9));
}

TEST_CASE("work is the integral of the powers at the ends of steps") {
  const MultibodySystem system(*pendulum(0.0, 3.0, 2));
  const auto stepper = known().stepper("generalized_alpha").setup()->make({}, {});
  WorkMeter meter(system);
  State state = system.initial_state(), before = state;
  for (int n = 0; n <= 1200; ++n) {
    before = state;
    state.t = 1e-3 * n;
    state.v[4] = std::sin(state.t);  // about the pin
    state.v[2] = -0.5 * state.v[4];
    if (n > 0) meter.step({before, state, *stepper});
    meter.observe(state);
  }
  // The damper's end is 0.8 m from the pin; l' by hand: the direction to the ground's point.
  const Vec3 end{{0.8, 0.0, 0.0}}, foot{{0.2, 0.0, -1.0}};
  const Vec3 way = end - foot;
  const double length = std::sqrt(dot(way, way));
  const double per_turn = way[2] * -0.8 / length;  // l' for 1 rad/s about y
  const double work = -3.0 * per_turn * per_turn * (0.5 * state.t - 0.25 * std::sin(2.0 * state.t));
  CHECK(meter.at(state.t).forces == doctest::Approx(work).epsilon(1e-6));  // h^2 / 12 * 4
  CHECK(meter.turnover() == doctest::Approx(-work).epsilon(1e-6));
  CHECK(meter.doubt() < 1e-5 * meter.turnover());
}

TEST_CASE(
    "of several forces the stiffest is named, whatever the number of its body or its place in a group") {
  for (int stiff = 0; stiff < 11; ++stiff)
    for (const bool first_moves : {false, true}) {
      Model model;
      const BodyId other = model.add(ball("other", {{0.0, 0.0, 3.0}}));
      const BodyId mass = model.add(ball("mass", {{1.0, 0.0, 0.0}}));
      for (int k = 0; k < 11; ++k)
        model.add(SpringDamper{.bodies = {first_moves ? other : ground, mass},
                               .stiffness = k == stiff ? 4e6 : 1e4 + 100.0 * k,
                               .rest_length = 0.9,
                               .name = "spring " + std::to_string(k)});
      const MultibodySystem system(model);
      const StiffForce found = stiffest_force(system, {.rate = 1.0, .block = 1});
      CHECK(found.name == "force \"spring " + std::to_string(stiff) + "\" (spring_damper)");
      // Of one spring along x, stretched by l - 0.9, k along it and k (1 - 0.9 / l) across: the larger, of 1 kg.
      if (!first_moves) CHECK(found.rate == doctest::Approx(2000.0).epsilon(1e-12));
    }
}

TEST_CASE("a driven constraint does work, from the start or later, and it is no error of the balance") {
  for (const double begin : {0.0, 0.5}) {
    CAPTURE(begin);
    const Record record = result_of(lifted(begin), "generalized_alpha", 1e-3, 2.0);
    CHECK(record.report.monitor.work.drives > 10.0);
    CHECK(record.report.monitor.energy_error.value < 1e-2);
    CHECK(keys(record).empty());
  }
}

// A mass of 1 kg that falls by 1 m on a stop of 1e8 N/m, which is a table: stiff only where it is touched.
std::shared_ptr<const Model> mass_on_stop() {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId id = model.add(ball("mass", {{0.0, 0.0, 1.0}}));
  const ConstraintId rail = model.add(PrismaticJoint{
      .bodies = {ground, id}, .axis_a = Vec3::Unit(2), .axis_b = Vec3::Unit(2), .name = "rail"});
  model.add(JointForce{
      .joint = rail,
      .coordinate = JointCoordinate::displacement,
      .spring =
          functions::Table{
              {-1.0, 0.0, 3.0}, {-1e8, 0.0, 0.0}, functions::Spline::linear, functions::Beyond::hold},
      .name = "stop"});
  return shared(std::move(model));
}

TEST_CASE(
    "a stop that the steps do not resolve breaks the balance, and is named with h^2 k/m where it is "
    "touched") {
  for (const char* stepper : {"generalized_alpha", "hht", "rattle", "lie_dae"}) {
    CAPTURE(stepper);
    const Record record = result_of(mass_on_stop(), stepper, 1e-3, 3.0);
    if (record.report.run.status == Status::unstable) continue;
    const Remark& remark = remark_of(record, RemarkKey::energy);
    CHECK(remark.culprit.name == "force \"stop\" (joint_force)");
    CHECK_MESSAGE(remark.text.find("h^2 k/m is 100 at force \"stop\" (joint_force)") != std::string::npos,
                  remark.text);
  }
  // A hundredfold of its energy was a success without a word: its work was known as badly as its motion.
  const Record coarse = result_of(mass_on_stop(), "generalized_alpha", 0.01, 3.0);
  CHECK(coarse.report.run.status == Status::unstable);
  CHECK(keys(result_of(mass_on_stop(), "generalized_alpha", 2e-6, 0.46)).empty());
}

TEST_CASE("a run whose energy grows beyond all sense ends, with the fastest body") {
  const Record record = result_of(mass_on_spring(1e15), "generalized_alpha", 0.1, 100.0);
  CHECK(record.report.run.status == Status::unstable);
  CHECK(record.report.run.culprit.name == "body \"mass\", the fastest");
  CHECK(record.report.run.t_end < 50.0);
  CHECK(verdict(record.report) == std::string("failed"));
}

TEST_CASE("the doubt on the work of a damper is said of a body that moves, and not of one that does not") {
  // Steps of twice the time of the damper: the powers at their ends say nothing of its work.
  for (const double speed : {1.0, 1e-13}) {
    CAPTURE(speed);
    Model model;
    Body mass = ball("mass", {{1.0, 0.0, 0.0}});
    mass.velocity = {{speed, 0.0, 0.0}};
    const BodyId id = model.add(mass);
    model.add(SpringDamper{
        .bodies = {ground, id}, .stiffness = 0.0, .damping = 100.0, .rest_length = 1.0, .name = "damper"});
    const Record record = result_of(shared(std::move(model)), "generalized_alpha", 0.02, 0.5);
    REQUIRE(record.ok());
    CHECK(keys(record).count(RemarkKey::work) == (speed == 1.0 ? 1U : 0U));
  }
}

TEST_CASE("a body that turns by more than half a turn within a step is named") {
  const double pi = 3.141592653589793;
  for (const char* stepper : {"alpha_rattle", "generalized_alpha"}) {
    CAPTURE(stepper);
    CHECK(keys(result_of(spinning({{0.0, 0.0, 0.98 * pi / 0.01}}), stepper, 0.01, 0.1))
              .count(RemarkKey::turn) == 0);
    const Record record = result_of(spinning({{0.0, 0.0, 1.02 * pi / 0.01}}), stepper, 0.01, 0.1);
    const Remark& remark = remark_of(record, RemarkKey::turn);
    CHECK(remark.culprit.name == "body \"top\"");
    CHECK(remark.culprit.value == doctest::Approx(1.02 * pi).epsilon(1e-6));
  }
}

TEST_CASE("a bushing that turns past half a turn is named, with the time") {
  const double pi = 3.141592653589793;
  for (const char* stepper : {"generalized_alpha", "dormand_prince", "discrete_action"})
    for (const double direction : {1.0, -1.0}) {
      CAPTURE(stepper);
      // 50 J; the potential at half a turn is 4.93 k.
      const Record past = result_of(wheel_in_bushing(5.0, 10.0 * direction), stepper, 1e-3, 1.0);
      const Remark& remark = remark_of(past, RemarkKey::jump);
      CHECK(remark.culprit.name == "force \"mount\" (bushing)");
      const double t = std::asin(pi * std::sqrt(5.0) / 10.0) / std::sqrt(5.0);
      CHECK(remark.culprit.value >= t - 1e-6);
      CHECK(remark.culprit.value <= t + 1e-3 + 1e-6);
      CHECK(remark.text.find("half a turn") != std::string::npos);
      CHECK(verdict(past.report) == std::string("remarks"));
      CHECK(keys(result_of(wheel_in_bushing(10.5, 10.0 * direction), stepper, 1e-3, 1.0)).empty());
      // Stiff across the axis that it turns about, and not along it: nothing jumps.
      CHECK(keys(result_of(wheel_in_bushing(0.0, 10.0 * direction), stepper, 1e-3, 1.0))
                .count(RemarkKey::jump) == 0);
    }
}

TEST_CASE("elements of a user's say where they jump, and are named where that throws") {
  Model model;
  Body ball_up = ball("ball", Vec3::Zero());
  ball_up.velocity = Vec3::Unit(2);
  const BodyId id = model.add(ball_up);
  model.add(Latch{{id}, "latch"});
  const Record record = result_of(shared(std::move(model)), "generalized_alpha", 1e-2, 1.0);
  const Remark& remark = remark_of(record, RemarkKey::jump);
  CHECK(remark.culprit.name == "force \"latch\" (latch)");
  CHECK(remark.text == "force \"latch\" (latch) jumps at t = 0.5 s: it has opened");

  Model pushed;
  pushed.add(Jumper{{pushed.add(ball("ball", Vec3::Zero()))}});
  CHECK(keys(result_of(shared(std::move(pushed)), "generalized_alpha", 1e-2, 0.1)).empty());

  Model guided;
  const BodyId slider = guided.add(ball_up);
  guided.add(LatchedRail{{slider}, "rail"});
  const Record on_rail = result_of(shared(guided), "generalized_alpha", 1e-2, 1.0);
  CHECK(remark_of(on_rail, RemarkKey::jump).culprit.name == "joint \"rail\" (latched_rail)");

  Model thrown;
  const BodyId other = thrown.add(ball_up);
  thrown.add(ThrowingLatch{{{other}, "bad latch"}});
  Catalog catalog = builtin();
  const Record failed =
      try_run({.model = shared(std::move(thrown)), .stepper = "generalized_alpha", .step = 1e-2, .end = 1.0},
              catalog);
  CHECK_FALSE(failed.ok());
  CHECK(termination(failed.report).find("force \"bad latch\" (throwing_latch)") != std::string::npos);
}

TEST_CASE("a jump is known behind a checkpoint, and found across it") {
  const MultibodySystem system(*wheel_in_bushing(5.0, 10.0));
  const auto turned_by = [&](double angle) {
    State state = system.initial_state();
    const double turn[6] = {0.0, 0.0, 0.0, 0.0, 0.0, angle};
    const std::vector<double> from = state.q;
    system.retract(from.data(), turn, state.q.data());
    state.t = angle;
    return state;
  };
  JumpMeter meter, across, behind;
  meter.begin(system);
  for (const double angle : {0.0, 3.1}) meter.observe(turned_by(angle));
  CHECK_FALSE(meter.any());
  REQUIRE(across.remember(meter.memory()));
  across.resume(system, turned_by(3.1));
  for (JumpMeter* one : {&meter, &across}) {
    one->observe(turned_by(3.2));
    REQUIRE(one->any());
    CHECK(one->t() == 3.2);
    one->observe(turned_by(3.1));
    CHECK(one->t() == 3.2);  // the first one
  }
  REQUIRE(behind.remember(meter.memory()));
  behind.resume(system, turned_by(3.3));
  REQUIRE(behind.any());
  CHECK(behind.t() == 3.2);
  CHECK(behind.label() == "force \"mount\" (bushing)");
  CHECK_FALSE(behind.remember({std::nan(""), 0.0}));
}

TEST_CASE("a run that shows a mechanism at rest says so, with the hinge about which gravity has no moment") {
  const auto door = [](const Vec3& axis) {
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId leaf = model.add(ball("leaf", {{0.5, 0.0, 0.0}}));
    model.add(RevoluteJoint{.bodies = {ground, leaf},
                            .point_b = {{-0.5, 0.0, 0.0}},
                            .axis_a = axis,
                            .axis_b = axis,
                            .name = "pivot"});
    return shared(std::move(model));
  };
  for (const char* stepper : {"generalized_alpha", "lie_dae", "alpha_rattle", "discrete_action"}) {
    CAPTURE(stepper);
    const Record still = result_of(door(Vec3::Unit(2)), stepper, 0.01, 1.0);
    REQUIRE(still.ok());
    CHECK(remark_of(still, RemarkKey::standstill).text ==
          "nothing moves: the run begins at rest, and no force acts along any free motion; the axis of joint "
          "\"pivot\" (revolute) is parallel to gravity");
    // A millionth of a degree off, and a run that is short: it falls.
    for (const auto& [tilt, end] : {std::pair{2e-8, 1.0}, std::pair{1.0, 1e-4}})
      CHECK(
          keys(result_of(door({{0.0, tilt, 1.0}}), stepper, 1e-2 * end, end)).count(RemarkKey::standstill) ==
          0);
  }
}

TEST_CASE("two drives that come to ask for different rates end no run as ok") {
  for (const char* stepper : {"lie_dae", "alpha_rattle", "generalized_alpha", "dormand_prince"}) {
    CAPTURE(stepper);
    Model model;
    Body body = ball("wheel", {{0.0, 0.0, 0.0}});
    body.angular_velocity = {{0.0, 0.0, 5.0}};
    const BodyId wheel = model.add(body);
    const ConstraintId axle = model.add(RevoluteJoint{.bodies = {ground, wheel}, .name = "axle"});
    model.add(JointDrive{.joint = axle, .rate = true, .target = 5.0, .name = "steady"});
    model.add(JointDrive{.joint = axle,
                         .rate = true,
                         .target = functions::SmoothStep{.from = 5.0, .to = 6.0, .start = 0.2, .end = 0.7},
                         .name = "faster"});
    const RunResult result = result_of(shared(std::move(model)), stepper, 0.01, 1.0).report.run;
    CHECK(result.status != Status::ok);
    CHECK((result.culprit.name == "joint \"steady\" (drive)" ||
           result.culprit.name == "joint \"faster\" (drive)"));
  }
}

TEST_CASE("a step over a whole stroke of a drive has rest at both of its ends, and is no standstill") {
  Model model;
  const BodyId carriage = model.add(ball("carriage", {{0.0, 0.0, 0.0}}));
  const ConstraintId rail = model.add(
      PrismaticJoint{.bodies = {ground, carriage}, .axis_a = Vec3::Unit(0), .axis_b = Vec3::Unit(0)});
  model.add(JointDrive{.joint = rail,
                       .coordinate = JointCoordinate::displacement,
                       .target = functions::SmoothStep{.from = 0.0, .to = 1.0, .start = 0.2, .end = 0.7}});
  const Record moved = result_of(shared(std::move(model)), "dop853", 0.01, 1.0);
  REQUIRE(moved.ok());
  CHECK(keys(moved).count(RemarkKey::standstill) == 0);
}

TEST_CASE(
    "a run that leaves a joint open fails, by a stepper that promises closed joints and by one that does "
    "not") {
  const auto check = [](const RunResult& failed, const std::string& sentence, double gap) {
    CHECK(failed.status == Status::unstable);
    CHECK(failed.culprit.name == "joint \"pin\" (revolute)");
    CHECK(failed.culprit.quantity == "position residual");
    CHECK(failed.culprit.value > gap);
    INFO(failed.message);
    CHECK(failed.message.find(sentence) != std::string::npos);
    for (const Remark& remark : failed.remarks) CHECK(remark.key != RemarkKey::drift);
  };
  const std::string promise = "careless promises no position residual",
                    index_1 = "m or rad: lie_dae does not keep positions; take a smaller step";
  Scenario scenario{.model = pendulum(0.0, 0.0), .stepper = "careless", .step = 0.01, .end = 1.0};
  check(run(scenario, known()).report.run, promise, 0.1);
  scenario.stepper = "lie_dae";
  scenario.options = {{"index", "1"}};
  scenario.step = 0.05;
  check(run(scenario, known()).report.run, index_1, 4.8e-3);
  // For those who measure gaps: a remark; and small ones are neither.
  scenario.gaps = "remark";
  const Record measured = run(scenario, known());
  REQUIRE(measured.ok());
  CHECK(remark_of(measured, RemarkKey::drift).text.find(index_1) != std::string::npos);
  scenario.gaps.clear();
  scenario.step = 0.002;
  const Record fine = run(scenario, known());
  CHECK(fine.ok());
  CHECK(keys(fine).count(RemarkKey::drift) == 0);

  // A program's own call of run().
  const MultibodySystem system(*scenario.model);
  LieDae stepper({.index = LieDaeOptions::Index::one});
  for (const bool fails : {true, false}) {
    State state = system.initial_state();
    const RunResult result =
        catena::run(system, stepper, state, {.step = 0.05, .end = 1.0, .open_joints_fail = fails});
    if (fails)
      check(result, index_1, 4.8e-3);
    else
      CHECK((result.status == Status::ok && result.remarks.front().key == RemarkKey::drift));
  }
}

TEST_CASE(
    "a step that leaves out a tenth of a body's size is coarse, and the estimate is that of the method") {
  const Record fine = result_of(pendulum(0.0, 0.0), "generalized_alpha", 1e-3, 1.0);
  const Culprit& error = fine.report.run.largest_error;
  CHECK(error.name == "body \"rod\"");
  CHECK(error.value > 0.0);
  CHECK(error.value < 1e-6);
  const Record coarse = result_of(mass_on_spring(1e4), "generalized_alpha", 0.05, 4.0);
  CHECK(keys(coarse).count(RemarkKey::coarse_steps) == 1);
}

TEST_CASE("the verdict continues behind a checkpoint with the same numbers") {
  const auto model = pendulum(25.0, 3.0);
  const MultibodySystem system(*model);
  const auto stepper = known().stepper("generalized_alpha").setup()->make({}, {});
  const auto observe = [&](RunVerdict& verdict, Monitor& monitor, const State& from, int first, int last) {
    State state = from, before = from;
    for (int n = first; n <= last; ++n) {
      before = state;
      state.t = 0.01 * n;
      state.v[4] = 400.0 * state.t;
      if (n > 0) monitor.step({before, state, *stepper});
      monitor.observe(state);
      verdict.observe(state);
    }
  };
  const State begin = system.initial_state();
  Monitor monitor;
  RunVerdict whole(monitor);
  monitor.begin(system);
  whole.begin(system);
  observe(whole, monitor, begin, 0, 20);

  Monitor first_monitor, second_monitor;
  RunVerdict first(first_monitor), second(second_monitor);
  first_monitor.begin(system);
  first.begin(system);
  observe(first, first_monitor, begin, 0, 9);
  State middle = begin;
  middle.t = 0.09;
  middle.v[4] = 400.0 * middle.t;
  REQUIRE(second_monitor.remember(first_monitor.memory()));
  REQUIRE(second.remember(first.memory()));
  second_monitor.resume(system, middle);
  second.resume(system, middle);
  observe(second, second_monitor, middle, 10, 20);
  CHECK(second.memory() == whole.memory());
  CHECK(second_monitor.memory() == monitor.memory());
  CHECK_FALSE(second.remember({1.0, 2.0}));
}

}  // namespace verdict_tests
