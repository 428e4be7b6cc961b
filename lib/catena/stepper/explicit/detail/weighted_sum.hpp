// Sums of stages with the coefficients of a table: where an explicit step spends its own time.
#pragma once
#include <cstddef>
#include <type_traits>
#include <vector>

namespace catena::detail {

using StageRows = std::vector<std::vector<double>>;  // of numbers of one size each

// out_i = from_i + h sum_j weights_j k_j,i, in the order of j; from null: 0. Eight components at a time, which compilers
// turn into lanes; out may be from.
inline void weighted_sum(const std::vector<double>& weights, const StageRows& k, double h, const double* from,
                         std::vector<double>& out) {
  constexpr std::size_t width = 8;
  const std::size_t n = out.size();
  struct Term {
    double weight;
    const double* row;
  };
  constexpr std::size_t usual = 32;  // of a table with more stages the terms are allocated
  Term few[usual];
  std::vector<Term> many(weights.size() > usual ? weights.size() : 0);
  Term* const terms = many.empty() ? few : many.data();
  std::size_t used = 0;
  for (std::size_t j = 0; j < weights.size(); ++j)
    if (weights[j] != 0.0) terms[used++] = {weights[j], k[j].data()};
  // Components i to i + count; where the count is a constant they stay in registers.
  const auto of_block = [&](std::size_t i, auto count) {
    double sum[width] = {};
    for (std::size_t j = 0; j < used; ++j)
      for (std::size_t l = 0; l < count; ++l) sum[l] += terms[j].weight * terms[j].row[i + l];
    for (std::size_t l = 0; l < count; ++l) out[i + l] = (from == nullptr ? 0.0 : from[i + l]) + h * sum[l];
  };
  std::size_t i = 0;
  for (; i + width <= n; i += width) of_block(i, std::integral_constant<std::size_t, width>());
  for (; i + 2 <= n; i += 2) of_block(i, std::integral_constant<std::size_t, 2>());
  if (i < n) of_block(i, std::integral_constant<std::size_t, 1>());
}

}  // namespace catena::detail
