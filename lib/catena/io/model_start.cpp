// After the bodies and their joints: points for results, and initial values that satisfy the joints and give every force
// a value.
#include <catena/io/detail/model_reader.hpp>

#include <utility>

namespace catena::detail {

const std::vector<KeyInfo>& model_point_keys() {
  static const std::vector<KeyInfo> keys{
      {"name", "text", "", "required", "of the point in results"},
      {"body", "name of a body", "", "required", "that it is fixed in"},
      {"point", "[x, y, z]", "m", "[0, 0, 0]", "body frame, from the centre of mass"},
  };
  return keys;
}

void ModelReader::read_points(const FileNode& node) {
  if (!node.is_sequence()) {
    errors_.add(node, "points: a list of points belongs here, not " + node.what());
    return;
  }
  for (FileNode item = node.first(); item; item = item.next()) {
    Fields fields(item, "point", errors_);
    if (!item.is_map()) continue;
    FilePoint point;
    const FileNode name = fields.need(model_point_keys()[0].key),
                   body = fields.need(model_point_keys()[1].key), at = fields.take(model_point_keys()[2].key);
    BodyId id{};
    if (name && read_text(fields, name, "name", point.name) && point.name.empty())
      fields.fail(name, "name: a point needs one");
    if (!point.name.empty() && !point_names_.insert(point.name).second)
      fields.fail(name, "name: \"" + point.name + "\" is already that of another point");
    const bool found = body && find_body(fields, body, id);
    if (found && id == ground) fields.fail(body, "body: the ground does not move");
    if (at && read_vector(fields, at, {"point", "m", ""}, point.point))
      refuse_without_square(fields, at, "point", point.point);
    fields.finish();
    if (fields.failed() || !found) continue;
    point.body = static_cast<int>(id);
    file_.points.push_back(std::move(point));
  }
}

void ModelReader::check_start() {
  if (file_.assembled)
    assemble();
  else if (!limits_.open_joints)
    refuse_open_joints();
  if (!limits_.open_joints) refuse_undefined();
}

void ModelReader::refuse_undefined() {
  for (const Model::UndefinedConstraint& joint : file_.model.undefined_constraints())  // assembled there
    errors_.add(file_.constraint_nodes[static_cast<std::size_t>(joint.id)],
                errors_.wants_more() ? file_.model.constraint_label(joint.id) + ": " + joint.why : "");
  for (const Model::UndefinedForce& force : file_.model.undefined_forces())
    errors_.add(file_.force_nodes[static_cast<std::size_t>(force.id)],
                errors_.wants_more() ? file_.model.force_label(force.id) + ": " + force.why : "");
  errors_.throw_if_any();
}

// Each at its joint.
void ModelReader::refuse_open_joints() {
  for (const Model::OpenConstraint& open : file_.model.open_constraints()) {
    const FileNode& at = file_.constraint_nodes[static_cast<std::size_t>(open.id)];
    errors_.add(at, !errors_.wants_more()
                        ? ""
                        : file_.model.constraint_label(open.id) +
                              ": the initial positions leave it open by " + open.by +
                              "; correct them, or write assemble: true to move the bodies onto their joints");
  }
  errors_.throw_if_any();
}

}  // namespace catena::detail
