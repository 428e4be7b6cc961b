// Eight lanes against one: Pack<8> and double give the same bits in every instruction set, and instruction
// sets differ by errors of arithmetic only.
#include <catena/math/parts/cpu.hpp>
#include <catena/model/detail/lane_functions.hpp>
#include <catena/model/detail/typed_pool.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>

#include "support/fixture_joints.hpp"
#include "support/grouped_elements.hpp"
#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>

namespace lanes_tests {

using namespace catena;
using namespace catena::detail;
using support::GroupFixture;

namespace {

struct Draw {
  std::mt19937 engine{11};
  double operator()() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine); }
  Vec3 vector() { return {{(*this)(), (*this)(), (*this)()}}; }
};

// Eight elements of each joint and force of the library.
std::vector<std::unique_ptr<ElementPool>> pools() {
  Draw draw;
  std::vector<std::unique_ptr<ElementPool>> all;
  const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
  const std::array<BodyId, 1> one{BodyId{0}};
  const auto eight = [&](auto&& make) {
    using E = decltype(make());
    auto pool = std::make_unique<PoolOf<E>>();
    for (int l = 0; l < 8; ++l) pool->push_back(make());
    all.push_back(std::move(pool));
  };
  const auto eight_drives = [&](JointCoordinate coordinate, bool rate) {
    JointDrive drive{.coordinate = coordinate, .rate = rate};
    drive.bodies = two;
    auto pool = std::make_unique<PoolOf<JointDrive>>(drive.shape());
    for (int l = 0; l < 8; ++l) {
      drive.target = functions::Sine{.amplitude = draw(), .frequency = 2.0 + draw(), .offset = draw()};
      drive.between = {.point_a = draw.vector(),
                       .point_b = draw.vector(),
                       .axis_a = draw.vector(),
                       .axis_b = draw.vector(),
                       .side_a = draw.vector(),
                       .side_b = draw.vector()};
      drive.offset = draw();
      pool->push_back(drive);
    }
    all.push_back(std::move(pool));
  };
  const auto points = [&](auto joint) {
    joint.bodies = two;
    joint.point_a = draw.vector();
    joint.point_b = draw.vector();
    return joint;
  };
  const auto axes = [&](auto joint) {
    joint = points(joint);
    joint.axis_a = draw.vector();
    joint.axis_b = draw.vector();
    return joint;
  };
  const auto triads = [&](auto joint) {
    joint = axes(joint);
    joint.side_a = draw.vector();
    joint.side_b = draw.vector();
    return joint;
  };
  const auto line = [&](auto joint) {
    joint = points(joint);
    joint.axis_a = draw.vector();
    return joint;
  };
  eight([&] { return points(SphericalJoint{}); });
  eight([&] { return axes(RevoluteJoint{}); });
  eight([&] { return axes(UniversalJoint{}); });
  eight([&] { return axes(CylindricalJoint{}); });
  eight([&] { return triads(PrismaticJoint{}); });
  eight([&] { return axes(PlanarJoint{}); });
  eight([&] { return triads(WeldJoint{}); });
  eight([&] { return line(PointOnLineJoint{}); });
  eight([&] { return line(PointInPlaneJoint{}); });
  eight([&] { return triads(ConstantOrientationJoint{}); });
  eight([&] { return DistanceConstraint{two, draw.vector(), draw.vector(), 1.0 + 0.5 * draw(), ""}; });
  eight([&] {
    return SpringDamper{two, draw.vector(), draw.vector(), draw(), draw(), 1.0 + 0.5 * draw(), ""};
  });
  eight([&] { return KnifeEdge{one, draw.vector(), draw.vector(), ""}; });
  const auto disc = [&] {
    return RollingDisc{one, draw.vector(), draw.vector(), 1.0 + 0.5 * draw(), draw.vector(), ""};
  };
  eight(disc);
  eight([&] { return contact_of(disc(), draw.vector()); });
  eight([&] {
    return PointForce{one, draw.vector(), draw.vector(), draw() > 0.0 ? Axes::world : Axes::body, ""};
  });
  eight([&] { return Torque{one, draw.vector(), draw() > 0.0 ? Axes::world : Axes::body, ""}; });
  for (const JointCoordinate coordinate : {JointCoordinate::angle, JointCoordinate::displacement})
    for (const bool rate : {false, true}) eight_drives(coordinate, rate);
  return all;
}

