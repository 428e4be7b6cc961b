#include <catena/io/detail/element_keys.hpp>
#include <catena/io/detail/function_keys.hpp>
#include <catena/io/detail/other_words.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/model/detail/passing_visitor.hpp>
#include <catena/model/parts/joint_shapes.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

// Reads every member of a listing from the keys of a map.
class MemberReader final : public ElementVisitor {
 public:
  MemberReader(Fields& fields, const ElementPlace& place, const FindNames& find)
      : fields_(fields), place_(place), find_(find) {}

  bool names_known = true;  // of all bodies and joints
  BodyId first_bodies[2] = {ground, ground};
  std::string name = {};

  void bodies(const OptionInfo& info, BodyId* bodies, int count) override {
    if (place_.bodies_are_given) return;
    FileNode node = fields_.need(info.name);
    if (!node) return void(names_known = false);
    const bool alone = count == 1 && node.is_scalar();
    if (!alone && !(node.is_sequence() && node.size() == count)) {
      fields_.fail(node, std::string(info.name) + ": " +
                             (count == 1 ? "the name of a body"
                                         : "a list of " + std::to_string(count) + " names of bodies") +
                             " belongs here, not " + node.what());
      return void(names_known = false);
    }
    if (!alone) node = node.first();
    for (int k = 0; k < count; ++k, node = alone ? FileNode{} : node.next())
      if (find_.body(fields_, node, bodies[k])) {
        if (k < 2) first_bodies[k] = bodies[k];
      } else {
        names_known = false;
      }
  }
  void real(const OptionInfo& info, double& value) override {
    if (const FileNode node = fields_.take(info.name)) read_real(fields_, node, info, value);
  }
  void integer(const OptionInfo& info, int& value) override {
    if (const FileNode node = fields_.take(info.name)) read_integer(fields_, node, info, value);
  }
  void vector(const OptionInfo& info, Vec3& value) override {
    if (const FileNode node = fields_.take(info.name)) read_vector(fields_, node, info, value);
  }
  void direction(const OptionInfo& info, Vec3& value) override {
    if (const FileNode node = fields_.take(info.name)) read_direction(fields_, node, info, value);
  }
  void side(const OptionInfo& info, Vec3& value) override {
    if (const FileNode node = fields_.take(info.name)) read_side(fields_, node, info, value);
  }
  void square(const OptionInfo& info, double* value, int size) override {
    const FileNode node = fields_.take(info.name);
    if (!node) return;
    const bool diagonal = node.is_sequence() && node.size() > 0 && node.first().is_scalar();
    std::vector<double> read(static_cast<std::size_t>(size * size), 0.0), row(static_cast<std::size_t>(size));
    if (diagonal) {
      if (!read_entries(node, info, -1, size, row.data())) return;
      for (int k = 0; k < size; ++k)
        read[static_cast<std::size_t>(k * (size + 1))] = row[static_cast<std::size_t>(k)];
    } else {
      const std::string n = std::to_string(size);
      if (!node.is_sequence() || node.size() != size)
        return fields_.fail(node, std::string(info.name) + ": " + n + " numbers, the diagonal, or " + n +
                                      " rows of " + n + " belong here, not " + node.what());
      double* at = read.data();
      int number = 0;
      for (FileNode line = node.first(); line; line = line.next(), at += size)
        if (!read_entries(line, info, number++, size, at)) return;
    }
    std::copy(read.begin(), read.end(), value);
  }
  void flag(const OptionInfo& info, bool& value) override {
    if (const FileNode node = fields_.take(info.name)) read_flag(fields_, node, info.name, value);
  }
  void text(const OptionInfo& info, std::string& value) override {
    if (const FileNode node = fields_.take(info.name)) read_text(fields_, node, info.name, value);
    if (std::strcmp(info.name, "name") == 0) name = value;
  }
  void choice(const OptionInfo& info, int& value, const std::vector<std::string>& names) override {
    if (const FileNode node = fields_.take(info.name)) read_choice(fields_, node, info.name, names, value);
  }
  void words(const OptionInfo& info, std::vector<std::string>& value,
             const std::vector<std::string>& known) override {
    const FileNode node = fields_.take(info.name);
    if (!node) return;
    if (!node.is_sequence())
      return fields_.fail(node,
                          std::string(info.name) + ": a list of words belongs here, not " + node.what());
    value.clear();
    FileNode word = node.first();
    for (int k = 0; k < node.size(); ++k, word = word.next()) {
      int choice = 0;
      if (read_choice(fields_, word, info.name, known, choice))
        value.push_back(known[static_cast<std::size_t>(choice)]);
    }
  }

