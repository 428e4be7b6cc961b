// Joints and forces between the bodies of two repetitions, as the rungs of a ladder, or of one and the ground.
#pragma once
#include <catena/io/detail/repeat.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

// The keys `tie` of a repetition, before its bodies are added.
struct Tie {
  FileNode at = {};
  std::optional<RepeatedGroup> to = {};  // none: the repetition itself, or the ground
  bool to_ground = false;
  std::array<int, 3> offset{};
  std::vector<RepeatedElement> elements = {};
};
// own: the name of the repetition, "" where it has none.
std::vector<Tie> read_ties(ModelReader& reader, Fields& owner, const FileNode& node, const std::string& own);
const std::vector<KeyInfo>& tie_keys();

// How many elements they may add to that many bodies.
double most_elements(const std::vector<Tie>& ties, double bodies);
// Once the bodies of the repetition are there; false, with an error: the model refuses one, or no body has a partner.
bool add_ties(ModelReader& reader, Fields& owner, const RepeatedGroup& group, const std::vector<Tie>& ties);

}  // namespace catena::detail
