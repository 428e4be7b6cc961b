// The car axis of the test set for IVP solvers, a stiff-looking problem of index 3 whose rows move: published digits.
//
// Source: F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008), II.6, with the digits of
// its reference solution at t = 3.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/joint_drive.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace car_axis_tests {

using namespace catena;

namespace {

// (x, y) of the left and of the right end; springs of rest length 1/2 to the axle bearings, of which the right one moves.
struct CarAxis {
  static constexpr int coordinates = 4;
  static constexpr double half_mass = 5e-4;  // M eps^2 / 2

  template <class S>
  struct Road {
    S x, y;
  };
  template <class S>
  static Road<S> right(const S& t) {
    using std::sin;
    using std::sqrt;
    const S y = S(0.1) * sin(S(10.0) * t);
    return {sqrt(S(1.0) - y * y), y};
  }
  template <class S>
  Mat<S, 4, 4> mass(const Vec<S, 4>&) const {
    Mat<S, 4, 4> m = Mat<S, 4, 4>::Zero();
    for (int i = 0; i < 4; ++i) m(i, i) = S(half_mass);
    return m;
  }
  template <class S>
  Vec<S, 4> force(const Vec<S, 4>& q, const Vec<S, 4>&, const S& t) const {
    using std::sqrt;
    const Road<S> road = right(t);
    const S dx = q[2] - road.x, dy = q[3] - road.y;
    const S left_length = sqrt(q[0] * q[0] + q[1] * q[1]), right_length = sqrt(dx * dx + dy * dy);
    const S of_left = (S(0.5) - left_length) / left_length, of_right = (S(0.5) - right_length) / right_length;
    return {{of_left * q[0], of_left * q[1] - S(half_mass), of_right * dx, of_right * dy - S(half_mass)}};
  }
  template <class S>
  Vec<S, 2> gap(const Vec<S, 4>& q, const S& t) const {
    const Road<S> road = right(t);
    const S dx = q[0] - q[2], dy = q[1] - q[3];
    return {{q[0] * road.x + q[1] * road.y, dx * dx + dy * dy - S(1.0)}};
  }
};

template <class Options>
Options with_tolerance(double tolerance) {
  Options options;
  options.rtol_position = options.atol_position = options.rtol_velocity = options.atol_velocity = tolerance;
  return options;
}

// At t = 3: the left point, then the right one.
constexpr double published_q[4] = {0.0493455784275402809, 0.496989460230171154, 1.04174252488542152,
                                   0.373911027265361257};
constexpr double published_v[4] = {-0.0770583684040972358, 0.00744686658723778553, 0.0175568157537232222,
                                   0.770341043779251976};

template <class Method, class Options>
void check_digits(const Options& options, double bound) {
  constexpr double lambda[2] = {0.00473688659084893325, 0.00110468033125734369};
  const CoordinateSystem<CarAxis> axis(CarAxis{}, {{0.0, 0.5, 1.0, 0.5}}, {{-0.5, 0.0, -0.5, 0.0}});
  Method method(options);
  State state = axis.initial_state();
  const RunResult result = run(axis, method, state, {.step = 3.0, .end = 3.0, .verdict = false});
  REQUIRE(result.status == Status::ok);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(state.q[i] - published_q[i]) <= bound);
    CHECK(std::abs(state.v[i] - published_v[i]) <= bound);
  }
  // With the other sign, and forces of 5e-3 here.
  for (std::size_t i = 0; i < 2; ++i) CHECK(std::abs(state.lambda[i] - lambda[i]) <= 1e-2 * bound);
}

}  // namespace

TEST_CASE(
    "radau and dop853 reach eight published digits of the car axis by their defaults, lie_bdf fewer by its "
    "tolerance") {
  check_digits<Radau>(RadauOptions{}, 1e-8);
  check_digits<Radau>(with_tolerance<RadauOptions>(1e-10), 2e-9);
  check_digits<Dop853>(Dop853Options{}, 1e-8);
  check_digits<Dop853>(with_tolerance<ExplicitOptions>(1e-12), 1e-10);
  LieBdfOptions bdf = with_tolerance<LieBdfOptions>(1e-7);
  bdf.max_order = 4;
  check_digits<LieBdf>(bdf, 3e-6);
}

namespace {

// The same as bodies. The road turns an axle about the left wheel, whose other end holds the right spring; the left spring
// is perpendicular to it. Points in the plane z = 0.
Model axis_of_bodies() {
  Model model;
  model.gravity = {{0.0, -1.0, 0.0}};
  constexpr double mass = CarAxis::half_mass;
  const BodyId axle = model.add(Body{.name = "axle", .angular_velocity = {{0.0, 0.0, 1.0}}});
  const auto point = [&](const char* name, double x) {
    const BodyId id = model.add(Body{.name = name,
                                     .mass = mass,
                                     .position = {{x, 0.5, 0.0}},
                                     .velocity = {{-0.5, 0.0, 0.0}},
                                     .motion = BodyMotion::point});
    model.add(PointInPlaneJoint{.bodies = {ground, id}, .axis_a = Vec3::Unit(2), .name = name});
    return id;
  };
  const BodyId left = point("left", 0.0), right = point("right", 1.0);
  const ConstraintId hinge = model.add(RevoluteJoint{.bodies = {ground, axle}, .name = "hinge"});
  // sin of the angle: 0.1 sin 10 t
  model.add(JointDrive{
      .joint = hinge,
      .target = Function::with_derivatives([](double t) {
        const double y = 0.1 * std::sin(10.0 * t), slope = std::cos(10.0 * t), x2 = 1.0 - y * y,
                     x = std::sqrt(x2);
        return FunctionValue{std::asin(y), slope / x, -100.0 * y / x + y * slope * slope / (x * x2)};
      }),
      .name = "road"});
  model.add(PointInPlaneJoint{.bodies = {axle, left}, .axis_a = Vec3::Unit(0), .name = "left guide"});
  model.add(DistanceConstraint{.bodies = {left, right}, .length = 1.0, .name = "chassis"});
  model.add(
      SpringDamper{.bodies = {ground, left}, .stiffness = 1.0, .rest_length = 0.5, .name = "left spring"});
  model.add(SpringDamper{.bodies = {axle, right},
                         .point_a = Vec3::Unit(0),
                         .stiffness = 1.0,
                         .rest_length = 0.5,
                         .name = "right spring"});
  return model;
}

template <class Method>
void check_bodies(double bound, double bound_of_velocities) {
  const MultibodySystem axis(axis_of_bodies());
  Method method;
  State state = axis.initial_state();
  const RunResult result = run(axis, method, state, {.step = 3.0, .end = 3.0, .verdict = false});
  REQUIRE(result.status == Status::ok);
  for (int k = 0; k < 2; ++k) {
    const RigidBodyState body = axis.body_state(state, BodyId{k + 1});
    for (int i = 0; i < 2; ++i) {
      CHECK(std::abs(body.position[i] - published_q[2 * k + i]) <= bound);
      CHECK(std::abs(body.velocity[i] - published_v[2 * k + i]) <= bound_of_velocities);
    }
  }
}

}  // namespace

TEST_CASE("the car axis as points on springs has the published digits too, by defaults alone") {
  check_bodies<Radau>(1e-8, 1e-8);
  check_bodies<Dop853>(1e-8, 2e-8);  // measured: 1.3e-8 of 0.77 m/s
}

}  // namespace car_axis_tests
