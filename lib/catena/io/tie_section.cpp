#include <catena/io/detail/tie_section.hpp>

#include <utility>

namespace catena::detail {
namespace {

enum TieKey { to_key, offset_key, joint_key, force_key };

const char* key(TieKey k) { return tie_keys()[static_cast<std::size_t>(k)].key; }

void read_offset(Fields& fields, const FileNode& node, std::array<int, 3>& offset) {
  const auto one = [&](const FileNode& item, int& into) {
    read_integer(fields, item, {"offset", "1", "", -1e6, 1e6}, into);
  };
  if (!node.is_sequence()) return one(node, offset[0]);
  if (node.size() < 1 || node.size() > 3)
    return fields.fail(node, "offset: one to three whole numbers belong here, not " + node.what());
  std::size_t d = 0;
  for (FileNode item = node.first(); item; item = item.next()) one(item, offset[d++]);
}

void read_tied(ModelReader& reader, const FileNode& node, ElementKind kind, Tie& tie) {
  for (RepeatedElement& e : read_repeated(reader, node, {.kind = kind, .bodies_are_given = true})) {
    if (e.read.type->bodies == 2) {
      tie.elements.push_back(std::move(e));
      continue;
    }
    Fields fields(e.read.label, reader.errors());
    fields.fail(e.node, "acts on one body; a tie joins two");
  }
}

}  // namespace

const std::vector<KeyInfo>& tie_keys() {
  static const std::vector<KeyInfo> keys{
      {"to", "name of a repeat or grid, or ground", "", "required", "one that is listed before, or this one"},
      {"offset", "whole number, or a list for a grid", "", "0",
       "body i here and body i + offset there, of a grid [i, j, k] + offset, a chain being a grid of one "
       "column; bodies without a partner are left out"},
      {"joint", "joint or list", "", "-",
       "without bodies: point_a and axis_a belong to the body here, whose number is {i} in the name"},
      {"force", "force or list", "", "-", "likewise"},
  };
  return keys;
}

std::vector<Tie> read_ties(ModelReader& reader, Fields& owner, const FileNode& node, const std::string& own) {
  std::vector<Tie> ties;
  for_each_or_one(node, [&](const FileNode& item) {
    Fields fields(item, "tie", owner);
    if (!item.is_map()) return;
    Tie tie{.at = item};
    const FileNode to = fields.need(key(to_key)), offset = fields.take(key(offset_key)),
                   joint = fields.take(key(joint_key)), force = fields.take(key(force_key));
    fields.finish();
    if (!joint && !force) fields.fail(item, "give a joint or a force");
    std::string name;
    bool known = to && read_text(fields, to, "to", name);
    tie.to_ground = name == "ground";
    if (known && !tie.to_ground && (own.empty() || name != own)) {
      tie.to = reader.find_group(fields, to);
      known = tie.to.has_value();
    }
    if (offset && tie.to_ground) fields.fail(offset, "offset: the ground is one for all bodies");
    if (offset) read_offset(fields, offset, tie.offset);
    if (joint) read_tied(reader, joint, ElementKind::joint, tie);
    if (force) read_tied(reader, force, ElementKind::force, tie);
    if (known) ties.push_back(std::move(tie));
  });
  return ties;
}

double most_elements(const std::vector<Tie>& ties, double bodies) {
  double all = 0.0;
  for (const Tie& tie : ties) all += bodies * static_cast<double>(tie.elements.size());
  return all;
}

bool add_ties(ModelReader& reader, Fields& owner, const RepeatedGroup& group, const std::vector<Tie>& ties) {
  for (const Tie& tie : ties) {
    const RepeatedGroup& other = tie.to ? *tie.to : group;
    bool any = false;
    std::array<int, 3> at{};
    for (at[2] = 0; at[2] < group.count[2]; ++at[2])
      for (at[1] = 0; at[1] < group.count[1]; ++at[1])
        for (at[0] = 0; at[0] < group.count[0]; ++at[0]) {
          std::array<int, 3> partner = at;
          for (std::size_t d = 0; d < 3; ++d) partner[d] += tie.offset[d];
          if (!tie.to_ground && !other.has(partner)) continue;
          any = true;
          const BodyId ends[2] = {group.body(at), tie.to_ground ? ground : other.body(partner)};
          const int numbers[3] = {at[0] + 1, at[1] + 1, at[2] + 1};
          for (const RepeatedElement& e : tie.elements)
            if (!add_repeated(reader, e, ends, numbers, group.directions)) return false;
        }
    if (!any) {
      owner.fail(tie.at, "tie: with this offset no body has a partner");
      return false;
    }
  }
  return true;
}

}  // namespace catena::detail
