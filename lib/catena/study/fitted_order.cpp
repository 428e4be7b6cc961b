#include <catena/study/detail/fitted_order.hpp>
#include <catena/study/detail/student.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace catena::detail {
namespace {

using Column = std::vector<double>;

constexpr double widest_local_orders = 0.2;
constexpr double above_floor = 10.0;  // the floor then changes a local order of halved steps by 0.14 at most
constexpr std::size_t fewest_points = 3;

double product(const Column& a, const Column& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// x without its parts along the columns, which are orthogonal.
Column without(Column x, const std::vector<Column>& columns) {
  for (const Column& c : columns) {
    const double share = product(x, c) / product(c, c);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= share * c[i];
  }
  return x;
}

// y = a + slope x + c extra, by least squares; without an extra column c is 0.
struct Slope {
  double value = 0.0, standard_error = 0.0, rest = 0.0;  // rest: sum of squares
  Column weights;                                        // value = weights . y
  std::size_t freedom = 0;
};

Slope slope_of(const Column& x, const Column& y, const Column& extra) {
  std::vector<Column> others{Column(x.size(), 1.0)};
  if (!extra.empty()) others.push_back(without(extra, others));
  Slope slope;
  Column free = without(x, others);
  const double size = product(free, free);
  slope.value = product(free, y) / size;
  Column left = without(y, others);
  for (std::size_t i = 0; i < x.size(); ++i) left[i] -= slope.value * free[i];
  slope.rest = product(left, left);
  slope.freedom = x.size() - others.size() - 1;
  slope.standard_error = std::sqrt(slope.rest / static_cast<double>(slope.freedom) / size);
  for (double& weight : free) weight /= size;
  slope.weights = std::move(free);
  return slope;
}

// The longest run of neighbours with like local orders; of runs of one length that of the finest steps.
std::vector<OrderPoint> asymptotic(const std::vector<OrderPoint>& points) {
  const auto local = [&](std::size_t k) {
    return std::log(points[k].error / points[k + 1].error) / std::log(points[k].step / points[k + 1].step);
  };
  std::size_t best_first = 0, best_count = 0;
  for (std::size_t first = 0; first + 1 < points.size(); ++first) {
    double least = local(first), most = least;
    std::size_t last = first + 1;
    while (last + 1 < points.size()) {
      const double next = local(last);
      if (std::max(most, next) - std::min(least, next) > widest_local_orders) break;
      least = std::min(least, next);
      most = std::max(most, next);
      ++last;
    }
    if (last - first + 1 >= best_count) {
      best_first = first;
      best_count = last - first + 1;
    }
  }
  const auto from = points.begin() + static_cast<std::ptrdiff_t>(best_first);
  return {from, from + static_cast<std::ptrdiff_t>(best_count)};
}

FittedOrder none(const std::string& why) {
  FittedOrder order;
  order.why_none = why;
  return order;
}

}  // namespace

FittedOrder fitted_order(std::vector<OrderPoint> points, double floor) {
  const std::size_t given = points.size();
  std::erase_if(points, [&](const OrderPoint& p) {
    return !(p.error > above_floor * floor) || !(p.error > 0.0) || !std::isfinite(p.error);
  });
  if (points.size() < fewest_points)
    return none(fmt::format("{} of {} errors are above the floor, 3 are needed", points.size(), given));
  std::sort(points.begin(), points.end(),
            [](const OrderPoint& a, const OrderPoint& b) { return a.step > b.step; });
  points = asymptotic(points);
  if (points.size() < fewest_points) return none("no three neighbours have like local orders");

  Column x, y, once, twice;
  for (const OrderPoint& p : points) {
    const double relative = p.step / points.front().step;
    x.push_back(std::log(p.step));
    y.push_back(std::log(p.error));
    once.push_back(relative);
    twice.push_back(relative * relative);
  }
  Slope slope = slope_of(x, y, {});
  double between_models = 0.0;
  if (points.size() > fewest_points) {
    Slope first = slope_of(x, y, once), second = slope_of(x, y, twice);
    between_models = std::abs(first.value - second.value);
    slope = first.rest <= second.rest ? std::move(first) : std::move(second);
  }
  FittedOrder order;
  order.order = slope.value;
  order.uncertainty = student(slope.freedom) * slope.standard_error + between_models;
  for (std::size_t i = 0; i < points.size(); ++i)
    order.uncertainty += std::abs(slope.weights[i]) * floor / points[i].error;
  order.coarsest = points.front().step;
  order.finest = points.back().step;
  order.points = static_cast<int>(points.size());
  return order;
}

}  // namespace catena::detail
