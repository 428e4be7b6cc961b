// What a user's own masses and rows must not be: found at the start and by check_derivatives.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/kkt/derivative_check.hpp>
#include <catena/model/model.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/coordinate_system.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>

namespace mass_defect_tests {

using namespace catena;

namespace {

struct TwoMasses {
  static constexpr int coordinates = 2;
  static constexpr const char* name = "pair";
  double upper = 0.5, lower = 0.5, first = 1.0;
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    Mat<S, 2, 2> m = Mat<S, 2, 2>::Identity();
    m(0, 0) = S(first);
    m(0, 1) = S(upper);
    m(1, 0) = S(lower);
    return m;
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>&, const S&) const {
    return {{S(1.0), S(1.0)}};
  }
};
// The same with its first coordinate held.
struct HeldMass : TwoMasses {
  template <class S>
  Vec<S, 1> gap(const Vec<S, 2>& q, const S&) const {
    return {{q[0]}};
  }
};

std::string refused_by(Stepper& stepper, const System& system) {
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  const Outcome outcome = stepper.start(state, 1e-3);
  if (outcome.status == Status::ok) return {};
  CHECK(outcome.status == Status::unsupported);
  return outcome.culprit.name;
}
std::string refused(const System& system) {
  DormandPrince explicitly;
  GeneralizedAlpha implicitly;
  const std::string why = refused_by(explicitly, system);
  CHECK(refused_by(implicitly, system) == why);
  return why;
}

// The speed of a body in a plane, which is 1 m/s.
struct UnitSpeed {
  static constexpr int rows = 1;
  static constexpr Level level = Level::velocity;
  std::array<BodyId, 1> bodies;
  std::string name = "speed";
  template <class S>
  Vec<S, 1> rate(const BodyFrame<S>& A, const S&) const {
    return {{A.v[0] * A.v[0] + A.v[1] * A.v[1] - S(1.0)}};
  }
};
struct GapOfVelocity {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies;
  std::string name = "shift";
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[2] + S(0.1) * A.v[2]}};
  }
};
struct Nothing {
  static constexpr int rows = 2;
  std::array<BodyId, 1> bodies;
  std::string name = "nothing";
  template <class S>
  Vec<S, 2> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[2], S(0.0)}};
  }
};

template <class Row>
MultibodySystem body_with() {
  Model model;
  const BodyId body = model.add(
      Body{.name = "puck", .mass = 1.0, .inertia = Mat3::Identity(), .velocity = {{0.6, 0.8, 0.0}}});
  model.add(Row{{body}});
  return MultibodySystem(model);
}

}  // namespace

TEST_CASE("a mass matrix that is not symmetric is named at the start and by check_derivatives") {
  const CoordinateSystem<TwoMasses> wrong(TwoMasses{.lower = 0.0}), right(TwoMasses{});
  CHECK(refused(right).empty());
  CHECK(check_derivatives(right, right.initial_state()).faults.empty());
  CHECK(refused(wrong) ==
        "the mass matrix of coordinates of \"pair\" is not symmetric: its entry (0, 1), "
        "counted from 0, is 0.5, and (1, 0) is 0");
  const DerivativeCheck check = check_derivatives(wrong, wrong.initial_state());
  REQUIRE(check.faults.size() == 1);
  CHECK(
      to_text(wrong, check.faults[0]) ==
      "coordinates of \"pair\": the mass matrix is not symmetric: its entry (0, 1), counted from 0, is 0.5, "
      "and the one across the diagonal is 0");
}

TEST_CASE("a mass matrix that gives a negative kinetic energy is named, unless rows forbid that motion") {
  CHECK(refused(CoordinateSystem<TwoMasses>(TwoMasses{.first = -1.0})) ==
        "the mass matrix of coordinates of \"pair\" is not positive definite: its entry (0, 0), counted from "
        "0, is -1");
  CHECK(refused(CoordinateSystem<TwoMasses>(TwoMasses{.upper = 2.0, .lower = 2.0}))
            .ends_with("is not positive definite: some velocities have a negative kinetic energy"));
  HeldMass held;
  held.first = -1.0;
  CHECK(refused(CoordinateSystem<HeldMass>(held)).empty());
}

TEST_CASE("a rate that is not affine in the velocities is found") {
  const MultibodySystem system = body_with<UnitSpeed>();
  const DerivativeCheck check = check_derivatives(system, system.initial_state());
  REQUIRE(check.faults.size() == 1);
  CHECK(check.faults[0].quantity == "Jacobian by velocity");
  CHECK(to_text(system, check.faults[0])
            .starts_with("joint \"speed\" (constraint): its rate in row 1 is not affine in the velocities"));
}

TEST_CASE("a gap that depends on velocities is found") {
  const MultibodySystem system = body_with<GapOfVelocity>();
  const DerivativeCheck check = check_derivatives(system, system.initial_state());
  REQUIRE(check.faults.size() == 1);
  CHECK(to_text(system, check.faults[0]) ==
        "joint \"shift\" (constraint): its gap in row 1 depends on velocities, and must not: a row on "
        "velocities is a rate with Level::velocity");
}

TEST_CASE("a row that no velocity changes is named with its reason") {
  const MultibodySystem system = body_with<Nothing>();
  GeneralizedAlpha stepper;
  REQUIRE(stepper.attach(system).status == Status::ok);
  State state = system.initial_state();
  const Outcome outcome = stepper.start(state, 1e-3);
  CHECK(outcome.status == Status::inconsistent_start);
  CHECK(outcome.culprit.name == "joint \"nothing\" (constraint)");
  CHECK(outcome.culprit.why == "its row 2 does not change with any velocity here");
}

TEST_CASE("accelerations of a state by one call are those of the equations of motion") {
  const CoordinateSystem<TwoMasses> system(TwoMasses{.first = 2.0});
  State state = system.initial_state();
  REQUIRE(find_accelerations(system, state).status == Status::ok);
  // [2 1/2; 1/2 1] a = (1, 1)
  CHECK(std::abs(state.a[0] - 2.0 / 7.0) <= 1e-15);
  CHECK(std::abs(state.a[1] - 6.0 / 7.0) <= 1e-15);
  State other;
  CHECK(find_accelerations(system, other).status == Status::unsupported);
  CHECK_THROWS_AS(check_derivatives(system, other), std::invalid_argument);
}

}  // namespace mass_defect_tests
