#include <catena/stepper/explicit/parts/butcher_table.hpp>

#include <cmath>
#include <numeric>

namespace catena {

std::string defect(const ButcherTable& table) {
  const std::size_t s = table.c.size();
  const auto adds_up = [](const std::vector<double>& row, double sum) {
    // Roundoff of coefficients up to 1e2, which those of high order have.
    return std::abs(std::accumulate(row.begin(), row.end(), 0.0) - sum) <= 1e-13;
  };
  const std::string of = "the Butcher table of " + table.name + ": ";
  if (s == 0 || table.c[0] != 0.0 || table.order < 1)
    return of + "it needs an order, and stages from node 0 on";
  if (table.a.size() != s + 1) return of + "a needs a row for each stage, and one for the solution";
  for (std::size_t i = 0; i <= s; ++i)
    if (table.a[i].size() != i || !adds_up(table.a[i], i < s ? table.c[i] : 1.0))
      return of + "row " + std::to_string(i) + " of a needs " + std::to_string(i) +
             " numbers with the sum c, or 1";
  if ((table.embedded_order > 0) != !table.error.empty())
    return of + "an embedded solution needs its order and weights of the error";
  if (table.second_error.empty() != (table.second_order == 0) ||
      (table.second_order > 0 && table.second_order >= table.embedded_order))
    return of + "a second embedded solution needs weights, and a lower order than the first";
  const std::size_t extra = table.dense_c.size();
  if (table.dense_a.size() != extra) return of + "dense_a needs a row for each of dense_c";
  for (std::size_t i = 0; i < extra; ++i)
    if (table.dense_a[i].size() != s + 1 + i || !adds_up(table.dense_a[i], table.dense_c[i]))
      return of + "row " + std::to_string(i) + " of dense_a needs " + std::to_string(s + 1 + i) +
             " numbers with the sum dense_c";
  const auto weights_wrong = [&](const std::vector<double>& row, std::size_t size) {
    return row.size() != size || !adds_up(row, 0.0);
  };
  for (const std::vector<double>* row : {&table.error, &table.second_error})
    if (!row->empty() && weights_wrong(*row, s + 1))
      return of + "rows of errors need " + std::to_string(s + 1) + " numbers with the sum 0";
  for (const std::vector<double>& row : table.dense)
    if (weights_wrong(row, s + 1 + extra))
      return of + "rows of dense output need " + std::to_string(s + 1 + extra) + " numbers with the sum 0";
  if (table.stability_boundary > 0.0 && table.c.back() != 1.0)
    return of + "the check of stiffness needs a last stage at node 1";
  return {};
}

}  // namespace catena
