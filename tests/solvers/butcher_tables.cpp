// The coefficients of the explicit methods satisfy the conditions of their orders.
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/runge_kutta_4.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace catena;

namespace {

// A rooted tree: weights Phi_i of its root's children, and its density. Conditions: sum_i b_i Phi_i = 1 / density.
struct Tree {
  std::vector<double> phi;
  double density;
  int order;
};

std::vector<double> times(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) c[i] = a[i] * b[i];
  return c;
}

// (A x)_i over the stages, the end of the step the last of them.
std::vector<double> applied(const ButcherTable& table, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) y[i] += table.a[i][j] * x[j];
  return y;
}

// The 17 trees up to order 5 (Hairer, Norsett, Wanner I, II.2).
std::vector<Tree> trees(const ButcherTable& table) {
  std::vector<double> one(table.c.size() + 1, 1.0), c = table.c;
  c.push_back(1.0);
  const auto A = [&](const std::vector<double>& x) { return applied(table, x); };
  const std::vector<double> c2 = times(c, c), c3 = times(c2, c), Ac = A(c), Ac2 = A(c2), AAc = A(Ac);
  return {{one, 1, 1},
          {c, 2, 2},
          {c2, 3, 3},
          {Ac, 6, 3},
          {c3, 4, 4},
          {times(c, Ac), 8, 4},
          {Ac2, 12, 4},
          {AAc, 24, 4},
          {times(c2, c2), 5, 5},
          {times(c2, Ac), 10, 5},
          {times(Ac, Ac), 20, 5},
          {times(c, Ac2), 15, 5},
          {A(c3), 20, 5},
          {times(c, AAc), 30, 5},
          {A(times(c, Ac)), 40, 5},
          {A(Ac2), 60, 5},
          {A(AAc), 120, 5}};
}

// Largest error of the conditions up to this order, and that of the order behind it.
void check_order(const ButcherTable& table, const std::vector<double>& weights, int order) {
  double worst = 0.0, next = 0.0;
  for (const Tree& tree : trees(table)) {
    double sum = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * tree.phi[i];
    const double error = std::abs(sum - 1.0 / tree.density);
    (tree.order <= order ? worst : next) = std::max(tree.order <= order ? worst : next, error);
  }
  CHECK(worst <= 1e-14);  // products of coefficients up to 12, five of them at most
  if (order < 5) CHECK(next >= 1e-4);
}

}  // namespace

TEST_CASE("the solutions and the embedded solution have the orders that the tables state") {
  for (const ButcherTable* table : {&dormand_prince_table(), &runge_kutta_4_table()}) {
    CAPTURE(table->name);
    CHECK(defect(*table).empty());
    std::vector<double> weights = table->a.back();
    weights.push_back(0.0);
    check_order(*table, weights, table->order);
    if (table->error.empty()) continue;
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= table->error[i];
    check_order(*table, weights, table->embedded_order);
  }
}

// Of the interpolant at theta: b_i(theta), for which sum_i b_i(theta) Phi_i = theta^order / density.
TEST_CASE("the dense output of dormand_prince is of order 4 at every instant of a step") {
  const ButcherTable& table = dormand_prince_table();
  const std::size_t n = table.a.size();
  for (const double theta : {0.1, 0.35, 0.5, 0.8, 1.0}) {
    std::vector<double> b(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double r0 = i + 1 < n ? table.a.back()[i] : 0.0, r1 = (i == 0 ? 1.0 : 0.0) - r0,
                   r2 = r0 - (i + 1 == n ? 1.0 : 0.0) - r1, r3 = table.dense[0][i], rest = 1.0 - theta;
      b[i] = theta * (r0 + rest * (r1 + theta * (r2 + rest * r3)));
    }
    for (const Tree& tree : trees(table)) {
      if (tree.order > 4) continue;
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += b[i] * tree.phi[i];
      CHECK(std::abs(sum - std::pow(theta, tree.order) / tree.density) <= 1e-14);
    }
  }
}
