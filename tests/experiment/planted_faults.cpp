// One wrong element in an otherwise right mechanism: what is reported is its name, by `check` and by every stepper of the
// catalog. A stepper that cannot take the mechanism says so by its own name.
#include <catena/builtin/builtin.hpp>
#include <catena/cli/detail/check_report.hpp>
#include <catena/experiment/experiment.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/marker.hpp>
#include <catena/model/parts/inertia.hpp>

#include "support/planted_elements.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace catena_test::planted {
namespace {

using catena::detail::CheckReport;

const Catalog& known() {
  static const Catalog catalog = builtin();
  return catalog;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Planted final : Problem {
  Model made;
  explicit Planted(Model model) : made(std::move(model)) {}
  std::string summary() const override { return {}; }
  void visit(OptionVisitor&) override {}
  Model model() const override { return made; }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 0.1}; }
};

CheckReport checked(const Model& model) {
  CheckReport report;
  catena::detail::inspect(Planted(model), known(), report);
  return report;
}

// Names the fault in its first error.
void check_names(const Model& model, const std::string& sentence) {
  const CheckReport report = checked(model);
  REQUIRE(report.errors.size() == 1);
  CHECK_MESSAGE(report.errors.front().starts_with(sentence), report.errors.front());
}

// In the counts below, of steppers that take the mechanism.
#ifdef CATENA_HAS_SUNDIALS
constexpr int of_ida = 1;
#else
constexpr int of_ida = 0;
#endif

// With every stepper that takes the mechanism; the others refuse it with their name. How many took it. chosen_end: of
// steppers that choose their steps, and may choose very many.
template <class Look>
int by_every_stepper(const Model& model, const Look& look, double end = 0.1, double chosen_end = 0.1) {
  const auto shared = std::make_shared<const Model>(model);
  int taken = 0;
  for (const StepperEntry& entry : known().steppers()) {
    CAPTURE(entry.name);
    const bool chooses = entry.setup()->make({}, {})->traits().chooses_step;
    const double to = chooses ? chosen_end : end;
    const Record record = try_run({.model = shared, .stepper = entry.name, .step = 1e-3, .end = to}, known());
    const RunResult& run = record.report.run;
    INFO(termination(record.report));
    if (run.status == Status::unsupported) {
      CHECK(run.message.starts_with(entry.name + (entry.name == "ida"      ? " takes no"
                                                  : entry.name == "rattle" ? " takes forces with a potential"
                                                                           : " solves no constraints")));
      continue;
    }
    ++taken;
    look(record);
  }
  return taken;
}

// The run ends by this status, and the planted element is the culprit.
auto ends_by(Status status, std::string label) {
  return [status, label = std::move(label)](const Record& record) {
    const RunResult& run = record.report.run;
    CHECK(run.reason() == status);
    CHECK(run.culprit.name == label);
    CHECK(has(termination(record.report), label));
  };
}

const std::string rod_label = "joint \"planted\" (planted_rod)";
const std::string mooring_label = "force \"planted\" (planted_mooring)";

Model with_rod(Fault fault, bool twice = false) {
  Mechanism m = bars(true);
  Rod rod{.bodies = {m.bar[0], m.bar[3]}, .point_a = {{0.0, 0.1, 0.0}}, .point_b = {{0.0, 0.0, 0.3}}};
  rod.length = distance(m.model, m.bar[0], rod.point_a, m.bar[3], rod.point_b);
  rod.name = "sound";
  if (twice) m.model.add(rod);
  rod.fault = fault;
  rod.name = "planted";
  m.model.add(rod);
  return m.model;
}

Model with_mooring(ForceFault fault, bool joints, double stiffness = 3e3) {
  Mechanism m = bars(joints);
  m.model.add(Mooring{.bodies = {m.bar[2]},
                      .place = m.model.body(m.bar[2]).position + Vec3{{0.0, 0.02, 0.01}},
                      .stiffness = stiffness,
                      .damping = 30.0,
                      .fault = fault,
                      .name = "planted"});
  return m.model;
}

}  // namespace
}  // namespace catena_test::planted

using namespace catena_test::planted;

