// A system in parts is the system: what a stepper does part by part is what it does with all velocities at once.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/problems/helix_chain.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace catena;

namespace {

std::vector<double> waves(std::size_t count, double size) {
  std::vector<double> x(count);
  for (std::size_t k = 0; k < count; ++k) x[k] = size * std::sin(1.7 * static_cast<double>(k) + 0.3);
  return x;
}

// Every block and every component is in one part, in order.
void check_cover(const System& system) {
  const BlockPattern& p = *system.layout().pattern;
  int block = 0, component = 0;
  for (int k = 0; k < system.parts(); ++k) {
    const SystemPart part = system.part(k);
    CHECK(part.number == k);
    CHECK(part.first_block == block);
    CHECK(part.first == component);
    REQUIRE(part.last_block > part.first_block);
    block = part.last_block;
    component = part.last;
    CHECK(part.first == p.primal_offset[static_cast<std::size_t>(part.first_block)]);
  }
  CHECK(block == p.primal_count());
  CHECK(component == system.layout().v_size());
}

// To the bit, and without a number of another part.
void check_parts(const System& system) {
  check_cover(system);
  const State start = system.initial_state();
  const auto n = static_cast<std::size_t>(system.layout().v_size());
  const std::vector<double> delta = waves(n, 0.3), increment = waves(n, 1.1);
  constexpr double untouched = 77.0;
  std::vector<double> whole_q(start.q), part_q(start.q.size(), untouched), whole(n), of_part(n, untouched);
  system.retract(start.q.data(), delta.data(), whole_q.data());
  system.inverse_tangent(increment.data(), delta.data(), whole.data());
  for (int k = 0; k < system.parts(); ++k) {
    const SystemPart part = system.part(k);
    system.retract_part(part, start.q.data(), delta.data(), part_q.data());
    system.inverse_tangent_part(part, increment.data(), delta.data(), of_part.data());
    for (auto i = static_cast<std::size_t>(part.last); i < n; ++i) REQUIRE(of_part[i] == untouched);
  }
  CHECK(part_q == whole_q);
  CHECK(of_part == whole);
}

}  // namespace

TEST_CASE("retract() and inverse_tangent() part by part are those of the whole system") {
  const Model model = HelixChain({.n = 600}).model();
  const MultibodySystem bodies(model);
  CHECK(bodies.parts() == 3);  // 256 bodies a part
  check_parts(bodies);
  const QuaternionSystem quaternions(model);
  CHECK(quaternions.parts() == 3);
  check_parts(quaternions);
}

TEST_CASE("a system with points among its bodies is one part") {
  Model model;
  for (int k = 0; k < 600; ++k) {
    Body body;
    body.name = "point " + std::to_string(k);
    body.mass = 1.0;
    body.motion = k == 300 ? BodyMotion::point : BodyMotion::rigid;
    if (body.motion == BodyMotion::rigid) body.inertia = Mat3::Identity();
    model.add(body);
  }
  const MultibodySystem system(std::move(model));
  CHECK(system.parts() == 1);
  check_parts(system);
}
