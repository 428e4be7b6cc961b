// Results of another code in a file, docs/reference/compare.md.
#pragma once
#include <catena/study/detail/method_comparison.hpp>

#include <string>
#include <vector>

namespace catena::detail {

struct ForeignCode {
  struct Run {
    std::string setting;
    long steps = 0;
    double seconds = 0.0;  // nan: not said
    std::vector<double> times = {};
    std::vector<MotionSample> samples = {};  // as many
  };
  std::string flag, file, code, problem;
  std::vector<Run> runs = {};
};

// Throws UsageError with the reason for anything else, "FLAG FILE: REASON".
ForeignCode read_foreign_results(const std::string& file, const std::string& flag = "--add");

// Throws UsageError with run and instant for numbers of bodies, coordinates or multipliers that are not those of the model,
// and where a run has none of the instants that are compared.
void refuse_other_model(const ForeignCode& code, const MotionSample& of_model,
                        const std::vector<double>& instants);

// Its errors at the instants that it shares with the reference; not of another model.
std::vector<ForeignRun> measured(const ForeignCode& code, const ReferenceMotion& reference);

}  // namespace catena::detail
