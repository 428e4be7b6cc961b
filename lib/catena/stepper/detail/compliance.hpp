// How a stepper whose Newton iterations add up corrections of lambda holds redundant rows.
#pragma once
#include <catena/kkt/detail/redundant_pivot.hpp>
#include <catena/kkt/kkt_solver.hpp>

#include <algorithm>

namespace catena::detail {

// The compliance of the rows relative to their Schur scale; proximal where no row looks redundant in the index-1 system
// of the start. Where rows are redundant, nothing but it holds the open part of lambda, whose noise is the roundoff of
// the gap over beta h^2 epsilon; the gap that it allows is beta h^2 epsilon times accelerations. epsilon ~ 1e-8 s / h
// keeps both at about 1e-5 and 1e-11 m. remark: names the rows.
inline double compliance_of_start(const System& system, KktSolver& kkt, const KktReport& index_1, double h,
                                  Culprit& remark) {
  const double proximal = kkt.proximal();
  if (!has_redundant_rows(kkt, index_1)) return proximal;
  remark = {
      system.constraint_name(index_1.weakest_dual),
      is_weak_by_masses(kkt) ? "weak pivot: a light body between heavy ones" : "redundant rows suspected",
      index_1.weakest_dual_ratio};
  return std::clamp(1e-8 / h, proximal, 1e-4);
}

// Behind the convergence of a step (NewtonIteration::close_rows()). A gap of D S^-1 = 1e-4 is left as 3e-8 of itself, in
// the softest directions of a ring of twelve hinges, S^-1 D ~ 1e-2, as 3e-4.
constexpr int closing_solves = 3;

// What a closing solve may leave of a gap: 3 r^2 - 2 r^3 of it remain, 1e-3 of it here, and r of the part of an error
// estimate that the rows hold.
constexpr double soft = 0.02;

// A compliance that is smaller for one step, for rows that motion can close and that are softer than it.
class HarderRows {
 public:
  explicit HarderRows(KktSolver& kkt) : kkt_(kkt) {}
  ~HarderRows() {
    if (factor_ != 1.0) kkt_.scale_compliance(1.0 / factor_);
  }
  HarderRows(const HarderRows&) = delete;
  HarderRows& operator=(const HarderRows&) = delete;

  // False: no smaller one is left.
  bool make_harder() {
    if (factor_ == smallest) return false;
    kkt_.scale_compliance(part);
    factor_ *= part;
    return true;
  }

 private:
  // The noise of open parts of lambda grows as the compliance falls: in such steps alone, and no further than it helps.
  static constexpr double part = 0x1p-13, smallest = 0x1p-26;
  KktSolver& kkt_;
  double factor_ = 1.0;
};

}  // namespace catena::detail
