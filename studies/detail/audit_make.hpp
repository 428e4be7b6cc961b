// A stepper of the audit with its options and tolerances.
#pragma once
#include <catena/studies/audit.hpp>

#include <memory>

namespace catena::detail::audit_detail {

struct Made {
  std::unique_ptr<Stepper> stepper;
  double newton_tolerance = 1e-10;  // what its iterations end at; this one of steppers that report none
  bool iterates = false;            // has such an option; else what vanishes does so to roundoff
};

// control: all tolerances of a stepper that controls its error; 0: as they are. Throws UsageError for
// options that do not fit.
Made make(const AuditStepper& which, double control);

}  // namespace catena::detail::audit_detail
