// Symmetric compositions of a symmetric method of order 2: substeps gamma_1 h, gamma_2 h, ..., gamma_s h, with
// gamma_i = gamma_{s+1-i} and the sum 1, give a method of a higher order. Some of them go back in time.
//
// Sources: Suzuki, Phys. Lett. A 146 (1990) 319-323 (order 4); Kahan and Li, Math. Comp. 66 (1997) 1089-1099 (order 6 in 9
// and order 8 in 17 substeps); Suzuki and Umeno (1993) (order 8 in 15); Hairer, Lubich, Wanner, Geometric Numerical
// Integration, 2nd ed., V.3.2.
#pragma once
#include <cmath>
#include <cstddef>
#include <vector>

namespace catena::detail {

// From its first half: the last number is that of the middle substep.
inline std::vector<double> symmetric_composition(std::vector<double> half) {
  for (std::size_t k = half.size() - 1; k-- > 0;) half.push_back(half[k]);
  return half;
}

inline std::vector<double> composition_of_order_4() {
  const double outer = 1.0 / (4.0 - std::cbrt(4.0));
  return symmetric_composition({outer, outer, 1.0 - 4.0 * outer});
}

inline std::vector<double> composition_of_order_6() {
  return symmetric_composition({0.39216144400731413927925056, 0.33259913678935943859974864,
                                -0.70624617255763935980996482, 0.08221359629355080023149045,
                                0.79854399093482996339895035});
}

inline std::vector<double> composition_of_order_8() {
  return symmetric_composition(
      {0.13020248308889008087881763, 0.56116298177510838456196441, -0.38947496264484728640807860,
       0.15884190655515560089621075, -0.39590389413323757733623154, 0.18453964097831570709183254,
       0.25837438768632204729397911, 0.29501172360931029887096624, -0.60550853383003451169892108});
}

// Fewer substeps, and ten to twenty times the error at equal steps.
inline std::vector<double> short_composition_of_order_8() {
  return symmetric_composition({0.74167036435061295344822780, -0.40910082580003159399730010,
                                0.19075471029623837995387626, -0.57386247111608226665638773,
                                0.29906418130365592384446354, 0.33462491824529818378495798,
                                0.31529309239676659663205666, -0.79688793935291635401978884});
}

}  // namespace catena::detail
