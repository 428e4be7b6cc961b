#include <catena/math/detail/fetch.hpp>
#include <catena/stepper/detail/for_each_part.hpp>
#include <catena/stepper/implicit/detail/continuation.hpp>

#include <algorithm>

namespace catena::detail {
namespace {

constexpr int chunk = 256;  // values at a time, as in apply()

// As a whole number; those of a damaged checkpoint may be any.
std::size_t whole(double steps) {
  constexpr double most = 1e15;
  return steps >= 0.0 && steps <= most ? static_cast<std::size_t>(steps) : 0;
}
// Places of the two values that are kept in turn, after so many steps.
std::size_t place_of_next(double steps) { return whole(steps) % 2; }
int order_within(double kept, int known) { return kept == 3.0 && known == 3 ? 3 : kept == 2.0 ? 2 : 1; }

}  // namespace

std::array<double, 4> term_of_continuation(int order, const StepsBack& h) {
  const double t[4] = {0.0, -h[1], -h[1] - h[2], -h[1] - h[2] - h[3]};  // t_n, t_{n-1}, ... from t_n on
  double product = 1.0;
  for (int k = 0; k < order; ++k) product *= h[0] - t[k];
  std::array<double, 4> weights{};
  for (int i = 0; i <= order; ++i) {
    double others = 1.0;
    for (int k = 0; k <= order; ++k)
      if (k != i) others *= t[i] - t[k];
    weights[static_cast<std::size_t>(i)] = product / others;
  }
  return weights;
}

void Continuation::attach(StepMemory& memory, const System& system, const double* per_scale) {
  system_ = &system;
  per_scale_ = per_scale;
  const SystemLayout& layout = system.layout();
  n_ = static_cast<std::size_t>(layout.v_size());
  m_ = static_cast<std::size_t>(layout.lambda_size());
  for (auto& of_parts : of_parts_) of_parts.assign(static_cast<std::size_t>(system.parts()), Largest{});
  numbers_ = memory.add("steps of the continuation", numbers_kept);
  a_ = memory.add("accelerations two and three steps back", 2 * layout.v_size());
  lambda_ = memory.add("multipliers two and three steps back", 2 * layout.lambda_size());
  sizes_ = {};
}

Continuation::Largest Continuation::largest_terms(const Columns& x, const double* per, int first, int last,
                                                  int known) const {
  const ArrayKernels& kernels = array_kernels();
  Largest largest{};
  double values[chunk];
  for (int k = first; k < last; k += chunk) {
    const int size = std::min(chunk, last - k);
    for (int order = 1; order <= known; ++order) {
      WeightedColumns term;
      for (std::size_t i = 0; i <= static_cast<std::size_t>(order); ++i) {
        term.weight[term.count] = term_[order - 1][i];
        term.column[term.count++] = x[i];
      }
      kernels.combine(term, k, size, values);
      double& of_order = largest[static_cast<std::size_t>(order - 1)];
      of_order = per == nullptr
                     ? kernels.largest(values, size, of_order)
                     : std::max(of_order, kernels.largest_scaled(values, per + k, 1.0, size).value);
    }
  }
  return largest;
}

void Continuation::choose_orders(const Columns& a, const Columns& lambda, int known) {
  for_each_part(*system_, [&](const SystemPart& part) {
    const auto p = static_cast<std::size_t>(part.number);
    const RowsOfPart rows = rows_of_part(*system_, part);
    of_parts_[0][p] = largest_terms(a, per_scale_, part.first, part.last, known);
    of_parts_[1][p] = largest_terms(lambda, nullptr, rows.first, rows.last, known);
  });
  // The next order is worth its values where its term is smaller than that of the order before. T_4 would be T_3^2 / T_2 by the
  // fall from T_2 to T_3.
  const auto order_of = [&](const std::vector<Largest>& of_parts) {
    Largest largest{};
    for (const Largest& of : of_parts)
      for (std::size_t k = 0; k < largest.size(); ++k) largest[k] = std::max(largest[k], of[k]);
    constexpr double falls = 0.5;
    if (known == 2) return largest[1] < falls * largest[0] ? 2 : 1;
    if (largest[2] < falls * largest[1]) return 3;
    return largest[2] < largest[1] ? 2 : 1;
  };
  order_a_ = order_of(of_parts_[0]);
  order_lambda_ = m_ == 0 ? known : order_of(of_parts_[1]);
}

WeightedColumns Continuation::terms(int order, const Columns& x) const {
  WeightedColumns sum;
  if (order == 1) return sum;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(order); ++i) {
    sum.weight[sum.count] = term_[1][i] + (order == 3 ? term_[2][i] : 0.0);
    sum.column[sum.count++] = x[i];
  }
  return sum;
}

