// Gaps of a user's in eight lanes: the same numbers as one by one, also where members differ and where gaps branch.
#include <catena/assembly/multibody_system.hpp>
#include <catena/model/detail/alike.hpp>

#include "support/mechanisms.hpp"

#include <Eigen/Core>
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

namespace gap_in_lanes_tests {

namespace gap_in_lanes {
using namespace catena;
using namespace catena::detail;

// A rod that is a rope beyond `slack`: another function on each side, smooth within.
template <bool eight_at_once>
struct Rope {
  static constexpr int rows = 1;
  static constexpr bool lanes = eight_at_once;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();
  double slack = 1.0;
  std::string name = {};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S& t) const {
    ++calls;
    if constexpr (requires(const S& s) { s.r; }) ++packs;
    const S d = norm(Vec<S, 3>(B.point(eye) - A.point(hook)));
    if (d < S(slack)) return {{d * d + sin(t) * A.direction(eye)[1]}};
    return {{d * d * d - B.direction(hook)[2] / d}};
  }
  static inline int calls = 0, packs = 0;  // of plain packs: one probe for each group in lanes and more
};

// Sees velocities.
template <bool eight_at_once>
struct Sliding {
  static constexpr int rows = 2;
  static constexpr Level level = Level::velocity;
  static constexpr bool lanes = eight_at_once;
  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();
  template <class S>
  Vec<S, 2> rate(const BodyFrame<S>& A, const S& t) const {
    const Vec<S, 3> v = transpose_times(A.R, A.point_velocity(point));
    return {{v[0] + cos(t) * A.x[1], v[2] * A.x[0]}};
  }
};

constexpr int count = 13;  // a group of eight and one of five

Model bodies() {
  test::Random random(7);
  Model model;
  for (int k = 0; k <= count; ++k) model.add(test::random_body(random, k));
  return model;
}

struct Values {
  std::vector<double> rows, balance, matrix;
};
Values values_of(const Model& model) {
  const MultibodySystem system(model);
  const SystemLayout& layout = system.layout();
  State s = system.initial_state();
  s.t = 0.3;
  test::Random random(5);
  s.lambda = random.values(layout.lambda_size(), 10.0);
  s.a = random.values(layout.v_size());
  Values v;
  const auto n = static_cast<std::size_t>(layout.lambda_size());
  v.rows.resize(3 * n);
  v.balance.resize(static_cast<std::size_t>(layout.v_size()));
  BlockMatrix matrix(layout.pattern, Border::separate);
  matrix.set_zero();
  Linearization lin;
  lin.matrix = &matrix;
  lin.stiffness = 0.7;
  lin.position_rows = lin.velocity_rows = {0.5, 0.2, 0.1};
  Evaluation wanted;
  wanted.position = v.rows.data();
  wanted.velocity = v.rows.data() + n;
  wanted.acceleration = v.rows.data() + 2 * n;
  wanted.balance = v.balance.data();
  wanted.linearization = &lin;
  Point at = point_of(s);
  at.a = s.a.data();
  at.lambda = s.lambda.data();
  system.evaluate(at, wanted);
  const auto add = [&](const auto& block) {
    for (int i = 0; i < block.rows; ++i)
      for (int j = 0; j < block.cols; ++j) v.matrix.push_back(block(i, j));
  };
  const BlockMatrix& m = matrix;
  const BlockPattern& p = *layout.pattern;
  for (int k = 0; k < p.primal_count(); ++k) add(m.H(k));
  for (std::size_t k = 0; k < p.couplings.size(); ++k) add(m.H_upper(static_cast<int>(k)));
  for (std::size_t k = 0; k < p.incidences.size(); ++k) {
    add(m.C(static_cast<int>(k)));
    add(m.Bt(static_cast<int>(k)));
  }
  return v;
}

// Rows and their derivatives have the same bits; sums over two joints of a body are in another order.
void check_same(const Values& a, const Values& b) {
  CHECK(a.rows == b.rows);
  const auto close = [](const std::vector<double>& x, const std::vector<double>& y) {
    REQUIRE(x.size() == y.size());
    double size = 0.0, off = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      size = std::max(size, std::abs(x[k]));
      off = std::max(off, std::abs(x[k] - y[k]));
    }
    CHECK(size > 1.0);
    CHECK(off <= 4.0 * 0x1p-52 * size);
  };
  close(a.balance, b.balance);
  close(a.matrix, b.matrix);
}

