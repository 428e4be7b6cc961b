// Options of implicit methods on how constraint rows and the mass matrix enter Newton's method.
#pragma once
#include <catena/math/option.hpp>

namespace catena {

// The factor of the constraint rows. natural: what makes Newton's matrix symmetric, 1/unit on position rows and
// 1/damping on velocity rows (NewtonWeights). The others, as printed in papers, need the whole matrix factorised.
enum class RowScaling { natural, none, over_h, over_h2 };

inline void visit_scaling(OptionVisitor& visitor, RowScaling& scaling) {
  visit_choice(visitor,
               {"scaling", "",
                "factor of the constraint rows; natural: 1/(beta h^2) or 1/(gamma h), a symmetric matrix "
                "whose condition does not depend on h"},
               scaling, {"natural", "none", "1/h", "1/h^2"});
}

// The rows of one kind are this factor times the natural ones.
inline double relative_to_natural(RowScaling scaling, double h, double natural) {
  switch (scaling) {
    case RowScaling::natural:
      return 1.0;
    case RowScaling::none:
      return 1.0 / natural;
    case RowScaling::over_h:
      return 1.0 / (h * natural);
    case RowScaling::over_h2:
      return 1.0 / (h * h * natural);
  }
  return 1.0;
}

enum class MassJacobian { exact, extrapolated };

inline void visit_mass_jacobian(OptionVisitor& visitor, MassJacobian& mass_jacobian) {
  visit_choice(visitor,
               {"mass_jacobian", "",
                "exact: M(q_{n+1}) and its derivative; extrapolated: M(q_n + h v_n), which has none"},
               mass_jacobian, {"exact", "extrapolated"});
}

}  // namespace catena
