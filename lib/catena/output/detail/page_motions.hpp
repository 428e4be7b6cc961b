// The motions that the joints of a model leave free, for the page of a model.
#pragma once
#include <catena/system/system.hpp>

#include <string>

namespace catena::detail {

// "motions":{...} at a state; docs/theory/page.md lists the keys. Of more than six degrees of freedom six motions, without
// words. Empty lists for systems in coordinates of their own and where nothing can move.
std::string page_motions(const System& system, const State& state);

}  // namespace catena::detail
