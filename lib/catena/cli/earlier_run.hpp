// What an earlier run has left in a folder that another one is to write to.
#pragma once
#include <filesystem>
#include <string>

namespace catena {

// "the results of a run of helix_chain with n=20", "results.h5"; empty: nothing that a run would replace.
std::string earlier_run(const std::filesystem::path& folder);

// Removes the results of every format and the report, and no file that a run does not write. The checkpoints, run.json and
// the copies of the model are RunFolder's. Throws SinkError.
void remove_results(const std::filesystem::path& folder);

}  // namespace catena
