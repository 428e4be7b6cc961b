// A scaling study in files.
#pragma once
#include <catena/study/detail/scaling.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

std::string scaling_json(const Scaling& scaling, const std::string& commit);
std::string scaling_csv(const Scaling& scaling);
std::string ensembles_csv(const Scaling& scaling);

// The files that a scaling study may write.
std::vector<std::string> scaling_names();

// Throws UsageError where the folder holds another study, unless it is to be replaced, or a scale.json that is none.
void refuse_other_scaling(const std::filesystem::path& folder, const ScaleRequest& request, bool replaced);

// Writes scale.json, scale.csv, ensembles.csv where there are ensembles, and the pictures scale_time, scale_speed_up,
// scale_ensembles and, of the phases of the first series, scale_phases into the folder, which is made. Returns a sentence
// where the pictures could not be drawn. Throws SinkError.
std::string write_scaling(const std::filesystem::path& folder, const Scaling& scaling,
                          const std::string& commit);

}  // namespace catena::detail
