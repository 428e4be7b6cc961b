// One reading of a model file and of all that it includes: what the parts of it share.
#pragma once
#include <catena/io/element_keys.hpp>
#include <catena/io/fields.hpp>
#include <catena/io/read_model.hpp>
#include <catena/model/name_index.hpp>

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace catena {

class ModelReader {
 public:
  ModelReader(const ElementTypes& types, const LoadFile& load, const ReadLimits& limits)
      : types_(types), load_(load), limits_(limits) {}

  ModelFile read(const std::string& path, const ReadRest& rest);

  // For the sections.
  FileErrors& errors() { return errors_; }
  Model& model() { return file_.model; }
  // false: it complained. What refers to a body by a name that was refused is passed over in silence.
  bool add_body(const FileNode& at, const Body& body);
  void body_is_refused(const std::string& name);
  // Bodies were not read: from now on an unknown name is no news.
  void bodies_are_missing() { missing_ = true; }
  // The complaint of a model, at the member that it is about where that stands in the map.
  void refuse(const FileNode& at, const ModelError& error);
  bool add_element(const FileNode& at, const AnyElement& element, const std::string& label);
  bool find_body(Fields& fields, const FileNode& node, BodyId& body);
  ReadElement element(const FileNode& node, const ElementPlace& place);
  // false, and a complaint: the model would outgrow the limits.
  bool room_for(Fields& fields, const FileNode& at, double more_bodies, double more_elements);

 private:
  void read_file(const std::string& path, const FileNode* from);
  void read_top(const FileNode& root);
  // section: of the top level, by TopKey (model_top_keys.hpp).
  void read_model(Fields& top, const FileNode* section);
  void include(const FileNode& node);
  void include_one(Fields& fields, const FileNode& node, const std::string& directory);
  void read_bodies(const FileNode& node);
  void read_elements(const FileNode& node, ElementKind kind);
  void read_points(const FileNode& node);
  void finish(const ReadRest& rest);
  void check_start();
  void refuse_open_joints();
  void refuse_undefined();
  void tell_widest_joint();
  void project();

  const ElementTypes& types_;
  const LoadFile& load_;
  const ReadLimits& limits_;
  ModelFile file_;
  FileErrors errors_;
  NameIndex body_names_;
  std::unordered_set<std::string> refused_bodies_, point_names_;
  struct OpenFile {
    std::string path;  // as shown
    std::string same;  // normalised: what tells files apart
  };
  std::vector<OpenFile> open_;
  int files_ = 0;
  FileNode project_;  // where it was given
  // Of all files: sections that make no sense beside a problem, with their keys.
  std::vector<std::pair<const char*, FileNode>> of_bodies_;
  bool has_problem_ = false;
  bool missing_ = false;
};

// Calls each(node) for a list, or for what stands alone.
template <class Each>
void for_each_or_one(const FileNode& node, Each&& each) {
  if (!node.is_sequence()) return each(node);
  for (FileNode item = node.first(); item; item = item.next()) each(item);
}

// Complains about numbers that energies and speeds could not be made of.
void refuse_without_square(Fields& fields, const FileNode& at, const char* name, const Vec3& value);

// Sections of their own files.
void read_repeat(ModelReader& reader, const FileNode& node);
void read_grid(ModelReader& reader, const FileNode& node);
const std::vector<KeyInfo>& repeat_keys();
const std::vector<KeyInfo>& repeat_step_keys();
const std::vector<KeyInfo>& repeat_end_keys();
const std::vector<KeyInfo>& grid_keys();
const std::vector<KeyInfo>& model_point_keys();

}  // namespace catena
