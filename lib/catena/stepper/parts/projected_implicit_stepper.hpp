// What the implicit steppers share whose steps end on the constraints with the accelerations and multipliers of the index-1
// system there, and whose iterations end where what remains is a part of the tolerances: Radau IIA, and BDF on the group. A
// method adds its equations and the estimates of its error.
#pragma once
#include <catena/stepper/parts/projected_stepper.hpp>

#include <cstdint>
#include <vector>

namespace catena {
namespace detail {

// When a simplified Newton iteration has left a hundredth of the tolerances, by the contraction of its last two corrections;
// for the first one by that of the step before (Hairer, Wanner, Solving ODEs II, IV.8).
class ToleranceIteration {
 public:
  enum class Verdict : std::uint8_t { iterate, converged, failed };

  // contraction: of the step before; 0: unknown.
  void remember(double contraction) { contraction_ = contraction; }
  // alone: whether the contraction of the step before may end the iteration with its first correction. Where forces saturate, a
  // matrix of before makes corrections small whose residual stays.
  void begin(int most, bool alone = true);
  // size: of the correction just applied, in tolerances.
  Verdict observe(double size);
  double contraction() const { return contraction_; }
  double before() const { return before_; }  // size of the last correction that others were to follow
  // The last correction was less than half of the one before.
  bool gains() const { return ratio_before_ < 0.5; }

 private:
  int k_ = 0, most_ = 0;
  double contraction_ = 0.0, known_ = 0.0, before_ = 0.0, ratio_before_ = 0.0;
};

}  // namespace detail

class ProjectedImplicitStepper : public ProjectedStepper {
 public:
  // Cubic, with errors of order h^4.
  void interpolate(double theta, double* q, double* v) const override;

 protected:
  using ProjectedStepper::ProjectedStepper;

  // attach_index_1(), and the arrays that all have.
  Outcome attach_equations(const System& system, const LinearSolverFactory& backend, const Guards& guards);

  detail::LocalError local_error(const State& state, double h) override;
  std::size_t error_components() const override { return 2 * now_.v.size(); }
  void add_error(State& end) const override;
  StepError step_error(const State& state, double h) override;
  void keep(State& state, double h) override;
  GuardWorkspace guard_workspace() override;

  // As the last two steps say: lambda changes linearly. s: from the time of the state [s].
  void predict_multipliers(const State& state, double s, std::vector<double>& lambda) const;
  // What corrections are measured by, with what is known of the end of the step. With steps of a fixed size no tolerance says
  // what is enough: nearly roundoff then.
  void set_weights(const State& state, const State& end);
  // Size, in tolerances, of corrections dx of an increment that changes velocities by rate dx: root mean square. The
  // component of the largest correction since begin_corrections() is worst_.
  void begin_corrections() { largest_correction_ = -1.0; }
  double size_of(const std::vector<double>& dx, double rate);
  // dx [v_size] as an increment that is added to coordinates as large as those of set_weights().
  bool is_roundoff(const double* dx) const;
  KktReport not_converged(const char* quantity, double value);
  // The first residual of an iterate, or else the correction, that is not finite: by the joint or force that has no value
  // there, or by the owner of the number. ok: all are. x [v_size + lambda_size].
  KktReport not_finite_in(const Point& iterate, const std::vector<double>& x, bool corrected);
  // Of now_, behind an iteration with the increment xi: q and v on the constraints, a and lambda.
  KktReport close(const State& state, const std::vector<double>& xi);
  // The second half of that: what interpolate() needs of q in now_, and whether it is where the increment leads.
  KktReport keep_end(const State& state, const std::vector<double>& xi);

  int n_ = 0, m_ = 0;            // v_size, lambda_size
  bool velocity_level_ = false;  // some rows are at velocity level
  std::vector<std::uint8_t> is_velocity_row_;
  std::vector<double> velocity_rows_;             // [lambda_size] where some are at velocity level
  std::vector<double> error_x_, error_v_, rate_;  // estimates; rate_: work
  detail::ToleranceIteration iteration_;
  // What of a tolerance a step may use: all of it, or h [s] where tolerances are per second. It is these parts of a size at
  // least, for increments and velocities, whose errors below that are roundoff [1, 1/s].
  double step_share_ = 1.0, roundoff_x_ = 0.0, roundoff_v_ = 0.0;
  int worst_ = 0;  // component of the largest correction

 private:
  double size_in_roundoff(std::size_t i) const;

  std::vector<double> weight_x_, weight_v_;  // 1 / tolerance
  double largest_correction_ = -1.0, length_ = 0.0;
  // Of the step just taken, for interpolate().
  double h_kept_ = 0.0;
  std::vector<double> xi_end_, v_end_, a_end_;
  mutable std::vector<double> between_;
};

}  // namespace catena
