#include <catena/io/detail/body_keys.hpp>
#include <catena/io/detail/model_reader.hpp>
#include <catena/io/detail/model_top_keys.hpp>
#include <catena/io/detail/other_words.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/square.hpp>

#include <fmt/format.h>

#include <utility>

namespace catena {

std::vector<std::string> ModelFile::files() const {
  std::vector<std::string> names;
  for (const auto& document : documents) names.push_back(document->name());
  names.insert(names.end(), tables.begin(), tables.end());
  return names;
}

}  // namespace catena

namespace catena::detail {
namespace {

constexpr int format = 1;

const char* key(TopKey k) { return model_top_keys()[static_cast<std::size_t>(k)].key; }

// Empty where the map does not have it.
std::string text_of_key(const FileNode& map, const char* name) {
  for (FileNode key = map.is_map() ? map.first() : FileNode(); key; key = key.next().next())
    if (key.is_scalar() && key.text() == name && key.next().is_scalar())
      return std::string(key.next().text());
  return {};
}

}  // namespace

ModelFile ModelReader::read(const std::string& path, const ReadRest& rest) {
  read_file(path, nullptr);
  finish(rest);
  return std::move(file_);
}

void refuse_without_square(Fields& fields, const FileNode& at, const char* name, const Vec3& value) {
  for (int k = 0; k < 3; ++k)
    if (!has_square(value[k]))
      return fields.fail(at, std::string(name) + " must be below " + message_number(square_limit) +
                                 " to have a finite square, has " + message_number(value[k]));
}

void ModelReader::read_top(const FileNode& root) {
  Fields top(root, "", errors_);
  if (!root.is_map()) return;
  if (const FileNode node = top.take(key(catena_key)))
    if (node.text() != std::to_string(format) || !node.is_scalar())
      top.fail(node, "catena: this program reads format 1, not " + node.what());
  FileNode problem = top.take(key(problem_key));
  if (problem && !problem.is_scalar()) {
    top.fail(problem, "problem: a word belongs here, not " + problem.what());
    problem = {};
  }
  has_problem_ = has_problem_ || problem;
  const FileNode title = top.take(key(title_key)), parameters = top.take(key(parameters_key)),
                 included = top.take(key(include_key));
  if (parameters) read_parameters(parameters);  // before included files, which see them
  if (included) include(included);  // first: the keys of this file override those of included ones
  if (problem) {
    if (file_.problem && file_.problem.text() != problem.text()) file_.sets.clear();  // of another problem
    file_.problem = problem;
  }
  if (title) read_text(top, title, "title", file_.title);
  FileNode section[set_key];  // by their keys
  for (const auto k : {gravity_key, repeat_key, grid_key, joints_key, forces_key, elements_key, points_key,
                       assemble_key, project_key, initial_key})
    if ((section[k] = top.take(key(k)))) of_bodies_.emplace_back(key(k), section[k]);
  if (const FileNode node = top.take(key(bodies_key))) read_bodies(node);
  if (!has_problem_) read_model(top, section);  // else finish() refuses them all
  if (const FileNode node = top.take(key(set_key))) file_.sets.push_back(node);
  if (const FileNode node = top.take(key(run_key))) file_.runs.push_back(node);
  for (const char* word : {"stepper", "step", "dt", "timestep", "end", "backend", "options", "record"})
    top.refuse(word, "the key \"" + std::string(word) + "\" belongs into run");
  top.finish();
}

void ModelReader::read_parameters(const FileNode& node) {
  of_bodies_.emplace_back(key(parameters_key), node);
  const auto includes = [this](const FileNode& other) {
    for (const OpenFile& file : open_)
      if (file.path == other.document().name()) return true;
    return false;
  };
  parameters_->add(node, includes, errors_);
}

void ModelReader::read_model(Fields& top, const FileNode* section) {
  read_gravity(top, section[gravity_key]);
  if (const FileNode& node = section[repeat_key])
    for_each_or_one(node, [&](const FileNode& item) { read_repeat(*this, item); });
  if (const FileNode& node = section[grid_key])
    for_each_or_one(node, [&](const FileNode& item) { read_grid(*this, item); });
  if (const FileNode& node = section[joints_key]) read_elements(node, ElementKind::joint);
  if (const FileNode& node = section[forces_key]) read_elements(node, ElementKind::force);
  if (const FileNode& node = section[elements_key]) read_elements(node, ElementKind::any);
  if (const FileNode& node = section[points_key]) read_points(node);
  if (section[assemble_key] && section[project_key])
    top.fail(section[project_key], "project: an older name of assemble, which is given as well");
  for (const TopKey k : {project_key, assemble_key})
    if (const FileNode& node = section[k]) read_assemble(top, key(k), node);
  if (const FileNode& node = section[initial_key]) read_initial(node);
}

bool ModelReader::within_limits(Fields& fields, const FileNode& at, double bodies, double elements) {
  const Model& m = file_.model;
  const double most = limits_.bodies, most_elements = 4.0 * most;
  if (static_cast<double>(m.body_count()) + bodies > most) {
    fields.fail(at, "the model would have more than " + std::to_string(limits_.bodies) + " bodies");
    return false;
  }
  if (static_cast<double>(m.constraints().size() + m.forces().size()) + elements > most_elements) {
    fields.fail(at, "the model would have more than four times " + std::to_string(limits_.bodies) +
                        " joints and forces");
    return false;
  }
  return true;
}

void ModelReader::refuse(const FileNode& at, const ModelError& error) {
  if (!errors_.wants_more()) return errors_.add(at, "");
  FileNode place = at;
  if (at.is_map() && !error.member().empty())
    for (FileNode key = at.first(); key; key = key.next().next())
      if (key.is_scalar() && key.text() == error.member()) place = key.next();
  errors_.add(place, error.what());
}

bool ModelReader::add_body(const FileNode& at, const Body& body) {
  try {
    const BodyId id = file_.model.add(body);
    body_names_.insert(file_.model.body(id).name, static_cast<int>(id));
    return true;
  } catch (const ModelError& error) {
    refuse(at, error);
    body_is_refused(body.name);
    return false;
  }
}

void ModelReader::body_is_refused(const std::string& name) {
  if (name.empty())
    bodies_are_missing();
  else
    refused_bodies_.insert(name);
}

bool ModelReader::find_body(Fields& fields, const FileNode& node, BodyId& body) {
  if (!node.is_scalar()) {
    fields.fail(node, "the name of a body belongs here, not " + node.what());
    return false;
  }
  if (node.text() == "ground") {
    body = ground;
    return true;
  }
  const int found = body_names_.find(node.text(), [this](int number) -> const std::string& {
    return file_.model.body(BodyId{number}).name;
  });
  if (found >= 0) {
    body = BodyId{found};
    return true;
  }
  if (missing_ || (!refused_bodies_.empty() && refused_bodies_.count(std::string(node.text())) > 0))
    return false;
  if (!errors_.wants_more()) {
    fields.fail(node, "");
    return false;
  }
  constexpr int most_names = 10000;  // to look through for a hint
  std::vector<std::string> names{"ground"};
  for (int b = 0; b < file_.model.body_count() && b < most_names; ++b)
    names.push_back(file_.model.body(BodyId{b}).name);
  const std::string hint = names_inertial_frame(node.text())
                               ? "the inertial frame is called ground"
                               : nearest_hint(std::string(node.text().substr(0, 60)), names);
  fields.fail(node, "there is no body " + node.what() + (hint.empty() ? "" : " (" + hint + ")"));
  return false;
}

bool ModelReader::find_joint(Fields& fields, const FileNode& node, ConstraintId& joint) {
  if (!node.is_scalar()) {
    fields.fail(node, "the name of a joint belongs here, not " + node.what());
    return false;
  }
  try {
    joint = file_.model.find_joint(std::string(node.text().substr(0, 1000)));
    return true;
  } catch (const ModelError& error) {
    // One that had an error itself is not reported again.
    std::string why = error.what();
    if (why.back() == '"') why += "; joints are listed before those that name them";
    if (!missing_ && refused_bodies_.empty() && !joint_refused_) fields.fail(node, why);
    return false;
  }
}

ReadElement ModelReader::element(const FileNode& node, const ElementPlace& place) {
  const FindNames find{
      [this](Fields& fields, const FileNode& at, BodyId& body) { return find_body(fields, at, body); },
      [this](Fields& fields, const FileNode& at, ConstraintId& joint) {
        return find_joint(fields, at, joint);
      },
      [this](Fields& fields, const FileNode& at, std::string& text) { return load_table(fields, at, text); },
      [this](BodyId body, const WorldFrame& frame) { return frame_at(file_.model, body, frame); }};
  ReadElement read = read_element(node, types_, place, find, errors_);
  joint_refused_ = joint_refused_ || read.type == nullptr;
  return read;
}

FileNode ModelReader::body_in_place(const FileNode& map, bool pattern) {
  if (!map || !given_.any()) return map;
  const int number = pattern ? -1 : file_.model.body_count();
  std::string name = text_of_key(map, "name");
  if (name.empty() && !pattern) name = "body " + std::to_string(number);
  return given_.in_place(map, {.section = "bodies", .name = name, .number = number}, errors_);
}

FileNode ModelReader::element_in_place(const FileNode& map, ElementKind kind, bool pattern) {
  if (!map || !given_.any()) return map;
  bool joint = kind == ElementKind::joint;
  if (kind == ElementKind::any) {
    const std::string word = text_of_key(map, "type");
    for (const ElementType& type : types_) joint = joint || (type.constraint && type.name == word);
  }
  const std::size_t number = joint ? file_.model.constraints().size() : file_.model.forces().size();
  return given_.in_place(map,
                         {.section = joint ? "joints" : "forces",
                          .name = text_of_key(map, "name"),
                          .number = pattern ? -1 : static_cast<int>(number)},
                         errors_);
}

FileNode ModelReader::repeated_in_place(const FileNode& pattern, const std::string& section,
                                        const std::string& name) {
  if (!given_.any()) return pattern;
  const Model& m = file_.model;
  const std::size_t number = section == "bodies"   ? m.bodies().size()
                             : section == "joints" ? m.constraints().size()
                                                   : m.forces().size();
  return given_.in_place(pattern,
                         {.section = section,
                          .name = name == text_of_key(pattern, "name") ? "" : name,
                          .number = static_cast<int>(number),
                          .placed = section == "bodies"},
                         errors_);
}

bool ModelReader::add_element(const FileNode& at, const AnyElement& element, const std::string& label) {
  try {
    element.add_to(file_.model);
    file_.constraint_nodes.resize(file_.model.constraints().size(), at);
    file_.force_nodes.resize(file_.model.forces().size(), at);
    return true;
  } catch (const ModelError& error) {
    refuse(at, error);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of a user's type
    errors_.add(at, label + ": " + error.what());
  }
  joint_refused_ = true;
  return false;
}

void ModelReader::read_bodies(const FileNode& node) {
  Fields fields("bodies", errors_);
  if (!node.is_sequence()) {
    fields.fail(node, "a list of bodies belongs here, not " + node.what());
    return bodies_are_missing();
  }
  if (!within_limits(fields, node, node.size(), 0)) return bodies_are_missing();
  for (FileNode item = node.first(); item; item = item.next()) {
    std::string name;
    const FileNode map = body_in_place(item, false);
    if (std::optional<Body> body = read_body(map, errors_, name))
      add_body(map, *body);
    else
      body_is_refused(name);
  }
}

void ModelReader::read_elements(const FileNode& node, ElementKind kind) {
  if (!node.is_sequence()) {
    errors_.add(node, std::string(kind == ElementKind::joint   ? "joints: a list of joints"
                                  : kind == ElementKind::force ? "forces: a list of forces"
                                                               : "elements: a list of joints and forces") +
                          " belongs here, not " + node.what());
    return;
  }
  for (FileNode item = node.first(); item; item = item.next()) {
    const FileNode map = element_in_place(item, kind, false);
    const ReadElement read = element(map, {.kind = kind});
    if (read.type != nullptr) add_element(map, *read.element, read.label);
  }
}

// Of all files: what is given from outside counts most.
void ModelReader::set_given_gravity() {
  if (!given_.any()) return;
  Vec3& g = file_.model.gravity;
  const std::string& name = file_.documents.front()->name();
  const Document& file =
      given_.keep(Document::parse(name, fmt::format("gravity: [{}, {}, {}]", g[0], g[1], g[2])));
  const FileNode map = given_.in_place(file.root(), {.section = ""}, errors_);
  Fields top(map, "", errors_);
  if (map.is_map()) read_gravity(top, top.take(key(gravity_key)));
}

void ModelReader::read_gravity(Fields& top, const FileNode& node) {
  if (node && read_vector(top, node, {"gravity", "m/s^2", ""}, file_.model.gravity))
    refuse_without_square(top, node, "gravity", file_.model.gravity);
}

void ModelReader::finish(const ReadRest& rest) {
  if (file_.documents.empty()) errors_.throw_if_any();
  const FileNode root = file_.documents.front()->root();
  const bool bodies = file_.model.body_count() > 0;
  if (file_.problem && (bodies || missing_ || !refused_bodies_.empty()))
    errors_.add(file_.problem, "give either a problem of the catalog or bodies, not both");
  // These sections would be ignored beside a problem: refuse them.
  if (file_.problem)
    for (const auto& [key, node] : of_bodies_)
      errors_.add(node, std::string(key) +
                            ": belongs to bodies of a file; a problem has its own, and set: gives its "
                            "parameters");
  if (!file_.problem)
    for (const FileNode& set : file_.sets)
      errors_.add(set, "set: parameters of a problem, and no problem is given");
  if (!file_.problem && !bodies && errors_.count() == 0)
    errors_.add(root, "the file has neither bodies nor a problem");
  if (!file_.problem && bodies && errors_.count() == 0) {
    bool moves = false;
    for (const Body& body : file_.model.bodies()) moves = moves || !body.fixed;
    if (!moves) errors_.add(root, "all bodies are fixed: nothing moves");
  }
  if (!file_.problem) set_given_gravity();
  if (!file_.problem && errors_.count() == 0)
    given_.refuse_unused(file_.documents.front()->name(), file_.model, errors_);
  const bool whole = errors_.count() == 0;
  if (rest) rest(file_, errors_);
  const bool all_read = rest || file_.runs.empty();  // a section `run` may name parameters
  if (whole && all_read && !file_.problem && errors_.count() == 0) parameters_->refuse_unused(errors_);
  file_.parameters = parameters_->values();
  if (!file_.problem)
    for (OptionValue& member : given_.values()) file_.parameters.push_back(std::move(member));
  file_.changed = given_.take_copies();
  if (limits_.open_joints) errors_.throw_if_any();  // a failing start is not an error there
  if (whole && !file_.problem) check_start();
  if (!limits_.open_joints) errors_.throw_if_any();
}

}  // namespace catena::detail
