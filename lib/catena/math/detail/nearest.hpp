// Suggestions for a mistyped name.
#pragma once
#include <string>
#include <vector>

namespace catena::detail {

// Levenshtein distance with transpositions of neighbours (optimal string alignment), upper and lower case
// counted as equal.
int edit_distance(const std::string& a, const std::string& b);

// Up to `count` of the names, nearest first (equals in their given order): no farther than a third of the
// length of the typed name plus one, or containing what was typed, and at most one edit worse than the best.
std::vector<std::string> nearest_names(const std::string& typed, const std::vector<std::string>& names,
                                       int count = 3);

// 'did you mean "a", "b" or "c"?', or "" when nothing is near.
std::string nearest_hint(const std::string& typed, const std::vector<std::string>& names, int count = 3);

}  // namespace catena::detail
