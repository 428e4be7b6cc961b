// Constraints of the user's own whose gap or Jacobian stops being a number: the step ends with their name.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/parts/monitor.hpp>
#include <catena/model/joints.hpp>

#include "support/methods_with_joints.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace not_finite_rows_tests {

namespace {

using namespace catena;
using namespace catena::detail;

// A point of A stays in the plane y = 0, until an instant behind which its gap, or its Jacobian, is no number.
struct BreakingPlane {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "breaking_plane";

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // body frame [m]
  bool gap_breaks = false;
  double instant = 0.0;
  std::string name = {};

  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S& t) const {
    if (gap_breaks && t > S(instant)) return {{S(std::numeric_limits<double>::quiet_NaN())}};
    return {{A.point(point)[1]}};
  }
  std::string defect_at(const BodyFrame<double>*, double t) const {
    return t > instant && instant > 0.0 ? "it has been broken" : "";
  }
  void jacobian(const BodyFrame<double>* f, double t, Mat<double, 1, 6>* G) const {
    const Vec3 turning = cross(point, Vec3(f[0].R.transpose() * Vec3::Unit(1)));
    for (int k = 0; k < 3; ++k) {
      G[0](0, k) = k == 1 ? 1.0 : 0.0;
      G[0](0, 3 + k) = turning[k];
    }
    if (!gap_breaks && t > instant) G[0](0, 4) = std::numeric_limits<double>::quiet_NaN();
  }
};

Model chain(bool gap_breaks, double instant) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  BodyId before = ground;
  for (int k = 0; k < 4; ++k) {
    const BodyId bar =
        model.add({.mass = 1.0, .inertia = 0.01 * Mat3::Identity(), .position = {{0.2 + 0.4 * k, 0.0, 0.0}}});
    model.add(SphericalJoint{.bodies = {before, bar},
                             .point_a = {{before == ground ? 0.0 : 0.2, 0.0, 0.0}},
                             .point_b = {{-0.2, 0.0, 0.0}}});
    if (k == 1)
      model.add(BreakingPlane{.bodies = {bar},
                              .point = {{0.2, 0.0, 0.0}},
                              .gap_breaks = gap_breaks,
                              .instant = instant,
                              .name = "glass"});
    before = bar;
  }
  return model;
}

}  // namespace

TEST_CASE(
    "a constraint of one's own that is no number any more ends the run with its name, by every stepper") {
  for (const bool gap_breaks : {false, true})
    for (const double instant : {-1.0, 0.0105}) {
      if (gap_breaks && instant < 0.0) continue;  // which the model refuses
      const MultibodySystem system(chain(gap_breaks, instant));
      for (const auto& stepper : catena_test::methods_with_joints()) {
        CAPTURE(gap_breaks);
        CAPTURE(instant);
        const std::string name = stepper->traits().name;
        CAPTURE(name);
        const bool sees_gaps = stepper->traits().position_residual || name == "lie_dae";
        for (const bool watched : {false, true}) {
          CAPTURE(watched);
          State state = system.initial_state();
          Monitor monitor;
          Listeners listeners;
          if (watched) listeners.observers = {&monitor};
          const RunResult r =
              run(system, *stepper, state, {.step = 1e-3, .end = 0.1, .verdict = false}, listeners);
          CHECK(r.status != Status::ok);
          CAPTURE(r.culprit.name);
          CAPTURE(r.culprit.quantity);
          CHECK(r.culprit.name.find("\"glass\"") != std::string::npos);
          if (!gap_breaks || sees_gaps) {
            CHECK(state.t <= 0.0105);
            if (instant > 0.0) CHECK(r.message == r.culprit.name + ": it has been broken");
          } else {  // knows rates alone: the first look at gaps shows it, at the latest that at the end
            CHECK(r.status == Status::not_finite);
            CHECK(r.culprit.quantity == "position residual");
            CHECK(state.t == doctest::Approx(watched ? 0.011 : 0.1));
          }
        }
      }
    }
}

TEST_CASE("a disc that lies flat is said to, with the name of its joint, by every stepper's start") {
  for (const bool contact : {true, false}) {
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId coin = model.add({.position = {{0.0, 0.0, 1.0}}, .orientation = {0.8, 0.6, 0.0, 0.0}});
    const RollingDisc rim{.bodies = {coin}, .name = "rim"};
    if (contact)
      model.add(DiscContact{.bodies = {coin}, .plane_point = {{0.0, 0.0, 0.04}}, .name = "rim"});
    else
      model.add(rim);
    const MultibodySystem system(model);
    for (const auto& stepper : catena_test::methods_with_joints()) {
      const std::string name = stepper->traits().name;
      CAPTURE(contact);
      CAPTURE(name);
      State state = system.initial_state();
      const double about_x = -2.0 * std::atan2(0.6, 0.8);  // to no lean but that of roundoff
      const double turn[6] = {0.0, 0.0, 0.0, about_x, 0.0, 0.0};
      system.retract(state.q.data(), turn, state.q.data());
      const RunResult r = run(system, *stepper, state, {.step = 1e-3, .end = 0.1});
      CHECK(r.status == Status::inconsistent_start);
      CHECK(r.message == std::string("joint \"rim\" (") + (contact ? "disc_contact" : "rolling_disc") +
                             "): the disc lies parallel to its plane, so that no point of its rim is the "
                             "lowest; let it lean");
    }
  }
}

}  // namespace not_finite_rows_tests