TEST_CASE("without a fault there is nothing to report, by any stepper") {
  const auto is_right = [](const Record& record) {
    CHECK(verdict(record.report) == std::string("ok"));
    CHECK(record.report.notices.empty());
  };
  CHECK(checked(with_rod(Fault::none)).fit());
  CHECK(by_every_stepper(with_rod(Fault::none), is_right) == 10 + of_ida);
  for (const bool joints : {true, false}) {
    const CheckReport report = checked(with_mooring(ForceFault::none, joints));
    CHECK(report.fit());
    CHECK(by_every_stepper(with_mooring(ForceFault::none, joints), is_right) == (joints ? 10 : 11) + of_ida);
  }
}

TEST_CASE("a joint with a wrong Jacobian is the culprit of the steps that fail") {
  const Model model = with_rod(Fault::jacobian);
  check_names(model, rod_label + ": Jacobian is wrong in row 1 at body \"bar 3\", ");
  int failed = 0;
  CHECK(by_every_stepper(model, [&](const Record& record) {
          const RunResult& run = record.report.run;
          CHECK(run.status != Status::ok);
          CHECK(run.culprit.name == rod_label);
          CHECK(run.culprit.quantity == "Jacobian");
          CHECK(run.message.starts_with(rod_label + ": Jacobian is wrong in row 1"));
          ++failed;
        }) == 10 + of_ida);
  CHECK(failed == 10 + of_ida);
}

TEST_CASE(
    "a force with a wrong derivative is named, of several on its body, and the culprit where steps fail") {
  const std::pair<ForceFault, const char*> faults[] = {{ForceFault::stiffness, "stiffness"},
                                                       {ForceFault::damping, "damping"}};
  for (const auto& [fault, quantity] : faults)
    for (const bool joints : {true, false}) {
      const std::string label = mooring_label + " on body \"bar 2\"", what = quantity;
      check_names(with_mooring(fault, joints), label + ": " + what + " is wrong in ");
      int failed = 0;
      const auto look = [&](const Record& record) {
        const RunResult& run = record.report.run;
        if (run.status == Status::ok) return;  // Newton's method corrects a wrong derivative
        ++failed;
        CHECK(run.culprit.name == label);
        CHECK(run.culprit.quantity == what);
      };
      by_every_stepper(with_mooring(fault, joints), look);
      // A stiffness of the wrong sign that is larger than the mass over h^2, at the smallest step too.
      by_every_stepper(with_mooring(fault, joints, 2e13), look, 1e-3, 1e-9);
      if (fault == ForceFault::stiffness) CHECK(failed >= 6);
    }
}

TEST_CASE("an element that stops being a number is named, at that time") {
  const auto ends_in_time = [](std::string label) {
    return [look = ends_by(Status::not_finite, std::move(label))](const Record& record) {
      look(record);
      CHECK(record.state.t == doctest::Approx(broken_at).epsilon(1e-6));
    };
  };
  CHECK(by_every_stepper(with_rod(Fault::nan), ends_in_time(rod_label)) == 10 + of_ida);
  for (const bool joints : {true, false})
    CHECK(by_every_stepper(with_mooring(ForceFault::nan, joints), ends_in_time(mooring_label)) ==
          (joints ? 10 : 11) + of_ida);
}

#ifdef CATENA_HAS_SUNDIALS
TEST_CASE("ida names a joint that stops being a number in every form, however its last steps end") {
  const auto model = std::make_shared<const Model>(with_rod(Fault::nan));
  const char* const forms[] = {"index1", "gear_gupta_leimkuhler", "dummy_derivatives"};
  for (const char* form : forms)
    for (int k = 0; k < 8; ++k) {  // other instants of the last steps
      CAPTURE(std::string(form));
      CAPTURE(k);
      const Record record = try_run({.model = model,
                                     .stepper = "ida",
                                     .options = {{"form", form}, {"rtol", std::to_string(1e-4 * (1.0 + k))}},
                                     .step = 1e-3,
                                     .end = 0.1},
                                    known());
      INFO(termination(record.report));
      ends_by(Status::not_finite, rod_label)(record);
    }
}
#endif

