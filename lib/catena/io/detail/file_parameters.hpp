// The section `parameters` of a model file: numbers with names, which may be named wherever a number belongs: $k, -$k, 2*$k.
#pragma once
#include <catena/experiment/scenario.hpp>
#include <catena/io/detail/document.hpp>
#include <catena/io/detail/file_errors.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/output/parts/report.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace catena::detail {

// Whether the text of a number names a parameter.
inline bool names_parameter(std::string_view text) { return text.find('$') != std::string_view::npos; }

// The parameters of one reading. All files share their names: those of an including file count more than those of the
// files that it includes, and given ones more than all.
class FileParameters {
 public:
  // given: values by name, as text with or without a unit, in place of those of the files.
  explicit FileParameters(Settings given = {}) : given_(std::move(given)) {}

  // Adds the section of a file, before the files that it includes; includes(node): whether the file of that node is being
  // read and includes this one, or is this one.
  void add(const FileNode& section, const std::function<bool(const FileNode&)>& includes, FileErrors& errors);

  // The value of `at`, "-2*$k" say, in that unit (parse_quantity). A parameter without a unit counts in the unit of
  // the place that names it first. The error names the place of the parameter as well.
  NumberWithUnit value(const FileNode& at, const char* unit);

  // A number that may name one has another in its place (given_members.hpp).
  void replaced(const FileNode& at);

  // Reports each that no number names.
  void refuse_unused(FileErrors& errors) const;

  // Those that numbers name, in the order of the files, in the units of the places that name them first.
  std::vector<OptionValue> values() const;

 private:
  struct Parameter {
    std::string name, text;  // what counts: "30 kN/m"
    FileNode at;             // its value in the file
    bool given = false;      // text is not that of the file
    bool good = true;        // text is a number with or without a unit
    FileNode use = {};       // the first place that names it; none: not yet
    bool replaced = false;   // a place that names it has another number
    std::string unit = {};   // of that place
    double value = 0.0;      // in that unit
  };
  void add_one(const std::string& name, const FileNode& value,
               const std::function<bool(const FileNode&)>& includes, FileErrors& errors);
  static std::string source(const Parameter& p);  // "k is 30 kN/m at chain.yaml:2:15"

  Settings given_;
  std::vector<Parameter> parameters_;
  std::map<std::string, std::size_t, std::less<>> number_;
};

// The value of a number that names a parameter of its file.
NumberWithUnit parameter_value(const FileNode& at, const char* unit);

}  // namespace catena::detail
