// The sections assemble and initial: bodies are moved onto their joints, and to coordinates of joints.
#include <catena/io/detail/model_reader.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/joint_coordinate.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace catena::detail {

const std::vector<KeyInfo>& assemble_keys() {
  static const std::vector<KeyInfo> keys{
      {"pin", "name or list of names", "", "-", "bodies that keep their positions and orientations"},
      {"weights", "map of bodies and numbers", "1", "-",
       "how many times its mass a body counts where it is decided who moves; positive"},
  };
  return keys;
}

const std::vector<KeyInfo>& initial_keys() {
  static const std::vector<KeyInfo> keys{
      {"angle", "number", "rad", "-",
       "of the second body about axis_a, from side_a to side_b; whole turns do not count"},
      {"displacement", "number", "m", "-", "of point_b from point_a along axis_a"},
      {"speed", "number", "rad/s or m/s", "-",
       "rate of the coordinate that is given beside it, that its unit measures, or that the joint leaves "
       "free"},
  };
  return keys;
}

void ModelReader::read_assemble(Fields& top, const char* key, const FileNode& node) {
  assemble_at_ = node;
  assemble_word_ = key;
  assembly_.pins.clear();  // those of an included file
  assembly_.weights.clear();
  if (!node.is_map()) {
    if (node.is_scalar())
      read_flag(top, node, key, file_.assembled);
    else
      top.fail(node, std::string(key) + ": true, false or a map belongs here, not " + node.what());
    if (!file_.assembled && !assembly_.coordinates.empty())  // of an included file
      top.fail(node, std::string(key) + ": false, where initial coordinates need an assembly");
    return;
  }
  file_.assembled = true;
  Fields fields(node, key, top);
  const auto moving_body = [&](const FileNode& at, const char* what, BodyId& id) {
    if (!find_body(fields, at, id)) return false;
    if (id != ground) return true;
    fields.fail(at, std::string(what) + ": the ground does not move");
    return false;
  };
  BodyId id{};
  if (const FileNode pin = fields.take(assemble_keys()[0].key))
    for_each_or_one(pin, [&](const FileNode& item) {
      if (moving_body(item, "pin", id)) assembly_.pins.push_back(id);
    });
  if (const FileNode weights = fields.take(assemble_keys()[1].key)) {
    if (!weights.is_map())
      fields.fail(weights, "weights: a map of bodies and numbers belongs here, not " + weights.what());
    else
      for (FileNode name = weights.first(); name; name = name.next().next()) {
        const OptionInfo info{
            .name = "weights", .unit = "1", .meaning = "", .minimum = 0.0, .above_minimum = true};
        double weight = 1.0;
        if (moving_body(name, "weights", id) && read_real(fields, name.next(), info, weight))
          assembly_.weights.push_back({id, weight});
      }
  }
  fields.finish();
}

