// Joints of a user's: made of row primitives they are the joints of the library, bit for bit; a gap that says what it
// joins is evaluated as exactly, and changes nothing for the rest of the system.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/rows_joint.hpp>

#include "support/jacobian_check.hpp"
#include "support/mechanisms.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

using namespace catena;

namespace {

struct BallOfRows {
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();
  auto made_of() const { return rows::coincide(hook, eye); }
};

// As the tutorial writes it, and with what it joins.
template <bool eight_at_once>
struct BallOfGap {
  static constexpr int rows = 3;
  static constexpr RowUnit unit = RowUnit::length;
  static constexpr bool lanes = eight_at_once;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();  // frames of the bodies [m]
  std::string name = {};
  static constexpr std::array joins{&BallOfGap::hook, &BallOfGap::eye};
  template <class S>
  Vec<S, 3> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    return B.point(eye) - A.point(hook);
  }
};

struct RodOfGap {
  static constexpr int rows = 1;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();
  double length = 1.0;
  static constexpr std::array joins{&RodOfGap::hook, &RodOfGap::eye};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
    const Vec<S, 3> d = B.point(eye) - A.point(hook);
    return {{norm(d) - (S(length) + S(0.1) * sin(S(3.0) * t))}};
  }
};

// Three bodies, one function of three points.
struct RopeOfGap {
  static constexpr int rows = 1;
  std::array<BodyId, 3> bodies;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), c = Vec3::Zero();
  static constexpr std::array joins{&RopeOfGap::a, &RopeOfGap::b, &RopeOfGap::c};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const BodyFrame<S>& C, const S& t) const {
    const Vec<S, 3> p = B.point(b);
    return {{norm(Vec<S, 3>(A.point(a) - p)) + norm(Vec<S, 3>(C.point(c) - p)) * (S(1.0) + t) - S(2.0)}};
  }
};

// Sees more than it says.
struct Liar {
  static constexpr int rows = 1;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = {{0.0, 0.0, 0.2}};
  int what = 0;
  static constexpr std::array joins{&Liar::hook, &Liar::eye};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    if (what == 0) return {{A.direction(Vec3::Unit(0))[1] + B.point(eye)[0] - A.point(hook)[0]}};
    if (what == 1) return {{B.point(eye)[2]}};
    return {{B.x[2] - A.x[2]}};
  }
};

// A chain of n links, each joined to the one before by make(bodies, number), turned about and moved away.
template <class Make>
Model chain(int n, const Vec3& origin, Make&& make) {
  test::Random random(3);
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  BodyId before = ground;
  for (int k = 0; k < n; ++k) {
    Body b = test::random_body(random, k);
    b.position += origin;
    const BodyId link = model.add(b);
    const Vec3 on_before = k == 0 ? Vec3(origin + random.vector()) : random.vector();
    make(model, std::array{before, link}, on_before, random.vector());
    before = link;
  }
  return model;
}

struct Values {
  std::vector<double> balance, position, velocity, acceleration, matrix;
};

template <class System>
Values values_of(const System& system, double t = 0.0) {
  const SystemLayout& layout = system.layout();
  State state = system.initial_state();
  state.t = t;
  test::Random random(5);
  state.lambda = random.values(layout.lambda_size(), 10.0);
  state.a = random.values(layout.v_size());
  Values v;
  v.balance.resize(static_cast<std::size_t>(layout.v_size()));
  for (auto* rows : {&v.position, &v.velocity, &v.acceleration})
    rows->resize(static_cast<std::size_t>(layout.lambda_size()));
  BlockMatrix matrix(layout.pattern, Border::separate);
  Linearization lin;
  lin.matrix = &matrix;
  lin.mass = 1.0;
  lin.damping = 0.3;
  lin.stiffness = 0.7;
  lin.position_rows = {0.5, 0.2, 0.1};
  Evaluation wanted;
  wanted.balance = v.balance.data();
  wanted.position = v.position.data();
  wanted.velocity = v.velocity.data();
  wanted.acceleration = v.acceleration.data();
  wanted.linearization = &lin;
  Point at;
  at.t = t;
  at.q = state.q.data();
  at.v = state.v.data();
  at.a = state.a.data();
  at.lambda = state.lambda.data();
  system.evaluate(at, wanted);
  const BlockPattern& p = *layout.pattern;
  const auto add = [&](const auto& block) {
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.cols; ++j) v.matrix.push_back(block(i, j));
  };
  for (int k = 0; k < p.primal_count(); ++k) add(matrix.H(k));
  for (int k = 0; k < static_cast<int>(p.incidences.size()); ++k) {
    add(matrix.C(k));
    add(matrix.Bt(k));
  }
  for (int k = 0; k < static_cast<int>(p.couplings.size()); ++k) {
    add(matrix.H_upper(k));
    add(matrix.H_lower(k));
  }
  return v;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