  void joint_terms(const OptionInfo& info, std::vector<JointTerm>& value) override {
    const FileNode node = fields_.need(info.name);
    if (!node) return void(names_known = false);
    if (!node.is_sequence()) {
      fields_.fail(node, std::string(info.name) +
                             ": a list of {joint, coordinate, coefficient} belongs here, not " + node.what());
      return void(names_known = false);
    }
    value.clear();
    FileNode item = node.first();
    for (int k = 0; k < node.size(); ++k, item = item.next()) value.push_back(joint_term(item, info.name));
  }
  void joint(const OptionInfo& info, ConstraintId& value) override {
    const FileNode node = fields_.need(info.name);
    if (!node || !find_.joint(fields_, node, value)) names_known = false;
  }
  void function(const OptionInfo& info, Function& value, const FunctionUnits& units) override {
    if (const FileNode node = fields_.take(info.name))
      read_function(fields_, node, info, units, find_.table, value);
  }

 private:
  // Of the matrix of a bushing, forces and moments by displacements and turns, or by their rates.
  static std::string unit_of_entry(const OptionInfo& info, int row, int column) {
    if (std::strcmp(info.unit, "SI") != 0) return "1";
    std::string unit = row < 3 ? "N" : "N m";
    if (std::strcmp(info.name, "damping") == 0) unit += " s";
    return unit + (column < 3 ? "/m" : "/rad");
  }
  // A row of a matrix; row -1: its diagonal.
  bool read_entries(const FileNode& line, const OptionInfo& info, int row, int size, double* out) {
    if (!line.is_sequence() || line.size() != size)
      return fields_.fail(line, std::string(info.name) + ": a list of " + std::to_string(size) +
                                    " numbers belongs here, not " + line.what()),
             false;
    int k = 0;
    for (FileNode item = line.first(); item; item = item.next(), ++k)
      if (!read_real(fields_, item, {info.name, unit_of_entry(info, row < 0 ? k : row, k).c_str(), ""},
                     out[k]))
        return false;
    return true;
  }
  JointTerm joint_term(const FileNode& item, const char* list) {
    JointTerm term;
    Fields fields(item, list, fields_);
    if (!item.is_map()) return void(names_known = false), term;
    const FileNode joint = fields.need("joint");
    if (!joint || !find_.joint(fields, joint, term.joint)) names_known = false;
    int coordinate = 0;
    if (const FileNode node = fields.take("coordinate"))
      read_choice(fields, node, "coordinate", {"angle", "displacement"}, coordinate);
    term.coordinate = static_cast<JointCoordinate>(coordinate);
    if (const FileNode node = fields.take("coefficient"))
      read_real(fields, node, {"coefficient", "1", ""}, term.coefficient);
    fields.finish();
    return term;
  }

  Fields& fields_;
  const ElementPlace& place_;
  const FindNames& find_;
};

class Placer final : public PassingVisitor {
 public:
  Placer(const BodyId* bodies, int count, const std::string* name)
      : bodies_(bodies), count_(count), name_(name) {}
  void bodies(const OptionInfo&, BodyId* bodies, int count) override {
    for (int k = 0; k < count && k < count_; ++k) bodies[k] = bodies_[k];
  }
  void text(const OptionInfo& info, std::string& value) override {
    if (name_ != nullptr && std::strcmp(info.name, "name") == 0) value = *name_;
  }

 private:
  const BodyId* bodies_;
  int count_;
  const std::string* name_;
};