template <bool lanes>
Model ropes(double (*slack_of)(int), const Vec3& eye = {{0.1, -0.2, 0.3}}) {
  Model model = bodies();
  for (int k = 0; k < count; ++k)
    model.add(Rope<lanes>{
        .bodies = {BodyId{k}, BodyId{k + 1}}, .hook = {{0.4, 0.1, -0.3}}, .eye = eye, .slack = slack_of(k)});
  return model;
}

struct Base {
  std::array<BodyId, 2> bodies;
};
struct Derived : Base {
  double more = 0.0;
};
struct WithArray {
  std::array<BodyId, 2> bodies;
  double numbers[3] = {};
  double more = 0.0;
};
struct Plain {
  std::array<BodyId, 2> bodies;
  Vec3 a = Vec3::Zero();
  bool flag = false;
  std::string word = {};
  std::vector<int> list = {};
};
struct Opaque {
  std::array<BodyId, 2> bodies;
  struct {
    int x = 0;
  } inside = {};
};
struct WithEigen {
  std::array<BodyId, 2> bodies;
  Eigen::Vector3d a = Eigen::Vector3d::Zero();
  Eigen::VectorXd b = {};
  std::string name = {};
};
static_assert(of_element::member_count<WithEigen>() == 4);
static_assert(of_element::member_count<Plain>() == 5);
static_assert(of_element::member_count<Opaque>() == 2);
static_assert(of_element::member_count<WithArray>() == 0);
static_assert(of_element::member_count<Derived>() == 0);

}  // namespace gap_in_lanes
using namespace gap_in_lanes;

TEST_CASE("gaps that are alike are evaluated in lanes, with the bits of one by one") {
  const auto same = [](int) { return 0.5; };
  Rope<true>::packs = 0;
  const Values eight = values_of(ropes<true>(same));
  CHECK(Rope<true>::packs > 0);
  Rope<false>::packs = 0;
  const Values single = values_of(ropes<false>(same));
  CHECK(Rope<false>::packs == 0);
  check_same(eight, single);
}

TEST_CASE("gaps that differ in a member are not mixed up in lanes") {
  const auto differ = [](int k) { return k % 3 == 0 ? 0.1 : 100.0; };
  check_same(values_of(ropes<true>(differ)), values_of(ropes<false>(differ)));
}

TEST_CASE("gaps that branch to different sides are evaluated one by one") {
  const auto same = [](int) { return 1.7; };
  int inside = 0;
  const Model model = ropes<false>(same);
  for (int k = 0; k < 8; ++k) {
    const Body &a = model.body(BodyId{k}), &b = model.body(BodyId{k + 1});
    const Vec3 d = b.position + rotation_matrix(b.orientation) * Vec3{{0.1, -0.2, 0.3}} - a.position -
                   rotation_matrix(a.orientation) * Vec3{{0.4, 0.1, -0.3}};
    inside += norm(d) < 1.7 ? 1 : 0;
  }
  REQUIRE(inside > 0);
  REQUIRE(inside < 8);
  check_same(values_of(ropes<true>(same)), values_of(ropes<false>(same)));
}

TEST_CASE("rates of a user's are evaluated in lanes, with the bits of one by one") {
  const auto model = [](auto joint) {
    Model m = bodies();
    for (int k = 0; k < count; ++k) {
      joint.bodies = {BodyId{k}};
      joint.point = {{0.3, 0.2, -0.1}};
      m.add(joint);
    }
    return m;
  };
  check_same(values_of(model(Sliding<true>{})), values_of(model(Sliding<false>{})));
}