enum class How { lanes, lane_by_lane, pool };

std::vector<double> outputs_of(const ElementPool& pool, int level, How how, int count, unsigned fixed,
                               double scale_of_increment) {
  GroupFixture fixture(pool.bodies(), pool.rows(), count, 5, fixed);
  for (double& x : fixture.increment) x *= scale_of_increment;
  fixture.load_parameters(pool);
  if (how == How::pool)
    pool.evaluate(fixture.args, fixture.group);
  else
    fixture.evaluate_stages(pool, lane_functions(level), how == How::lane_by_lane);
  return fixture.outputs();
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

TEST_CASE("lanes and scalars carry the same bits in every instruction set, for full and part groups") {
  for (int level = 0; level <= instruction_set(); ++level) {
    for (const auto& pool : pools()) {
      for (const int count : {1, 3, 8})
        for (const unsigned fixed : {0U, 1U, 2U})
          for (const double increment :
               {0.1, 3.0, 60.0}) {  // by the series, by doublings, with the angle reduced
            CAPTURE(level);
            CAPTURE(pool->type_name());
            CAPTURE(count);
            CHECK(same_bits(outputs_of(*pool, level, How::lanes, count, fixed, increment),
                            outputs_of(*pool, level, How::lane_by_lane, count, fixed, increment)));
          }
    }
  }
}

TEST_CASE("the baseline functions, stage by stage, compute what a pool evaluates") {
  for (const auto& pool : pools()) {
    CAPTURE(pool->type_name());
    // The library and this test may be compiled with different flags, and stages add their parts of a sum one after the
    // other: results may differ in the last bits.
    const auto a = outputs_of(*pool, 0, How::lane_by_lane, 8, 0, 0.1),
               b = outputs_of(*pool, 0, How::pool, 8, 0, 0.1);
    REQUIRE(a.size() == b.size());
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) <= 1e-14 * (1.0 + std::abs(a[k])));
  }
}

TEST_CASE("AVX2 and AVX-512 give the same bits, the baseline differs by errors of arithmetic") {
  for (const auto& pool : pools()) {
    CAPTURE(pool->type_name());
    const auto base = outputs_of(*pool, 0, How::lanes, 8, 0, 3.0);
    double largest = 0.0;
    for (const double x : base) largest = std::fmax(largest, std::abs(x));
    CHECK(largest > 0.1);
    for (int level = 1; level <= instruction_set(); ++level) {
      const auto other = outputs_of(*pool, level, How::lanes, 8, 0, 3.0);
      for (std::size_t k = 0; k < base.size();
           ++k)  // sums of about 30 products of the size of the largest entry
        CHECK(std::abs(base[k] - other[k]) <= 30 * 2.3e-16 * (1.0 + largest));
      if (level == 2) CHECK(same_bits(other, outputs_of(*pool, 1, How::lanes, 8, 0, 3.0)));
    }
  }
}

TEST_CASE("a lane does not depend on its neighbours") {
  for (const auto& pool : pools()) {
    CAPTURE(pool->type_name());
    for (int level = 0; level <= instruction_set(); ++level) {
      // Element 0 with small increments, alone and beside elements with large ones.
      const auto run = [&](bool large_neighbours) {
        GroupFixture f(2, pool->rows(), 8, 5);
        for (std::size_t k = 0; k < f.increment.size(); ++k)
          f.increment[k] *= k < 12 || !large_neighbours ? 0.1 : 5.0;
        f.load_parameters(*pool);
        f.evaluate_stages(*pool, lane_functions(level), false);
        std::vector<double> lane_zero;
        for (const auto* x : {&f.H, &f.C, &f.coupling[0]})
          for (std::size_t k = 0; k < x->size(); k += 8) lane_zero.push_back((*x)[k]);
        return lane_zero;
      };
      CHECK(same_bits(run(false), run(true)));
    }
  }
}

