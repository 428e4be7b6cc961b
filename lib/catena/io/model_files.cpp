// The files of one reading: each is read once, and a file that includes itself is an error.
#include <catena/io/detail/model_reader.hpp>

#include <filesystem>
#include <utility>

namespace catena {
using namespace detail;
namespace {

constexpr std::size_t most_deep = 20;  // files that include one another

std::string normalised(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}

}  // namespace

void ModelReader::read_file(const std::string& path, const FileNode* from) {
  std::string text;
  try {
    text = load_(path);
  } catch (const std::runtime_error& error) {
    if (from == nullptr) throw ModelFileError(path, 0, 0, error.what());
    errors_.add(*from, "include: " + path + ": " + error.what());
    return bodies_are_missing();
  }
  try {
    file_.documents.push_back(Document::parse(path, std::move(text), parameters_));
  } catch (const ModelFileError& error) {
    errors_.add(error);
    return bodies_are_missing();
  }
  open_.push_back({path, normalised(path)});
  read_top(file_.documents.back()->root());
  open_.pop_back();
}

void ModelReader::include(const FileNode& node) {
  Fields fields("include", errors_);
  const std::string directory = std::filesystem::path(open_.back().path).parent_path().string();
  for_each_or_one(node, [&](const FileNode& item) { include_one(fields, item, directory); });
}

void ModelReader::include_one(Fields& fields, const FileNode& node, const std::string& directory) {
  std::string name;
  if (!read_text(fields, node, "file", name)) return;
  if (name.empty()) return fields.fail(node, "the name of the file is empty");
  const std::filesystem::path joined = std::filesystem::path(directory) / name;
  const std::string path = joined.lexically_normal().string(), same = normalised(path);
  for (std::size_t k = 0; k < open_.size(); ++k)
    if (open_[k].same == same) {
      std::string chain;
      for (std::size_t j = k; j < open_.size(); ++j) chain += open_[j].path + " includes ";
      return fields.fail(node, "the files include one another: " + chain + path);
    }
  if (open_.size() >= most_deep)
    return fields.fail(node, "more than " + std::to_string(most_deep) + " files deep");
  if (++files_ > limits_.files)
    return fields.fail(node, "more than " + std::to_string(limits_.files) + " files");
  read_file(path, &node);
}

// Of a table of numbers, from the folder of the file that names it. Counts as an included file.
bool ModelReader::load_table(Fields& fields, const FileNode& node, std::string& text) {
  std::string name;
  if (!read_text(fields, node, "file", name)) return false;
  const auto fail = [&](const std::string& why) { return fields.fail(node, "file: " + why), false; };
  if (name.empty()) return fail("the name of the file is empty");
  if (++files_ > limits_.files) return fail("more than " + std::to_string(limits_.files) + " files");
  const std::filesystem::path directory = std::filesystem::path(open_.back().path).parent_path();
  const std::string path = (directory / name).lexically_normal().string();
  try {
    text = load_(path);
  } catch (const std::runtime_error& error) {
    return fail(path + ": " + error.what());
  }
  file_.tables.push_back(path);
  return true;
}

}  // namespace catena
