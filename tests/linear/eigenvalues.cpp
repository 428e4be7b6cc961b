// Eigenvalues of large ratios, of Jordan blocks and beside infinite ones, by all solvers, against closed forms.
#include <catena/model/parts/bushing.hpp>
#include <catena/model/parts/joint_force.hpp>
#include <catena/problems/n_four_bar.hpp>

#include "linear/linear_mechanisms.hpp"

#include <doctest/doctest.h>

namespace eigenvalues_tests {

using namespace catena;
using namespace catena::test;

Modes modes_of(const Model& model, const ModesOptions& options = {.count = 1000}) {
  const MultibodySystem system(model);
  return find_modes(linearize(system, system.initial_state()), options);
}

std::vector<std::complex<double>> values_of(const Modes& modes) {
  std::vector<std::complex<double>> s;
  for (const Mode& m : modes.modes) s.push_back(m.eigenvalue);
  return s;
}

// Of m s^2 + c s + k = 0, the one above the real axis.
std::complex<double> oscillation(double m, double c, double k) {
  return {-0.5 * c / m, std::sqrt(k / m - 0.25 * c * c / (m * m))};
}

// A block on a rail along x and a spring to the ground.
void add_block(Model& model, double y, double mass, double stiffness, double damping) {
  const BodyId block = model.add(Body{.mass = mass, .position = {{0.0, y, 0.0}}});
  model.add(
      joint_at<PrismaticJoint>(model, ground, block, {.point = {{0.0, y, 0.0}}, .axis = Vec3::Unit(0)}));
  model.add(SpringDamper{.bodies = {ground, block},
                         .point_a = {{-1.0, y, 0.0}},
                         .stiffness = stiffness,
                         .damping = damping,
                         .rest_length = 1.0});
}

// n pendulums beside each other, a mass point l below each hinge and the inertia J about it; equal, or each longer than the last.
Model pendulums(int n, double J, double damping, double longer) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  for (int k = 0; k < n; ++k) {
    const double l = 1.0 + longer * k;
    const BodyId rod = model.add(Body{.inertia = J * Mat3::Identity(), .position = {{0.0, 1.0 * k, -l}}});
    const ConstraintId hinge = model.add(
        joint_at<RevoluteJoint>(model, ground, rod, {.point = {{0.0, 1.0 * k, 0.0}}, .axis = Vec3::Unit(1)}));
    if (damping > 0.0) model.add(JointForce{.joint = hinge, .damping = damping});
  }
  return model;
}

// n bodies welded below each other, 1 m apart, on one hinge.
Model welded_pendulum(int n, double damping) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  BodyId above = ground;
  for (int k = 0; k < n; ++k) {
    const BodyId body =
        model.add(Body{.inertia = 0.1 * Mat3::Identity(), .position = {{0.0, 0.0, -1.0 - k}}});
    if (k > 0) {
      model.add(joint_at<WeldJoint>(model, above, body, {.point = {{0.0, 0.0, -1.0 - k}}}));
    } else {
      const ConstraintId hinge =
          model.add(joint_at<RevoluteJoint>(model, ground, body, {.axis = Vec3::Unit(1)}));
      if (damping > 0.0) model.add(JointForce{.joint = hinge, .damping = damping});
    }
    above = body;
  }
  return model;
}
std::complex<double> of_welded(int n, double damping) {
  double inertia = 0.0, moment = 0.0;
  for (int k = 1; k <= n; ++k) inertia += 0.1 + k * k, moment += 9.81 * k;
  return oscillation(inertia, damping, moment);
}

TEST_CASE("a chip of 1 g on stiff bushings with dampers: all six oscillations, and stable") {
  Model model;
  const BodyId chip = model.add(Body{.mass = 1e-3, .inertia = 1e-8 * Mat3::Identity()});
  Bushing bushing{.bodies = {ground, chip}};
  for (int k = 0; k < 6; ++k) {
    bushing.stiffness(k, k) = k < 3 ? 1e7 : 3e3;
    bushing.damping(k, k) = k < 3 ? 1.0 : 1e-5;
  }
  model.add(bushing);
  const Modes modes = modes_of(model);
  CHECK(modes.stability == Stability::stable);
  CHECK(modes.zeros == 0);
  REQUIRE(modes.modes.size() == 6);
  for (std::size_t k = 0; k < 6; ++k) {
    const std::complex<double> s = k < 3 ? oscillation(1e-3, 1.0, 1e7) : oscillation(1e-8, 1e-5, 3e3);
    CHECK(std::abs(modes.modes[k].eigenvalue - s) < 1e-12 * std::abs(s));
  }
}

