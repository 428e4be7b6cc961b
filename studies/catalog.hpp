// The studies that come with the library: each runs the examples of one published source.
#pragma once
#include <catena/output/study.hpp>

#include <vector>

namespace catena {

std::vector<StudyEntry> builtin_studies();

}  // namespace catena
