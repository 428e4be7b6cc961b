// The names of repetitions.
#include <catena/io/detail/model_reader.hpp>
#include <catena/math/detail/nearest.hpp>

namespace catena::detail {

std::string ModelReader::name_of_group(Fields& fields, const FileNode& node) {
  std::string name;
  if (!node || !read_text(fields, node, "name", name)) return "";
  if (name == "ground") {
    fields.fail(node, "name: the name ground is that of the inertial frame");
    return "";
  }
  if (!groups_.contains(name)) return name;
  fields.fail(node, "name: another repetition is called " + node.what());
  return "";
}

void ModelReader::add_group(const std::string& name, const RepeatedGroup& group) {
  if (!name.empty()) groups_.emplace(name, group);
}

std::optional<RepeatedGroup> ModelReader::find_group(Fields& fields, const FileNode& node) {
  if (const auto found = groups_.find(node.text()); found != groups_.end()) return found->second;
  if (missing_) return std::nullopt;  // of one that had an error itself
  std::vector<std::string> names;
  for (const auto& [name, group] : groups_) names.push_back(name);
  const std::string hint = nearest_hint(std::string(node.text().substr(0, 60)), names);
  fields.fail(node, "to: no repeat or grid before this one is called " + node.what() +
                        (hint.empty() ? "" : " (" + hint + ")"));
  return std::nullopt;
}

}  // namespace catena::detail
