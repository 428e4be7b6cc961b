#include <catena/io/detail/body_keys.hpp>
#include <catena/io/detail/pose_keys.hpp>
#include <catena/io/detail/repeat.hpp>
#include <catena/io/detail/tie_section.hpp>

#include <utility>

namespace catena::detail {
namespace {

enum RepeatKey {
  name_key,
  count_key,
  body_key,
  step_key,
  joint_key,
  force_key,
  first_key,
  last_key,
  tie_key
};
enum StepKey { translate_key, rotate_key, axes_key };

const char* key(RepeatKey k) { return repeat_keys()[static_cast<std::size_t>(k)].key; }
const char* key(StepKey k) { return repeat_step_keys()[static_cast<std::size_t>(k)].key; }

// A chain before it is added.
struct Chain {
  int count = 0;
  Body body;
  RepeatStep step;
  std::vector<RepeatedElement> between, first, last;
  std::string name;
  std::vector<Tie> ties;
};

const ElementPoints* first_points(const std::vector<RepeatedElement>& elements, ElementPoints& points) {
  for (const RepeatedElement& e : elements)
    if (e.read.type->bodies == 2 && e.read.type->constraint) {
      points = points_of(*e.read.element);
      return points.found ? &points : nullptr;
    }
  return nullptr;
}

// The other end of a joint at the first or the last body: `to`, or the ground. false: unknown.
bool other_end(ModelReader& reader, const RepeatedElement& e, BodyId& id) {
  id = ground;
  if (!e.read.extra[0]) return true;
  Fields fields(e.read.label, reader.errors());
  return reader.find_body(fields, e.read.extra[0], id);
}

bool add_chain(ModelReader& reader, Fields& fields, const FileNode& at, Chain& chain) {
  ElementPoints shared;
  const ElementPoints* joint =
      chain.step.has_translation || chain.step.world ? nullptr : first_points(chain.between, shared);
  if (chain.count > 1 && joint == nullptr && !chain.step.has_translation &&
      !(chain.step.world && chain.step.has_rotation)) {
    fields.fail(at,
                "step: translate is missing: there is no joint with point_a and point_b that places the "
                "next body");
    return false;
  }
  const std::string pattern = chain.body.name;
  const RepeatedGroup group{.first = reader.model().body_count(), .count = {chain.count, 1, 1}};
  std::vector<BodyId> bodies;
  Body body = std::move(chain.body);
  for (int i = 1; i <= chain.count; ++i) {
    body.name = numbered(pattern, &i, 1);
    bodies.push_back(BodyId{reader.model().body_count()});
    if (!add_repeated_body(reader, at, body)) return false;
    if (i == 1) body.orientation = reader.model().body(bodies[0]).orientation;  // normalised
    if (i < chain.count) body = next_body(body, chain.step, joint);
  }
  int number = 1;
  for (const RepeatedElement& e : chain.first) {
    BodyId ends[2] = {ground, bodies.front()};
    if (e.read.type->bodies == 1) ends[0] = bodies.front();
    if (e.read.type->bodies == 2 && !other_end(reader, e, ends[0])) return false;
    if (!add_repeated(reader, e, ends, &number, 1)) return false;
  }
  for (number = 1; number <= chain.count; ++number)
    for (const RepeatedElement& e : chain.between) {
      const auto k = static_cast<std::size_t>(number - 1);
      if (e.read.type->bodies == 2 && number == 1) continue;
      const BodyId ends[2] = {e.read.type->bodies == 2 ? bodies[k - 1] : bodies[k], bodies[k]};
      if (!add_repeated(reader, e, ends, &number, 1)) return false;
    }
  number = chain.count;
  for (const RepeatedElement& e : chain.last) {
    BodyId ends[2] = {bodies.back(), ground};
    if (e.read.type->bodies == 2 && !other_end(reader, e, ends[1])) return false;
    if (!add_repeated(reader, e, ends, &number, 1)) return false;
  }
  reader.add_group(chain.name, group);
  return add_ties(reader, fields, group, chain.ties);
}

}  // namespace

const std::vector<KeyInfo>& repeat_keys() {
  static const std::vector<KeyInfo> keys{
      {"name", "text", "", "-", "of the chain, for ties"},
      {"count", "whole number", "", "required", "of bodies"},
      {"body", "a body", "", "required",
       "the first one; {i} in its name is the number, from 1, and without a name it is \"body\" and a "
       "number"},
      {"step", "map", "", "-", "from each body to the next, see below"},
      {"joint", "joint or list", "", "-",
       "without bodies; of two bodies: from each body to the next, {i} in its name the number of the second; "
       "of one "
       "body: on each"},
      {"force", "force or list", "", "-", "likewise"},
      {"first", "joint or force, or list", "", "-",
       "at the first body; of two bodies: from `to` (a name, else the ground) to the first body"},
      {"last", "joint or force, or list", "", "-",
       "at the last body; of two bodies: from the last body to `to`"},
      {"tie", "map or list of maps", "", "-", "to the bodies of another repeat or grid, see below"},
  };
  return keys;
}

const std::vector<KeyInfo>& repeat_step_keys() {
  static const std::vector<KeyInfo> keys{
      {"translate", "[x, y, z]", "m", "-",
       "along `axes`; in a chain without it the next body is placed so that point_a and point_b of the joint "
       "meet"},
      {"rotate", "as an orientation", "1", "[1, 0, 0, 0]", "about `axes`"},
      {"axes", "body or world", "", "body",
       "body: x + R translate, R rotate; world: rotate x + translate, rotate R, with x, R of the body "
       "before; "
       "velocities keep their components along the body's axes"},
  };
  return keys;
}

RepeatStep read_repeat_step(Fields& owner, const FileNode& node) {
  RepeatStep step;
  Fields fields(node, "step", owner);
  if (!node.is_map()) return step;
  const FileNode translate = fields.take(key(translate_key)), rotate = fields.take(key(rotate_key)),
                 axes = fields.take(key(axes_key));
  fields.finish();
  int world = 0;
  if (axes && read_choice(fields, axes, "axes", {"body", "world"}, world)) step.world = world == 1;
  if (translate)
    step.has_translation = read_vector(fields, translate, {"translate", "m", ""}, step.translation);
  if (rotate) {
    const std::optional<Quat> q = read_orientation(fields, rotate);
    const double length = q ? squared_norm(*q) : 0.0;
    if (q && !(length > 1.0 - 2e-6 && length < 1.0 + 2e-6))
      fields.fail(rotate, "rotate must be a unit quaternion to 1e-6");
    else if (q)
      step.rotation = normalized(*q);
    step.has_rotation = true;
  }
  return step;
}

Body next_body(const Body& body, const RepeatStep& step, const ElementPoints* joint) {
  Body next = body;
  const Mat3 before = rotation_matrix(body.orientation);
  next.orientation =
      normalized(step.world ? step.rotation * body.orientation : body.orientation * step.rotation);
  const Mat3 after = rotation_matrix(next.orientation);
  if (joint != nullptr)
    next.position = body.position + before * joint->a - after * joint->b;
  else if (step.world)
    next.position = rotation_matrix(step.rotation) * body.position + step.translation;
  else
    next.position = body.position + before * step.translation;
  next.velocity = after * transpose_times(before, body.velocity);
  return next;
}

std::string numbered(const std::string& pattern, const int* numbers, int count) {
  std::string out = pattern;
  const char* const places[] = {"{i}", "{j}", "{k}"};
  for (int n = 0; n < count; ++n)
    for (std::size_t at = out.find(places[n]); at != std::string::npos; at = out.find(places[n], at))
      out.replace(at, 3, std::to_string(numbers[n]));
  return out;
}

std::vector<RepeatedElement> read_repeated(ModelReader& reader, const FileNode& node,
                                           const ElementPlace& place) {
  std::vector<RepeatedElement> out;
  const auto one = [&](const FileNode& item) {
    const FileNode map = reader.element_in_place(item, place.kind, true);
    RepeatedElement e{map, reader.element(map, place), place};
    if (e.read.type == nullptr) return;
    if (e.read.type->bodies > 2) {
      Fields fields(e.read.label, reader.errors());
      return fields.fail(item, "acts on " + std::to_string(e.read.type->bodies) +
                                   " bodies; a repetition joins neighbours. List it under joints or forces");
    }
    out.push_back(std::move(e));
  };
  if (node.is_sequence())
    for (FileNode item = node.first(); item; item = item.next()) one(item);
  else
    one(node);
  return out;
}

bool add_repeated(ModelReader& reader, const RepeatedElement& element, const BodyId* bodies,
                  const int* numbers, int count) {
  const std::string name = numbered(element.read.name, numbers, count);
  const auto add = [&](const FileNode& node, const ReadElement& read) {
    place_element(*read.element, bodies, read.type->bodies, &name);
    return reader.add_element(node, *read.element, read.label);
  };
  const FileNode own =
      reader.repeated_in_place(element.node, element.read.type->constraint ? "joints" : "forces", name);
  if (&own.document() == &element.node.document()) return add(element.node, element.read);
  const ReadElement read = reader.element(own, element.place);
  return read.type != nullptr && add(own, read);
}

bool add_repeated_body(ModelReader& reader, const FileNode& pattern, const Body& body) {
  const FileNode own = reader.repeated_in_place(pattern, "bodies", body.name);
  if (&own.document() == &pattern.document()) return reader.add_body(pattern, body);
  std::string name;
  const std::optional<Body> read = read_body(own, reader.errors(), name);
  if (!read) return false;
  Body changed = body;
  changed.mass = read->mass;
  changed.inertia = read->inertia;
  changed.shape = read->shape;
  changed.motion = read->motion;
  changed.normal = read->normal;
  changed.fixed = read->fixed;
  return reader.add_body(own, changed);
}

void refuse_nesting(Fields& fields) {
  for (const char* inner : {"repeat", "grid"})
    fields.refuse(inner,
                  std::string("a ") + fields.context() + " holds no " + inner +
                      ": bodies in two or three directions are a grid, several chains a list of repeats");
}

void read_repeat(ModelReader& reader, const FileNode& node) {
  const int errors_before = reader.errors().count();
  Fields fields(node, "repeat", reader.errors());
  Chain chain;
  if (node.is_map()) {
    const FileNode called = fields.take(key(name_key)), count = fields.need(key(count_key)),
                   first_body = fields.need(key(body_key)), step = fields.take(key(step_key)),
                   joint = fields.take(key(joint_key)), force = fields.take(key(force_key)),
                   first = fields.take(key(first_key)), last = fields.take(key(last_key)),
                   tie = fields.take(key(tie_key));
    refuse_nesting(fields);
    fields.finish();
    const FileNode body = reader.body_in_place(first_body, true);
    if (count) read_integer(fields, count, {"count", "1", "", 1}, chain.count);
    std::string name;
    if (body)
      if (std::optional<Body> read = read_body(body, reader.errors(), name)) chain.body = std::move(*read);
    if (body && chain.count > 1 && !name.empty() && name.find("{i}") == std::string::npos)
      fields.fail(body, "the name of a repeated body needs {i}: \"" + name.substr(0, 60) + " {i}\"");
    if (step) chain.step = read_repeat_step(fields, step);
    if (joint)
      chain.between = read_repeated(reader, joint, {.kind = ElementKind::joint, .bodies_are_given = true});
    if (force) {
      std::vector<RepeatedElement> forces =
          read_repeated(reader, force, {.kind = ElementKind::force, .bodies_are_given = true});
      for (RepeatedElement& f : forces) chain.between.push_back(std::move(f));
    }
    if (first) chain.first = read_repeated(reader, first, {.bodies_are_given = true, .extra = {"to"}});
    if (last) chain.last = read_repeated(reader, last, {.bodies_are_given = true, .extra = {"to"}});
    chain.name = reader.name_of_group(fields, called);
    if (tie) chain.ties = read_ties(reader, fields, tie, chain.name);
    if (reader.errors().count() == errors_before) {
      const double elements =
          static_cast<double>(chain.between.size()) * chain.count + most_elements(chain.ties, chain.count);
      if (reader.within_limits(fields, count, chain.count, elements) &&
          add_chain(reader, fields, body, chain))
        return;
    }
  }
  reader.bodies_are_missing();
}

}  // namespace catena::detail
