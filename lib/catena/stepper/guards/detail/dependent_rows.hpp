// The guard over rows that become dependent, at the pivots of Newton's matrix. It works inside the iteration: a matrix
// whose rows hardly differ gives corrections that mean nothing.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/stepper.hpp>

#include <utility>

namespace catena::detail {

class DependentRows {
 public:
  // Local Schur pivot of a row beside its scale. Roundoff of a pivot is 1e-16 of the scale, the proximal term 1e-12:
  // at a hundred proximal terms, two digits of the multipliers are left.
  static constexpr double dependent = 1e-10;
  // The same where Newton's method does not converge, for which nearly dependent rows are then the likely reason:
  // corrections are determined by the square root of the pivot, about 3e-3.
  static constexpr double dependent_if_failed = 1e-5;

  DependentRows(const System& system, StepperStatistics& statistics, GuardMode mode, std::size_t count)
      : system_(system), statistics_(statistics), mode_(mode), count_(count) {}

  void begin(double t) {  // of the step that is attempted
    t_ = t;
    counted_ = false;
  }
  // Ok, or singular_kkt and the name of the row: for the factor of a matrix.
  Outcome assess(const KktReport& factored, bool newton_failed) {
    if (!(factored.weakest_dual_ratio < (newton_failed ? dependent_if_failed : dependent))) return {};
    Outcome outcome = failure(Status::singular_kkt,
                              {system_.constraint_name(factored.weakest_dual),
                               "rows become dependent, local Schur pivot", factored.weakest_dual_ratio});
    if (!std::exchange(counted_, true)) statistics_.guards[count_].add(t_, outcome.culprit);
    return mode_ == GuardMode::on ? outcome : Outcome{};
  }

 private:
  const System& system_;
  StepperStatistics& statistics_;
  GuardMode mode_;
  std::size_t count_;
  double t_ = 0.0;
  bool counted_ = false;
};

inline constexpr GuardType dependent_rows_guard{
    "guard_dependent_rows", "a step whose rows are about to depend on others fails, and names them"};

}  // namespace catena::detail