#ifdef CATENA_HAS_SUNDIALS
namespace catena_test::planted {
namespace {

// From 0.03 s on far too strong for its derivatives, which are zero: no step passes there.
struct WrongDamper {
  static constexpr const char* type_name = "wrong_damper";
  std::array<BodyId, 1> bodies;
  std::string name = {};

  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S& t) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    for (int k = 0; k < 3 && t > S(0.03); ++k) w[k] = S(-1e13) * A.v[k];
    return w;
  }
  void derivatives(const BodyFrame<double>*, double, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const {
    K[0] = D[0] = Mat<double, 6, 6>::Zero();
  }
};

}  // namespace
}  // namespace catena_test::planted

TEST_CASE("ida does not name what has no value behind the place where it ends") {
  Mechanism m = bars(true);
  m.model.add(WrongDamper{.bodies = {m.bar[1]}, .name = "damper"});
  m.model.add(Mooring{.bodies = {m.bar[3]},
                      .place = m.model.body(m.bar[3]).position,
                      .fault = ForceFault::nan,
                      .name = "late"});
  const Record record = try_run({.model = std::make_shared<const Model>(m.model),
                                 .stepper = "ida",
                                 .options = {{"rtol", "1e-4"}},
                                 .step = 1e-2,
                                 .end = 0.05},
                                known());
  INFO(termination(record.report));
  CHECK(record.report.run.reason() == Status::step_too_small);
  CHECK(record.state.t == doctest::Approx(0.03).epsilon(1e-6));
  CHECK_FALSE(has(termination(record.report), "late"));
}
#endif

TEST_CASE("an element that throws ends the run by its name and text, with the state before") {
  const auto ends_in_time = [](const std::string& label) {
    return [look = ends_by(Status::exception, label)](const Record& record) {
      look(record);
      CHECK(record.report.error.empty());
      CHECK(record.state.t > 0.5 * broken_at);  // the last accepted step; dop853 takes steps of 11 ms here
      CHECK(record.state.t <= broken_at);
    };
  };
  CHECK(by_every_stepper(with_rod(Fault::thrown), ends_in_time(rod_label)) == 10 + of_ida);
  for (const bool joints : {true, false})
    CHECK(by_every_stepper(with_mooring(ForceFault::thrown, joints), ends_in_time(mooring_label)) ==
          (joints ? 10 : 11) + of_ida);
}

TEST_CASE("rows that contradict others are named before and after the run") {
  const Model model = with_rod(Fault::inconsistent, true);
  const CheckReport report = checked(model);
  CHECK(has(report.remarks.front(), rod_label + " by 1 at worst"));
  CHECK(by_every_stepper(model, [](const Record& record) {
          CHECK(verdict(record.report) != std::string("ok"));
          REQUIRE(record.report.notices.size() == 1);
          CHECK(record.report.notices[0].culprit.name == rod_label);
          const RunResult& run = record.report.run;
          const std::string& culprit =
              run.status == Status::ok ? run.remarks.at(0).culprit.name : run.culprit.name;
          // The two contradict each other: it is the reader who knows which is right.
          CHECK((culprit == rod_label || culprit == "joint \"sound\" (planted_rod)"));
        }) == 10);
}

TEST_CASE("an open joint is named before any step") {
  Mechanism m = bars(true);
  m.model.add(DistanceConstraint{.bodies = {m.bar[1], m.bar[3]}, .length = 1.0, .name = "planted"});
  CHECK(has(checked(m.model).errors.at(0), "violate 1 constraint, joint \"planted\" (distance) by 0.21"));
  CHECK(by_every_stepper(m.model, [](const Record& record) {
          CHECK(has(record.report.error, "violate 1 of 6 joints: joint \"planted\" (distance) by 0.21"));
          CHECK(record.report.run.steps == 0);
        }) == 12 + of_ida);
}

