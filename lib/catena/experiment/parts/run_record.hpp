// What a run of a scenario gives.
#pragma once
#include <catena/experiment/parts/measured_table.hpp>
#include <catena/experiment/parts/record_table.hpp>
#include <catena/experiment/scenario.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/output/parts/report.hpp>
#include <catena/system/parts/state.hpp>

#include <string>

namespace catena {

struct Record {
  std::string key;    // content_key() of the scenario; see try_run() for one that was refused
  Scenario scenario;  // completed; as far as it could be where it was refused
  Report report;      // status, culprit, remarks, peaks, statistics, sizes
  Manifest manifest;  // what it was computed with
  State state;        // the last one accepted
  Table table;        // the quantities of Scenario::record at the output instants; empty where none are named

  bool ok() const { return report.error.empty() && report.run.status == Status::ok; }
  // The memory of this machine did not suffice: another try may come further.
  bool lacks_memory() const {
    return report.run.status == Status::exception && report.run.culprit.quantity == memory_of_machine;
  }
};

}  // namespace catena
