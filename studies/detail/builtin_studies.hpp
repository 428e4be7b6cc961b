// The studies that come with the library: each runs the examples of one published source.
#pragma once
#include <catena/output/parts/study.hpp>

#include <vector>

namespace catena::detail {

std::vector<StudyEntry> builtin_studies();

}  // namespace catena::detail
