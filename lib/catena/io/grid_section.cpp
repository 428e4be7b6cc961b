// Nets: bodies in rows, columns and layers, with elements between neighbours.
#include <catena/io/detail/body_keys.hpp>
#include <catena/io/detail/repeat.hpp>
#include <catena/io/detail/tie_section.hpp>

#include <array>
#include <utility>

namespace catena::detail {
namespace {

enum GridKey { name_key, count_key, body_key, step_key, joint_key, force_key, tie_key };

const char* key(GridKey k) { return grid_keys()[static_cast<std::size_t>(k)].key; }

struct Net {
  int directions = 0;
  std::array<int, 3> count{1, 1, 1};
  std::array<RepeatStep, 3> step{};
  Body body;
  std::vector<RepeatedElement> elements;
  std::vector<int> along;  // of each element: direction from 0, -1: all

  double size() const { return 1.0 * count[0] * count[1] * count[2]; }
};

void read_count(Fields& fields, const FileNode& node, Net& net) {
  if (!node.is_sequence() || node.size() < 1 || node.size() > 3)
    return fields.fail(node,
                       "count: one to three whole numbers belong here, [rows, columns], not " + node.what());
  for (FileNode n = node.first(); n; n = n.next())
    read_integer(fields, n, {"count", "1", "", 1}, net.count[static_cast<std::size_t>(net.directions++)]);
}

void read_steps(Fields& fields, const FileNode& node, Net& net) {
  if (!node.is_sequence() || node.size() != net.directions)
    return fields.fail(node, "step: a list with one map for each direction belongs here, not " + node.what());
  std::size_t d = 0;
  for (FileNode step = node.first(); step; step = step.next(), ++d) {
    net.step[d] = read_repeat_step(fields, step);
    if (net.count[d] > 1 && !net.step[d].has_translation && !(net.step[d].world && net.step[d].has_rotation))
      fields.fail(step, "step: translate is missing");
  }
}

void read_elements(ModelReader& reader, Fields& fields, const FileNode& node, ElementKind kind, Net& net) {
  for (RepeatedElement& e :
       read_repeated(reader, node, {.kind = kind, .bodies_are_given = true, .extra = {"along"}})) {
    int along = 0;
    if (const FileNode direction = e.read.extra[0]) {
      read_integer(fields, direction, {"along", "1", "", 1, static_cast<double>(net.directions)}, along);
      if (e.read.type->bodies == 1) fields.fail(direction, "along: this acts on one body");
    }
    net.along.push_back(along - 1);
    net.elements.push_back(std::move(e));
  }
}

bool add_bodies(ModelReader& reader, const FileNode& at, const Net& net) {
  const std::string pattern = net.body.name;
  std::array<Body, 3> begin{net.body, net.body, net.body};  // of the row, the layer, the net
  for (int k = 1; k <= net.count[2]; ++k) {
    begin[1] = begin[2];
    for (int j = 1; j <= net.count[1]; ++j) {
      begin[0] = begin[1];
      for (int i = 1; i <= net.count[0]; ++i) {
        const int numbers[3] = {i, j, k};
        Body body = begin[0];
        body.name = numbered(pattern, numbers, net.directions);
        if (!add_repeated_body(reader, at, body)) return false;
        begin[0] = next_body(begin[0], net.step[0], nullptr);
      }
      begin[1] = next_body(begin[1], net.step[1], nullptr);
    }
    begin[2] = next_body(begin[2], net.step[2], nullptr);
  }
  return true;
}

bool add_elements(ModelReader& reader, const Net& net, const RepeatedGroup& group) {
  std::array<int, 3> at{};
  for (at[2] = 0; at[2] < net.count[2]; ++at[2])
    for (at[1] = 0; at[1] < net.count[1]; ++at[1])
      for (at[0] = 0; at[0] < net.count[0]; ++at[0])
        for (std::size_t e = 0; e < net.elements.size(); ++e) {
          const int numbers[3] = {at[0] + 1, at[1] + 1, at[2] + 1};
          const RepeatedElement& element = net.elements[e];
          if (element.read.type->bodies == 1) {
            const BodyId alone[2] = {group.body(at), ground};  // one is wanted
            if (!add_repeated(reader, element, alone, numbers, net.directions)) return false;
            continue;
          }
          for (int d = 0; d < net.directions; ++d) {
            std::array<int, 3> before = at;
            if ((net.along[e] >= 0 && net.along[e] != d) || --before[static_cast<std::size_t>(d)] < 0)
              continue;
            const BodyId ends[2] = {group.body(before), group.body(at)};
            if (!add_repeated(reader, element, ends, numbers, net.directions)) return false;
          }
        }
  return true;
}

bool names_every_body(const Net& net, const std::string& name) {
  const char* const places[] = {"{i}", "{j}", "{k}"};
  for (int d = 0; d < 3 && d < net.directions; ++d)
    if (net.count[static_cast<std::size_t>(d)] > 1 && name.find(places[d]) == std::string::npos) return false;
  return true;
}

}  // namespace

const std::vector<KeyInfo>& grid_keys() {
  static const std::vector<KeyInfo> keys{
      {"name", "text", "", "-", "of the net, for ties"},
      {"count", "[rows], [rows, columns] or [rows, columns, layers]", "", "required", "of bodies"},
      {"body", "a body", "", "required",
       "the first one; {i}, {j}, {k} in its name are row, column and layer, from 1"},
      {"step", "list of maps", "", "required",
       "one for each direction, as in repeat: to the next row, column, layer; translate is required"},
      {"joint", "joint or list", "", "-",
       "without bodies; of two bodies: between neighbours `along` direction 1, 2 or 3, without it along all, "
       "{i}, {j}, "
       "{k} in its name those of the second; of one body: on each"},
      {"force", "force or list", "", "-", "likewise"},
      {"tie", "map or list of maps", "", "-", "to the bodies of another repeat or grid, see below"},
  };
  return keys;
}

void read_grid(ModelReader& reader, const FileNode& node) {
  const int errors_before = reader.errors().count();
  Fields fields(node, "grid", reader.errors());
  Net net;
  if (node.is_map()) {
    const FileNode called = fields.take(key(name_key)), count = fields.need(key(count_key)),
                   first_body = fields.need(key(body_key)), step = fields.need(key(step_key)),
                   joint = fields.take(key(joint_key)), force = fields.take(key(force_key)),
                   tie = fields.take(key(tie_key));
    refuse_nesting(fields);
    fields.finish();
    const FileNode body = reader.body_in_place(first_body, true);
    if (count) read_count(fields, count, net);
    std::string name;
    if (body)
      if (std::optional<Body> read = read_body(body, reader.errors(), name)) net.body = std::move(*read);
    if (reader.errors().count() == errors_before && !name.empty() && !names_every_body(net, name))
      fields.fail(body, "the name of a body of a grid needs {i}, {j} and {k} for every direction");
    if (step && net.directions > 0) read_steps(fields, step, net);
    if (joint) read_elements(reader, fields, joint, ElementKind::joint, net);
    if (force) read_elements(reader, fields, force, ElementKind::force, net);
    const std::string own = reader.name_of_group(fields, called);
    const std::vector<Tie> ties = tie ? read_ties(reader, fields, tie, own) : std::vector<Tie>();
    if (reader.errors().count() == errors_before) {
      const double elements = static_cast<double>(net.elements.size()) * net.directions * net.size() +
                              most_elements(ties, net.size());
      const RepeatedGroup group{reader.model().body_count(), net.directions, net.count};
      if (reader.within_limits(fields, count, net.size(), elements) && add_bodies(reader, body, net) &&
          add_elements(reader, net, group)) {
        reader.add_group(own, group);
        if (add_ties(reader, fields, group, ties)) return;
      }
    }
  }
  reader.bodies_are_missing();
}

}  // namespace catena::detail
