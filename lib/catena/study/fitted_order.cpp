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
constexpr double least_order = 0.5;  // between that of a method, 1 at least, and that of a floor, 0

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

double local_order(const OrderPoint& coarse, const OrderPoint& fine) {
  return std::log(coarse.error / fine.error) / std::log(coarse.step / fine.step);
}

// Errors that stop falling towards the finest steps are those of the solution of equations, or roundoff: takes these points
// away. The least error among them, where there are some; else 0.
double take_unannounced_floor(std::vector<OrderPoint>& points) {
  double floor = 0.0;
  while (points.size() > 1 && local_order(points[points.size() - 2], points.back()) < least_order) {
    const double error = std::min(points.back().error, points[points.size() - 2].error);
    floor = floor == 0.0 ? error : std::min(floor, error);
    points.pop_back();
  }
  return floor;
}

void drop_at_floor(std::vector<OrderPoint>& points, double floor) {
  std::erase_if(points, [&](const OrderPoint& p) {
    return !(p.error > above_floor * floor) || !(p.error > 0.0) || !std::isfinite(p.error);
  });
}

// The neighbours with like local orders that end in the finest step: where the finest steps disagree, no coarser ones are
// asymptotic.
std::vector<OrderPoint> asymptotic(const std::vector<OrderPoint>& points) {
  std::size_t first = points.size() - 1;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  while (first > 0) {
    const double next = local_order(points[first - 1], points[first]);
    least = std::min(least, next);
    most = std::max(most, next);
    if (most - least > widest_local_orders) break;
    --first;
  }
  return {points.begin() + static_cast<std::ptrdiff_t>(first), points.end()};
}

FittedOrder none(std::size_t given, const std::string& why) {
  FittedOrder order;
  order.given = static_cast<int>(given);
  order.why_none = why;
  return order;
}

}  // namespace

FittedOrder fitted_order(std::vector<OrderPoint> points, double floor) {
  std::erase_if(points, [](const OrderPoint& p) { return std::isnan(p.error); });
  const std::size_t given = points.size();
  drop_at_floor(points, floor);
  std::sort(points.begin(), points.end(),
            [](const OrderPoint& a, const OrderPoint& b) { return a.step > b.step; });
  const double level = take_unannounced_floor(points);
  const bool flat = floor > 0.0 && level > 100.0 * floor;  // the floor that is known is not what they stop at
  floor = std::max(floor, level);
  drop_at_floor(points, floor);
  const std::size_t usable = points.size();
  if (usable < fewest_points)
    return none(given,
                fmt::format("{}{} of {} errors are above the floor, 3 are needed",
                            flat ? "errors hardly fall towards the finest steps: " : "", usable, given));
  const double finer = local_order(points[usable - 2], points[usable - 1]),
               coarser = local_order(points[usable - 3], points[usable - 2]);
  points = asymptotic(points);
  if (points.size() < fewest_points)
    return none(given, fmt::format("the local orders of the finest steps, {:.2f} and {:.2f}, are not alike",
                                   coarser, finer));

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
  order.given = static_cast<int>(given);
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