// Puts the markers of a joint at one frame in the world; of its members those that it has.
class MarkerPlacer final : public PassingVisitor {
 public:
  MarkerPlacer(const Marker* markers, bool points, bool axes)
      : markers_(markers), points_(points), axes_(axes) {}
  void vector(const OptionInfo& info, Vec3& value) override {
    for (int k = 0; k < 2; ++k) {
      if (points_ && std::strcmp(info.name, k == 0 ? "point_a" : "point_b") == 0) value = markers_[k].point;
      if (axes_ && std::strcmp(info.name, k == 0 ? "axis_a" : "axis_b") == 0) value = markers_[k].axis;
      if (axes_ && std::strcmp(info.name, k == 0 ? "side_a" : "side_b") == 0) value = markers_[k].side;
    }
  }
  void direction(const OptionInfo& info, Vec3& value) override { vector(info, value); }

 private:
  const Marker* markers_;
  bool points_, axes_;
};

// The members of a joint that one frame in the world would give.
class MarkerMembers final : public PassingVisitor {
 public:
  std::vector<const char*> points = {}, axes = {};
  void vector(const OptionInfo& info, Vec3&) override {
    for (const char* name : {"point_a", "point_b"})
      if (std::strcmp(info.name, name) == 0) points.push_back(name);
    for (const char* name : {"axis_a", "axis_b", "side_a", "side_b"})
      if (std::strcmp(info.name, name) == 0) axes.push_back(name);
  }
  void direction(const OptionInfo& info, Vec3& value) override { vector(info, value); }
};

// The keys at, axis and side of a joint between markers: where it is assembled, in the world. They are in place of the
// members in the frames of the bodies.
class WorldKeys {
 public:
  // Whether these are members of such an element: a screw and a bushing have a place too, a spring between two points has none.
  static bool belong_to(const ElementType& type, AnyElement& element) {
    MarkerMembers members;
    element.list(members);
    const auto has = [&](const char* name) {
      return std::any_of(members.axes.begin(), members.axes.end(),
                         [&](const char* axis) { return std::strcmp(axis, name) == 0; });
    };
    return type.markers || (type.bodies == 2 && has("axis_a") && has("axis_b"));
  }

  WorldKeys(Fields& fields, AnyElement& element, const ElementPlace& place)
      : fields_(fields), element_(element) {
    MarkerMembers members;
    element.list(members);
    if (place.bodies_are_given) {
      for (const char* key : {"at", "axis", "side"})
        fields.refuse(
            key, std::string(key) +
                     ": a place in the world belongs to a single joint; give point_a, point_b and axes in "
                     "the frames of the bodies");
      return;
    }
    if (!members.points.empty()) at_ = fields.take("at");
    if (!members.axes.empty()) {
      axis_ = fields.take("axis");
      side_ = fields.take("side");
    }
    if (side_ && !axis_) fields.fail(side_, "side: across an axis, and no axis is given");
    if (at_)
      for (const char* name : members.points)
        fields.refuse(name, std::string(name) + ": the place of the joint is given by at");
    if (axis_)
      for (const char* name : members.axes)
        fields.refuse(name, std::string(name) + ": the axis of the joint is given by axis");
    if (at_) read_vector(fields, at_, {"at", "m", ""}, frame_.point);
    if (axis_) read_direction(fields, axis_, {"axis", "1", ""}, frame_.axis);
    if (side_) read_side(fields, side_, {"side", "1", ""}, frame_.side);
    if (side_ && !fields.failed() && lies_along(frame_.axis, frame_.side))
      fields.fail(side_, "side: must not lie along axis");
  }

  // Once the bodies of the element are read.
  void place(const FindNames& find, const BodyId* bodies, bool crosses) {
    if (fields_.failed() || (!at_ && !axis_)) return;
    Marker markers[2] = {find.marker(bodies[0], frame_), find.marker(bodies[1], frame_)};
    if (crosses) std::swap(markers[1].axis, markers[1].side);
    MarkerPlacer placer(markers, static_cast<bool>(at_), static_cast<bool>(axis_));
    element_.list(placer);
  }

 private:
  Fields& fields_;
  AnyElement& element_;
  FileNode at_, axis_, side_;
  WorldFrame frame_;
};

