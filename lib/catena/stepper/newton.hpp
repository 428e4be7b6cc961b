// Newton's iteration as every implicit stepper runs it: when it has converged, when the matrix must be
// refreshed, when it has failed and who is to blame.
//
// The criterion: max_i |delta_i| / s_i <= tolerance over all unknowns, with s_i the characteristic length
// of the body for a translation [m], 1 rad for a rotation, and max |lambda| for a multiplier. A correction
// that contracted by theta in the last two iterations counts as theta / (1 - theta) of itself, which is
// what remains after it (Hairer and Wanner, Solving ODEs II, IV.8).
//
// Index 3 divides the roundoff of the gap by h^2, so that the multipliers of a long chain keep moving
// although nothing can be gained any more. An iterate has therefore converged also when its residuals are
// roundoff: rows within four units in the last place of the length that they see (SystemLayout) or of the
// largest velocity, balance within 64 of the largest multiplier or of the force that would move a body by
// its own size within the step; multipliers below ten units of that force count as zero. With such rows and q converged,
// multipliers alone are let go when the balance is within tolerance of max |lambda|, or when they keep moving
// (theta > 1/2) by a hundred times the balance that is left: then they follow the noise of the rows.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/stepper.hpp>

#include <vector>

namespace catena {

enum class JacobianUpdate : std::uint8_t {
  every_iteration,  // Newton
  every_step,       // simplified Newton within a step
  when_slow         // the matrix is kept over steps until the iteration contracts too slowly
};

struct NewtonOptions {
  double tolerance = 1e-10;
  int max_iterations = 12;
  JacobianUpdate jacobian = JacobianUpdate::every_step;
};

// Largest residuals of the iterate that a correction starts from, unscaled.
struct IterateResiduals {
  double balance = 0.0;   // [N, N m]
  double position = 0.0;  // [m, 1]
  double velocity = 0.0;  // [m/s, 1/s]
  bool finite = true;
  // What a body resists a move by its own size within one step with: max_i H_ii s_i / (beta h^2) [N, N m].
  // Forces below its roundoff move nothing.
  double inertia = 0.0;
};

class NewtonMonitor {
 public:
  enum class Verdict : std::uint8_t { go_on, converged, refresh, failed };

  NewtonMonitor(const System& system, const NewtonOptions& options) : system_(&system), options_(options) {}

  void begin_step() {
    iteration_ = 0;
    last_ = 0.0;
  }
  // delta: perturbation of q divided by `factor` [v_size], then the change of lambda. q, v, lambda: the
  // corrected iterate; before: the residuals that the correction answers.
  Verdict observe(const double* delta, double factor, const double* q, const double* v, const double* lambda,
                  const IterateResiduals& before, bool fresh_matrix);

  int iterations() const { return iteration_; }
  double correction() const { return last_; }     // scaled, of the last iteration; NaN: not finite
  int worst_component() const { return worst_; }  // its largest component

 private:
  const System* system_;
  NewtonOptions options_;
  int iteration_ = 0;
  double last_ = 0.0;
  int worst_ = 0;
};

// The Newton matrix with its safeguards (design 4.2). fill(mask) must write the matrix at the current
// iterate, leaving out the geometric stiffness of the bodies with a nonzero mask.
class NewtonMatrix {
 public:
  std::string attach(const System& system, const KktOptions& options);
  KktSolver& kkt() { return kkt_; }
  const KktSolver& kkt() const { return kkt_; }
  template <class Fill>
  // Writes the matrix, factorises it, and solves: x, the right-hand side that fill() writes beside the
  // matrix, becomes the solution.
  KktReport refresh_and_solve(Fill&& fill, double* x, StepperStatistics& statistics);
  bool fresh = false;  // factorised at the current iterate
  double h = 0.0;      // the step size it was made for; 0: none

 private:
  KktSolver kkt_;
  std::vector<std::uint8_t> mask_;
};

template <class Fill>
KktReport NewtonMatrix::refresh_and_solve(Fill&& fill, double* x, StepperStatistics& statistics) {
  fill(static_cast<const std::uint8_t*>(nullptr));
  KktReport report = kkt_.factorize_and_solve(x);
  ++statistics.factorizations;
  if (report.status == Status::ok && !report.indefinite) return report;
  if (report.status == Status::not_finite) return report;  // no stiffness is to blame
  ++statistics.indefinite_factorizations;
  // First remedy: without the geometric stiffness of the bodies with negative pivots; a few at a time,
  // then of all.
  std::fill(mask_.begin(), mask_.end(), std::uint8_t{0});
  constexpr int attempts = 4;
  for (int k = 0; k < attempts; ++k) {
    if (report.offending_primal >= 0 && k + 1 < attempts)
      mask_[static_cast<std::size_t>(report.offending_primal)] = 1;
    else
      std::fill(mask_.begin(), mask_.end(), std::uint8_t{1});
    ++statistics.dropped_geometric_stiffness;
    fill(static_cast<const std::uint8_t*>(mask_.data()));
    report = kkt_.factorize_and_solve(x);
    ++statistics.factorizations;
    if (report.status == Status::ok && !report.indefinite) return report;
  }
  // Second remedy: the whole matrix, with pivoting. An indefinite but regular matrix is still Newton's.
  fill(static_cast<const std::uint8_t*>(nullptr));
  if (kkt_.factorize_with_fallback()) {
    ++statistics.factorizations;
    kkt_.solve(x);
    report.status = Status::ok;
    return report;
  }
  // Third remedy, the caller's: cut the step.
  if (report.status == Status::ok) report.status = Status::singular_kkt;
  if (report.culprit.name.empty() && report.offending_primal >= 0)
    report.culprit.name = kkt_.velocity_block_name(report.offending_primal);
  report.culprit.quantity = "indefinite matrix";
  return report;
}

}  // namespace catena
