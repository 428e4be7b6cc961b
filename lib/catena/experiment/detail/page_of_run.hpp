// A run, or a problem without one, as a card of the page of a report (output/detail/page_file.hpp).
#pragma once
#include <catena/experiment/catalog.hpp>
#include <catena/experiment/parts/run_record.hpp>
#include <catena/experiment/scenario.hpp>

#include <filesystem>
#include <string>

namespace catena::detail {

struct PageCard {
  std::string json;
  std::string remark;  // what it lacks and why, a sentence; empty: nothing
};

// Of the folder of a run: its report, its manifest, every recorded series of one number an instant, and the motion from
// the states in results.h5. Throws UsageError for a folder without a report.json, SinkError where the results cannot be read.
PageCard page_of_run(const std::filesystem::path& folder, const Catalog& catalog);

// Of a run in memory: the same from its record, without a folder. The motion needs the coordinates q in its table.
PageCard page_of_record(const Record& record, const Catalog& catalog);

// Of a problem or model file: the model at its start. Throws UsageError, FileError and ModelError.
PageCard page_of_problem(const Scenario& scenario, const Catalog& catalog);

}  // namespace catena::detail