void Continuation::look_ahead(const State& state, double h, const Before& before) {
  const double* const numbers = numbers_.of(state);
  const int known = numbers[steps] >= 3.0   ? 3
                    : numbers[steps] >= 2.0 ? 2
                                            : 1;  // terms of values that steps have found
  look_no_further();
  if (known < 2) return;
  const StepsBack sizes = {h, before.h, numbers[size_before], numbers[size_before_that]};
  if (sizes != sizes_ || known != terms_made_)
    for (int order = 1; order <= known; ++order) term_[order - 1] = term_of_continuation(order, sizes);
  sizes_ = sizes;
  terms_made_ = known;
  const std::size_t oldest = place_of_next(numbers[steps]), last = 1 - oldest;
  const auto columns = [&](const double* now, const double* one_back, const MemorySlot& back,
                           std::size_t size) {
    return Columns{now, one_back, back.of(state) + last * size, back.of(state) + oldest * size};
  };
  const Columns a = columns(state.a.data(), before.a, a_, n_),
                lambda = columns(state.lambda.data(), before.lambda, lambda_, m_);
  // A polynomial is as good as it was for some steps; where their sizes change, its terms are others. A lower order may be one
  // of an instant, where a term goes through zero.
  const int kept_a = order_within(numbers[order_a], known),
            kept_lambda = order_within(numbers[order_lambda], known);
  const std::size_t every = kept_a == 3 && kept_lambda == 3 ? 16 : 4;
  const bool even = sizes[0] == sizes[1] && sizes[1] == sizes[2] && (known == 2 || sizes[2] == sizes[3]);
  const bool due = !even || numbers[steps] <= 4.0 || whole(numbers[steps]) % every == 0;
  order_a_ = kept_a;
  order_lambda_ = kept_lambda;
  if (due) choose_orders(a, lambda, known);
  of_a_ = terms(order_a_, a);
  of_lambda_ = terms(order_lambda_, lambda);
}

void Continuation::look_no_further() {
  order_a_ = order_lambda_ = 1;
  of_a_ = of_lambda_ = {};
}

void Continuation::unknown(const ShortRow& guess, double of_unknown, const double* const* columns, int first,
                           int last, double* u, int fetched) const {
  static_assert(WeightedColumns::most >=
                table_columns + 1);  // all but the unknown, and two steps further back
  WeightedColumns sum;
  const auto add = [&](double weight, const double* column) {
    const int at = static_cast<int>(std::find(sum.column, sum.column + sum.count, column) - sum.column);
    if (at == sum.count) {
      sum.weight[sum.count] = 0.0;
      sum.column[sum.count++] = column;
    }
    sum.weight[at] += weight;
  };
  for (int i = 0; i < guess.count; ++i) {
    const double* const of = columns[guess.column[i]];
    add(guess.weight[i], of != nullptr ? of : columns[0]);
  }
  for (int j = 0; j < of_a_.count; ++j) add(of_a_.weight[j] / of_unknown, of_a_.column[j]);
  for (int k = first; k < last; k += chunk) {
    const int size = std::min(chunk, last - k), later = std::min(chunk, fetched - k - chunk);
    for (int j = 0; j < sum.count && later > 0; ++j) fetch(sum.column[j] + k + chunk, later);
    if (later > 0) fetch(u + k + chunk, later);
    array_kernels().combine(sum, k, size, u + k);
  }
}

void Continuation::multipliers(double ahead, const double* lambda, const double* lambda_before, int first,
                               int last, double* out) const {
  if (of_lambda_.count == 0) {
    for (int k = first; k < last; ++k) out[k] = lambda[k] + ahead * (lambda[k] - lambda_before[k]);
    return;
  }
  WeightedColumns sum = of_lambda_;
  sum.weight[0] += 1.0 + ahead;
  sum.weight[1] -= ahead;
  array_kernels().combine(sum, first, last - first, out + first);
}

void Continuation::keep_accelerations(State& state, const double* a_before, int first, int last) const {
  double* const to = a_.of(state) + place_of_next(numbers_.of(state)[steps]) * n_;
  std::copy(a_before + first, a_before + last, to + first);
}

void Continuation::keep_multipliers(State& state, const double* lambda_before, int first, int last) const {
  double* const to = lambda_.of(state) + place_of_next(numbers_.of(state)[steps]) * m_;
  std::copy(lambda_before + first, lambda_before + last, to + first);
}

void Continuation::keep_numbers(State& state, double h_before,
                                const NewtonMonitor::Contractions& contractions) const {
  double* const numbers = numbers_.of(state);
  numbers[size_before_that] = numbers[size_before];
  numbers[size_before] = h_before;
  numbers[order_a] = order_a_;
  numbers[order_lambda] = order_lambda_;
  numbers[contraction_of_q] = contractions.of_q;
  numbers[contraction_of_lambda] = contractions.of_lambda;
  numbers[steps] += 1.0;
}

NewtonMonitor::Contractions Continuation::contractions(const State& state) const {
  const double* const numbers = numbers_.of(state);
  return {numbers[contraction_of_q], numbers[contraction_of_lambda]};
}

}  // namespace catena::detail