void ModelReader::read_initial(const FileNode& node) {
  if (!node.is_map()) {
    errors_.add(node, "initial: a map of joints belongs here, not " + node.what());
    return;
  }
  if (!assemble_at_) assemble_at_ = node, assemble_word_ = "initial";
  if (assemble_at_.is_scalar() && assemble_at_.text() == "false")
    errors_.add(node, "initial: these coordinates need an assembly, and " + std::string(assemble_word_) +
                          ": false forbids it");
  file_.assembled = true;
  const std::size_t included = assembly_.coordinates.size();
  std::unordered_set<std::string_view> names;
  for (FileNode name = node.first(); name; name = name.next().next()) {
    if (name.is_scalar() && !names.insert(name.text()).second)
      errors_.add(name, "initial: the key " + name.what() + " is given twice");
    else
      read_initial_coordinate(name);
  }
  // A joint of an included file is replaced.
  for (std::size_t k = included; k-- > 0;)
    if (names.count(file_.model.constraint_name(assembly_.coordinates[k].joint)) > 0) {
      assembly_.coordinates.erase(assembly_.coordinates.begin() + static_cast<std::ptrdiff_t>(k));
      coordinate_nodes_.erase(coordinate_nodes_.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

namespace {

bool has_unit(const FileNode& node, const char* unit) {
  return node.is_scalar() && parse_quantity(node.text(), unit).error.empty();
}

}  // namespace

void ModelReader::read_initial_coordinate(const FileNode& joint) {
  Fields fields(joint.next(), "initial: " + joint.what(), errors_);
  ConstraintId id{};
  if (!find_joint(fields, joint, id)) return;
  if (!joint.next().is_map()) return;  // reported by the fields
  const char* const unit[2] = {"rad", "m"};
  const char* const unit_of_rate[2] = {"rad/s", "m/s"};
  FileNode at[2];
  std::optional<double> value[2], rate[2];
  for (int c = 0; c < 2; ++c) {
    at[c] = fields.take(initial_keys()[index(c)].key);
    double x = 0.0;
    if (at[c] && read_real(fields, at[c], {initial_keys()[index(c)].key, unit[c], ""}, x)) value[c] = x;
  }
  const FileNode speed = fields.take(initial_keys()[2].key);
  fields.finish();
  if (speed) {
    const bool may_be[2] = {has_unit(speed, unit_of_rate[0]), has_unit(speed, unit_of_rate[1])};
    int c = at[1] && !at[0] ? 1 : 0;  // of the coordinate beside it
    if (may_be[0] != may_be[1]) {
      c = may_be[1] ? 1 : 0;
    } else if (at[0] && at[1]) {
      fields.fail(speed, "speed: give it with its unit, rad/s or m/s, because both coordinates are given");
    } else if (!at[0] && !at[1]) {
      c = coordinate_of(file_.model, id, JointCoordinate::angle).defect.empty() ? 0 : 1;
    }
    double x = 0.0;
    if (!fields.failed() && read_real(fields, speed, {"speed", unit_of_rate[c], ""}, x)) rate[c] = x;
    if (!at[c]) at[c] = speed;
  }
  if (!at[0] && !at[1] && !fields.failed()) fields.fail(joint, "angle, displacement or speed belongs here");
  for (int c = 0; c < 2 && !fields.failed(); ++c) {
    if (!value[c] && !rate[c]) continue;
    const JointCoordinate coordinate = c == 0 ? JointCoordinate::angle : JointCoordinate::displacement;
    if (const std::string why = coordinate_of(file_.model, id, coordinate).defect; !why.empty()) {
      fields.fail(at[c], why);
      continue;
    }
    assembly_.coordinates.push_back({id, coordinate, value[c], rate[c]});
    coordinate_nodes_.push_back(at[c]);
  }
}

void ModelReader::assemble() {
  assembly_.accelerations =
      false;  // a run computes its own; forces may have no value here (refuse_undefined)
  try {
    file_.assembly = catena::assemble(file_.model, assembly_);
  } catch (const ModelError& error) {
    errors_.add(assemble_at_, std::string(assemble_word_) + ": " + error.what());
    errors_.throw_if_any();
  }
  if (file_.assembly.status != Status::ok) report_disagreements();
}

void ModelReader::report_disagreements() {
  const AssemblyReport& report = file_.assembly;
  constexpr std::size_t shown = 6;
  std::string names;
  for (std::size_t k = 0; k < report.disagreements.size(); ++k) {
    const AssemblyReport::Disagreement& d = report.disagreements[k];
    const FileNode& at = d.coordinate >= 0 ? coordinate_nodes_[index(d.coordinate)]
                                           : file_.constraint_nodes[index(static_cast<int>(d.joint))];
    file_.disagreements.push_back({name_of(d, assembly_, file_.model), d.by, at});
    if (k < shown) names += (k == 0 ? "" : ", ") + file_.disagreements.back().name;
  }
  if (report.disagreements.size() > shown)
    names += " and " + std::to_string(report.disagreements.size() - shown) + " more";
  const char* what = !names.empty() && report.disagreements.front().of_rate ? "velocities" : "positions";
  const std::string why = names.empty()
                              ? "the bodies cannot be assembled (" + std::string(to_string(report.status)) +
                                    (report.culprit.name.empty() ? "" : ", " + report.culprit.name) + ')'
                              : "no " + std::string(what) + " were found that satisfy " + names +
                                    (report.disagreements.size() > 1 ? " together" : "");
  errors_.add(assemble_at_, std::string(assemble_word_) + ": " + why);
  for (std::size_t k = 0; k < std::min(shown, file_.disagreements.size()); ++k) {
    const ModelFile::Disagreement& d = file_.disagreements[k];
    errors_.add(d.at, d.name + ": off by " + d.by + " at the nearest " + what);
  }
  if (!limits_.open_joints) errors_.throw_if_any();
  file_.assembly_failure = errors_.text();
}

}  // namespace catena::detail