bool same_bits(const Values& a, const Values& b) {
  return same_bits(a.balance, b.balance) && same_bits(a.position, b.position) &&
         same_bits(a.velocity, b.velocity) && same_bits(a.acceleration, b.acceleration) &&
         same_bits(a.matrix, b.matrix);
}
// Of sums of some ten products of numbers up to 100.
bool near(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(std::abs(a[k] - b[k]) <= 1e-12 * (1.0 + std::abs(a[k])))) return false;
  return true;
}

template <class Joint>
auto adds() {
  return [](Model& model, const std::array<BodyId, 2>& bodies, const Vec3& a, const Vec3& b) {
    model.add(Joint{bodies, a, b});
  };
}

}  // namespace

TEST_CASE(
    "a ball joint of a user's rows has the bits of the built-in one, near and far, in six and seven "
    "coordinates") {
  for (const double far : {0.0, 1e7}) {
    const Vec3 origin{{far, -0.3 * far, 0.7 * far}};
    const auto built_in = chain(19, origin, adds<SphericalJoint>()),
               users = chain(19, origin, adds<BallOfRows>());
    CHECK(same_bits(values_of(MultibodySystem(built_in)), values_of(MultibodySystem(users))));
    CHECK(MultibodySystem(users).layout().roundoff_length ==
          MultibodySystem(built_in).layout().roundoff_length);
    CHECK(MultibodySystem(users).layout().roundoff_length > 0.0);
  }
  const auto built_in = chain(5, Vec3::Zero(), adds<SphericalJoint>()),
             users = chain(5, Vec3::Zero(), adds<BallOfRows>());
  CHECK(same_bits(values_of(QuaternionSystem(built_in)).balance, values_of(QuaternionSystem(users)).balance));
}

TEST_CASE("joints of named rows have the bits of the joints of the table") {
  const auto named = [](const std::vector<std::string>& rows) {
    return [rows](Model& model, const std::array<BodyId, 2>& bodies, const Vec3& a, const Vec3& b) {
      model.add(RowsJoint{.bodies = bodies,
                          .rows = rows,
                          .point_a = a,
                          .point_b = b,
                          .axis_a = {{1.0, 0.2, 0.3}},
                          .axis_b = {{0.1, 1.0, -0.2}},
                          .side_a = {{0.0, 1.0, 0.0}},
                          .side_b = {{0.0, 0.0, 1.0}}});
    };
  };
  const auto of_table = [](auto joint) {
    return [joint](Model& model, const std::array<BodyId, 2>& bodies, const Vec3& a, const Vec3& b) {
      auto j = joint;
      j.bodies = bodies;
      j.point_a = a;
      j.point_b = b;
      if constexpr (requires { j.axis_a = a; }) j.axis_a = {{1.0, 0.2, 0.3}};
      if constexpr (requires { j.axis_b = a; }) j.axis_b = {{0.1, 1.0, -0.2}};
      if constexpr (requires { j.side_a = a; }) {
        j.side_a = {{0.0, 1.0, 0.0}};
        j.side_b = {{0.0, 0.0, 1.0}};
      }
      model.add(j);
    };
  };
  const auto same = [&](auto joint, const std::vector<std::string>& rows) {
    return same_bits(values_of(MultibodySystem(chain(11, Vec3::Zero(), of_table(joint)))),
                     values_of(MultibodySystem(chain(11, Vec3::Zero(), named(rows)))));
  };
  CHECK(same(SphericalJoint{}, {"coincide"}));
  CHECK(same(RevoluteJoint{}, {"coincide", "parallel"}));
  CHECK(same(UniversalJoint{}, {"coincide", "perpendicular"}));
  CHECK(same(CylindricalJoint{}, {"on_line", "parallel"}));
  CHECK(same(PrismaticJoint{}, {"on_line", "locked"}));
  CHECK(same(PlanarJoint{}, {"in_plane", "parallel"}));
  CHECK(same(WeldJoint{}, {"coincide", "locked"}));
  CHECK(same(ConstantOrientationJoint{}, {"locked"}));
  CHECK(same(DistanceConstraint{}, {"distance"}));
  CHECK_FALSE(same(UniversalJoint{}, {"on_line", "parallel"}));
}

