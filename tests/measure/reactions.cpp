#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/measure/detail/reaction_meter.hpp>

#include "support/fixture_joints.hpp"
#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace catena;
using namespace catena::detail;

namespace {

// Every joint of random_mechanism(), and joints of a user's: three bodies, velocity rows.
Model mechanism(std::uint64_t seed) {
  Model model = test::random_mechanism(9, seed);
  std::vector<BodyId> moving;
  for (int b = 0; b < model.body_count(); ++b)
    if (!model.body(BodyId{b}).fixed) moving.push_back(BodyId{b});
  model.add(fixture::RopeOverPulley{.bodies = {moving[0], moving[3], moving[5]},
                                    .point_a = {{0.1, 0.2, -0.1}},
                                    .point_c = {{-0.3, 0.1, 0.2}}});
  model.add(fixture::KnifeEdge{.bodies = {moving[2]}, .point = {{0.2, 0.0, 0.1}}});
  return model;
}

// The point of the first body of the element behind a side; the joints that have one side alone.
const ElementPool& pool_of(const Model& model, int constraint) {
  return *model.pools()[static_cast<std::size_t>(
      model.constraints()[static_cast<std::size_t>(constraint)].pool)];
}

}  // namespace

TEST_CASE("reactions on both bodies of every joint add up to the constraint forces of the balance") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const MultibodySystem system(mechanism(seed));
    const Model& model = system.model();
    test::Random random(seed + 10);
    State state = system.initial_state();
    state.lambda = random.values(system.layout().lambda_size(), 100.0);

    ReactionMeter meter(system);
    std::vector<double> wrench(6 * meter.sides().size());
    meter(state.t, state.q.data(), state.lambda.data(), state.discrete.data(), wrench.data());

    // Forces in world axes and torques about the centre of mass in body axes, as the balance has them.
    std::vector<double> sum(static_cast<std::size_t>(system.layout().v_size()), 0.0);
    const auto add = [&](BodyId body, const Vec3& point, const Vec3& force, const Vec3& torque) {
      const int at = body == ground ? -1 : system.v_offset(body);
      if (at < 0) return;
      const RigidBodyState s = system.bodies(state)[static_cast<std::size_t>(body)];
      const Mat3 R = rotation_matrix(s.orientation);
      const Vec3 turning = transpose_times(R, Vec3(torque + cross(R * point, force)));
      for (int k = 0; k < 3; ++k) {
        sum[static_cast<std::size_t>(at + k)] += force[k];
        sum[static_cast<std::size_t>(at + 3 + k)] += turning[k];
      }
    };
    for (std::size_t s = 0; s < meter.sides().size(); ++s) {
      const ReactionSide& side = meter.sides()[s];
      const double* w = wrench.data() + 6 * s;
      const Vec3 force{{w[0], w[1], w[2]}}, torque{{w[3], w[4], w[5]}};
      add(side.body, side.point, force, torque);
      const ElementPool& pool = pool_of(model, side.constraint);
      const int element = model.constraints()[static_cast<std::size_t>(side.constraint)].element;
      const BodyId first = pool.body(element, 0);
      const RowsMeaning& meaning = pool.plan().groups[0].meaning;
      if (meaning.opposite == Opposite::none || first == side.body || first == ground) continue;
      // The opposite on the first body.
      Vec3 point;
      if (meaning.opposite == Opposite::at_own_point) {
        std::vector<double> parameters(static_cast<std::size_t>(pool.plan().parameters));
        pool.parameters(element, parameters.data());
        point = {{parameters[0], parameters[1], parameters[2]}};
      } else {
        const std::vector<RigidBodyState> bodies = system.bodies(state);
        const RigidBodyState &a = bodies[static_cast<std::size_t>(first)],
                             &b = bodies[static_cast<std::size_t>(side.body)];
        const Vec3 place = b.position + rotation_matrix(b.orientation) * side.point;
        point = transpose_times(rotation_matrix(a.orientation), Vec3(place - a.position));
      }
      add(first, point, -force, -torque);
    }

    std::vector<double> balance(sum.size(), 0.0);
    Point at;
    at.q = state.q.data();
    at.lambda = state.lambda.data();
    at.forces = false;
    Evaluation wanted;
    wanted.balance = balance.data();
    system.evaluate(at, wanted);
    // Sums of some ten terms of up to 100 N times 3 m: roundoff is below 1e-12.
    for (std::size_t k = 0; k < sum.size(); ++k) CHECK(std::abs(sum[k] + balance[k]) < 1e-11);
  }
}

TEST_CASE(
    "a ball joint has no torque about its point, a hinge none about its axis, a rod pulls along itself") {
  const MultibodySystem system(test::random_mechanism(9, 4));
  const Model& model = system.model();
  State state = system.initial_state();
  state.lambda = test::Random(5).values(system.layout().lambda_size(), 100.0);
  ReactionMeter meter(system);
  std::vector<double> wrench(6 * meter.sides().size());
  meter(0.0, state.q.data(), state.lambda.data(), nullptr, wrench.data());
  const std::vector<RigidBodyState> bodies = system.bodies(state);
  int balls = 0, hinges = 0, rods = 0;
  for (std::size_t s = 0; s < meter.sides().size(); ++s) {
    const ReactionSide& side = meter.sides()[s];
    const ElementPool& pool = pool_of(model, side.constraint);
    const double* w = wrench.data() + 6 * s;
    const Vec3 force{{w[0], w[1], w[2]}}, torque{{w[3], w[4], w[5]}};
    const int element = model.constraints()[static_cast<std::size_t>(side.constraint)].element;
    std::vector<double> p(static_cast<std::size_t>(pool.plan().parameters));
    pool.parameters(element, p.data());
    const RigidBodyState& body = bodies[static_cast<std::size_t>(side.body)];
    const Mat3 R = rotation_matrix(body.orientation);
    const bool second = pool.body(element, 1) == side.body;
    const std::string type = pool.type_name();
    if (type == "spherical") {
      ++balls;
      CHECK(norm(torque) == 0.0);
    } else if (type == "revolute" && second) {
      ++hinges;
      CHECK(norm(torque) > 1e-3);
      CHECK(std::abs(dot(torque, R * Vec3{{p[12], p[13], p[14]}})) < 1e-12);
    } else if (type == "distance" && second) {
      ++rods;
      const BodyId other = pool.body(element, 0);
      Vec3 from{{p[0], p[1], p[2]}};
      if (other != ground) {
        const RigidBodyState& a = bodies[static_cast<std::size_t>(other)];
        from = a.position + rotation_matrix(a.orientation) * from;
      }
      const Vec3 rod = body.position + R * side.point - from;
      CHECK(norm(cross(rod, force)) < 1e-11);
      CHECK(norm(torque) < 1e-12);
    }
  }
  CHECK(balls > 0);
  CHECK(hinges > 0);
  CHECK(rods > 0);
}

TEST_CASE("reactions are the same in six and in seven coordinates") {
  const MultibodySystem six(mechanism(7));
  const QuaternionSystem seven(mechanism(7));
  const State state = six.initial_state();
  const std::vector<double> lambda = test::Random(8).values(six.layout().lambda_size(), 10.0);
  ReactionMeter a(six), b(seven);
  std::vector<double> x(6 * a.sides().size()), y(6 * b.sides().size());
  a(0.0, state.q.data(), lambda.data(), nullptr, x.data());
  b(0.0, seven.initial_state().q.data(), lambda.data(), nullptr, y.data());
  CHECK(x == y);
}
