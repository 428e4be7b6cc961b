#include <catena/math/detail/largest.hpp>
#include <catena/stepper/guards/detail/strongest_constraints.hpp>

namespace catena::detail {

std::string strongest_constraints(const System& system, const Point& at) {
  constexpr double involved = 0.1;  // of the largest multiplier
  constexpr int most = 6;
  std::string names;
  const BlockPattern& p = *system.layout().pattern;
  const double top = largest_of(at.lambda, system.layout().lambda_size());
  int count = 0;
  for (int d = 0; d < p.dual_count(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const double* lambda = at.lambda + p.dual_offset[i] - p.primal_dimension;
    if (largest_of(lambda, p.dual_size[i]) < involved * top || ++count > most) continue;
    if (!names.empty()) names += ", ";
    names += system.constraint_name(d);
  }
  return count <= most ? names : names + " and " + std::to_string(count - most) + " more";
}

}  // namespace catena::detail
