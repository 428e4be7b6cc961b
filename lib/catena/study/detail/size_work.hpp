// The work of one size of a problem, from its symbolic analysis: nothing is run.
#pragma once
#include <catena/experiment/catalog.hpp>

#include <string>
#include <vector>

namespace catena::detail {

struct SizeWork {
  std::string failure = {};  // a sentence; empty: the analysis was made
  int bodies = 0;            // that move
  int rows = 0;              // of constraints
  double unknowns = 0.0;     // of a Newton system
  double flops = 0.0;        // of a factorisation with one solve; 0: the back end does not say
  double cost =
      0.0;  // of a factorisation, in units of the back end: modelled cycles, else flops, else unknowns
  double matrix_bytes = 0.0, factor_bytes = 0.0, analysis_bytes = 0.0;
  int evaluation_chunks = 1;  // that threads share
  // Modelled cycles of the chunks of each tier of the elimination, which threads share; empty: the back end has one thread.
  std::vector<std::vector<double>> chunks = {};

  bool ok() const { return failure.empty(); }
  double solver_bytes() const { return matrix_bytes + factor_bytes + analysis_bytes; }
};

// Of the system, the coordinates and the back end that the scenario runs with. Its memory is given back: the work is done
// in a process of its own.
SizeWork size_work(const Scenario& scenario, const Catalog& catalog);

// The longest sum of work on one of so many cores, where each piece goes, in its order, to the core that is free first.
double greedy_time(const std::vector<double>& pieces, int cores);

// Of the elimination, tier by tier, against one core. 1 where nothing is shared.
double elimination_speed_up(const SizeWork& work, int cores);
double evaluation_speed_up(const SizeWork& work, int cores);

}  // namespace catena::detail
