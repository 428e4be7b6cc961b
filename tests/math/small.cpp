// Small matrices, packs and the nearest names.
#include <catena/math/detail/nearest.hpp>
#include <catena/math/parts/pack.hpp>
#include <catena/math/rotation.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace catena;
using namespace catena::detail;

TEST_CASE("layout of small matrices is that of their numbers, row by row") {
  static_assert(sizeof(Mat3) == 9 * sizeof(double));
  static_assert(alignof(Mat3) == alignof(double));
  static_assert(sizeof(Quat) == 4 * sizeof(double));
  const Mat<double, 2, 3> m{{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}};
  CHECK(m(0, 2) == 3.0);
  CHECK(m(1, 0) == 4.0);
  CHECK(m.transpose()(2, 0) == 3.0);
}

TEST_CASE("products: a b, a^T b, outer, cross and skew agree with each other") {
  const Vec3 a{{1.0, -2.0, 0.5}}, b{{3.0, 0.25, -1.0}};
  const Vec3 c = cross(a, b), d = skew(a) * b;
  for (int k = 0; k < 3; ++k) CHECK(c[k] == d[k]);
  CHECK(dot(c, a) == 0.0);
  CHECK(c[0] == 2.0 - 0.125);  // a_y b_z - a_z b_y
  const Mat3 m = outer(a, b);
  CHECK(m(1, 2) == 2.0);
  const Mat3 p = transpose_times(m, m), q = m.transpose() * m;
  for (int k = 0; k < 9; ++k) CHECK(p[k] == q[k]);
  Mat<double, 6, 6> big = Mat<double, 6, 6>::Zero();
  set_block(big, 3, 2, m);
  CHECK(big(4, 4) == 2.0);
  CHECK(big(2, 2) == 0.0);
}

TEST_CASE("products with a~ that leave out its zeros have the bits of those that do not") {
  const Vec3 a{{1.1, -2.3, 0.7}}, b{{3.1, 0.3, -1.9}};
  const Mat<double, 2, 3> left{{0.3, -1.7, 2.9, 1.3, 0.9, -0.1}};
  const Mat<double, 3, 2> right{{0.3, -1.7, 2.9, 1.3, 0.9, -0.1}};
  const Mat<double, 2, 3> row = times_skew(left, a), row_of_all = left * skew(a);
  const Mat<double, 3, 2> column = skew_times(a, right), column_of_all = skew(a) * right;
  for (int k = 0; k < 6; ++k) {
    CHECK(row[k] == row_of_all[k]);
    CHECK(column[k] == column_of_all[k]);
  }
  const Mat3 both = skew_times_skew(a, b), both_of_all = skew(a) * skew(b);
  for (int k = 0; k < 9; ++k) CHECK(both[k] == both_of_all[k]);
  // The values: (a~ b~) x = a x (b x x).
  const Vec3 x{{0.7, 0.2, -1.3}}, turned = both * x, expected = cross(a, cross(b, x));
  for (int k = 0; k < 3; ++k) CHECK(std::abs(turned[k] - expected[k]) < 1e-15 * 20.0);
}

TEST_CASE("numbers multiply matrices of any scalar") {
  const Vec<Pack8, 3> a = cast<Pack8>(Vec3{{1.0, 2.0, 3.0}});
  CHECK(lane((0.5 * a)[2], 7) == 1.5);
  CHECK(lane((a * 2.0)[1], 0) == 4.0);
}

TEST_CASE("packs act lane by lane, with the bits of scalar code") {
  alignas(64) double x[8], y[8];
  for (int l = 0; l < 8; ++l) x[l] = 1.1 * l - 3.0, y[l] = 0.7 - 0.3 * l * l;
  const Pack8 a = load(x), b = load(y);
  for (int l = 0; l < 8; ++l) {
    CHECK(lane(a + b, l) == x[l] + y[l]);
    CHECK(lane(a - b, l) == x[l] - y[l]);
    CHECK(lane(a * b, l) == x[l] * y[l]);
    CHECK(lane(a / b, l) == x[l] / y[l]);
    CHECK(lane(-a, l) == -x[l]);
    CHECK(lane(abs(a), l) == std::abs(x[l]));
    CHECK(lane(sqrt(abs(a)), l) == std::sqrt(std::abs(x[l])));
    CHECK(lane(max(a, b), l) == std::fmax(x[l], y[l]));
    CHECK(lane(madd(a, b, a), l) == madd(x[l], y[l], x[l]));
    CHECK(lane(nmadd(a, b, a), l) == nmadd(x[l], y[l], x[l]));
    CHECK(lane(select_less(a, b, a, b), l) == (x[l] < y[l] ? x[l] : y[l]));
  }
  CHECK(all_less(a, Pack8(100.0)));
  CHECK_FALSE(all_less(a, Pack8(4.0)));
  const int index[8] = {7, 6, 5, 4, 3, 2, 1, 0};
  CHECK(lane(gather(x, index), 1) == x[6]);
}

TEST_CASE("edit distance: insertions, deletions, replacements and swapped neighbours count one each") {
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("chain", "chian") == 1);
  CHECK(edit_distance("Chain", "cHAIN") == 0);
  CHECK(edit_distance("generalized_alpha", "generalised_alpha") == 1);
}

TEST_CASE("nearest names: near ones first, names that contain what was typed, none when all are far") {
  const std::vector<std::string> names = {"box_chain", "straight_box_chain", "rod_chain", "helix_chain",
                                          "heavy_top"};
  CHECK(nearest_names("hevy_top", names) == std::vector<std::string>{"heavy_top"});
  CHECK(nearest_names("helix", names) == std::vector<std::string>{"helix_chain"});
  CHECK(nearest_names("bod_chain", names) == std::vector<std::string>{"box_chain", "rod_chain"});
  CHECK(nearest_names("pendulum", names).empty());
  CHECK(nearest_hint("hevy_top", names) == R"(did you mean "heavy_top"?)");
  CHECK(nearest_hint("x", names).empty());
}

TEST_CASE("names within a third of what was typed, and one edit more, are suggested, the nearest first") {
  CHECK(nearest_names("abcdefghi", {"abcdeXYZi", "abcdXYZWV"}) == std::vector<std::string>{"abcdeXYZi"});
  CHECK(nearest_names("rod_chaim", {"rod_chains", "rod_chain"}) ==
        std::vector<std::string>{"rod_chain", "rod_chains"});
}
