#include <catena/studies/catalog.hpp>

namespace catena {

std::vector<StudyEntry> builtin_studies() { return {}; }

}  // namespace catena