// A door on two hinges, one of which holds it higher by `misfit`: a gap that initial positions may have, and that no motion closes.
TEST_CASE("dimensions of redundant rows that do not fit are said by check and by a start that fails") {
  const auto door = [](double misfit) {
    Model model;
    const BodyId leaf = model.add(Body{.name = "leaf",
                                       .mass = 10.0,
                                       .inertia = box_inertia(10.0, {{1.0, 0.05, 2.0}}),
                                       .position = {{0.5, 0.0, 0.0}},
                                       .velocity = {{0.0, 0.5, 0.0}},
                                       .angular_velocity = {{0.0, 0.0, 1.0}}});
    for (const double z : {-0.5, 0.5}) {
      auto hinge =
          joint_at<RevoluteJoint>(model, ground, leaf, {.point = {{0.0, 0.0, z}}, .axis = Vec3::Unit(2)},
                                  z < 0.0 ? "lower" : "upper");
      if (z > 0.0) hinge.point_b[2] += misfit;
      model.add(hinge);
    }
    return model;
  };
  const std::string sentence = "no positions satisfy all rows: joint \"",
                    amount = " (revolute) is off by 2e-11";
  check_names(door(4e-11), sentence);
  CHECK(has(checked(door(4e-11)).errors.front(), amount));
  const Record failed = try_run(
      {.model = std::make_shared<const Model>(door(4e-11)), .stepper = "dop853", .step = 1e-3, .end = 0.1},
      known());
  CHECK(failed.report.run.reason() == Status::inconsistent_start);
  CHECK(has(termination(failed.report), sentence));
  CHECK(has(termination(failed.report), amount));
  // What assembly accepts is a remark, and what roundoff leaves is nothing.
  const auto remarked = [&](double misfit) {
    const CheckReport report = checked(door(misfit));
    CHECK(report.errors.empty());
    return std::count_if(report.remarks.begin(), report.remarks.end(), [](const std::string& remark) {
      return has(remark, "no positions satisfy all rows");
    });
  };
  CHECK(remarked(4e-13) == 1);
  CHECK(remarked(0.0) == 0);
}

TEST_CASE("a redundant joint is named with its twin, before the run") {
  Mechanism m = bars(true);
  m.model.add(SphericalJoint{.bodies = {m.bar[1], m.bar[2]},
                             .point_a = {{0.2, 0.0, 0.0}},
                             .point_b = {{-0.2, 0.0, 0.0}},
                             .name = "planted"});
  const std::string pair = "3 among joint \"ball 2\" (spherical), joint \"planted\" (spherical)";
  CHECK(has(checked(m.model).remarks.at(0), pair));
  CHECK(by_every_stepper(m.model, [&](const Record& record) {
          CHECK(record.ok());
          REQUIRE(record.report.notices.size() == 1);
          CHECK(has(record.report.notices[0].text, pair));
          CHECK(record.report.notices[0].culprit.name == "joint \"planted\" (spherical)");
        }) == 10);
}

TEST_CASE("a spring that is far too stiff for the step is named as the first on its body") {
  for (const bool joints : {true, false}) {
    Mechanism m = bars(joints);
    m.model.add(SpringDamper{.bodies = {ground, m.bar[2]},
                             .point_a = m.model.body(m.bar[2]).position + Vec3{{0.0, 1.0, 0.0}},
                             .stiffness = 1e12,
                             .rest_length = 0.9,
                             .name = "planted"});
    const std::string sentence = "body \"bar 2\" can oscillate at 1e+06 rad/s on planted, ";
    CHECK(has(checked(m.model).remarks.back(), "in steps of 0.001 s " + sentence));
    by_every_stepper(
        m.model,
        [&](const Record& record) {
          const RunResult& run = record.report.run;
          if (run.chosen_steps) {  // which resolve it
            CHECK(record.ok());
            return;
          }
          CHECK(verdict(record.report) != std::string("ok"));
          std::string said = termination(record.report);
          for (const Remark& remark : run.remarks) said += remark.text;
          CHECK_MESSAGE(has(said, "rad/s on planted, "), said);
        },
        0.1, 1e-5);
  }
}

TEST_CASE("a body without mass is refused by its name, when it is added and when it is run") {
  Mechanism m = bars(true);
  CHECK_THROWS_WITH(m.model.add(Body{.name = "planted", .mass = 0.0}),
                    "body \"planted\": mass must be positive, is 0");
  m.model.body(m.bar[2]).mass = 0.0;
  CHECK_THROWS_WITH(checked(m.model), "body \"bar 2\": mass must be positive, is 0");
  CHECK(by_every_stepper(m.model, [](const Record& record) {
          CHECK(record.report.error == "body \"bar 2\": mass must be positive, is 0");
        }) == 12 + of_ida);
}
