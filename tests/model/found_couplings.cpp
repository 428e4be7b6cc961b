// Blocks between the bodies of a user's joint that does not say whether it has them, and numbers beside duals.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/joints.hpp>

#include "support/ball_of_gap.hpp"
#include "support/jacobian_check.hpp"
#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;

namespace found_couplings {

using Ball = test::BallOfGapAlone;
struct BallThatJoins : Ball {
  static constexpr std::array joins{&BallThatJoins::hook, &BallThatJoins::eye};
};
struct StatedBall : Ball {
  static constexpr bool couples = true;
};
// Linear in the places, or a rod, as each of them says.
struct Either {
  static constexpr int rows = 1;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();
  bool rod = false;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
    const Vec<S, 3> d = B.point(eye) - A.point(hook);
    return {{rod ? norm(d) - S(1.0) : d[2] * (S(1.0) + t)}};
  }
};
struct EitherThatJoins : Either {
  static constexpr std::array joins{&EitherThatJoins::hook, &EitherThatJoins::eye};
};

// z_A + z_B = d x_A x_B, where d is a discrete value that is 0 at first, or 50 where y_A is more than 10.
struct LaterCoupled {
  static constexpr int rows = 1, discrete = 1;
  std::array<BodyId, 2> bodies;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&, const double* d) const {
    return {{A.x[2] + B.x[2] - d[0] * A.x[0] * B.x[0]}};
  }
};
struct CoupledFarAway {
  static constexpr int rows = 1;
  std::array<BodyId, 2> bodies;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    const S z = A.x[2] + B.x[2];
    if (A.x[1] > S(10.0)) return {{z - 50.0 * A.x[0] * B.x[0]}};
    return {{z}};
  }
};

Model three_bodies() {
  test::Random random(11);
  Model model;
  for (int k = 0; k < 3; ++k) model.add(test::random_body(random, k));
  return model;
}
constexpr std::array<BodyId, 2> first{BodyId{0}, BodyId{1}}, second{BodyId{1}, BodyId{2}};
const Vec3 on_a{{0.3, -0.2, 0.5}}, on_b{{-0.4, 0.1, 0.25}};

template <class Joint>
std::vector<double> stiffness_of(const Joint& joint) {
  Model model = three_bodies();
  model.add(joint);
  const MultibodySystem system(std::move(model));
  State s = system.initial_state();
  s.lambda = {1.5, -0.7, 2.0};
  BlockMatrix matrix(system.layout().pattern, Border::transposed);
  matrix.set_zero();
  Linearization lin;
  lin.matrix = &matrix;
  lin.stiffness = 1.0;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = point_of(s);
  at.lambda = s.lambda.data();
  system.evaluate(at, wanted);
  std::vector<double> values;
  for (int k = 0; k < 2; ++k)
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) values.push_back(std::as_const(matrix).H(k)(r, c));
  return values;
}

}  // namespace found_couplings
using namespace found_couplings;

TEST_CASE("a gap that is linear in the places of its points leaves no blocks between its bodies") {
  Model model = three_bodies();
  model.add(Ball{first, on_a, on_b});
  model.add(BallThatJoins{{first, on_a, on_b}});
  model.add(Either{.bodies = first, .hook = on_a, .eye = on_b});
  model.add(EitherThatJoins{{.bodies = first, .hook = on_a, .eye = on_b}});
  for (const auto& pool : model.pools()) CHECK_FALSE(pool->couples());
  CHECK(MultibodySystem(model).layout().pattern->couplings.empty());
}

TEST_CASE("one joint that couples keeps the blocks of its type, and a statement keeps them always") {
  Model model = three_bodies();
  model.add(Either{.bodies = first, .hook = on_a, .eye = on_b});
  model.add(Either{.bodies = second, .hook = on_a, .eye = on_b, .rod = true});
  model.add(Either{.bodies = first, .hook = on_b, .eye = on_a});
  model.add(EitherThatJoins{{.bodies = first, .hook = on_a, .eye = on_b, .rod = true}});
  model.add(StatedBall{{first, on_a, on_b}});
  for (const auto& pool : model.pools()) CHECK(pool->couples());
}

TEST_CASE(
    "the stiffness of a ball joint is that of the built-in one, with and without the blocks between bodies") {
  const std::vector<double> built_in =
      stiffness_of(SphericalJoint{.bodies = first, .point_a = on_a, .point_b = on_b});
  for (const std::vector<double>& users :
       {stiffness_of(Ball{first, on_a, on_b}), stiffness_of(BallThatJoins{{first, on_a, on_b}}),
        stiffness_of(StatedBall{{first, on_a, on_b}})})
    for (std::size_t k = 0; k < built_in.size(); ++k)
      CHECK(std::abs(users[k] - built_in[k]) < 1e-14);  // of sums of 1
  CHECK(std::abs(built_in[21]) > 1e-3);
}

TEST_CASE("a gap without statements: derivatives are those of differences") {
  CHECK_NOTHROW(support::check_derivatives(Ball{first, on_a, on_b}));
  CHECK_NOTHROW(support::check_derivatives(BallThatJoins{{first, on_a, on_b}}));
  CHECK_NOTHROW(support::check_derivatives(Either{.bodies = first, .hook = on_a, .eye = on_b, .rod = true}));
}

TEST_CASE("numbers beside duals count as constants, to second derivatives") {
  using D = Dual<Dual<double, 2>, 2>;
  const auto variable = [](double x, int i) { return D::variable(Dual<double, 2>::variable(x, i), i); };
  const D x = variable(0.7, 0), y = variable(-1.3, 1), z = x * x * y;
  const double c = 2.5;
  const D pairs[][2] = {
      {z + c, z + D(c)}, {c + z, D(c) + z}, {z - c, z - D(c)}, {c - z, D(c) - z},
      {z * c, z * D(c)}, {c * z, D(c) * z}, {z / c, z / D(c)}, {madd(z, c, x), z * D(c) + x}};
  for (const auto& [mixed, lifted] : pairs) {
    CHECK(mixed.value.value == lifted.value.value);
    for (int i = 0; i < 2; ++i) {
      CHECK(mixed.d[i].value == lifted.d[i].value);
      CHECK(mixed.value.d[i] == lifted.value.d[i]);
      // second derivatives of a quotient pass through products of the derivatives of the constant
      for (int j = 0; j < 2; ++j) CHECK(mixed.d[i].d[j] == doctest::Approx(lifted.d[i].d[j]).epsilon(1e-15));
    }
  }
}

TEST_CASE("what discrete values or a far place make of a gap may couple its bodies") {
  Model model = three_bodies();
  model.add(LaterCoupled{first});
  model.add(CoupledFarAway{first});
  for (const auto& pool : model.pools()) CHECK(pool->couples());
}
