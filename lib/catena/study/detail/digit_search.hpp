// The stepper and the setting with which all that a run measures has so many digits.
//
// Steppers that control their error are tried at a tolerance of 1e-3. The one that then needs least work to a tolerance of
// 10^-(digits + 1), by its order, is taken: work is evaluations, factorisations and solves, which are the same on every machine;
// those of a stepper with a linear solver of its own count ten times (ida: seven coordinates a body and a general sparse LU, by the
// table of docs/howto/choose_a_stepper.md).
// It runs with that tolerance and a tenth of it; the difference gives the error bars of the first (companion_run.hpp). Where
// these are too large, the second is compared with a third at a hundredth, and so on. A stepper that was named is taken as it
// is; with fixed steps they are halved.
#pragma once
#include <catena/output/parts/digits.hpp>
#include <catena/study/detail/companion_run.hpp>

namespace catena::detail {

struct FoundDigits {
  Scenario scenario;  // completed: with it the bars were measured
  Digits digits;
  MeasuredBars measured;  // empty where no run and companion reached the end
};

// Throws UsageError where no stepper that controls its error reaches the end of the problem. A request that makes no sense is
// for the run of the scenario to refuse.
FoundDigits find_digits(const Scenario& asked, int digits, const Catalog& catalog, int threads);

// Of a table and the bars of its columns: the fewest digits of a quantity, against the largest value with its unit. So gaps of
// joints count beside positions, and a total energy that is kept near zero beside its parts. Of a unit in which nothing exceeds
// 1e-12 all is roundoff, and counts as zero.
Digits digits_of(const Table& table, const ErrorBars& bars);

}  // namespace catena::detail
