// The loop of one implicit step, with everything that does not depend on the method: residuals and their
// bookkeeping, the matrix and its safeguards, the verdict, and what is reported when it fails. A step reads
//
//     predict();
//     newton.begin(step);
//     while (newton.solve(evaluate)) {   // evaluates the residuals, fills the matrix where need be, solves
//       correct(newton.correction());
//       newton.assess(q, v, lambda);
//     }
//     return newton.outcome(evaluate);   // then accept, where the status is ok
//
// with evaluate(const Evaluation& wanted), which computes what wanted asks for at the iterate; mostly
// system.evaluate(point, wanted). Nothing is allocated after allocate().
#pragma once
#include <catena/stepper/detail/newton_matrix.hpp>
#include <catena/stepper/detail/phase_timer.hpp>
#include <catena/stepper/guards/detail/dependent_rows.hpp>
#include <catena/stepper/parts/newton.hpp>
#include <catena/stepper/parts/newton_trace.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

// Which residual is in the rows of a constraint: g, its rate, or its acceleration.
enum class RowKind : std::uint8_t { position, velocity, acceleration };

// How one step is scaled.
struct NewtonStep {
  double h = 0.0;
  const double* lambda = nullptr;    // of the stepper's iterate, read at every evaluation
  const double* discrete = nullptr;  // State::discrete of the step
  double unit = 1.0;                 // perturbation of q = unit * correction (beta h^2, say)
  double contraction = 0.0;          // of the iteration of the step before (NewtonMonitor); 0: unknown
  NewtonMonitor::Contractions foreseen = {};  // with options.foresee: of the steps before
  // The rows of the system are these factors times g, its rate and its acceleration.
  double position_factor = 1.0, velocity_factor = 1.0, acceleration_factor = 1.0;
  double force = 1.0;     // the balance times this is a force; for reports
  Linearization weights;  // of the matrix: all but matrix and without_geometric_stiffness
  // The guard over rows whose local Schur pivot vanishes. Null: not watched.
  DependentRows* dependent_rows = nullptr;
  bool keep_matrix = false;  // begin with the matrix of the step before
  // Solves with the last matrix behind convergence that take the gap of a compliance out again (close_rows()).
  int closing_solves = 0;
  // Behind them, one solve with the balance that they leave: a matrix without all terms moves it by what it lacks.
  bool settle = false;
  NewtonOptions options;
};

class NewtonIteration {
 public:
  // Symbolic analysis. row_kind: per dual block. droppable: evaluate() heeds without_geometric_stiffness.
  // Returns an empty string, or why the back end cannot do it.
  std::string attach(const System& system, const KktOptions& options, std::vector<RowKind> row_kind,
                     StepperStatistics& statistics, bool droppable = true);
  void allocate();  // the arrays of the iteration
  void release();   // gives them back
  bool allocated() const { return !x_.empty(); }

  KktSolver& kkt() { return matrix_.kkt(); }
  const KktSolver& kkt() const { return matrix_.kkt(); }
  const NewtonMatrix& matrix() const { return matrix_; }

  // Takes the inertia of the bodies from the matrix, which must hold mass times the mass matrix; for the
  // roundoff of balances. q: in plain coordinates these numbers, whose roundoff the balance sees, are added to the
  // sizes of the bodies.
  void measure_inertia(const double* q = nullptr);

