#include <catena/math/detail/largest.hpp>
#include <catena/studies/detail/audit_orders.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail::audit_detail {

double apart(const Trace& one, const Trace& other, Vector Sample::*part) {
  double worst = 0.0;
  for (std::size_t k = 1; k < one.samples.size(); ++k) {
    const double d = distance(one.samples[k].*part, other.samples[k].*part);
    worst = d > worst || std::isnan(d) ? d : worst;
  }
  return worst;
}

double size_of(const Trace& trace, Vector Sample::*part) {
  double worst = 0.0;
  for (const Sample& s : trace.samples) worst = std::max(worst, largest_or_nan(s.*part));
  return worst;
}

double motion(const Trace& trace, Vector Sample::*part) {
  double worst = 0.0;
  for (const Sample& s : trace.samples)
    worst = std::max(worst, distance(s.*part, trace.samples.front().*part));
  return worst;
}

Estimates richardson(const Levels& traces, double ratio_q, double ratio_v, double ratio_lambda) {
  const Sample &last = traces[1].samples.back(), &finer = traces[2].samples.back();
  return {distance(last.q, finer.q) / (1.0 - 1.0 / ratio_q),
          distance(last.v, finer.v) / (1.0 - 1.0 / ratio_v),
          distance(last.lambda, finer.lambda) / (1.0 - 1.0 / ratio_lambda)};
}

Proportion proportion(const ByTolerance& traces, Vector Sample::*part, double floor) {
  Proportion result;
  double x_sum = 0.0, y_sum = 0.0, xx_sum = 0.0, xy_sum = 0.0;
  for (std::size_t k = 0; k + 1 < traces.size(); ++k) {
    if (traces[k].steps < fewest_steps) continue;
    ++result.long_runs;
    const double error = apart(traces[k], traces.back(), part);
    if (error <= floor) continue;
    const double x = std::log(control_tolerances[k]), y = std::log(error);
    ++result.runs;
    x_sum += x;
    y_sum += y;
    xx_sum += x * x;
    xy_sum += x * y;
  }
  const double n = result.runs;
  if (result.runs >= 3) result.exponent = (n * xy_sum - x_sum * y_sum) / (n * xx_sum - x_sum * x_sum);
  return result;
}

}  // namespace catena::detail::audit_detail