TEST_CASE(
    "a slow oscillation beside one that is 1e5 and 3e6 times as fast keeps its damping and its growth") {
  const double fast_m = 0.01, fast_c = 1.0, fast_k = 1e8;
  struct Slow {
    double k, c;
    Stability stability;
  };
  for (const auto& [k, c, stability] :
       {Slow{1.0, -0.02, Stability::unstable}, Slow{1.0, 0.02, Stability::stable},
        Slow{0.001, 0.01, Stability::stable}}) {
    Model model;
    add_block(model, 0.0, 1.0, k, c);
    add_block(model, 1.0, fast_m, fast_k, fast_c);
    const Modes modes = modes_of(model);
    CHECK(modes.stability == stability);
    CHECK(modes.zeros == 0);
    REQUIRE(modes.modes.size() == 2);
    CHECK(std::abs(modes.modes[0].eigenvalue - oscillation(1.0, c, k)) < 1e-10);
    const std::complex<double> fast = oscillation(fast_m, fast_c, fast_k);
    CHECK(std::abs(modes.modes[1].eigenvalue - fast) < 1e-12 * std::abs(fast));
  }
}

TEST_CASE("the stiffness of a body that is welded to the ground hides no slow mode") {
  Model model;
  add_block(model, 0.0, 1.0, 0.01, 0.0);
  const Vec3 at{{0.0, 1.0, 0.0}};
  const BodyId hard = model.add(Body{.mass = 1e-3, .inertia = 1e-6 * Mat3::Identity(), .position = at});
  model.add(joint_at<WeldJoint>(model, ground, hard, {.point = at}));
  model.add(SpringDamper{
      .bodies = {ground, hard}, .point_a = {{-1.0, 1.0, 0.0}}, .stiffness = 1e9, .rest_length = 1.0});
  const Modes modes = modes_of(model);
  CHECK(modes.zeros == 0);
  REQUIRE(modes.modes.size() == 1);
  CHECK(std::abs(modes.modes[0].eigenvalue.imag() - 0.1) < 1e-13);
}

TEST_CASE("Arnoldi: no more modes than the mechanism has, whatever is asked for") {
  for (const int n : {12, 45}) {
    const Modes modes = modes_of(welded_pendulum(n, 3.0), {.count = 10, .largest_dense = 0});
    REQUIRE(modes.status == Status::ok);
    CHECK(modes.method == "Arnoldi");
    CHECK(modes.unstable == 0);
    CHECK(modes.zeros == 0);
    REQUIRE(modes.modes.size() == 1);
    CHECK(std::abs(modes.modes[0].eigenvalue - of_welded(n, 3.0)) < 1e-8);
  }
  const int n = 8;
  const Modes modes = modes_of(pendulums(n, 0.1, 0.2, 0.1), {.count = 60, .largest_dense = 0});
  REQUIRE(modes.status == Status::ok);
  CHECK(modes.method == "Arnoldi");
  CHECK(modes.unstable == 0);
  REQUIRE(modes.modes.size() == n);
  for (int k = 0; k < n; ++k) {
    const double l = 1.0 + 0.1 * k;
    CHECK(distance_to(values_of(modes), oscillation(0.1 + l * l, 0.2, 9.81 * l)) < 1e-9);
  }
}

TEST_CASE("discs that roll: Jordan blocks at zero grow by no solver, and every disc wobbles at its rate") {
  const double r = 1.0, g = 9.81, C = 0.5, A = 0.25, spin = 3.0;
  const std::complex<double> wobble(0.0,
                                    std::sqrt((C * (C + r * r) * spin * spin / A - g * r) / (A + r * r)));
  Model model;
  model.gravity = {{0.0, 0.0, -g}};
  constexpr int n = 6;
  for (int k = 0; k < n; ++k) {
    const BodyId disc = model.add(Body{.inertia = diagonal(Vec3{{A, C, A}}),
                                       .position = {{0.0, 3.0 * k, r}},
                                       .velocity = {{spin * r, 0.0, 0.0}},
                                       .angular_velocity = {{0.0, spin, 0.0}}});
    const RollingDisc rolling{.bodies = {disc}, .axis = Vec3::Unit(1), .radius = r};
    model.add(contact_of(rolling));
    model.add(rolling);
  }
  for (const int largest_dense : {240, 0}) {
    const Modes modes = modes_of(model, {.count = 2 * n, .largest_dense = largest_dense});
    REQUIRE(modes.status == Status::ok);
    CHECK(modes.stability != Stability::unstable);
    CHECK(modes.unstable == 0);
    CHECK(modes.zeros == 6 * n);
    REQUIRE(modes.modes.size() == n);
    for (const Mode& m : modes.modes) CHECK(std::abs(m.eigenvalue - wobble) < 1e-8);
  }
}

