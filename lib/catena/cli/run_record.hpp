// What the files of a run say of it: a checkpoint, that it belongs to this run; results, which run made them.
#pragma once
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/run.hpp>
#include <catena/output/manifest.hpp>
#include <catena/output/report.hpp>

namespace catena {

// Of a report whose problem, stepper, back end, parameters and options are filled in.
Identity identity_of(const Report& report, const RunOptions& options, bool from_model_file,
                     const System& system);
Manifest manifest_of(const Report& report, RunOptions options);

}  // namespace catena
