// One instant of a run, as quantities see it: the state, and what several quantities need of it, computed once.
#pragma once
#include <catena/measure/detail/drive_meter.hpp>
#include <catena/measure/detail/shared_multipliers.hpp>
#include <catena/measure/parts/measured_system.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/stepper/detail/recomputed_multipliers.hpp>

#include <optional>
#include <vector>

namespace catena {

// Sums over the moving bodies of a model.
struct BodySums {
  Momentum momentum;
  double gravity = 0.0;  // potential energy of gravity, zero at the origin [J]
};

// A force and a torque about a point, world frame [N], [N m].
struct Wrench {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

// Not for two threads at once. Allocates at the first use of a member at most, and for bodies of a system in its own
// coordinates.
class Instant {
 public:
  // `measured` outlives it.
  explicit Instant(const MeasuredSystem& measured);

  // Moves it; state and outcome outlive its use.
  void move_to(const State& state, const Outcome& outcome);
  // The same from numbers alone: seven coordinates a moving body, or those of the system. Then is_late() is true.
  void move_to(double t, const double* q, const double* v, const double* lambda, const double* discrete);

  // Some of the functions below are not there: those that say "not late".
  bool is_late() const { return state_ == nullptr; }

  const System& system() const { return measured_.system(); }
  const MeasuredSystem& measured() const { return measured_; }
  double t() const { return t_; }  // [s]

  const double* q() const { return q_; }  // MeasuredSystem::count(Items::coordinate) numbers
  const double* v() const { return v_; }  // count(Items::velocity)
  // count(Items::row), nan where a stepper has none; by MeasureSources::multipliers, late: as it was given.
  const double* lambda() const;
  const double* discrete() const { return discrete_; }  // count(Items::discrete)

  const State& state() const { return *state_; }  // not late
  double step() const { return step_; }           // [s] that led here; 0 at the start. Not late
  const Energy& energy() const;                   // [J] not late
  double energy_initial() const;                  // [J] at the start of the run, not late
  Work work() const;                              // since then; nan where it is not known. Not late
  const Residuals& residuals() const;             // not late
  StepperStatistics counts() const;               // of that step, with Needs::stepper; not late
  const MonitorResult& peaks() const;             // with Needs::monitor, not late

  int body_count() const { return measured_.body_count(); }  // that move; of own coordinates: all
  RigidBodyState body(int k) const;                          // one of them; of own coordinates: not late
  RigidBodyState model_body(int number) const;               // of a model, in its numbering, fixed ones too
  const BodySums& sums() const;                              // of a model
  // Angles, displacements and their rates, of a model, by MeasuredSystem::joints().
  const std::vector<JointCoordinates>& joints() const;
  // What constraints do to bodies, of a model, by MeasuredSystem::sides(): on the body, about the side's point.
  Wrench reaction(int side) const { return wrench(reactions() + 6 * side); }
  const double* reactions() const;  // six numbers a side, by the rule of MeasureSources
  // An error bar: what the multipliers of the method and those recomputed at its t, q, v differ by, per row and as six
  // numbers a side, none negative. Not late.
  const double* lambda_bar() const;
  const double* reaction_bar() const;
  // What each force of a model supplies beside its potential [W] (model/detail/force_power.hpp).
  const std::vector<double>& force_power() const;
  // What each constraint supplies that moves by itself [W], Items::constraint (measure/detail/drive_meter.hpp).
  const std::vector<double>& drive_power() const;

  // Of a resumed run, where no monitor knows it [J].
  void set_energy_initial(double energy) { energy_initial_ = energy; }

 private:
  static Wrench wrench(const double* w) { return {{{w[0], w[1], w[2]}}, {{w[3], w[4], w[5]}}}; }
  const double* unit_poses() const;
  const double* recomputed() const;
  void wrenches(const double* of, std::vector<double>& out) const;
  void forget();

  const MeasuredSystem& measured_;
  const State* state_ = nullptr;
  double t_ = 0.0, step_ = 0.0;
  const double *q_ = nullptr, *v_ = nullptr, *lambda_ = nullptr, *discrete_ = nullptr;
  bool monitored_ = false;  // the monitor has seen this state
  std::vector<double> no_lambda_;
  mutable double energy_initial_;      // nan: not known yet
  mutable std::optional<bool> works_;  // whether something in the system may do work
  mutable std::optional<ResidualMeter> residual_meter_;
  mutable std::optional<detail::ReactionMeter> reaction_meter_;
  mutable std::optional<detail::SharedMultipliers> shared_multipliers_;  // by the rule for reactions
  mutable std::optional<detail::DriveMeter> drive_meter_;
  mutable std::optional<detail::RecomputedMultipliers> recomputed_multipliers_;
  // Of this instant.
  mutable std::optional<Energy> energy_;
  mutable std::optional<Residuals> residuals_;
  mutable std::optional<BodySums> sums_;
  mutable std::vector<double> reactions_, unit_q_, force_power_, drive_power_, lambda_bar_, reaction_bar_;
  mutable const double* recomputed_ = nullptr;  // null: not known yet
  mutable std::vector<RigidBodyState> own_bodies_;
  mutable std::vector<JointCoordinates> joints_;
  mutable bool reactions_known_ = false, own_bodies_known_ = false, joints_known_ = false,
               power_known_ = false, drives_known_ = false;
};

}  // namespace catena
