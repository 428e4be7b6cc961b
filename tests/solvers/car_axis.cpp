// The car axis of the test set for IVP solvers, a stiff-looking problem of index 3 whose rows move: published digits.
//
// Source: F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008), II.6, with the digits of
// its reference solution at t = 3.
#include <catena/driver/run.hpp>
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/lie_bdf.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <cmath>

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

template <class Method, class Options>
void check_digits(const Options& options, double bound) {
  constexpr double q[4] = {0.0493455784275402809, 0.496989460230171154, 1.04174252488542152,
                           0.373911027265361257};
  constexpr double v[4] = {-0.0770583684040972358, 0.00744686658723778553, 0.0175568157537232222,
                           0.770341043779251976};
  constexpr double lambda[2] = {0.00473688659084893325, 0.00110468033125734369};
  const CoordinateSystem<CarAxis> axis(CarAxis{}, {{0.0, 0.5, 1.0, 0.5}}, {{-0.5, 0.0, -0.5, 0.0}});
  Method method(options);
  State state = axis.initial_state();
  const RunResult result = run(axis, method, state, {.step = 3.0, .end = 3.0, .verdict = false});
  REQUIRE(result.status == Status::ok);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(state.q[i] - q[i]) <= bound);
    CHECK(std::abs(state.v[i] - v[i]) <= bound);
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
