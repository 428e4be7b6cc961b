// The Newton matrix with its safeguards against an H that is not positive definite (design 4.2).
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/stepper.hpp>

#include <algorithm>
#include <vector>

namespace catena::detail {

class NewtonMatrix {
 public:
  // Returns an empty string, or why the back end cannot do it. droppable: fill() below heeds its mask.
  std::string attach(const System& system, const KktOptions& options, bool droppable = true);
  KktSolver& kkt() { return kkt_; }
  const KktSolver& kkt() const { return kkt_; }

  // Writes the matrix, factorises it, and solves: x, the right-hand side that fill() writes beside the
  // matrix, becomes the solution. fill(mask) must write the matrix at the current iterate, leaving out the
  // geometric stiffness of the bodies with a nonzero mask (null: of none).
  template <class Fill>
  KktReport refresh_and_solve(Fill&& fill, double* x, StepperStatistics& statistics);
  // Nothing was left out of the last one, and the own factorisation holds it.
  bool usual() const { return usual_; }
  // From now on by the pivoting fallback alone, or no longer. False: there is none.
  bool set_pivoting(bool pivoting) { return pivoting_ = pivoting && kkt_.has_fallback(); }

  // A report with status singular_kkt where H is not positive definite on the constraints, as far as the pivots
  // show: those of redundant rows are the proximal term and roundoff, their signs say nothing.
  KktReport assess(KktReport report) const;

 private:
  KktReport with_fallback(KktReport report, double* x, StepperStatistics& statistics);

  KktSolver kkt_;
  double proximal_ = 0.0;
  bool droppable_ = true, pivoting_ = false, usual_ = false;
  std::vector<std::uint8_t> mask_;
};

template <class Fill>
KktReport NewtonMatrix::refresh_and_solve(Fill&& fill, double* x, StepperStatistics& statistics) {
  const auto sound = [](const KktReport& r) {
    return r.status == Status::ok && r.pivot_growth <= largest_growth;
  };
  fill(static_cast<const std::uint8_t*>(nullptr));
  usual_ = false;
  if (pivoting_) return with_fallback({}, x, statistics);
  KktReport report = assess(kkt_.factorize_and_solve(x));
  ++statistics.factorizations;
  usual_ = sound(report);
  if (usual_) return report;
  if (report.status == Status::not_finite) return report;  // no stiffness is the cause
  const bool right_signs = report.status == Status::ok;
  ++(right_signs ? statistics.growing_factorizations : statistics.indefinite_factorizations);
  // First remedy: without the geometric stiffness of the bodies with negative pivots; a few at a time,
  // then of all.
  std::fill(mask_.begin(), mask_.end(), std::uint8_t{0});
  constexpr int attempts = 4;
  for (int k = 0; droppable_ && k < attempts; ++k) {
    if (report.offending_primal >= 0 && k + 1 < attempts)
      mask_[static_cast<std::size_t>(report.offending_primal)] = 1;
    else
      std::fill(mask_.begin(), mask_.end(), std::uint8_t{1});
    ++statistics.dropped_geometric_stiffness;
    fill(static_cast<const std::uint8_t*>(mask_.data()));
    report = assess(kkt_.factorize_and_solve(x));
    ++statistics.factorizations;
    if (sound(report)) return report;
  }
  // Second remedy: the whole matrix, with pivoting. An indefinite but regular matrix is still Newton's.
  // Third remedy, the caller's: cut the step.
  fill(static_cast<const std::uint8_t*>(nullptr));
  if (kkt_.has_fallback() || !right_signs) return with_fallback(report, x, statistics);
  // Without a fallback, growth is left to Newton: it converges, or the step is cut.
  ++statistics.factorizations;
  return assess(kkt_.factorize_and_solve(x));
}

}  // namespace catena::detail
