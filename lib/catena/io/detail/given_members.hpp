// Members of bodies, joints and forces that are given from outside of a model file, by their paths: bodies.rod.mass,
// joints.hip.stiffness, forces.2.damping, bodies.rod.position.z, gravity.z.
#pragma once
#include <catena/experiment/scenario.hpp>
#include <catena/io/detail/document.hpp>
#include <catena/io/detail/file_errors.hpp>
#include <catena/model/model.hpp>
#include <catena/output/parts/report.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

struct GivenMember {
  std::string key, text;                       // "bodies.rod.mass", "2 kg"
  std::string section, rest;                   // "bodies", "rod.mass"; of the gravity "" and "gravity.z"
  std::unique_ptr<const Document> value = {};  // of a text that is a list or a map
  int uses = 0;
};

// What a map of a file is, for paths.
struct MemberOwner {
  std::string section;    // "bodies", "joints" or "forces"; "": the top level
  std::string name = {};  // "rod"; "": it has none
  int number = -1;        // in the order of the model, from 0; -1: it is no single thing of the model
  bool placed = false;    // by a repetition: its pose and velocity are not its own
};

// The given members of one reading. Each counts as though it were written in its map: with units, with all checks, and with
// the errors of its key, which then say by which path it came.
class GivenMembers {
 public:
  // Of the parameters of a scenario those whose names are paths: with a dot, or the gravity.
  explicit GivenMembers(const Settings& settings);

  bool any() const { return !members_.empty(); }

  // The map with what is given for it in its place, or the map itself where nothing is. Reports what leads nowhere in it.
  // The result lives as long as this.
  FileNode in_place(const FileNode& map, const MemberOwner& owner, FileErrors& errors);

  // Reports the paths that lead to nothing of this model, with the names that are there, and those that lead to two things.
  void refuse_unused(const std::string& file, const Model& model, FileErrors& errors) const;
  // Those that counted, as text.
  std::vector<OptionValue> values() const;
  // A document that errors may name a place in.
  const Document& keep(std::unique_ptr<const Document> document) {
    copies_.push_back(std::move(document));
    return *copies_.back();
  }
  // Documents that nodes of the model point into.
  std::vector<std::unique_ptr<const Document>> take_copies() { return std::move(copies_); }

 private:
  std::vector<GivenMember> members_;
  std::vector<std::unique_ptr<const Document>> copies_;  // of maps, with what is given
};

}  // namespace catena::detail