TEST_CASE("a free body spins steadily about its least and largest moments, not about the middle one") {
  const double spin = 3.0, J[] = {1.0, 2.0, 2.5};
  for (const int axis : {0, 1, 2}) {
    Model model;
    model.add(
        Body{.inertia = diagonal(Vec3{{J[0], J[1], J[2]}}), .angular_velocity = spin * Vec3::Unit(axis)});
    const Modes modes = modes_of(model);
    const double A = J[(axis + 1) % 3], B = J[(axis + 2) % 3], C = J[axis];
    const double square = -spin * spin * (C - A) * (C - B) / (A * B);
    CHECK(modes.stability == (square > 0.0 ? Stability::unstable : Stability::neutral));
    CHECK(modes.unstable == (square > 0.0 ? 1 : 0));
    CHECK(distance_to(values_of(modes), std::sqrt(std::complex<double>(square))) < 1e-12);
    // A translation, seen from the frame that turns.
    int turning = 0;
    for (const Mode& m : modes.modes)
      if (std::abs(m.eigenvalue - std::complex<double>(0.0, spin)) < 1e-12) ++turning;
    CHECK(turning == 3);  // and the turn about an axis across the spin
  }
}

TEST_CASE("Lanczos: parallelograms of four hinges, whose rows are more than their coordinates") {
  const double l = 1.0, g = 9.81, m = 2.0, post = 0.5, J = post * l * l / 4.0 + 0.01;
  Model model;
  model.gravity = {{0.0, -g, 0.0}};
  constexpr int n = 3;
  for (int k = 0; k < n; ++k) {
    const Vec3 at{{3.0 * k, 0.0, 0.0}};
    const BodyId beam = model.add(Body{.mass = m, .position = at + Vec3{{0.5, -l, 0.0}}});
    for (int side = 0; side < 2; ++side) {
      const Vec3 foot = at + Vec3{{1.0 * side, 0.0, 0.0}}, tip = foot - Vec3{{0.0, l, 0.0}};
      const BodyId p =
          model.add(Body{.mass = post, .inertia = 0.01 * Mat3::Identity(), .position = 0.5 * (foot + tip)});
      model.add(joint_at<RevoluteJoint>(model, ground, p, {.point = foot}));
      model.add(joint_at<RevoluteJoint>(model, p, beam, {.point = tip}));
    }
  }
  const double omega = std::sqrt((m + post) * g * l / (2.0 * J + m * l * l));
  const Modes modes = modes_of(model, {.count = 10, .largest_dense = 0});
  REQUIRE(modes.status == Status::ok);
  CHECK(modes.method == "Lanczos");
  REQUIRE(modes.modes.size() == n);
  for (const Mode& mode : modes.modes) CHECK(std::abs(mode.eigenvalue.imag() - omega) < 1e-9 * omega);
}

TEST_CASE("Lanczos: sixty four-bars side by side, at rest upright, fall at the one rate that they have") {
  constexpr int n = 60;
  NFourBarParameters p;
  p.n = n;
  const MultibodySystem system(NFourBar(p).model());
  State rest = system.initial_state();
  std::fill(rest.v.begin(), rest.v.end(), 0.0);
  const Modes modes = find_modes(linearize(system, rest));
  REQUIRE(modes.status == Status::ok);
  CHECK(modes.method == "Lanczos");
  CHECK(modes.unstable == 1);
  REQUIRE(modes.modes.size() == 2);
  // n + 1 upright bars and n level ones, all of mass 1 kg and length 1 m.
  const double rate = std::sqrt(9.81 * (0.5 * (n + 1) + n) / ((n + 1) / 3.0 + n));
  for (const double sign : {1.0, -1.0}) CHECK(distance_to(values_of(modes), sign * rate) < 1e-9 * rate);
}

