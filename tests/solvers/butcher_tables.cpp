// The coefficients of the explicit methods satisfy the conditions of their orders.
#include <catena/solvers/dop853.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/runge_kutta_4.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace butcher_tables_tests {

using namespace catena;

namespace {

// A rooted tree: weights Phi_i of its root, and its density. Conditions: sum_i b_i Phi_i = 1 / density.
struct Tree {
  int order;
  std::vector<double> phi;
  double density;
  std::vector<double> as_child;  // A Phi
};

// All stages: those of the step, its end, those of the dense output.
std::vector<std::vector<double>> all_rows(const ButcherTable& table) {
  std::vector<std::vector<double>> a = table.a;
  a.insert(a.end(), table.dense_a.begin(), table.dense_a.end());
  return a;
}

std::vector<double> applied(const std::vector<std::vector<double>>& a, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) y[i] += a[i][j] * x[j];
  return y;
}

// Trees of `order` with a root whose further children are trees from number `first` on (Hairer, Norsett, Wanner I, II.2).
void add_trees(int order, int left, std::size_t first, const std::vector<double>& phi, double density,
               const std::vector<Tree>& smaller, std::vector<Tree>& found) {
  if (left == 0) {
    found.push_back({order, phi, density * order, {}});
    return;
  }
  for (std::size_t k = first; k < smaller.size(); ++k) {
    if (smaller[k].order > left) continue;
    std::vector<double> product = phi;
    for (std::size_t i = 0; i < phi.size(); ++i) product[i] *= smaller[k].as_child[i];
    add_trees(order, left - smaller[k].order, k, product, density * smaller[k].density, smaller, found);
  }
}

// 1, 1, 2, 4, 9, 20, 48, 115, 286 of orders 1 to 9.
std::vector<Tree> trees_up_to(const std::vector<std::vector<double>>& a, int most) {
  std::vector<Tree> all;
  for (int order = 1; order <= most; ++order) {
    std::vector<Tree> found;
    add_trees(order, order - 1, 0, std::vector<double>(a.size(), 1.0), 1.0, all, found);
    for (Tree& tree : found) tree.as_child = applied(a, tree.phi);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

// Largest error of the conditions of each order up to `most`, at the part theta of a step.
std::vector<double> errors_of_orders(const std::vector<Tree>& trees, const std::vector<double>& weights,
                                     int most, double theta = 1.0) {
  std::vector<double> errors(static_cast<std::size_t>(most) + 1, 0.0);
  for (const Tree& tree : trees) {
    double sum = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * tree.phi[i];
    double& worst = errors[static_cast<std::size_t>(tree.order)];
    worst = std::max(worst, std::abs(sum - std::pow(theta, tree.order) / tree.density));
  }
  return errors;
}

// Products of coefficients up to 33, and sums of them that cancel.
constexpr double roundoff = 2e-14;

void check_order(const std::vector<Tree>& trees, const std::vector<double>& weights, int order,
                 double theta = 1.0) {
  const std::vector<double> errors = errors_of_orders(trees, weights, order + 1, theta);
  for (int k = 1; k <= order; ++k) CHECK(errors[static_cast<std::size_t>(k)] <= roundoff);
  CHECK(errors.back() >= 1e-6);  // 2.7e-5 of dop853, at theta = 0.1 7e-6
}

std::vector<double> difference(std::vector<double> weights, const std::vector<double>& error) {
  for (std::size_t i = 0; i < error.size(); ++i) weights[i] -= error[i];
  return weights;
}

// Weights of the interpolant at theta.
std::vector<double> dense_weights(const ButcherTable& table, double theta) {
  const std::size_t end = table.c.size(), n = end + 1 + table.dense_c.size();
  std::vector<double> b(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double r0 = i < end ? table.a.back()[i] : 0.0, r1 = (i == 0 ? 1.0 : 0.0) - r0;
    std::vector<double> r = {r0, r1, r0 - (i == end ? 1.0 : 0.0) - r1};
    for (const std::vector<double>& row : table.dense) r.push_back(i < row.size() ? row[i] : 0.0);
    for (std::size_t k = r.size(); k-- > 0;) b[i] = (k % 2 == 0 ? theta : 1.0 - theta) * (r[k] + b[i]);
  }
  return b;
}

}  // namespace

TEST_CASE(
    "the solutions and the embedded solutions have the orders that the tables state, and no higher one") {
  for (const ButcherTable* table : {&dormand_prince_table(), &dop853_table(), &runge_kutta_4_table()}) {
    CAPTURE(table->name);
    CHECK(defect(*table).empty());
    const std::vector<Tree> trees = trees_up_to(table->a, table->order + 1);
    std::vector<double> weights = table->a.back();
    weights.push_back(0.0);
    check_order(trees, weights, table->order);
    const auto lower = [&](int order) {
      std::vector<Tree> some = trees;
      some.erase(std::remove_if(some.begin(), some.end(), [&](const Tree& t) { return t.order > order + 1; }),
                 some.end());
      return some;
    };
    if (!table->error.empty())
      check_order(lower(table->embedded_order), difference(weights, table->error), table->embedded_order);
    if (!table->second_error.empty())
      check_order(lower(table->second_order), difference(weights, table->second_error), table->second_order);
  }
  CHECK(dormand_prince_table().error_power() == 5);
  CHECK(dop853_table().error_power() == 8);
}

// b_i(theta), for which sum_i b_i(theta) Phi_i = theta^order / density.
TEST_CASE("the dense output is of order 4 of dormand_prince and 7 of dop853 at every instant of a step") {
  const auto check = [](const ButcherTable& table, int order) {
    const std::vector<Tree> trees = trees_up_to(all_rows(table), order + 1);
    for (const double theta : {0.1, 0.35, 0.5, 0.8})
      check_order(trees, dense_weights(table, theta), order, theta);
  };
  check(dormand_prince_table(), 4);
  check(dop853_table(), 7);
}

TEST_CASE("the intervals of stability on the negative real axis end where the tables say") {
  // R(z) = 1 + z sum_i b_i k_i of y' = z y.
  const auto growth = [](const ButcherTable& table, double z) {
    std::vector<double> k;
    for (std::size_t i = 0; i <= table.c.size(); ++i) {
      double y = 1.0;
      for (std::size_t j = 0; j < i; ++j) y += z * table.a[i][j] * k[j];
      k.push_back(y);
    }
    return std::abs(k.back());
  };
  for (const ButcherTable* table : {&dormand_prince_table(), &dop853_table()}) {
    const double end = table->stability_boundary;
    for (int part = 1; part < 100; ++part) CHECK(growth(*table, -0.01 * part * end) < 1.0);
    CHECK(growth(*table, -1.03 * end) > 1.0);
  }
}

}  // namespace butcher_tables_tests
