// One reading of a model file and of all that it includes: the state that its parts share.
#pragma once
#include <catena/io/detail/element_keys.hpp>
#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/file_parameters.hpp>
#include <catena/io/detail/given_members.hpp>
#include <catena/io/read_model.hpp>
#include <catena/model/detail/name_index.hpp>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace catena::detail {

// The bodies of a repeat or a grid, which other repetitions may be tied to.
struct RepeatedGroup {
  int first = 0;  // number of its first body
  int directions = 1;
  std::array<int, 3> count{1, 1, 1};

  // at: row, column, layer from 0.
  bool has(const std::array<int, 3>& at) const {
    for (std::size_t d = 0; d < 3; ++d)
      if (at[d] < 0 || at[d] >= count[d]) return false;
    return true;
  }
  BodyId body(const std::array<int, 3>& at) const {
    return BodyId{first + at[0] + count[0] * (at[1] + count[1] * at[2])};
  }
};

class ModelReader {
 public:
  ModelReader(const ElementTypes& types, const LoadFile& load, const ReadLimits& limits,
              const Settings& parameters)
      : types_(types),
        load_(load),
        limits_(limits),
        parameters_(std::make_shared<FileParameters>(parameters)),
        given_(parameters) {}

  ModelFile read(const std::string& path, const ReadRest& rest);

  // For the sections.
  FileErrors& errors() { return errors_; }
  Model& model() { return file_.model; }
  // false: there was an error. References to a body that had an error itself are not reported again.
  bool add_body(const FileNode& at, const Body& body);
  void body_is_refused(const std::string& name);
  // Bodies were not read: from now on unknown names are not reported.
  void bodies_are_missing() { missing_ = true; }
  // Its name has been checked by name_of_group.
  void add_group(const std::string& name, const RepeatedGroup& group);
  // The name of a repetition, "" where it has none or where another one has it.
  std::string name_of_group(Fields& fields, const FileNode& node);
  std::optional<RepeatedGroup> find_group(Fields& fields, const FileNode& node);
  // Reports the error of a model, at the member that it names where the map has that key.
  void refuse(const FileNode& at, const ModelError& error);
  bool add_element(const FileNode& at, const AnyElement& element, const std::string& label);
  bool find_body(Fields& fields, const FileNode& node, BodyId& body);
  bool find_joint(Fields& fields, const FileNode& node, ConstraintId& joint);
  bool load_table(Fields& fields, const FileNode& node, std::string& text);
  ReadElement element(const FileNode& node, const ElementPlace& place);
  // The map of a body, joint or force that the model does not have yet, with the members that are given from outside in
  // their place. pattern: it is that of a repetition, and no single one.
  FileNode body_in_place(const FileNode& map, bool pattern);
  FileNode element_in_place(const FileNode& map, ElementKind kind, bool pattern);
  // Of one of a repetition, by its name where the pattern has another one, and by its number.
  FileNode repeated_in_place(const FileNode& pattern, const std::string& section, const std::string& name);
  // false, with an error: the model would exceed the limits.
  bool within_limits(Fields& fields, const FileNode& at, double more_bodies, double more_elements);

 private:
  void read_file(const std::string& path, const FileNode* from);
  void read_top(const FileNode& root);
  void read_parameters(const FileNode& node);
  // section: of the top level, by TopKey (model_top_keys.hpp).
  void read_model(Fields& top, const FileNode* section);
  void include(const FileNode& node);
  void include_one(Fields& fields, const FileNode& node, const std::string& directory);
  void read_bodies(const FileNode& node);
  void read_elements(const FileNode& node, ElementKind kind);
  void read_points(const FileNode& node);
  void read_gravity(Fields& top, const FileNode& node);
  void set_given_gravity();
  void finish(const ReadRest& rest);
  void check_start();
  void refuse_open_joints();
  void refuse_undefined();
  // assembly_section.cpp
  void read_assemble(Fields& top, const char* key, const FileNode& node);
  void read_initial(const FileNode& node);
  void read_initial_coordinate(const FileNode& joint);
  void assemble();
  void report_disagreements();

  const ElementTypes& types_;
  const LoadFile& load_;
  const ReadLimits& limits_;
  std::shared_ptr<FileParameters> parameters_;
  GivenMembers given_;
  ModelFile file_;
  FileErrors errors_;
  NameIndex body_names_;
  std::unordered_set<std::string> refused_bodies_, point_names_;
  std::map<std::string, RepeatedGroup, std::less<>> groups_;
  struct OpenFile {
    std::string path;  // as shown
    std::string same;  // normalised, to compare files
  };
  std::vector<OpenFile> open_;
  int files_ = 0;
  AssemblyOptions assembly_;
  const char* assemble_word_ = "assemble";  // as the file has it
  FileNode assemble_at_;                    // where errors of the assembly are reported
  std::vector<FileNode> coordinate_nodes_;  // of AssemblyOptions::coordinates
  // Of all files: sections that are refused beside a problem, with their keys.
  std::vector<std::pair<const char*, FileNode>> of_bodies_;
  bool has_problem_ = false;
  bool missing_ = false;
  bool joint_refused_ = false;
};

// Calls each(node) for every value of a list, or once for a single value.
template <class Each>
void for_each_or_one(const FileNode& node, Each&& each) {
  if (!node.is_sequence()) return each(node);
  for (FileNode item = node.first(); item; item = item.next()) each(item);
}

// Reports numbers for which energies or speeds would not be finite.
void refuse_without_square(Fields& fields, const FileNode& at, const char* name, const Vec3& value);

// Sections of their own files.
void read_repeat(ModelReader& reader, const FileNode& node);
void read_grid(ModelReader& reader, const FileNode& node);
const std::vector<KeyInfo>& repeat_keys();
const std::vector<KeyInfo>& repeat_step_keys();
const std::vector<KeyInfo>& repeat_end_keys();
const std::vector<KeyInfo>& grid_keys();
const std::vector<KeyInfo>& model_point_keys();
const std::vector<KeyInfo>& assemble_keys();
const std::vector<KeyInfo>& initial_keys();

}  // namespace catena::detail
