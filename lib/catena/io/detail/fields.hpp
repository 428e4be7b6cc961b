// The keys of a map in a file. Each is taken once; the remaining keys are unknown.
#pragma once
#include <catena/io/detail/file_errors.hpp>
#include <catena/math/option.hpp>
#include <catena/math/small.hpp>

#include <string>
#include <utility>
#include <vector>

namespace catena::detail {

class Fields {
 public:
  // context: the owner of the map, 'body "link 3"', or "" at the top level. Reports keys that are no words or are
  // given twice, and a node that is not a map.
  Fields(FileNode map, std::string context, FileErrors& errors);
  // A map inside that of owner; where it fails, the owner fails too.
  Fields(FileNode map, const char* name, Fields& owner);

  // Without a map, only to report errors.
  Fields(std::string context, FileErrors& errors) : context_(std::move(context)), errors_(errors) {}

  // The value of the key, or none. Adds the key to those that are known here.
  FileNode take(const char* key);
  // The same; reports an error at the map where the key is missing or empty.
  FileNode need(const char* key);
  // Reports an error at this key instead of "unknown key".
  void refuse(const char* key, const std::string& why);
  // Reports every key that was not taken, with the most similar known key.
  void finish();

  void fail(const FileNode& at, const std::string& why);
  bool failed() const { return failed_; }
  const FileNode& map() const { return map_; }
  const std::string& context() const { return context_; }
  void set_context(std::string context) { context_ = std::move(context); }
  FileErrors& errors() { return errors_; }

 private:
  struct Field {
    FileNode key, value;
    bool taken = false;
  };
  void find_keys();
  void find_duplicates();

  FileNode map_;
  std::string context_;
  FileErrors& errors_;
  Fields* owner_ = nullptr;
  std::vector<Field> fields_;
  std::vector<std::string> known_;
  bool failed_ = false;
};

// Each reads one value. On an error it reports it, with the name of the listing, and leaves `out` unchanged.
bool read_real(Fields& fields, const FileNode& node, const OptionInfo& info, double& out);
bool read_integer(Fields& fields, const FileNode& node, const OptionInfo& info, int& out);
bool read_flag(Fields& fields, const FileNode& node, const char* name, bool& out);
bool read_text(Fields& fields, const FileNode& node, const char* name, std::string& out);
bool read_choice(Fields& fields, const FileNode& node, const char* name,
                 const std::vector<std::string>& names, int& out);
bool read_numbers(Fields& fields, const FileNode& node, const OptionInfo& info, int count, double* out);
bool read_vector(Fields& fields, const FileNode& node, const OptionInfo& info, Vec3& out);
// Three numbers, or an axis by its letter: x, y, z, -x, -y, -z.
bool read_direction(Fields& fields, const FileNode& node, const OptionInfo& info, Vec3& out);
bool read_side(Fields& fields, const FileNode& node, const OptionInfo& info, Vec3& out);  // or zero
bool read_matrix(Fields& fields, const FileNode& node, const OptionInfo& info,
                 Mat3& out);  // three rows of three

}  // namespace catena::detail
