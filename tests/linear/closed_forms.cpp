// Eigenvalues against closed forms: conservative, damped and gyroscopic systems, free motions, closed loops.
#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

namespace {

using namespace catena;
using namespace catena::test;

// Relative accuracy of eigenvalues of small systems: some hundred roundoffs.
constexpr double exact = 1e-12;

Modes modes_of(const Model& model, const ModesOptions& options = {.count = 1000}) {
  const MultibodySystem system(model);
  return find_modes(linearize(system, system.initial_state()), options);
}

TEST_CASE("a physical pendulum swings at sqrt(m g l / (J + m l^2)), and inverted it falls at that rate") {
  for (const double side : {-1.0, 1.0}) {
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId rod = model.add(Body{.name = "rod",
                                      .mass = 3.0,
                                      .inertia = diagonal(Vec3{{0.4, 0.7, 0.5}}),
                                      .position = {{0.0, 0.0, 0.8 * side}}});
    model.add(joint_at<RevoluteJoint>(model, ground, rod, {.axis = Vec3::Unit(1)}));
    const double rate = std::sqrt(3.0 * 9.81 * 0.8 / (0.7 + 3.0 * 0.64));
    const Modes modes = modes_of(model);
    REQUIRE(modes.status == Status::ok);
    CHECK(modes.method == "dense symmetric");
    CHECK(modes.zeros == 0);
    if (side < 0.0) {
      CHECK(modes.stability == Stability::neutral);
      REQUIRE(modes.modes.size() == 1);
      CHECK(std::abs(modes.modes[0].eigenvalue - std::complex<double>(0.0, rate)) < exact * rate);
      CHECK(std::abs(modes.modes[0].frequency - rate / (2.0 * std::numbers::pi)) < exact * rate);
      // Its centre moves by 0.8 m a radian; the largest component over its scale is 1.
      CHECK(std::abs(modes.modes[0].shape[0] / modes.modes[0].shape[4] + 0.8) < exact);
    } else {
      CHECK(modes.stability == Stability::unstable);
      CHECK(modes.unstable == 1);
      REQUIRE(modes.modes.size() == 2);
      CHECK(std::abs(modes.modes[0].eigenvalue - rate) < exact * rate);
      CHECK(std::abs(modes.modes[1].eigenvalue + rate) < exact * rate);
    }
  }
}

TEST_CASE("a damped mass on a spring: -c/2m and the damped frequency, and its other motions are free") {
  const double m = 2.0, k = 50.0, c = 3.0;
  Model model;
  const BodyId block = model.add(Body{.name = "block", .mass = m, .position = {{1.0, 0.0, 0.0}}});
  model.add(
      joint_at<PrismaticJoint>(model, ground, block, {.point = {{1.0, 0.0, 0.0}}, .axis = Vec3::Unit(0)}));
  model.add(SpringDamper{.bodies = {ground, block}, .stiffness = k, .damping = c, .rest_length = 1.0});
  const Modes modes = modes_of(model);
  REQUIRE(modes.modes.size() == 1);
  CHECK(modes.stability == Stability::stable);
  const double decay = c / (2.0 * m);
  const std::complex<double> s(-decay, std::sqrt(k / m - decay * decay));
  CHECK(std::abs(modes.modes[0].eigenvalue - s) < exact * std::abs(s));
  CHECK(std::abs(modes.modes[0].damping_ratio - decay / std::sqrt(k / m)) < exact);

  Model loose;
  const BodyId a = loose.add(Body{.name = "a", .mass = 1.0});
  const BodyId b = loose.add(Body{.name = "b", .mass = 3.0, .position = {{1.0, 0.0, 0.0}}});
  for (const BodyId id : {a, b})
    loose.add(joint_at<PrismaticJoint>(loose, ground, id, {.axis = Vec3::Unit(0)}));
  loose.add(SpringDamper{.bodies = {a, b}, .stiffness = k, .rest_length = 1.0});
  const Modes pair = modes_of(loose);
  CHECK(pair.zeros == 2);
  CHECK(pair.free_motions == std::vector<std::string>{"body \"b\" and body \"a\" can move together"});
  REQUIRE(pair.modes.size() == 1);
  const double omega = std::sqrt(k * (1.0 + 1.0 / 3.0));
  CHECK(std::abs(pair.modes[0].eigenvalue.imag() - omega) < exact * omega);
  CHECK(std::abs(pair.modes[0].shape[0] / pair.modes[0].shape[6] + 3.0) < 1e-11);
}

TEST_CASE("a free body that spins: its own frame for three moments, the world for a symmetric one") {
  // Euler's equations about axis 3: s^2 = -Omega^2 (C - A)(C - B)/(A B) in the body.
  const double spin = 3.0;
  for (const double B : {0.5, 0.3}) {
    const double A = 0.3, C = 0.6;
    Model model;
    model.add(
        Body{.name = "rotor", .inertia = diagonal(Vec3{{A, B, C}}), .angular_velocity = {{0.0, 0.0, spin}}});
    const MultibodySystem system(model);
    const LinearMotion motion = linearize(system, system.initial_state());
    REQUIRE(motion.status == Status::ok);
    CHECK(std::abs(motion.turning[2] - (B == A ? 0.0 : spin)) < exact * spin);
    std::vector<std::complex<double>> s;
    for (const Mode& m : find_modes(motion, {.count = 100}).modes) s.push_back(m.eigenvalue);
    const double rate = spin * std::sqrt((C - A) * (C - B) / (A * B));
    // In the world the wobble of a symmetric rotor is at C Omega / A, in the body at that less Omega.
    CHECK(distance_to(s, {0.0, B == A ? C / A * spin : rate}) < 1e-10 * spin);
  }
  Model tumbling;  // the middle moment
  tumbling.add(Body{
      .name = "book", .inertia = diagonal(Vec3{{0.3, 0.6, 0.5}}), .angular_velocity = {{0.0, 0.0, spin}}});
  const Modes modes = modes_of(tumbling);
  CHECK(modes.stability == Stability::unstable);
  std::vector<std::complex<double>> s;
  for (const Mode& m : modes.modes) s.push_back(m.eigenvalue);
  CHECK(distance_to(s, spin * std::sqrt(0.2 * 0.1 / (0.3 * 0.6))) < 1e-10 * spin);
}

TEST_CASE(
    "a sleeping top: s = i (C Omega +- sqrt(C^2 Omega^2 - 4 A m g l)) / 2 A, unstable below the critical "
    "spin") {
  const double A = 0.2, C = 0.3, mgl = 9.81 * 0.4, about = A + 0.16;
  for (const double factor : {0.9, 1.2}) {
    const double spin = factor * std::sqrt(4.0 * about * mgl) / C;
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId top = model.add(Body{.name = "top",
                                      .inertia = diagonal(Vec3{{A, A, C}}),
                                      .position = {{0.0, 0.0, 0.4}},
                                      .angular_velocity = {{0.0, 0.0, spin}}});
    model.add(joint_at<SphericalJoint>(model, ground, top, {}));
    const std::vector<std::complex<double>> s = eigenvalues(model);
    const std::complex<double> root =
        std::sqrt(std::complex<double>(C * C * spin * spin - 4.0 * about * mgl));
    const std::complex<double> i(0.0, 1.0);
    for (const double sign : {-1.0, 1.0}) {
      const std::complex<double> wanted = i * (C * spin + sign * root) / (2.0 * about);
      CHECK(distance_to(s, wanted) < 1e-10 * spin);
    }
  }
}

TEST_CASE("a conical pendulum: steady in a frame that turns, s^2 = -Omega^2 (1 + 3 cos^2)") {
  // A point mass on a rod of length l at the angle b from the vertical: Omega^2 = g / (l cos b).
  const double b = 0.7, l = 1.3, g = 9.81, omega = std::sqrt(g / (l * std::cos(b)));
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  const BodyId bob = model.add(Body{.name = "bob",
                                    .inertia = 1e-2 * Mat3::Identity(),
                                    .position = {{l * std::sin(b), 0.0, -l * std::cos(b)}},
                                    .velocity = {{0.0, omega * l * std::sin(b), 0.0}}});
  model.add(DistanceConstraint{.bodies = {ground, bob}, .length = l});
  const MultibodySystem system(model);
  const LinearMotion motion = linearize(system, system.initial_state());
  REQUIRE(motion.status == Status::ok);
  CHECK(motion.unsteady < 1e-14);
  CHECK(std::abs(motion.turning[2] - omega) < exact * omega);
  std::vector<std::complex<double>> s;
  for (const Mode& m : find_modes(motion, {.count = 100}).modes) s.push_back(m.eigenvalue);
  CHECK(distance_to(s, {0.0, omega * std::sqrt(1.0 + 3.0 * std::cos(b) * std::cos(b))}) < 1e-10 * omega);
}

TEST_CASE(
    "ten point masses on a chain: the zeros of Laguerre's polynomial, twice each, dense and by iteration") {
  const double starts[] = {0.1378, 0.7295,  1.8083,  3.4014,  5.5525,
                           8.3302, 11.8438, 16.2793, 21.9966, 29.9207};
  std::vector<double> zeros;
  for (const double start : starts) zeros.push_back(laguerre_zero(10, start));
  CHECK(std::abs(zeros[0] - 0.1377934705) < 1e-10);
  CHECK(std::abs(zeros[1] - 0.7294545495) < 1e-10);
  double sum = 0.0;
  for (const double x : zeros) sum += x;
  CHECK(std::abs(sum - 100.0) < 1e-12);  // n^2
  for (const int largest_dense : {240, 0}) {
    const double g = 9.81, l = 0.3;
    const Modes modes = modes_of(hanging_chain(10, l, g), {.count = 20, .largest_dense = largest_dense});
    REQUIRE(modes.status == Status::ok);
    CHECK(modes.method == (largest_dense > 0 ? "dense symmetric" : "Lanczos"));
    CHECK(modes.zeros == 0);
    REQUIRE(modes.modes.size() == 20);
    for (std::size_t k = 0; k < 20; ++k) {
      const double omega = std::sqrt(g / l * zeros[k / 2]);
      CHECK(std::abs(modes.modes[k].eigenvalue.imag() - omega) < 1e-11 * omega);
    }
  }
}

TEST_CASE("the iteration and dense matrices agree: links that spin freely, an inverted link, a large chain") {
  for (const bool inverted : {false, true}) {
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    BodyId above = ground;
    for (int k = 0; k < 3; ++k) {
      const double z = inverted ? 0.5 + k : -0.5 - k;
      const BodyId link =
          model.add(Body{.inertia = diagonal(Vec3{{0.1, 0.1, 0.01}}), .position = {{0.0, 0.0, z}}});
      model.add(joint_at<SphericalJoint>(model, above, link,
                                         {.point = {{0.0, 0.0, inverted ? 1.0 * k : -1.0 * k}}}));
      above = link;
    }
    const Modes dense = modes_of(model), iterated = modes_of(model, {.count = 4, .largest_dense = 0});
    REQUIRE(dense.status == Status::ok);
    REQUIRE(iterated.status == Status::ok);
    CHECK(dense.zeros == 6);
    CHECK(iterated.zeros == 6);
    CHECK(iterated.free_motions.size() == 3);
    CHECK(dense.stability == (inverted ? Stability::unstable : Stability::neutral));
    CHECK(iterated.stability == dense.stability);
    CHECK(dense.unstable == (inverted ? 6 : 0));
    REQUIRE(iterated.modes.size() == 4);
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(std::abs(iterated.modes[k].eigenvalue - dense.modes[k].eigenvalue) <
            1e-9 * std::abs(dense.modes[k].eigenvalue));
  }
  constexpr int n = 300;
  const Modes modes = modes_of(hanging_chain(n), {.count = 6});
  CHECK(modes.method == "Lanczos");
  REQUIRE(modes.modes.size() == 6);
  const double bessel[] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
  for (std::size_t k = 0; k < 6; ++k) {
    const double j = bessel[k / 2], omega = std::sqrt(laguerre_zero(n, j * j / (4.0 * n + 2.0)));
    CHECK(std::abs(modes.modes[k].eigenvalue.imag() - omega) < 1e-10 * omega);
  }
  // Both modes of a double frequency, and not the next one.
  const Modes two = modes_of(hanging_chain(n), {.count = 2, .tolerance = 1e-4});
  REQUIRE(two.modes.size() == 2);
  for (std::size_t k = 0; k < 2; ++k)
    CHECK(std::abs(two.modes[k].eigenvalue - modes.modes[0].eigenvalue) <
          1e-6 * modes.modes[0].frequency);  // its square
}

TEST_CASE("the idle turns of point masses are left out; those of a link that can spin are named") {
  const MultibodySystem system(hanging_chain(3));
  const LinearMotion motion = linearize(system, system.initial_state());
  CHECK(motion.idle_count == 9);
  CHECK(motion.symmetric);

  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const BodyId rod = model.add(Body{.name = "rod", .position = {{0.0, 0.0, -1.0}}});
  model.add(joint_at<SphericalJoint>(model, ground, rod, {}));
  const Modes modes = modes_of(model);
  CHECK(modes.zeros == 2);
  CHECK(modes.free_motions == std::vector<std::string>{"body \"rod\" can turn about (0, 0, 1)"});
  CHECK(modes.modes.size() == 2);
}

TEST_CASE("a parallelogram of four hinges with redundant rows swings as a mass on its bars") {
  // Two massless posts are none: with their inertia J about the feet, (2 J + m l^2) s'' = -(m + m_posts) g l s, hanging.
  const double l = 1.0, g = 9.81, m = 2.0, post = 0.5, J = post * l * l / 4.0 + 0.01;
  Model model;
  model.gravity = {{0.0, -g, 0.0}};
  const BodyId beam = model.add(Body{.name = "beam", .mass = m, .position = {{0.5, -l, 0.0}}});
  for (int side = 0; side < 2; ++side) {
    const Vec3 foot{{1.0 * side, 0.0, 0.0}}, tip{{1.0 * side, -l, 0.0}};
    const BodyId p =
        model.add(Body{.mass = post, .inertia = 0.01 * Mat3::Identity(), .position = 0.5 * (foot + tip)});
    model.add(joint_at<RevoluteJoint>(model, ground, p, {.point = foot}));
    model.add(joint_at<RevoluteJoint>(model, p, beam, {.point = tip}));
  }
  const Modes modes = modes_of(model);
  REQUIRE(modes.status == Status::ok);
  REQUIRE(modes.modes.size() == 1);
  const double omega = std::sqrt((m + 2.0 * post / 2.0) * g * l / (2.0 * J + m * l * l));
  CHECK(std::abs(modes.modes[0].eigenvalue.imag() - omega) < 1e-9 * omega);
}

}  // namespace