  void begin(const NewtonStep& step);
  // One correction into correction(). False: converged or failed.
  template <class Evaluate>
  bool solve(Evaluate&& evaluate);
  const double* correction() const { return x_.data(); }                    // of q, in units
  const double* lambda_correction() const { return x_.data() + v_size(); }  // of lambda
  // The matrix of an earlier iterate, as solve() made it there. The statistics do not count it, so that a run without
  // a break and one that was resumed have the same counts. False: there is none.
  template <class Evaluate>
  bool make_matrix_again(const NewtonStep& step, Evaluate&& evaluate);
  // After the correction was applied. q, v, lambda: the new iterate.
  void assess(const double* q, const double* v, const double* lambda);
  int iterations() const { return monitor_.iterations(); }
  double contraction() const { return monitor_.contraction(); }  // for the step after this one
  const double* per_scale() const { return monitor_.per_scale(); }
  const NewtonMonitor::Contractions& foreseen() const { return monitor_.foreseen(); }  // the same
  // Of the closing solves: what the last one left of the gap in the softest rows that motion can close, 0 to 1.
  double softness() const { return softness_; }
  bool refreshed() const { return refreshed_; }  // the correction came from a matrix of this iterate
  bool wants_matrix() const { return iterating_ && refresh_; }  // the next correction needs one made anew
  bool converged() const { return !iterating_ && outcome_.status == Status::ok; }
  // Ok, or why not: the pivot or the worst residual of the last iterate and its owner.
  template <class Evaluate>
  Outcome outcome(Evaluate&& evaluate);

  // From now on iterates are written to `to`; null: no longer.
  void trace(NewtonTrace* to) { trace_ = to; }

  // The right-hand side of a linear system outside the loop, [v_size + lambda_size]; also x of the loop.
  double* rhs() { return x_.data(); }

 private:
  int v_size() const { return system_->layout().v_size(); }
  double factor(RowKind kind) const;
  const char* name(RowKind kind) const;
  Evaluation wanted(Linearization* linearization);
  void part_rows();
  void collect();
  bool collect_balance();
  bool collect_rows();
  // The largest residual of each kind in x: of the balance, then of the levels of rows that there are. A number that is not
  // finite is the largest.
  struct LargestResidual {
    int component;
    const char* quantity;
    double value, unit;  // unit: what its kind is made of
  };
  std::vector<LargestResidual> largest_residuals() const;
  Culprit worst_residual() const;
  bool nearly_roundoff(const LargestResidual& worst) const;
  // Of the trace.
  void note_iterate();
  void note_matrix(const KktReport& report);
  void note_failure();
  template <class Evaluate>
  void compute_residuals(Evaluate&& evaluate, Linearization* linearization, Culprit* undefined = nullptr);
  bool rescue();
  bool close_rows();
  template <class Evaluate>
  bool settle(Evaluate&& evaluate);
  bool failed(Status status, Culprit culprit);
  bool rows_depend(bool newton_failed);

  const System* system_ = nullptr;
  StepperStatistics* statistics_ = nullptr;
  StepperStatistics not_counted_;
  NewtonMatrix matrix_;
  NewtonMonitor monitor_;
  NewtonStep step_;
  const double* q_ = nullptr;  // of the iterate that was assessed last
  IterateResiduals residuals_;
  std::vector<RowKind> row_kind_;
  // Consecutive rows that are collected alike.
  struct RowRun {
    int first, last;
    RowKind kind;
    bool cosines;
    int place, open;  // of IterateResiduals::place or open; -1: of the largest of its kind
    bool alone() const { return place >= 0 || open >= 0; }
  };
  std::vector<RowRun> runs_;
  bool all_six_ = false;            // every primal block has six unknowns
  std::vector<double> not_finite_;  // per part of the system: 0, or no number
  std::vector<double> work_;        // per part: IterateResiduals::work
  bool has_kind_[3] = {false, false, false};
  std::vector<double> x_, other_rows_[2];  // rows of a second and third kind
  std::vector<double> closing_;            // of close_rows(), where a step asks for it
  bool closing_due_ = false, settling_due_ = false;
  double first_correction_ = 0.0, softness_ = 0.0;
  bool rescued_ = false;  // Newton stagnated in this step: the pivoting fallback factorises every iterate
  bool iterating_ = false, refresh_ = true, refreshed_ = true, residuals_failed_ = false;
  KktReport factored_;  // of the matrix in use
  NewtonTrace* trace_ = nullptr;
  Outcome outcome_;
};

