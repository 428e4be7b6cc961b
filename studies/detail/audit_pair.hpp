// All checks of one stepper on one case of the audit.
#pragma once
#include <catena/studies/audit.hpp>
#include <catena/studies/detail/audit_run.hpp>

#include <string>

namespace catena::detail::audit_detail {

constexpr double safety = 3.0;  // on error estimates

// Where a stepper ended, with its own estimate of the error of that.
struct End {
  std::string stepper;
  Vector q, v;
  Vector lambda;  // those that all coordinates share; empty: of no promised order, or not unique
  int rows = 0;   // that these are the multipliers of
  double q_error = 0.0, v_error = 0.0, lambda_error = 0.0;
};

// Runs and adds its checks to the result. False: a run failed, and there is no end to compare.
bool audit_pair(const AuditStepper& stepper, const AuditCase& which, const Subject& subject,
                AuditResult& result, End& end);

}  // namespace catena::detail::audit_detail
