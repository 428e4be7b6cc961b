// What --output, --overwrite and --checkpoint are refused for, before anything runs. All throw UsageError.
#pragma once
#include <catena/cli/run_command.hpp>

#include <string>
#include <vector>

namespace catena {

// What was typed about results where no folder for them was named, there or in a file.
void refuse_without_output(const RunRequest& typed, const std::string& folder);

// Results that took a night are not to go because a folder was named twice: those of an earlier run in the folder
// (empty: none was named) are overwritten on request alone; a run that resumes goes on with them.
void spare_earlier_run(const std::string& folder, bool overwrite, bool resumes);

// `catena resume` reads the model again, from a copy.
void refuse_pipes(const std::string& folder, const std::vector<std::string>& model_files);

// --checkpoint TEXT [s]: what is no time, and no folder.
double checkpoint_interval(const std::string& text, const std::string& folder);

}  // namespace catena
