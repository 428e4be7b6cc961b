#include <catena/io/detail/document_builder.hpp>
#include <catena/io/detail/file_parameters.hpp>
#include <catena/io/detail/given_members.hpp>
#include <catena/math/detail/nearest.hpp>

#include <algorithm>
#include <utility>

namespace catena::detail {
namespace {

using Place = DocumentBuilder::Place;
constexpr std::string_view gravity = "gravity";

// What is given below the value that is looked at; path "": in place of all of it.
struct Change {
  std::string_view path;
  const GivenMember* member;
};
using Changes = std::vector<Change>;

Place place_of(const FileNode& node) {
  return {static_cast<std::uint32_t>(node.line() - 1), static_cast<std::uint32_t>(node.column() - 1)};
}

std::string assignment(const GivenMember& m) { return "--set " + m.key + "=" + m.text; }

std::string remark(const GivenMember& m) { return " (by " + assignment(m) + ")"; }

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('.')); }
std::string_view behind_first(std::string_view path) {
  const std::size_t dot = path.find('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
}

// The words for the parts of a list, besides their numbers from 0.
std::string_view component(int size, int k) {
  constexpr std::string_view of_three[] = {"x", "y", "z"}, of_four[] = {"w", "x", "y", "z"};
  if (size == 3) return of_three[k];
  return size == 4 ? of_four[k] : std::string_view();
}

// Copies a value of a file with changes in it.
class ChangedCopy {
 public:
  ChangedCopy(DocumentBuilder& into, FileErrors& errors) : into_(into), errors_(errors) {}

  void copy(const FileNode& node, const Changes& changes) {
    for (const Change& change : changes)
      if (change.path.empty()) {
        for (const Change& other : changes)
          if (&other != &change)
            fail(node, other, assignment(*change.member) + " sets it too: leave one of them out");
        forget(node);
        return write(*change.member, place_of(node));
      }
    if (node.is_map()) {
      copy_map(node, changes);
    } else if (node.is_sequence()) {
      copy_list(node, changes);
    } else {
      into_.scalar(place_of(node), node.is_null() ? "" : node.text(), !node.is_null() && node.quoted(), "");
      for (const Change& change : changes)
        fail(node, change, node.what() + " has no part \"" + std::string(first_part(change.path)) + '"');
    }
  }

 private:
  void copy_map(const FileNode& map, const Changes& changes) {
    into_.begin(place_of(map), Document::Kind::map, "");
    std::vector<bool> found(changes.size(), false);
    for (FileNode key = map.first(); key; key = key.next().next()) {
      Changes below;
      for (std::size_t k = 0; k < changes.size(); ++k)
        if (key.is_scalar() && first_part(changes[k].path) == key.text()) {
          found[k] = true;
          below.push_back({behind_first(changes[k].path), changes[k].member});
        }
      copy(key, {});
      copy(key.next(), below);
    }
    for (std::size_t k = 0; k < changes.size(); ++k) {
      if (found[k]) continue;
      const std::string key(first_part(changes[k].path));
      if (key.size() != changes[k].path.size()) {
        fail(map, changes[k], "the file gives no " + key + " to change a part of: give all of it");
        continue;
      }
      into_.begin_given(remark(*changes[k].member));
      into_.scalar(place_of(map), key, false, "");
      into_.end_given();
      write(*changes[k].member, place_of(map));
    }
    into_.end();
  }

  void copy_list(const FileNode& list, const Changes& changes) {
    into_.begin(place_of(list), Document::Kind::sequence, "");
    std::vector<bool> found(changes.size(), false);
    int number = 0;
    for (FileNode value = list.first(); value; value = value.next(), ++number) {
      Changes below;
      for (std::size_t k = 0; k < changes.size(); ++k) {
        const std::string_view part = first_part(changes[k].path);
        if (part != std::to_string(number) && part != component(list.size(), number)) continue;
        found[k] = true;
        below.push_back({behind_first(changes[k].path), changes[k].member});
      }
      copy(value, below);
    }
    for (std::size_t k = 0; k < changes.size(); ++k)
      if (!found[k])
        fail(list, changes[k],
             list.what() + " has no part \"" + std::string(first_part(changes[k].path)) + "\": they are " +
                 (component(list.size(), 0).empty() ? ""
                  : list.size() == 3                ? "x, y, z, or "
                                                    : "w, x, y, z, or ") +
                 "numbers from 0");
    into_.end();
  }

  // What is replaced may have named parameters, which need not be named elsewhere.
  static void forget(const FileNode& node) {
    if (node.is_scalar() && names_parameter(node.text()) && node.document().parameters())
      node.document().parameters()->replaced(node);
    for (FileNode part = node.first(); part; part = part.next()) forget(part);
  }

  void write(const GivenMember& member, Place place) {
    into_.begin_given(remark(member));
    if (member.value)
      copy(member.value->root(), {});
    else
      into_.scalar(place, member.text, false, "");
    into_.end_given();
  }

  void fail(const FileNode& at, const Change& change, const std::string& why) {
    errors_.add(at, assignment(*change.member) + ": " + why);
  }

  DocumentBuilder& into_;
  FileErrors& errors_;
};

// The path below this owner, or nothing.
bool belongs(const GivenMember& m, const MemberOwner& owner, std::string_view& path) {
  if (m.section != owner.section) return false;
  path = m.rest;
  if (owner.section.empty()) return true;
  if (!owner.name.empty() && path.size() > owner.name.size() && path[owner.name.size()] == '.' &&
      path.starts_with(owner.name)) {
    path.remove_prefix(owner.name.size() + 1);
    return true;
  }
  if (owner.number < 0 || first_part(path) != std::to_string(owner.number)) return false;
  path = behind_first(path);
  return !path.empty();
}

std::vector<std::string> names_of(const std::string& section, const Model& model) {
  constexpr std::size_t most = 10000;  // to look through for a hint
  std::vector<std::string> names;
  const std::size_t count = section == "bodies"   ? model.bodies().size()
                            : section == "joints" ? model.constraints().size()
                                                  : model.forces().size();
  for (std::size_t k = 0; k < std::min(count, most); ++k) {
    if (section == "bodies") {
      names.push_back(model.bodies()[k].name);
    } else {  // 'joint "hip" (spherical)'
      const int number = static_cast<int>(k);
      const std::string label = section == "joints" ? model.constraint_label(ConstraintId{number})
                                                    : model.force_label(ForceId{number});
      const std::size_t from = label.find('"') + 1;
      names.push_back(label.substr(from, label.rfind('"') - from));
    }
  }
  return names;
}

}  // namespace

