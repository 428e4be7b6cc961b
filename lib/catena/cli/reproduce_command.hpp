#pragma once
#include <catena/experiment/catalog.hpp>

#include <string>

namespace catena {

struct Console;

struct ReproduceRequest {
  std::string study;   // name in the catalog, or "all"
  std::string output;  // empty: no figures
  bool quick = false;
};

// Runs studies of published sources. Throws UsageError for an unknown name; exit_run_ended_early where a figure is
// not as expected.
int reproduce_command(const ReproduceRequest& request, const Catalog& catalog, const Console& console);

}  // namespace catena