TEST_CASE("evaluation is what it says: rows, balance and blocks from gap and Jacobian") {
  ConstraintPool<fixture::RopeOverPulley> pool;
  pool.push_back(
      {{BodyId{0}, BodyId{1}, BodyId{2}}, {{0.1, 0.2, 0.3}}, {{0.0, 0.3, 0.1}}, {{0.4, 0.0, 0.0}}, 1.0, ""});
  GroupFixture f(3, 1, 1, 9);
  pool.evaluate(f.args, f.group);
  const auto kernel = constraint_kernel(pool.at(0));
  BodyFrame<double> frame[3];
  for (int i = 0; i < 3; ++i) frame[i] = read_frame(LaneIo<double>{0}, f.args, f.group, i);
  Mat<double, 1, 6> G[3], N[3];
  Mat<double, 6, 6> K[9];
  const Vec<double, 1> lambda{{f.lambda[0]}};
  kernel.jacobian(frame, f.args.t, G);
  kernel.rate_jacobian(frame, f.args.t, N);
  kernel.geometric_stiffness(frame, f.args.t, lambda, K);

  CHECK(f.position[0] == kernel.gap(frame, f.args.t)[0]);
  double velocity = 0.0, acceleration = kernel.bias(frame, f.args.t)[0];
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 6; ++c) {
      const auto at = static_cast<std::size_t>(6 * i + c);
      velocity += G[i](0, c) * f.v[at];
      acceleration += G[i](0, c) * f.a[at];
      CHECK(f.balance[at] == catena_test::component(G[i](0, c) * lambda[0], 1e-15));
      CHECK(f.Bt[8 * static_cast<std::size_t>(6 * i + c)] == G[i](0, c));
    }
  CHECK(f.velocity[0] == catena_test::relative(velocity, 1e-14));
  CHECK(f.acceleration[0] == catena_test::relative(acceleration, 1e-14));

  for (int i = 0; i < 3; ++i) {
    const Vec3 increment{{f.increment[static_cast<std::size_t>(6 * i + 3)],
                          f.increment[static_cast<std::size_t>(6 * i + 4)],
                          f.increment[static_cast<std::size_t>(6 * i + 5)]}};
    const Mat3 T = inverse_tangent(increment);
    for (int c = 0; c < 6; ++c) {
      double along = G[i](0, c);
      if (c >= 3) {
        along = 0.0;
        for (int k = 0; k < 3; ++k) along += G[i](0, 3 + k) * T(k, c - 3);
      }
      const double expected = 0.9 * G[i](0, c) + 0.4 * along + 0.2 * N[i](0, c);
      CHECK(f.C[8 * static_cast<std::size_t>(6 * i + c)] == catena_test::relative(expected, 1e-14));
    }
  }
  // Diagonal block of body 2 and the coupling of bodies 0 and 2 (second slot), stride 8.
  for (int e = 0; e < 36; ++e) {
    CHECK(f.H[static_cast<std::size_t>(8 * (36 * 2 + e))] == catena_test::component(1.3 * K[8][e], 1e-15));
    CHECK(f.coupling[0][static_cast<std::size_t>(8 * (36 * 1 + e))] ==
          catena_test::component(1.3 * K[2][e], 1e-15));
    CHECK(f.coupling[1][static_cast<std::size_t>(8 * (36 * 1 + e))] ==
          catena_test::component(1.3 * K[6][e], 1e-15));
  }
}

TEST_CASE("the potential of a group is the sum over its elements") {
  ForcePool<SpringDamper> pool;
  for (int l = 0; l < 3; ++l) pool.push_back({{BodyId{0}, BodyId{1}}, {}, {}, 2.0 + l, 0.0, 0.1, ""});
  GroupFixture f(2, 0, 3, 4);
  double expected = 0.0;
  for (int l = 0; l < 3; ++l) {
    const double* a = &f.q[static_cast<std::size_t>(14 * l)];
    const double d = norm(Vec3{{a[7] - a[0], a[8] - a[1], a[9] - a[2]}});
    expected += 0.5 * (2.0 + l) * (d - 0.1) * (d - 0.1);
  }
  CHECK(pool.potential(f.args, f.group) == catena_test::relative(expected, 1e-14));
}

}  // namespace lanes_tests
