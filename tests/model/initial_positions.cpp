// Forces that have no value where their bodies are placed.
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;

namespace {

const char* const coincide =
    R"(force "strut" (spring_damper): its two points coincide, so that its rest_length of 1 m has no )"
    "direction; move them apart, or set rest_length to 0";

// A spring from the ground to a body at x, from a point `apart` beside it.
Model strut(double x, double apart, double rest_length = 1.0) {
  Model model;
  const BodyId b = model.add({.name = "b", .position = {{x, 0.0, 0.0}}});
  model.add(SpringDamper{.bodies = {ground, b},
                         .point_a = {{x, 0.0, apart}},
                         .stiffness = 10.0,
                         .damping = 1.0,
                         .rest_length = rest_length,
                         .name = "strut"});
  return model;
}

}  // namespace

TEST_CASE("a spring of some length between points that coincide at the start is refused by its name") {
  CHECK_THROWS_WITH_AS(strut(0.0, 0.0).check_initial_positions(), coincide, ModelError);
  CHECK_THROWS_WITH_AS(strut(3.0, 0.9e-12).check_initial_positions(), coincide, ModelError);
  CHECK_NOTHROW(strut(3.0, 1.1e-12).check_initial_positions());
  // At a billion kilometres 1e-4 m is roundoff, less than one unit in the last place (2^-13 m); a metre is not.
  CHECK_THROWS_WITH_AS(strut(1e12, 1e-4).check_initial_positions(), coincide, ModelError);
  CHECK_NOTHROW(strut(1e12, 1.0).check_initial_positions());
  CHECK_NOTHROW(strut(0.0, 0.0, 0.0).check_initial_positions());  // no rest length needs no direction
}

TEST_CASE(
    "a disc that lies parallel to its plane is refused by the name of its joint, added so or turned so") {
  const char* const flat =
      "joint \"rim\" (disc_contact): the disc lies parallel to its plane, so that no point of its rim is the "
      "lowest; let it lean";
  // 3 x 4 x 5: the rim of the leaning disc, of radius 1, touches z = 0.
  Model model;
  const BodyId coin = model.add({.position = {{0.0, 0.0, 0.96}}, .orientation = {0.8, 0.6, 0.0, 0.0}});
  const DiscContact rim{.bodies = {coin}, .name = "rim"};
  Model other = model;
  other.add(rim);
  CHECK_NOTHROW(other.check_initial_positions());
  for (const Quat& e : {Quat{1.0, 0.0, 0.0, 0.0}, Quat{0.6, 0.0, 0.0, -0.8}, Quat{0.0, 0.8, 0.6, 0.0}}) {
    model.body(coin).orientation = other.body(coin).orientation = e;
    CHECK_THROWS_WITH_AS(model.add(rim), flat, ModelError);
    CHECK_THROWS_WITH_AS(other.check_initial_positions(), flat, ModelError);
  }
  CHECK_THROWS_WITH_AS(
      model.add(RollingDisc{.bodies = {coin}}),
      "joint \"rolling_disc 0\" (rolling_disc): the disc lies parallel to its plane, so that no "
      "point of its rim is the lowest; let it lean",
      ModelError);
}

TEST_CASE("bodies may be moved apart after a spring was added") {
  Model model = strut(0.0, 0.0);
  model.body(BodyId{0}).position = {{0.0, 0.5, 0.0}};
  CHECK_NOTHROW(model.check_initial_positions());
}

TEST_CASE("a spring of some length has no force where its points coincide; one without has") {
  const auto force = [](double distance, double rest_length) {
    BodyFrame<double> f[2]{};
    for (BodyFrame<double>& frame : f) frame = {Vec3::Zero(), Mat3::Identity(), Vec3::Zero(), Vec3::Zero()};
    f[1].x[0] = distance;
    Vec<double, 6> w[2];
    SpringDamper{.bodies = {ground, BodyId{0}}, .stiffness = 10.0, .rest_length = rest_length}
        .kernel<double>()
        .wrench(f, 0.0, w);
    return w[0][0];
  };
  CHECK(std::isnan(force(0.0, 1.0)));
  CHECK(std::isnan(force(0.9e-12, 1.0)));
  CHECK(std::abs(force(1.1e-12, 1.0) + 10.0) < 1e-10);  // k (l - l0) = -10 N, and 11 pN
  CHECK(force(0.0, 0.0) == 0.0);
}