inline bool NewtonIteration::failed(Status status, Culprit culprit) {
  outcome_.status = status;
  outcome_.culprit = std::move(culprit);
  iterating_ = false;
  return false;
}

// The residuals at the iterate as they are on the right-hand side, and the matrix where asked for.
template <class Evaluate>
void NewtonIteration::compute_residuals(Evaluate&& evaluate, Linearization* linearization,
                                        Culprit* undefined) {
  const PhaseTimer timer(statistics_->seconds_evaluate);
  ++statistics_->evaluations;
  Evaluation all = wanted(linearization);
  all.undefined = undefined;
  evaluate(static_cast<const Evaluation&>(all));
  collect();
  if (trace_ != nullptr) note_iterate();
}

template <class Evaluate>
bool NewtonIteration::solve(Evaluate&& evaluate) {
  if (!iterating_) return (closing_due_ && close_rows()) || (settling_due_ && settle(evaluate));
  refreshed_ = refresh_;
  if (refresh_) {
    Linearization lin = step_.weights;
    lin.matrix = &kkt().matrix();
    const double evaluated = statistics_->seconds_evaluate, begin = seconds_now();
    const KktReport r = matrix_.refresh_and_solve(
        [&](const std::uint8_t* without) {
          lin.without_geometric_stiffness = without;
          compute_residuals(evaluate, &lin);
        },
        x_.data(), *statistics_);
    statistics_->seconds_factorize += seconds_now() - begin - (statistics_->seconds_evaluate - evaluated);
    factored_ = r;
    if (!matrix_.usual()) monitor_.foresee({}, 0.0);
    if (trace_ != nullptr) note_matrix(r);
    if (residuals_.finite && rows_depend(false)) return false;
    if (residuals_.finite && r.status != Status::ok) return failed(r.status, r.culprit);
  } else {
    compute_residuals(evaluate, nullptr);
  }
  if (!residuals_.finite) {
    residuals_failed_ = true;
    return failed(Status::not_finite, {});
  }
  if (!refresh_) {
    const PhaseTimer timer(statistics_->seconds_solve);
    kkt().solve(x_.data());
  }
  ++statistics_->solves;
  ++statistics_->newton_iterations;
  return true;
}

// Behind close_rows(), whose gap and open part of lambda stay as they are: C delta = D dlambda, and dlambda is that of a
// balance of roundoff size.
template <class Evaluate>
bool NewtonIteration::settle(Evaluate&& evaluate) {
  settling_due_ = false;
  compute_residuals(evaluate, nullptr);
  if (!residuals_.finite) {
    residuals_failed_ = true;
    return failed(Status::not_finite, {});
  }
  std::fill(x_.begin() + v_size(), x_.end(), 0.0);
  const PhaseTimer timer(statistics_->seconds_solve);
  kkt().solve(x_.data());
  ++statistics_->solves;
  return true;
}

template <class Evaluate>
bool NewtonIteration::make_matrix_again(const NewtonStep& step, Evaluate&& evaluate) {
  StepperStatistics* const counted = std::exchange(statistics_, &not_counted_);
  begin(step);
  const bool made = solve(evaluate);
  statistics_ = counted;
  return made;
}

template <class Evaluate>
Outcome NewtonIteration::outcome(Evaluate&& evaluate) {
  if (outcome_.status != Status::ok) ++statistics_->rejected_by_newton;
  const bool not_finite = outcome_.status == Status::not_finite;
  if (residuals_failed_ || not_finite) {  // the solution has overwritten the residuals
    Culprit undefined;
    compute_residuals(evaluate, nullptr, not_finite ? &undefined : nullptr);
    if (!undefined.name.empty())
      outcome_.culprit = undefined;
    else if (residuals_failed_)
      outcome_.culprit = worst_residual();
  } else if (trace_ != nullptr && outcome_.status != Status::ok) {
    compute_residuals(evaluate, nullptr);
  }
  if (trace_ != nullptr && outcome_.status != Status::ok) note_failure();
  return outcome_;
}

}  // namespace catena::detail
