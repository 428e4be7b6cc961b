#include <catena/measure/detail/oscillation.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <cmath>
#include <utility>

namespace catena::detail {

Oscillation fastest_oscillation(const System& system, const State& state) {
  const BlockPattern& pattern = *system.layout().pattern;
  BlockMatrix stiffness(system.layout().pattern, Border::transposed),
      mass(system.layout().pattern, Border::transposed);
  evaluate_mass_and_rows(system, point_of(state), mass);
  Linearization of_stiffness;
  of_stiffness.matrix = &stiffness;
  of_stiffness.stiffness = 1.0;
  Evaluation wanted;
  wanted.linearization = &of_stiffness;
  system.evaluate(point_of(state), wanted);
  Oscillation fastest;
  for (int b = 0; b < pattern.primal_count(); ++b) {
    const ConstBlockRef K = std::as_const(stiffness).H(b), M = std::as_const(mass).H(b);
    for (int i = 0; i < K.rows; ++i) {
      if (!(M(i, i) > 0.0)) continue;
      const double rate = std::sqrt(std::abs(K(i, i)) / M(i, i));
      if (rate > fastest.rate) fastest = {rate, K(i, i) < 0.0, b};
    }
  }
  return fastest;
}

}  // namespace catena::detail
