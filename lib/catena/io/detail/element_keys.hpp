// A joint or a force in a model file.
#pragma once
#include <catena/experiment/parts/element_type.hpp>
#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/function_keys.hpp>
#include <catena/model/marker.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

enum class ElementKind { joint, force, any };

// Finds a body by its name in the file. Where there is none, reports an error at the node and returns false; false
// without an error where the body itself had one.
using FindBody = std::function<bool(Fields& fields, const FileNode& node, BodyId& body)>;
// A joint likewise.
using FindJoint = std::function<bool(Fields& fields, const FileNode& node, ConstraintId& joint)>;
// What finds that which an element names.
struct FindNames {
  FindBody body;
  FindJoint joint;
  LoadTable table;
  // A frame in the world as a body has it where it is at first.
  std::function<Marker(BodyId body, const WorldFrame& frame)> marker;
};

// How an element of a repetition differs from a single one.
struct ElementPlace {
  ElementKind kind = ElementKind::any;
  bool bodies_are_given = false;        // by the repetition: the key "bodies" is refused
  std::vector<const char*> extra = {};  // further keys, which the caller takes from `fields` of the result
};

struct ReadElement {
  const ElementType* type = nullptr;  // null: there was an error
  std::unique_ptr<AnyElement> element = {};
  std::string label;                 // 'joint "hip" (spherical)', for errors
  std::string name;                  // as in the file, "" where there is none
  std::vector<FileNode> extra = {};  // values of the further keys, in their order
};

ReadElement read_element(const FileNode& node, const ElementTypes& types, const ElementPlace& place,
                         const FindNames& find, FileErrors& errors);

// Reads the members of any listing from the keys of a map; members without a key keep their values.
void read_listed(Fields& fields, const std::function<void(OptionVisitor&)>& listing);

// Sets bodies and name of an element that has a listing.
void place_element(AnyElement& element, const BodyId* bodies, int count, const std::string* name);
// Its members point_a and point_b, where it has them.
struct ElementPoints {
  bool found = false;
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
};
ElementPoints points_of(AnyElement& element);

}  // namespace catena::detail