GivenMembers::GivenMembers(const Settings& settings) {
  for (const auto& [key, text] : settings) {
    const std::size_t dot = key.find('.');
    const bool of_gravity = first_part(key) == gravity;
    if (dot == std::string::npos && !of_gravity) continue;
    GivenMember member{.key = key, .text = text, .section = "", .rest = key};
    if (!of_gravity) {
      member.section = key.substr(0, dot);
      member.rest = key.substr(dot + 1);
    }
    if (text.starts_with('[') || text.starts_with('{'))
      member.value = Document::parse("--set " + key + "=" + text, text);
    members_.push_back(std::move(member));
  }
}

FileNode GivenMembers::in_place(const FileNode& map, const MemberOwner& owner, FileErrors& errors) {
  if (!map.is_map()) return map;
  Changes changes;
  for (GivenMember& member : members_) {
    std::string_view path;
    if (!belongs(member, owner, path)) continue;
    ++member.uses;
    constexpr std::string_view own[] = {"mass", "inertia", "solid", "shape", "motion", "normal", "fixed"};
    if (owner.placed && std::find(std::begin(own), std::end(own), first_part(path)) == std::end(own)) {
      errors.add(map, assignment(member) +
                          ": a body of a repetition has its own mass, inertia, solid, shape, motion, "
                          "normal and fixed; its place and velocity come from the repetition");
      continue;
    }
    changes.push_back({path, &member});
  }
  if (changes.empty()) return map;
  DocumentBuilder builder(map.document().name(), 0, map.document().parameters());
  ChangedCopy(builder, errors).copy(map, changes);
  copies_.push_back(builder.take());
  return copies_.back()->root();
}

void GivenMembers::refuse_unused(const std::string& file, const Model& model, FileErrors& errors) const {
  const std::vector<std::string> sections{"bodies", "joints", "forces"};
  const auto fail = [&](const GivenMember& m, const std::string& why) {
    errors.add(ModelFileError(file, 0, 0, assignment(m) + ": " + why));
  };
  for (const GivenMember& m : members_) {
    if (m.uses == 1) continue;
    if (m.uses > 1) {
      fail(m, "a name and a number are the same here: two of the " + m.section + " have this path");
      continue;
    }
    if (std::find(sections.begin(), sections.end(), m.section) == sections.end()) {
      fail(m, unknown_name("section", m.section, {"bodies", "joints", "forces", "gravity"}));
      continue;
    }
    const std::vector<std::string> names = names_of(m.section, model);
    const std::string word = m.section == "bodies" ? "body" : m.section.substr(0, m.section.size() - 1);
    if (std::find(names.begin(), names.end(), m.rest) != names.end()) {
      fail(m,
           "write the member behind the name: " + m.key + (word == "body" ? ".mass" : ".stiffness") + " say");
      continue;
    }
    // A name may have dots itself; the member is behind the last one.
    const std::string name = m.rest.substr(0, m.rest.rfind('.'));
    const std::string hint = nearest_hint(name, names);
    constexpr std::size_t most = 20;
    std::string why = "there is no " + word + " \"" + name + '"' + (hint.empty() ? "" : " (" + hint + ")");
    for (std::size_t k = 0; k < std::min(most, names.size()); ++k)
      why += (k == 0 ? "; there are " : ", ") + names[k];
    if (names.empty()) why += "; the model has no " + m.section;
    if (names.size() > most) why += ", and more: " + std::to_string(names.size()) + " in all";
    fail(m, why);
  }
}

std::vector<OptionValue> GivenMembers::values() const {
  std::vector<OptionValue> all;
  for (const GivenMember& member : members_)
    if (member.uses > 0) all.push_back({member.key, "", member.text});
  return all;
}

}  // namespace catena::detail
