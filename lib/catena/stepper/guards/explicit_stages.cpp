#include <catena/stepper/guards/parts/explicit_stages.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace catena {

double ExplicitStages::noise(double speed) const {
  constexpr double few = 64.0 * std::numeric_limits<double>::epsilon();
  return few * std::max({1.0, system.layout().roundoff_length, open_length}) * std::max(1.0, speed) /
         std::sqrt(std::min(1.0, weakest_pivot));
}

std::string ExplicitStages::worst_constraint(Point end, double h, KktSolver& kkt, double* work,
                                             double* missed) const {
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i) missed[i] = v[i] + v_taken[i] + (plain ? 0.0 : x_taken[i] / h);
  end.v = missed;
  double* const rows = work + n;
  Evaluation wanted;
  wanted.velocity = rows;
  system.evaluate(end, wanted);  // those of the projected velocities vanish
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const double* worst = std::max_element(rows, rows + system.layout().lambda_size(), smaller);
  return kkt.owner(static_cast<int>(worst - work));
}

}  // namespace catena
