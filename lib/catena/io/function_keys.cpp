#include <catena/io/detail/function_keys.hpp>
#include <catena/io/detail/number_with_unit.hpp>
#include <catena/math/detail/passing_over.hpp>

#include <cstring>

namespace catena::detail {
namespace {

class MembersFromKeys final : public FunctionVisitor {
 public:
  MembersFromKeys(Fields& fields, const FunctionUnits& units) : fields_(fields), units_(units) {}

  void real(const OptionInfo& info, double& value) override {
    if (const FileNode node = fields_.take(info.name)) read_real(fields_, node, info, value);
  }
  void integer(const OptionInfo& info, int& value) override {
    if (const FileNode node = fields_.take(info.name)) read_integer(fields_, node, info, value);
  }
  void flag(const OptionInfo& info, bool& value) override {
    if (const FileNode node = fields_.take(info.name)) read_flag(fields_, node, info.name, value);
  }
  void text(const OptionInfo& info, std::string& value) override {
    if (const FileNode node = fields_.take(info.name)) read_text(fields_, node, info.name, value);
  }
  void choice(const OptionInfo& info, int& value, const std::vector<std::string>& names) override {
    if (const FileNode node = fields_.take(info.name)) read_choice(fields_, node, info.name, names, value);
  }
  void numbers(const OptionInfo& info, std::vector<double>& values) override {
    const FileNode node = fields_.take(info.name);
    if (!node) return;
    if (!node.is_sequence())
      return fields_.fail(node,
                          std::string(info.name) + ": a list of numbers belongs here, not " + node.what());
    std::vector<double> read;
    for (FileNode item = node.first(); item; item = item.next()) {
      double value = 0.0;
      const std::string unit = unit_of(info.name, read.size());
      read_real(fields_, item, {info.name, unit.c_str(), ""}, value);
      read.push_back(value);
    }
    values = std::move(read);
  }

 private:
  // Of number k of a list: x and y of a table, and the coefficients of a polynomial.
  std::string unit_of(const char* list, std::size_t k) const {
    if (std::strcmp(list, "x") == 0) return units_.argument;
    if (std::strcmp(list, "y") == 0 || k == 0) return units_.value;
    const std::string power = k == 1 ? "" : "^" + std::to_string(k);
    return std::string(units_.value) + "/" + units_.argument + power;
  }

  Fields& fields_;
  const FunctionUnits& units_;
};

// x and y of a table that is in a file of its own.
class Columns final : public PassingOver<FunctionVisitor> {
 public:
  explicit Columns(const functions::Table& table) : table_(table) {}
  void numbers(const OptionInfo& info, std::vector<double>& values) override {
    values = std::strcmp(info.name, "x") == 0 ? table_.x : table_.y;
  }

 private:
  const functions::Table& table_;
};

// The keys file and columns; false: there was an error.
bool read_table_file(Fields& fields, const LoadTable& load, Function& function, const FunctionUnits& units) {
  const FileNode file = fields.take("file"), columns = fields.take("columns");
  if (!file) {
    if (columns) fields.fail(columns, "columns: belongs to a file of numbers, and no file is given");
    return !columns;
  }
  fields.refuse("x", "x: the points are in the file");
  fields.refuse("y", "y: the points are in the file");
  std::string names[2] = {"1", "2"};
  if (columns) {
    if (!columns.is_sequence() || columns.size() != 2) {
      fields.fail(columns, "columns: two names or numbers of columns belong here, not " + columns.what());
      return false;
    }
    FileNode item = columns.first();
    for (int k = 0; k < 2; ++k, item = item.next())
      if (!read_text(fields, item, "columns", names[k])) return false;
  }
  std::string text;
  if (!load(fields, file, text)) return false;
  functions::Table table;
  if (const std::string why = read_columns(text, names[0], names[1], units, table); !why.empty()) {
    fields.fail(file, "file: " + std::string(file.text()) + ": " + why);
    return false;
  }
  Columns found(table);
  function = function.visited(found, units);
  return true;
}

}  // namespace

bool read_function(Fields& owner, const FileNode& node, const OptionInfo& info, const FunctionUnits& units,
                   const LoadTable& load, Function& out) {
  if (node.is_scalar()) {
    double value = 0.0;
    if (!read_real(owner, node, info, value)) return false;
    out = value;
    return true;
  }
  if (!node.is_map()) {
    owner.fail(node,
               std::string(info.name) + ": a number or a map with a type belongs here, not " + node.what());
    return false;
  }
  Fields fields(node, info.name, owner);
  const FileNode type = fields.need("type");
  if (!type) return false;
  std::vector<std::string> names;
  for (const Function::Kind& kind : Function::kinds()) names.emplace_back(kind.name);
  int kind = 0;
  if (!read_choice(fields, type, "type", names, kind)) return false;
  Function function = Function::of_kind(names[static_cast<std::size_t>(kind)]);
  if (names[static_cast<std::size_t>(kind)] == "table" && !read_table_file(fields, load, function, units))
    return false;
  MembersFromKeys members(fields, units);
  function = function.visited(members, units);
  fields.finish();
  if (fields.failed()) return false;
  if (const std::string why = function.defect(); !why.empty()) {
    fields.fail(node, why);
    return false;
  }
  out = function;
  return true;
}

}  // namespace catena::detail
