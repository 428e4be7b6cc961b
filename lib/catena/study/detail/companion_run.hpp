// Error bars on all that a run has measured, from a companion: the same run with half of the step, or with a tenth of the
// tolerances where the stepper chooses its steps.
//
// With an error of C h^p, what two runs with h and h/2 differ by is (1 - 2^-p) of the error of the first; with an error in
// proportion to the tolerance, what runs with tol and tol/10 differ by is 0.9 of it. The bar is the difference over that part.
// p is the order that the stepper promises: the lesser of q and v, and that of the multipliers for these and for reactions (1
// where they belong to another instant than the end of the step). A bar is an estimate of the run's own error, not a bound: it
// means something where the companion resolves the motion, which chaos ends.
// Source: Richardson extrapolation, Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, II.4.
#pragma once
#include <catena/experiment/parts/run_record.hpp>
#include <catena/output/parts/error_bars.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// What is to run beside a run that has reached its end: its completed scenario with the finer setting, output at the same
// instants. `record` has its quantities in Record::table. A setting that cannot be refined is refused when it is run.
struct Companion {
  Scenario scenario;
  std::string setting;  // "half of the step, 0.0005 s"
  // That the difference is of the error: of coordinates and velocities, and of multipliers and what follows from them.
  double part_of_error = 1.0, part_of_multipliers = 1.0;
};
Companion companion_of(const Record& record, const Catalog& catalog);

struct MeasuredBars {
  ErrorBars summary;
  Table bars;  // of the columns of the run that are results of the motion; "time" first, as it is
};
// What says how a run went is no result: sizes and counts of steps,
// residuals, errors and peaks have no bars.
MeasuredBars error_bars(const Record& record, const Record& companion, const Companion& how);

// error_bars.csv in the folder of a run, a row an instant, and where it has results.h5 error_bars.h5, whose datasets have the
// names and shapes of those of the results. Returns their paths. Throws SinkError.
std::vector<std::string> write_error_bars(const MeasuredBars& measured, const std::string& folder);

}  // namespace catena::detail
