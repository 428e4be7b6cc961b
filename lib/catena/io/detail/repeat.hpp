// Common parts of chains and nets: the step from one body to the next, and elements between neighbours.
#pragma once
#include <catena/io/detail/model_reader.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// From a body to the next one: a rigid motion along the axes of the body (x + R t, R r) or of the world
// (r x + t, r R). Velocities keep their components along the body's axes.
struct RepeatStep {
  bool world = false;
  bool has_translation = false, has_rotation = false;
  Vec3 translation = Vec3::Zero();
  Quat rotation = Quat::Identity();
};
RepeatStep read_repeat_step(Fields& owner, const FileNode& node);
// R comes first, then the position: from the points of a joint that both bodies share where `joint` is given.
Body next_body(const Body& body, const RepeatStep& step, const ElementPoints* joint);

// Reports a repetition inside another as an error.
void refuse_nesting(Fields& fields);

// "link {i}" with {i}, {j}, {k} replaced by the numbers.
std::string numbered(const std::string& pattern, const int* numbers, int count);

// A joint or force of the repetition, between neighbours or on every body.
struct RepeatedElement {
  FileNode node;
  ReadElement read;
  ElementPlace place;
};
// A map or a list of maps; place.extra as in read_element. Elements of more than two bodies are errors.
std::vector<RepeatedElement> read_repeated(ModelReader& reader, const FileNode& node,
                                           const ElementPlace& place);
// Adds it to these bodies; false where the model refuses it.
bool add_repeated(ModelReader& reader, const RepeatedElement& element, const BodyId* bodies,
                  const int* numbers, int count);
// A body of the repetition: the pattern's, at its place, with what is given for this one alone.
bool add_repeated_body(ModelReader& reader, const FileNode& pattern, const Body& body);

}  // namespace catena::detail
