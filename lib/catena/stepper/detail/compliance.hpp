// How a stepper whose Newton iterations add up corrections of lambda holds redundant rows.
#pragma once
#include <catena/kkt/kkt_solver.hpp>

#include <algorithm>

namespace catena::detail {

// The compliance of the rows relative to their Schur scale; proximal where no row looks redundant in the index-1 system
// of the start. Where rows are redundant, nothing but it holds the open part of lambda, whose noise is the roundoff of
// the gap over beta h^2 epsilon; the gap that it allows is beta h^2 epsilon times accelerations. epsilon ~ 1e-8 s / h
// keeps both at about 1e-5 and 1e-11 m. remark: names the rows.
inline double compliance_of_start(const System& system, const KktReport& index_1, double proximal, double h,
                                  Culprit& remark) {
  if (!(index_1.weakest_dual_ratio < suspicious_ratio * proximal)) return proximal;
  remark = {system.constraint_name(index_1.weakest_dual), "redundant rows suspected",
            index_1.weakest_dual_ratio};
  return std::clamp(1e-8 / h, proximal, 1e-4);
}

// Behind the convergence of a step (NewtonIteration::close_rows()). A gap of D S^-1 = 1e-4 is left as 3e-8 of itself, in
// the softest directions of a ring of twelve hinges, S^-1 D ~ 1e-2, as 3e-4.
constexpr int closing_solves = 3;

}  // namespace catena::detail
