// Singular values and null vectors of small matrices with rows and columns of any units.
#include <catena/kkt/detail/condition.hpp>
#include <catena/kkt/detail/matrix_diagnosis.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

struct Columns {
  std::vector<int> column{0}, row{};
  std::vector<double> value{};
  explicit Columns(const std::vector<std::vector<double>>& rows) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i][j] != 0.0) {
          row.push_back(static_cast<int>(i));
          value.push_back(rows[i][j]);
        }
      column.push_back(static_cast<int>(row.size()));
    }
  }
  MatrixDiagnosis diagnosis() const { return diagnose(column, row, value); }
};

}  // namespace

TEST_CASE("singular vectors belong to their values") {
  // A turn by 30 degrees of diag(3, 0.5): the right singular vectors are the turned axes.
  const double c = std::cos(std::numbers::pi / 6.0), s = std::sin(std::numbers::pi / 6.0);
  DenseMatrix a(2, 2), vectors(0, 0);
  a(0, 0) = 3.0 * c;
  a(0, 1) = 3.0 * s;
  a(1, 0) = -0.5 * s;
  a(1, 1) = 0.5 * c;
  const std::vector<double> values = singular_vectors(a, vectors);
  const int large = values[0] > values[1] ? 0 : 1;
  CHECK(values[static_cast<std::size_t>(large)] == catena_test::relative(3.0, 1e-15));
  CHECK(values[static_cast<std::size_t>(1 - large)] == catena_test::relative(0.5, 1e-15));
  CHECK(std::abs(vectors(0, large)) == catena_test::relative(c, 1e-15));
  CHECK(std::abs(vectors(1, large)) == catena_test::relative(s, 1e-15));
  CHECK(vectors(0, large) * vectors(1, large) > 0.0);
}

TEST_CASE("a diagonal matrix of any units has the condition 1") {
  const MatrixDiagnosis found = Columns({{1e9, 0.0, 0.0}, {0.0, -1e-7, 0.0}, {0.0, 0.0, 3.0}}).diagnosis();
  CHECK(found.condition == catena_test::relative(1.0, 0.05));
  CHECK(found.null.empty());
  CHECK(found.smallest.size() == 3);
}

TEST_CASE("equal rows leave their difference open, whatever their units") {
  // A mass on two equal rows: [m 1 k; 1 0 0; k 0 0], with a second body that has nothing to do with it.
  for (const double k : {1.0, 1e5}) {
    CAPTURE(k);
    const MatrixDiagnosis found =
        Columns({{2.0, 0.0, 1.0, k}, {0.0, 7.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {k, 0.0, 0.0, 0.0}})
            .diagnosis();
    REQUIRE(found.null.size() == 1);
    CHECK(found.condition > 1e14);
    CHECK(found.null[0].singular_value < 1e-15);
    CHECK(found.null[0].share[0] < 1e-15);
    CHECK(found.null[0].share[1] < 1e-15);
    CHECK(found.null[0].share[2] == catena_test::relative(0.5, 0.05));
    CHECK(found.null[0].share[3] == catena_test::relative(0.5, 0.05));
  }
}

TEST_CASE("a row of zeros is a null vector too, and nothing is found in what is regular") {
  const MatrixDiagnosis zero = Columns({{0.0, 0.0}, {0.0, 4.0}}).diagnosis();
  CHECK(std::isinf(zero.condition));
  REQUIRE(zero.null.size() == 1);
  CHECK(zero.null[0].share[0] == 1.0);
  const MatrixDiagnosis weak = Columns({{1.0, 1.0}, {1.0, 1.0 + 1e-6}}).diagnosis();
  CHECK(weak.null.empty());
  CHECK(weak.condition == catena_test::relative(4e6, 0.1));
  CHECK(weak.smallest.front() == catena_test::relative(2.5e-7, 0.1));
}
