// files.json: the names in a folder that belong to Catena. What it does not list is never written, replaced or removed.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

class FileList {
 public:
  // Reads the list of the folder, if there is one. Throws SinkError where it cannot be read or is no such list.
  explicit FileList(std::filesystem::path folder);

  bool is_there() const { return is_there_; }
  const std::vector<std::string>& names() const { return names_; }
  // name: relative to the folder, as "vtk/bodies_000012.vtu".
  bool lists(const std::string& name) const;
  // Of the files with these names, those in the folder that may not be touched: unlisted ones, and links,
  // which lead elsewhere. In a name, each `*` means one or more digits: "checkpoint-*", "checkpoint-*.*.part".
  std::vector<std::string> foreign(const std::vector<std::string>& names) const {
    return contents(names).foreign;
  }
  // Of the listed files, those in the folder.
  std::vector<std::string> present() const;
  // What the folder has of these names, by one look at it.
  struct Contents {
    std::vector<std::string> foreign;
    std::vector<std::string> listed;  // a name twice where two of the names match it
  };
  Contents contents(const std::vector<std::string>& names) const;
  // Adds the names and writes the list, before any of them is made. Throws SinkError where one of them is foreign, or
  // the list cannot be written.
  void claim(const std::vector<std::string>& names);
  // The same with no other names than these.
  void replace(const std::vector<std::string>& names);
  // Leaves out names whose files are not there, when all is written but the report: what others put there later is theirs.
  // Names with a star stay, and report.json, which is written last. Throws SinkError where the list cannot be written.
  void leave_out_missing();

 private:
  void write() const;

  std::filesystem::path folder_;
  std::vector<std::string> names_;
  bool is_there_ = false;
};

// What write_durably() makes of a file: the name, and those beside it that a killed program leaves.
std::vector<std::string> durable_names(const std::string& name);

// The names beside files.json that belong to it.
std::vector<std::string> parts_of_list();

// One sentence for a SinkError or a complaint: what is in the way in the folder, and what to do.
std::string foreign_sentence(const std::filesystem::path& folder, const std::vector<std::string>& foreign);

}  // namespace catena::detail
