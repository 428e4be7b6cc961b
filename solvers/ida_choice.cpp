#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/ida_choice.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace catena::detail::ida_detail {

void DependentChoice::resize(int rows, std::vector<double> scale) {
  scale_ = std::move(scale);
  column_of_.assign(index(rows), -1);
  row_of_.assign(scale_.size(), -1);
  pivot_row_of_.assign(scale_.size(), -1);
  dense_.assign(scale_.size(), 0.0);
  seen_.assign(scale_.size(), 0);
  last_row_.assign(scale_.size(), -1);
}

// Row `row` minus what the rows before it take away, in dense_ at touched_.
void DependentChoice::eliminate(const Rows& rows, int row) {
  touched_.clear();
  waiting_.clear();
  const auto touch = [&](int column) {
    if (seen_[index(column)] != 0) return;
    seen_[index(column)] = 1;
    dense_[index(column)] = 0.0;
    touched_.push_back(column);
    if (pivot_row_of_[index(column)] < 0) return;
    waiting_.push_back(pivot_row_of_[index(column)]);
    std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  };
  row_size_ = 0.0;
  for (int k = rows.begin[index(row)]; k < rows.begin[index(row) + 1]; ++k) {
    const auto [column, value] = rows.entry[index(k)];
    touch(column);
    dense_[index(column)] += scale_[index(column)] * value;
    row_size_ = std::max(row_size_, std::abs(dense_[index(column)]));
  }
  while (!waiting_.empty()) {  // pivots in the order of their rows: fill only adds later ones
    std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
    const int earlier = waiting_.back();
    waiting_.pop_back();
    const double factor = dense_[index(column_of_[index(earlier)])];
    if (factor == 0.0) continue;
    for (std::size_t k = now_.begin[index(earlier)]; k < now_.begin[index(earlier) + 1]; ++k) {
      touch(now_.entry[k].first);
      dense_[index(now_.entry[k].first)] -= factor * now_.entry[k].second;
    }
  }
}

// Stores the row at work divided by its pivot; returns |pivot| / largest entry without a pivot.
double DependentChoice::keep(int row, int pivot) {
  double largest = 0.0;
  for (const int c : touched_)
    if (pivot_row_of_[index(c)] < 0) largest = std::max(largest, std::abs(dense_[index(c)]));
  const double value = dense_[index(pivot)];
  const bool usable = seen_[index(pivot)] != 0 && value != 0.0;
  for (const int c : touched_) {
    if (usable && dense_[index(c)] != 0.0 && (pivot_row_of_[index(c)] < 0))
      now_.entry.emplace_back(c, dense_[index(c)] / value);
    seen_[index(c)] = 0;
  }
  now_.begin.push_back(now_.entry.size());
  now_.pivot.push_back(value);
  now_.left.push_back(row_size_ > 0.0 ? largest / row_size_ : 0.0);
  column_of_[index(row)] = pivot;
  pivot_row_of_[index(pivot)] = row;
  return usable && largest > 0.0 ? std::abs(value) / largest : 0.0;
}

bool DependentChoice::choose(const Rows& rows) {
  constexpr double dependent = 1e-10;
  constexpr double good_enough = 0.5;
  std::fill(last_row_.begin(), last_row_.end(), -1);
  for (int row = 0; row < static_cast<int>(column_of_.size()); ++row)
    for (int k = rows.begin[index(row)]; k < rows.begin[index(row) + 1]; ++k)
      last_row_[index(rows.entry[index(k)].first)] = row;
  std::fill(pivot_row_of_.begin(), pivot_row_of_.end(), -1);
  now_.clear();
  culprit_row_ = -1;
  const std::vector<int> before = column_of_;
  for (int row = 0; row < static_cast<int>(column_of_.size()); ++row) {
    eliminate(rows, row);
    const auto largest_of = [&](double bound, bool no_fill) {
      int best = -1;
      for (const int c : touched_)
        if (pivot_row_of_[index(c)] < 0 && std::abs(dense_[index(c)]) > bound &&
            (!no_fill || last_row_[index(c)] <= row)) {
          bound = std::abs(dense_[index(c)]);
          best = c;
        }
      return best;
    };
    int pivot = largest_of(dependent * row_size_, false);
    if (pivot >= 0) {
      const int cheaper = largest_of(good_enough * std::abs(dense_[index(pivot)]), true);
      if (cheaper >= 0) pivot = cheaper;
    }
    if (pivot < 0) {
      culprit_row_ = row;
      column_of_ = before;
      for (const int c : touched_) seen_[index(c)] = 0;
      return false;
    }
    keep(row, pivot);
  }
  row_of_ = pivot_row_of_;
  return true;
}

double DependentChoice::quality(const Rows& rows) {
  std::fill(pivot_row_of_.begin(), pivot_row_of_.end(), -1);
  now_.clear();
  double worst = 1.0;
  for (int row = 0; row < static_cast<int>(column_of_.size()); ++row) {
    eliminate(rows, row);
    worst = std::min(worst, keep(row, column_of_[index(row)]));
    if (!(worst > 0.0)) return 0.0;
  }
  return worst;
}

void DependentChoice::remember() {
  before_ = now_;
  pivots_before_ = column_of_;
}

double DependentChoice::weakest() const {
  double least = 1.0;
  for (const double left : now_.left) least = std::min(least, left);
  return least;
}

int DependentChoice::crossed(double& fraction) const {
  if (pivots_before_ != column_of_) return -1;
  const std::size_t count = std::min(now_.pivot.size(), before_.pivot.size());
  for (std::size_t r = 0; r < count; ++r) {
    constexpr double nothing = 1e-7;
    const double p0 = before_.pivot[r], p1 = now_.pivot[r];
    if (now_.left[r] < nothing) {
      fraction = 1.0;
      return static_cast<int>(r);
    }
    if (!(p0 * p1 < 0.0)) continue;
    // A pivot that passes zero alone leaves the others behind: divided by it they change their signs, and what is
    // made of the rows below has no meaning.
    double product = 0.0;
    for (std::size_t k = now_.begin[r]; k < now_.begin[r + 1]; ++k) dense_[index(now_.entry[k].first)] = 0.0;
    for (std::size_t k = before_.begin[r]; k < before_.begin[r + 1]; ++k)
      dense_[index(before_.entry[k].first)] = before_.entry[k].second;
    for (std::size_t k = now_.begin[r]; k < now_.begin[r + 1]; ++k)
      product += dense_[index(now_.entry[k].first)] * now_.entry[k].second;
    if (product <= 0.0) return -1;
    fraction = p0 / (p0 - p1);
    return static_cast<int>(r);
  }
  return -1;
}

}  // namespace catena::detail::ida_detail
