#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/system/coordinate_system.hpp>
#include <catena/system/detail/undefined.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

// A force along x and a torque about z that somebody else sets.
struct Thruster {
  static constexpr const char* type_name = "thruster";
  static constexpr int discrete = 2;  // force [N], torque [N m]
  std::array<BodyId, 1> bodies;
  double first_force = 0.0;
  std::array<double, 2> initial_discrete() const { return {first_force, 0.0}; }
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&, const double* value) const {
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(value[0]) * (1.0 + A.v[0]);
    w[5] = S(value[1]);
    return w;
  }
};

// Holds x of a body at a value that changes at instants.
struct Stop {
  static constexpr int rows = 1, discrete = 1;
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, rows> gap(const BodyFrame<S>& A, const S&, const double* where) const {
    return {{A.x[0] - where[0]}};
  }
};

struct Cart {
  static constexpr int coordinates = 1, discrete = 1;
  template <class S>
  Mat<S, 1, 1> mass(const Vec<S, 1>&) const {
    return {{S(2.0)}};
  }
  template <class S>
  Vec<S, 1> force(const Vec<S, 1>&, const Vec<S, 1>& v, const S&, const double* push) const {
    return {{S(push[0]) - 0.5 * v[0]}};
  }
  Vec<double, 1> initial_discrete() const { return {{7.0}}; }
};

Model thrusters() {
  Model model;
  for (int k = 0; k < 3; ++k) model.add(Body{.mass = 1.0, .inertia = diagonal(Vec3{{1.0, 1.0, 1.0}})});
  model.add(Stop{{BodyId{2}}});
  model.add(Thruster{{BodyId{0}}, 1.0});
  model.add(Thruster{{BodyId{1}}, 2.0});
  return model;
}

template <class AnySystem>
std::vector<double> balance(const AnySystem& system, const State& state, const double* discrete) {
  std::vector<double> r(state.v.size());
  Point at;
  at.q = state.q.data();
  at.v = state.v.data();
  at.discrete = discrete;
  Evaluation wanted;
  wanted.balance = r.data();
  system.evaluate(at, wanted);
  return r;
}

}  // namespace

TEST_CASE("elements have their discrete values in State::discrete, the initial ones where none are given") {
  const MultibodySystem system(thrusters());
  State state = system.initial_state();
  REQUIRE(system.layout().discrete_size == 5);
  REQUIRE(state.discrete.size() == 5);
  const int first = system.discrete_offset(ForceId{0}), second = system.discrete_offset(ForceId{1}),
            stop = system.discrete_offset(ConstraintId{0});
  CHECK(second == first + 2);
  CHECK(state.discrete[static_cast<std::size_t>(second)] == 2.0);
  CHECK(balance(system, state, nullptr)[0] == -1.0);
  state.discrete[static_cast<std::size_t>(first)] = 5.0;
  state.discrete[static_cast<std::size_t>(second) + 1] = -3.0;
  const std::vector<double> r = balance(system, state, state.discrete.data());
  CHECK(r[0] == -5.0);
  CHECK(r[6] == -2.0);
  CHECK(r[11] == 3.0);

  std::vector<double> rows(1);
  state.discrete[static_cast<std::size_t>(stop)] = 0.25;
  Point at;
  at.q = state.q.data();
  at.discrete = state.discrete.data();
  Evaluation wanted;
  wanted.position = rows.data();
  system.evaluate(at, wanted);
  CHECK(rows[0] == -0.25);
  // Consistent values see them as well.
  const Projection moved = project_positions(system, state);
  CHECK(moved.status == Status::ok);
  CHECK(state.q[14] == catena_test::relative(0.25, 1e-15));
}

TEST_CASE("derivatives of a force that reads discrete values are taken at these values") {
  const MultibodySystem system(thrusters());
  State state = system.initial_state();
  state.discrete[static_cast<std::size_t>(system.discrete_offset(ForceId{0}))] = 5.0;
  BlockMatrix matrix(system.layout().pattern, Border::transposed);
  Linearization lin;
  lin.matrix = &matrix;
  lin.damping = 1.0;
  Point at;
  at.q = state.q.data();
  at.v = state.v.data();
  at.discrete = state.discrete.data();
  Evaluation wanted;
  wanted.linearization = &lin;
  system.evaluate(at, wanted);
  CHECK(matrix.H(0)(0, 0) == -5.0);  // -df/dv of value (1 + v)
  CHECK(matrix.H(1)(0, 0) == -2.0);
}

TEST_CASE("bodies in seven coordinates read the same discrete values") {
  const QuaternionSystem system(thrusters());
  State state = system.initial_state();
  REQUIRE(state.discrete.size() == 5);
  state.discrete[static_cast<std::size_t>(system.discrete_offset(ForceId{1}))] = 4.0;
  CHECK(balance(system, state, state.discrete.data())[7] == -4.0);
  CHECK(balance(system, state, nullptr)[7] == -2.0);
}

TEST_CASE("a system in its own coordinates reads its discrete values in its force") {
  const CoordinateSystem<Cart> system(Cart{}, Vec<double, 1>{{0.0}}, Vec<double, 1>{{2.0}});
  State state = system.initial_state();
  CHECK(state.discrete == std::vector<double>{7.0});
  CHECK(balance(system, state, nullptr)[0] == -6.0);
  state.discrete[0] = 3.0;
  CHECK(balance(system, state, state.discrete.data())[0] == -2.0);
  std::vector<double> dq(1);
  LagrangianTerms terms;
  terms.dq = dq.data();
  terms.discrete = state.discrete.data();
  system.evaluate_lagrangian(0.0, state.q.data(), state.v.data(), terms);
  CHECK(dq[0] == 2.0);
}

TEST_CASE(
    "a force that is not finite at its present discrete values is named, not one that was so at its initial "
    "ones") {
  const Model model = thrusters();
  const MultibodySystem system(model);
  State state = system.initial_state();
  const int first = system.discrete_offset(ForceId{0}), second = system.discrete_offset(ForceId{1});
  Culprit culprit;
  CHECK(!find_undefined(system, point_of(state), culprit));
  state.discrete[static_cast<std::size_t>(second)] = INFINITY;
  REQUIRE(find_undefined(system, point_of(state), culprit));
  CHECK(culprit.name == model.force_label(ForceId{1}));
  state.discrete[static_cast<std::size_t>(second)] = 2.0;
  state.discrete[static_cast<std::size_t>(first)] = 3.0;
  CHECK(!find_undefined(system, point_of(state), culprit));
  Point at = point_of(state);
  at.discrete = nullptr;  // the initial values
  CHECK(!find_undefined(system, at, culprit));
}