class PointFinder final : public PassingVisitor {
 public:
  ElementPoints points = {};
  void vector(const OptionInfo& info, Vec3& value) override {
    if (std::strcmp(info.name, "point_a") == 0) points.a = value, ++count_;
    if (std::strcmp(info.name, "point_b") == 0) points.b = value, ++count_;
    points.found = count_ == 2;
  }

 private:
  int count_ = 0;
};

const char* kind_text(ElementKind kind) { return kind == ElementKind::force ? "force" : "joint"; }

bool fits(const ElementType& type, ElementKind kind) {
  return kind == ElementKind::any || type.constraint == (kind == ElementKind::joint);
}

const ElementType* find_type(Fields& fields, const FileNode& node, const ElementTypes& types,
                             ElementKind kind) {
  if (!node.is_scalar()) {
    fields.fail(node, "type: a word belongs here, not " + node.what());
    return nullptr;
  }
  const ElementType* elsewhere = nullptr;
  for (const ElementType& type : types) {
    if (type.name != node.text()) continue;
    if (fits(type, kind)) return &type;
    elsewhere = &type;
  }
  if (!fields.errors().wants_more()) {
    fields.fail(node, "");
    return nullptr;
  }
  std::string why = "no " + std::string(kind == ElementKind::any ? "joint or force" : kind_text(kind)) +
                    " of type " + node.what();
  if (elsewhere != nullptr) {
    why += elsewhere->constraint ? "; it is a joint" : "; it is a force";
  } else if (const std::string own = own_type_for(node.text()); !own.empty()) {
    why += "; it is called " + own + " here";
    for (const ElementType& type : types)
      if (type.name == own && !fits(type, kind)) why += type.constraint ? ", a joint" : ", a force";
  } else {
    std::vector<std::string> names;
    for (const ElementType& type : types)
      if (fits(type, kind)) names.push_back(type.name);
    const std::string hint = nearest_hint(std::string(node.text().substr(0, 60)), names);
    if (!hint.empty()) {
      why += " (" + hint + ")";
    } else {
      why += "; there are " + joined(names);
    }
  }
  fields.fail(node, why);
  return nullptr;
}

}  // namespace

ReadElement read_element(const FileNode& node, const ElementTypes& types, const ElementPlace& place,
                         const FindNames& find, FileErrors& errors) {
  ReadElement out;
  const std::string kind = kind_text(place.kind);
  Fields fields(node, kind, errors);
  if (!node.is_map()) return out;
  const FileNode type_node = fields.need("type");
  const ElementType* type = type_node ? find_type(fields, type_node, types, place.kind) : nullptr;
  if (type == nullptr) return out;
  const std::string word = type->constraint ? "joint" : "force";
  fields.set_context(word + " (" + type->name + ')');
  if (!type->make) {
    fields.fail(type_node, "this type has no listing of its members, so that a file cannot hold it");
    return out;
  }
  out.element = type->make();
  // The name first: errors of the other keys contain it.
  for (FileNode key = node.first(); key; key = key.next().next())
    if (key.is_scalar() && key.text() == "name" && key.next().is_scalar()) {
      const FileNode name = key.next();
      out.label = word + ' ' + name.what() + " (" + type->name + ')';
      fields.set_context(out.label);
    }
  if (out.label.empty()) out.label = fields.context();
  std::optional<WorldKeys> world;
  if (WorldKeys::belong_to(*type, *out.element)) world.emplace(fields, *out.element, place);
  MemberReader reader(fields, place, find);
  out.element->list(reader);
  out.name = reader.name;
  if (world && reader.names_known) world->place(find, reader.first_bodies, type->crosses);
  for (const char* key : place.extra) out.extra.push_back(fields.take(key));
  fields.finish();
  if (!fields.failed() && reader.names_known) out.type = type;
  return out;
}

void read_listed(Fields& fields, const std::function<void(OptionVisitor&)>& listing) {
  const ElementPlace place;
  const FindNames find;
  MemberReader reader(fields, place, find);
  listing(reader);
}

void place_element(AnyElement& element, const BodyId* bodies, int count, const std::string* name) {
  Placer placer(bodies, count, name);
  element.list(placer);
}

ElementPoints points_of(AnyElement& element) {
  PointFinder finder;
  element.list(finder);
  return finder.points;
}

}  // namespace catena::detail
