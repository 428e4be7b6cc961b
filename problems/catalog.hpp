// The problems that come with the library: an explicit list. A new one is a file pair and a line in catalog.cpp.
#pragma once
#include <catena/problems/problem.hpp>

#include <vector>

namespace catena {

std::vector<ProblemEntry> builtin_problems();

}  // namespace catena
