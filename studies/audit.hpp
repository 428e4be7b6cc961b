// The audit: holds every stepper to what its traits promise, on every problem that it takes.
//
//   const AuditResult result = audit(audit_steppers(), audit_cases());     // everything that comes with the library
//   const AuditResult mine = audit(stepper_entry<MyStepper>("mine"));      // one stepper, on all problems
//
// A pair is run with three step sizes h, h/2, h/4 (steppers that control their error: three tolerances). Checked are
//   - the order of q, v and the multipliers, log2 of the ratio of the distances of the three runs, at most
//     `order_slack` below the promise, also with steps that are longer and shorter by a quarter in turn where
//     variable_step is promised; longer steps are taken where these leave only roundoff. With error control: the
//     exponent of the error over the tolerance, over five decades, between `least_exponent` and `largest_exponent`;
//   - the residuals that are promised to vanish, at every step; with error control within what the error test lets a
//     step change, or at roundoff where no iteration ends early;
//   - the invariants of the problem: their error extrapolates to zero with the order;
//   - known digits of the solution, where the case ends at the instant of a reference;
//   - time reversal, where `reversible` or `symmetric` is promised: forward, velocities turned, back to the start;
//   - symplecticity, where it is promised: ||A^T Omega A - Omega|| of one step of two bodies, for three sizes of it;
//   - that the state alone continues the run, where copyable_memory is promised: another stepper, and one that has just
//     worked elsewhere, take the same steps to the same bits;
//   - the step in between its ends: both ends, and the order at which a part of a step meets a step of that part;
//   - a run with steps of twenty times the coarsest size: it ends with a failure that names its culprit, or stays bounded
//     and keeps the residuals that are promised;
//   - that all steppers reach the same end: within 3 times the sum of the two error estimates
//     |y_h - y_{h/2}|/(1 - 2^-p), which must be below 1e-3 of the motion themselves (of the largest change of q and v
//     since the start, and of the size of the multipliers): steps are made up to sixteen times shorter for that. In all
//     coordinates the multipliers of the same rows are compared; those that cannot be are listed pair by pair.
#pragma once
#include <catena/experiment/scenario.hpp>
#include <catena/problems/problem.hpp>
#include <catena/stepper/parts/stepper_entry.hpp>

#include <functional>
#include <string>
#include <vector>

namespace catena {

// One stepper with one set of options.
struct AuditStepper {
  StepperEntry entry;
  Settings options = {};

  std::string name() const;  // "lie_dae (index = one)"
};

// A problem with parameters and the sizes of the runs that are fair to it: short of chaos and of singularities, and so
// that neither roundoff nor higher terms hide the order.
struct AuditCase {
  std::string problem;
  Settings parameters = {};
  double end = 1.0;        // [s]
  int steps = 100;         // of the coarsest run of a stepper of order 2
  int steps_low = 0;       // of order 1; 0: 16 steps
  int steps_high = 0;      // of order 4 and more; 0: steps / 4
  bool reversible = true;  // its equations of motion are
  // Rows depend on each other: multipliers are not unique, and steppers hold the rows by a compliance of 1e-8 s/h
  // (BDF2: 1.5e-8) of the local Schur scale (docs/decisions/006-redundant-rows.md).
  bool redundant = false;
  std::string skip = {};  // not empty: why no stepper is run on it

  std::string name() const;  // "rolling_disc (form = bodies)"
};

// A pair that its own contract does not exclude but that is left out; empty fields match any.
struct AuditException {
  std::string stepper, problem;  // beginnings of AuditStepper::name() and AuditCase::name()
  std::string reason;
};

struct AuditCheck {
  std::string stepper, problem, check;
  double measured = 0.0, bound = 0.0;
  bool at_least = false;  // measured >= bound; else measured <= bound
  std::string remark = {};

  bool ok() const { return at_least ? measured >= bound : measured <= bound; }  // false for a NaN
};

struct AuditSkip {
  std::string stepper, problem, reason;
  std::string check = {};  // what was left out of a pair that was run; empty: the pair
};

struct AuditResult {
  std::vector<AuditCheck> checks;
  std::vector<AuditSkip> skipped;
  int pairs = 0;  // of stepper and case that were run

  std::vector<AuditCheck> failures() const;
};

// A table of checks, pair by pair.
std::string to_text(const std::vector<AuditCheck>& checks);
// One line: how many pairs and checks there were, failed and were left out.
std::string summary(const AuditResult& result);
// All checks, what was left out with its reasons, and the summary.
std::string to_text(const AuditResult& result);

constexpr double order_slack = 0.2;
constexpr double uneven_order_slack = 0.4;  // changes of the step excite terms of higher order
// Of the error over the tolerance: a multistep method of order k that keeps its error per step to the tolerance makes
// k / (k + 1), 1/2 at order 1; a method of order 5 with an error estimate of order 4 makes 1, and more where the coarsest
// tolerances admit steps too long for the leading term.
constexpr double least_exponent = 0.5, largest_exponent = 1.4;
constexpr double between_slack = 0.5;  // a wrong term of the interpolant costs a whole order
constexpr double symplectic_tolerance = 1e-8;

// Every stepper of the catalog with its default options, and variants worth a run of their own.
std::vector<AuditStepper> audit_steppers();
std::vector<AuditCase> audit_cases();
// Those of the library, and one whose force and joint follow functions of time.
std::vector<ProblemEntry> audit_problems();
std::vector<AuditException> audit_exceptions();

// Throws std::invalid_argument for a problem of the list without a case, UsageError for options that do not fit.
AuditResult audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases);
AuditResult audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases,
                  const std::vector<ProblemEntry>& problems);
// The same in a result of the caller's, which has what was found so far where this is interrupted, or in after_case, called
// behind each case. The checks of the steppers alone (symplecticity) come last.
void audit(const std::vector<AuditStepper>& steppers, const std::vector<AuditCase>& cases,
           const std::vector<ProblemEntry>& problems, AuditResult& result,
           const std::function<void(const AuditCase&)>& after_case);
// One stepper on all cases; its ends are compared with those of dormand_prince with fixed steps.
AuditResult audit(const StepperEntry& stepper);

}  // namespace catena
