// Newton's iteration as every implicit stepper runs it: when it has converged, when the matrix must be
// refreshed, when it has failed and what the cause is.
//
// The criterion: max_i |delta_i| / s_i <= tolerance over all unknowns, with s_i the characteristic length
// of the body for a translation [m], 1 rad for a rotation, and max |lambda| for a multiplier. A correction
// that contracted by theta in the last two iterations counts as theta / (1 - theta) of itself, which is
// what remains after it (Hairer and Wanner, Solving ODEs II, IV.8). One ratio of two corrections may be small by
// accident, where the part that the matrix leaves out cancels what is nonlinear. So theta counts as 0.3 of that of
// the step before at least (as in CVODE: Hindmarsh et al., SUNDIALS, 2005).
//
// With `foresee` the contraction from the first correction to the second that the steps before have measured, of q and of
// the multipliers, lets the first correction of a step with a matrix of its own be the only one, as there. What remains must be
// less than the roundoff of the velocities, also where the correction is within tolerance, and a tenth of the tolerance of the multipliers; q must move by ten tolerances at
// most, and a contraction that is not measured again counts for a tenth more with every step. Where the rows that the second
// correction answers are roundoff (below), its multipliers are noise: they contract as the largest balance does.
//
// Index 3 divides the roundoff of the gap by h^2, so that the multipliers of a long chain keep moving
// although nothing can be gained any more. An iterate has therefore converged also when its residuals are
// roundoff: rows within four units in the last place of the length that they see there (SystemLayout) or of the
// largest velocity, and the balance of every body within 64 of the forces that act on this body, which are the
// multipliers of its own constraints and the force that would move it by its own size within the step. With
// such rows and q converged, multipliers alone are let go when the balance of every body is within tolerance of
// its own multipliers, or when they keep moving (theta > 1/2) by a hundred times the balance that is left: then
// they follow the noise of the rows.
#pragma once
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
  bool extrapolate = true;  // a correction counts as what remains after it; false: as it is
  // The first correction of a step may be the only one; for iterations whose corrections are all that they change.
  bool foresee = false;
  double slow = 0.1;  // contraction above which a new matrix costs less than the iterations it saves
};

// Largest residuals of the iterate that a correction starts from, unscaled.
struct IterateResiduals {
  std::vector<double> balance;  // per primal block [N, N m]
  double work = 0.0;  // with NewtonOptions::foresee: the largest part of it times the size of its body [J]
  double position = 0.0;      // [m]
  std::vector<double> place;  // per entry of SystemLayout::place_rows [m]
  std::vector<double> open;   // per entry of SystemLayout::open_rows [m, rad]
  double cosine = 0.0;        // position rows that are no lengths (SystemLayout::length_rows)
  double velocity = 0.0;      // [m/s, 1/s]; accelerations count with what they change in the step
  bool finite = true;
  // Per primal block: what a body resists a move by its own size within one step with, max_i H_ii s_i over the
  // unit of the corrections [N, N m]. Forces below its roundoff move nothing.
  std::vector<double> inertia;
  double inertia_unit = 1.0;  // divides inertia, so that it need not be written anew with every step size
};

class NewtonMonitor {
 public:
  enum class Verdict : std::uint8_t { iterate, converged, refresh, failed };

  // All allocation.
  void attach(const System& system);
  // contraction: that of the step before; 0: unknown. discrete: State::discrete, which must outlive the step.
  void begin_step(const NewtonOptions& options, double contraction = 0.0, const double* discrete = nullptr);
  // delta: perturbation of q divided by `unit` [v_size], then the change of lambda. q, v, lambda: the
  // corrected iterate; before: the residuals that the correction answers.
  Verdict observe(const double* delta, double unit, const double* q, const double* v, const double* lambda,
                  const IterateResiduals& before, bool fresh_matrix);

  // From the first correction to the second; 0: unknown.
  struct Contractions {
    double of_q = 0.0, of_lambda = 0.0;
  };
  // After begin_step(), with NewtonOptions::foresee: those of the steps before, and what v changes by with q [1/s].
  void foresee(const Contractions& known, double velocity_per_q) {
    foreseen_ = known;
    velocity_per_q_ = velocity_per_q;
  }
  // Those that the next step begins with.
  const Contractions& foreseen() const { return foreseen_; }

  const double* per_scale() const { return per_scale_.data(); }  // 1 / SystemLayout::scale
  int iterations() const { return iteration_; }
  double correction() const { return last_; }  // scaled, of the last iteration; NaN: not finite
  // The contraction theta that the next step begins with.
  double contraction() const { return contraction_; }
  // Its largest component, or the first that is not finite. delta: as observe() was given it last.
  int worst_component(const double* delta) const;

 private:
  // Of a correction, scaled, and the balance that it answers (IterateResiduals::work).
  struct Parts {
    double of_q = 0.0, of_lambda = 0.0, work = 0.0;
  };
  bool is_enough(const Parts& correction, const double* v, bool fresh_matrix) const;
  Verdict next_verdict() const;  // of an iterate that has not converged
  void measure(const Parts& first, const Parts& second, const double* q, const double* lambda,
               bool rows_are_noise);
  bool rows_are_roundoff(const double* q, const double* v, const IterateResiduals& before) const;
  bool balanced(const double* change, const double* lambda, const IterateResiduals& before, double of_lambda,
                double of_change);

  const System* system_ = nullptr;
  NewtonOptions options_;
  const double* discrete_ = nullptr;
  int iteration_ = 0;
  double last_ = 0.0, contraction_ = 0.0, last_contraction_ = 0.0;  // the last one: of the step before
  Contractions foreseen_;
  double velocity_per_q_ = 0.0;
  Parts first_;
  double unit_ = 0.0,
         multiplier_ = 0.0;  // of the last observe(); multiplier_: what their changes are compared with
  // Rows of multipliers that act on each primal block, from first_rows_ on.
  struct Rows {
    int first, size;
  };
  std::vector<int> first_rows_;
  std::vector<Rows> rows_;
  std::vector<double> per_scale_;  // 1 / SystemLayout::scale
  double largest_per_scale_ = 0.0;
};

}  // namespace catena
