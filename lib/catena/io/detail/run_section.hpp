// What may be said of a run in a model file: the options of the run, of its results and of the machine, once each.
#pragma once
#include <catena/driver/run.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/io/detail/key_info.hpp>
#include <catena/math/option.hpp>
#include <catena/output/detail/result_set.hpp>

#include <string>
#include <vector>

namespace catena::detail {

struct ThreadOption {
  int threads = 1;
};
void visit(OptionVisitor& visitor, ThreadOption& o);

// The section `run`, the options of the stepper apart. Texts that are empty and numbers that are not given are left to
// the command line and the problem.
struct RunSection {
  Scenario scenario;  // its members that are text
  std::string output, checkpoint;
  RunOptions run;
  ResultsOptions results;
  ThreadOption machine;
};
void visit(OptionVisitor& visitor, RunSection& r);

// The key that holds the options of the stepper, a map.
inline constexpr const char* options_key = "options";

// The keys of the section `run`, for the reference page.
std::vector<KeyInfo> run_section_keys();

}  // namespace catena::detail