TEST_CASE("members of Eigen's types are compared, whatever their sizes") {
  const WithEigen a{.bodies = {BodyId{0}, BodyId{1}}, .a = {1.0, 2.0, 3.0}, .b = Eigen::VectorXd::Ones(2)};
  WithEigen b = a;
  CHECK(of_element::alike(a, b));
  b.a[2] = 3.5;
  CHECK_FALSE(of_element::alike(a, b));
  b = a;
  b.b = Eigen::VectorXd::Ones(3);
  CHECK_FALSE(of_element::alike(a, b));
}

namespace gap_in_lanes {
// Throws at one of its joints, by where this one is; with and without joins.
template <bool joined>
struct Fragile {
  static constexpr const char* type_name = "fragile";
  static constexpr int rows = 1;
  static constexpr bool lanes = true;
  std::array<BodyId, 2> bodies;
  Vec3 hook = Vec3::Zero(), eye = Vec3::Zero();
  std::string name = {};
  static constexpr auto joins_of() {
    if constexpr (joined)
      return std::array{&Fragile::hook, &Fragile::eye};
    else
      return std::array<Vec3 Fragile::*, 0>{};
  }
  static constexpr auto joins = joins_of();
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    const S d = B.point(eye)[0] - A.point(hook)[0];
    const auto refuse = [](double x) {
      if (armed && x > 1.5) throw std::runtime_error("too far");
    };
    if constexpr (requires { d.r; })
      for (int l = 0; l < 8; ++l) refuse(lane(d, l));
    else if constexpr (std::is_same_v<S, double>)
      refuse(d);
    else if constexpr (requires { d.value.r; })
      for (int l = 0; l < 8; ++l) refuse(lane(d.value, l));
    return {{d}};
  }
  static inline bool armed = false;
};
// What is said where joint number 5 of eight throws.
template <bool joined>
std::string guilty() {
  Model model;
  for (int k = 0; k < 9; ++k) model.add(Body{.position = {{k + (k > 5 ? 1.0 : 0.0), 0.0, 0.0}}});
  for (int k = 0; k < 8; ++k)
    model.add(Fragile<joined>{.bodies = {BodyId{k}, BodyId{k + 1}}, .name = "link " + std::to_string(k)});
  const MultibodySystem system(model);
  const State s = system.initial_state();
  std::vector<double> rows(static_cast<std::size_t>(system.layout().lambda_size()));
  Evaluation wanted;
  wanted.position = rows.data();
  Fragile<joined>::armed = true;
  std::string said;
  try {
    system.evaluate(point_of(s), wanted);
  } catch (const std::exception& error) {
    said = error.what();
  }
  Fragile<joined>::armed = false;
  return said;
}
}  // namespace gap_in_lanes

TEST_CASE("the joint that throws is named, not the first of the eight that share its lanes") {
  CHECK(guilty<true>() == "joint \"link 5\" (fragile) threw an exception: too far");
  CHECK(guilty<false>() == "joint \"link 5\" (fragile) threw an exception: too far");
}

TEST_CASE("members are compared one by one where a type lets them be counted") {
  const std::array<BodyId, 2> two{BodyId{0}, BodyId{1}};
  Plain a{.bodies = two}, b{.bodies = two};
  CHECK(of_element::alike(a, b));
  b.word = "other";
  CHECK_FALSE(of_element::alike(a, b));
  b = a;
  b.a[2] = 0x1p-60;
  CHECK_FALSE(of_element::alike(a, b));
  b = a;
  b.list.push_back(0);
  CHECK_FALSE(of_element::alike(a, b));
  CHECK_FALSE(of_element::alike(Opaque{two}, Opaque{two}));
  CHECK_FALSE(of_element::alike(WithArray{two}, WithArray{two}));
  CHECK_FALSE(of_element::alike(Derived{{two}}, Derived{{two}}));
}

}  // namespace gap_in_lanes_tests