TEST_CASE("what is wrong with a list of rows is said with the joint's name") {
  Model model;
  const BodyId b = model.add(Body{.name = "b"});
  const auto adding = [&](const std::vector<std::string>& rows) {
    model.add(RowsJoint{.bodies = {ground, b}, .rows = rows});
  };
  CHECK_THROWS_WITH_AS(adding({}), "joint \"rows 0\" (rows): rows must name at least one group of rows",
                       ModelError);
  CHECK_THROWS_WITH_AS(adding({"coincides"}),
                       "joint \"rows 0\" (rows): there are no rows \"coincides\"; did you mean \"coincide\"?",
                       ModelError);
  CHECK_THROWS_WITH_AS(
      adding({"parallel", "coincide"}),
      "joint \"rows 0\" (rows): rows in metres must come first: move \"coincide\" to the front", ModelError);
  CHECK_THROWS_WITH_AS(adding({"locked", "locked"}), "joint \"rows 0\" (rows): rows names \"locked\" twice",
                       ModelError);
  CHECK(model.constraints().empty());
  CHECK(model.pools().empty());
  adding({"coincide"});
  adding({"locked"});
  adding({"coincide"});
  CHECK(model.pools().size() == 2);
  CHECK(model.constraint_label(ConstraintId{2}) == "joint \"rows 2\" (rows)");
}

TEST_CASE("a gap that says what it joins: derivatives are those of the gap, whatever is joined") {
  const Vec3 p{{0.3, -0.2, 0.5}}, q{{-0.4, 0.1, 0.25}}, r{{0.2, 0.3, -0.7}};
  const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
  CHECK_NOTHROW(support::check_derivatives(BallOfGap<true>{two, p, q, ""}));
  CHECK_NOTHROW(support::check_derivatives(RodOfGap{two, p, q, 1.5}));
  CHECK_NOTHROW(support::check_derivatives(RopeOfGap{{BodyId{0}, BodyId{1}, BodyId{2}}, p, q, r}));
}

TEST_CASE("a gap that says what it joins has the values of the built-in joint, near and far") {
  for (const double far : {0.0, 1e5, 1e7}) {
    const Vec3 origin{{far, -0.3 * far, 0.7 * far}};
    const MultibodySystem built_in(chain(19, origin, adds<SphericalJoint>())),
        users(chain(19, origin, adds<BallOfGap<true>>()));
    const Values a = values_of(built_in), b = values_of(users);
    CHECK(near(a.balance, b.balance));
    CHECK(near(a.position, b.position));
    CHECK(near(a.velocity, b.velocity));
    CHECK(near(a.acceleration, b.acceleration));
    CHECK(users.layout().roundoff_length == built_in.layout().roundoff_length);
  }
}

TEST_CASE("differentiated eight at once a gap has the bits of one after the other") {
  CHECK(same_bits(values_of(MultibodySystem(chain(19, Vec3::Zero(), adds<BallOfGap<true>>()))),
                  values_of(MultibodySystem(chain(19, Vec3::Zero(), adds<BallOfGap<false>>())))));
  // Rods of one length go together, of several lengths alone: each must see its own.
  const auto rods = [](double other) {
    return chain(12, Vec3::Zero(),
                 [&](Model& model, const std::array<BodyId, 2>& bodies, const Vec3& a, const Vec3& b) {
                   model.add(RodOfGap{bodies, a, b, static_cast<int>(bodies[1]) == 9 ? other : 1.5});
                 });
  };
  const Values same = values_of(MultibodySystem(rods(1.5)), 0.4),
               differ = values_of(MultibodySystem(rods(2.5)), 0.4);
  for (std::size_t k = 0; k < same.position.size(); ++k)
    CHECK(differ.position[k] - same.position[k] == doctest::Approx(k == 9 ? -1.0 : 0.0).epsilon(1e-14));
}

TEST_CASE("a gap that sees more than it says it joins is refused") {
  for (const int what : {0, 1, 2}) {
    Model model;
    const BodyId a = model.add(Body{.name = "a"}),
                 b = model.add(Body{.name = "b", .position = {{0.1, 0.2, 0.3}}});
    CHECK_THROWS_AS(model.add(Liar{.bodies = {a, b}, .what = what}), ModelError);
  }
}

TEST_CASE("reactions of users' joints act at the points that they join") {
  const auto check = [](const Model& model) {
    const MultibodySystem system(model);
    State state = system.initial_state();
    state.lambda = test::Random(8).values(system.layout().lambda_size(), 10.0);
    for (int k = 0; k < 5; ++k) {
      const JointReaction r = reaction(system, state, ConstraintId{k});
      CHECK(norm(r.torque) < 1e-13);  // of a ball joint about its point
      for (int i = 0; i < 3; ++i)
        CHECK(r.force[i] ==
              doctest::Approx(-multipliers(system, state, ConstraintId{k})[static_cast<std::size_t>(i)]));
    }
  };
  check(chain(5, Vec3::Zero(), adds<BallOfRows>()));
  check(chain(5, Vec3::Zero(), adds<BallOfGap<true>>()));
}

TEST_CASE("what is violated is said in the unit that a user's gap states") {
  Model model;
  const BodyId b = model.add(Body{.name = "b"});
  model.add(BallOfGap<true>{{ground, b}, {{0.3, 0.0, 0.4}}, Vec3::Zero(), "hip"});
  const auto open = model.open_constraints();
  REQUIRE(open.size() == 1);
  CHECK(open[0].by == "0.5 m");
}