TEST_CASE("Lanczos: the number of all motions that fall, and of all that nothing acts on") {
  const Modes falling = modes_of(hanging_chain(20, 1.0, -1.0), {.count = 4, .largest_dense = 0});
  REQUIRE(falling.status == Status::ok);
  CHECK(falling.stability == Stability::unstable);
  CHECK(falling.unstable == 40);
  CHECK(!falling.at_least);

  // Blocks in a row on springs, free across it: omega = 2 sqrt(k / m) sin(pi j / (2 n + 2)).
  constexpr int n = 15;
  Model row;
  BodyId before = ground;
  for (int k = 0; k <= n; ++k) {
    const BodyId block =
        k < n ? row.add(Body{.inertia = 0.1 * Mat3::Identity(), .position = {{1.0 + k, 0.0, 0.0}}}) : ground;
    row.add(SpringDamper{.bodies = {before, block},
                         .point_b = {{k < n ? 0.0 : n + 1.0, 0.0, 0.0}},
                         .stiffness = 100.0,
                         .rest_length = 1.0});
    before = block;
  }
  for (const int largest_dense : {240, 0}) {
    const Modes modes = modes_of(row, {.count = 5, .largest_dense = largest_dense});
    REQUIRE(modes.status == Status::ok);
    CHECK(modes.zeros == 4 * n);
    CHECK(modes.free_motions.size() == 2 * n);
    REQUIRE(modes.modes.size() == 5);
    for (std::size_t j = 0; j < 5; ++j) {
      const double omega = 20.0 * std::sin(std::numbers::pi * static_cast<double>(j + 1) / (2.0 * n + 2.0));
      CHECK(std::abs(modes.modes[j].eigenvalue.imag() - omega) < 1e-10 * omega);
    }
  }
}

TEST_CASE(
    "Lanczos: the one frequency of equal pendulums, and of bodies that are welded together, to 11 digits") {
  const Modes equal = modes_of(pendulums(20, 0.1, 0.0, 0.0), {.count = 3, .largest_dense = 0});
  REQUIRE(equal.status == Status::ok);
  CHECK(equal.method == "Lanczos");
  REQUIRE(equal.modes.size() == 3);
  const double omega = std::sqrt(9.81 / 1.1);
  for (const Mode& m : equal.modes) CHECK(std::abs(m.eigenvalue.imag() - omega) < 1e-11 * omega);
  const Modes welded = modes_of(welded_pendulum(45, 0.0), {.count = 10, .largest_dense = 0});
  REQUIRE(welded.status == Status::ok);
  REQUIRE(welded.modes.size() == 1);
  const double exact = of_welded(45, 0.0).imag();
  CHECK(std::abs(welded.modes[0].eigenvalue.imag() - exact) < 1e-11 * exact);
}

TEST_CASE("a body that turns freely is not stable, though its translations die out") {
  Model model;
  const BodyId body = model.add(Body{});
  Bushing bushing{.bodies = {ground, body}};
  for (int k = 0; k < 3; ++k) bushing.stiffness(k, k) = 10.0, bushing.damping(k, k) = 1.0;
  model.add(bushing);
  const Modes modes = modes_of(model);
  CHECK(modes.modes.size() == 3);
  CHECK(modes.stability == Stability::neutral);
}

TEST_CASE("of a body that is welded to the ground every solver finds no mode") {
  for (const bool damped : {false, true})
    for (const int largest_dense : {240, 0}) {
      Model model;
      model.gravity = {{0.0, 0.0, -9.81}};
      BodyId above = ground;
      for (int k = 0; k < 3; ++k) {
        const Vec3 at{{0.0, 0.0, -1.0 - k}};
        const BodyId body = model.add(Body{.position = at});
        model.add(joint_at<WeldJoint>(model, above, body, {.point = at}));
        model.add(SpringDamper{
            .bodies = {above, body}, .stiffness = 10.0, .damping = damped ? 1.0 : 0.0, .rest_length = 1.0});
        above = body;
      }
      const Modes modes = modes_of(model, {.count = 10, .largest_dense = largest_dense});
      CAPTURE(modes.method);
      CHECK(modes.status == Status::ok);
      CHECK(modes.modes.empty());
      CHECK(modes.zeros == 0);
      CHECK(modes.unstable == 0);
      if (largest_dense > 0) CHECK(modes.stability == Stability::stable);
    }
}

}  // namespace eigenvalues_tests
