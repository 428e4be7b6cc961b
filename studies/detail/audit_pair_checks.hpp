// All checks of one stepper on one case of the audit, as audit_pair() makes them.
#pragma once
#include <catena/studies/detail/audit_make.hpp>
#include <catena/studies/detail/audit_orders.hpp>
#include <catena/studies/detail/audit_pair.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace catena::detail::audit_detail {

constexpr double middle_tolerance = control_tolerances[control_levels[1]];

class PairChecks {
 public:
  PairChecks(const AuditStepper& stepper, const AuditCase& which, const Subject& subject, AuditResult& result)
      : stepper_(stepper), case_(which), subject_(subject), result_(result) {
    made_ = make(stepper, 0.0);
  }
  bool operator()(End& end);

 private:
  // audit_pair.cpp
  const Traits& traits() const { return made_.stepper->traits(); }
  bool controlled() const { return traits().chooses_step; }
  AuditCheck& add(const std::string& check, double measured, double bound);
  void leave_out(const std::string& check, const std::string& reason);
  int steps() const;
  bool run(End& end);
  bool run_levels(Levels& traces, int count, double uneven);
  bool run_one(Trace& trace, double control, int count, double uneven);
  Estimates estimate(End& end) const;
  void check_end(End& end);
  double size(Vector Sample::*part) const { return size_of(traces_.back(), part); }
  // What roundoff and unfinished iterations leave, relative to the size of a quantity.
  double floor() const { return made_.iterates ? std::max(1e-12, 0.01 * made_.newton_tolerance) : 1e-13; }
  // By how much an error shrinks from level to level.
  double ratio(int order) const { return controlled() ? 0.1 * tolerance_ratio : std::pow(2.0, order); }

  // audit_pair_orders.cpp
  bool has_multipliers(const std::string& check);
  void check_orders(const Levels& traces, double uneven, double slack);
  void check_order(const Levels& traces, const std::string& what, int promised, Vector Sample::*part,
                   double uneven, double slack);
  void check_proportions();
  void check_proportion(const std::string& of, Vector Sample::*part);

  // audit_pair_kept.cpp
  void check_residuals(const Trace& t, double control, const std::string& how);
  void check_controlled_residuals(const Trace& t, double control, const std::string& how);
  void check_invariants();
  void check_coarse();
  void check_reversal();

  // audit_pair_contract.cpp
  void check_continuation();
  void check_between();

  const AuditStepper& stepper_;
  const AuditCase& case_;
  const Subject& subject_;
  AuditResult& result_;
  Made made_;
  int refinement_ = 1;  // of the steps of the case
  Levels traces_;
  ByTolerance by_tolerance_;
  std::vector<Levels> coarser_;  // with 2, 4, 8 ... times the step, as far as they were needed
};

}  // namespace catena::detail::audit_detail
