#include <catena/driver/checkpoint.hpp>
#include <catena/driver/sink.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/output/detail/file_list.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

using Path = std::filesystem::path;
constexpr const char* list_name = "files.json";

// Whether a name is one of the pattern. Behind a star comes no digit, so that it takes all that there are.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  std::size_t end = star;
  while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
  return end > star && matches(pattern.substr(star + 1), name.substr(end));
}

// What is there, a link without an end too.
bool occurs(const Path& path) {
  std::error_code none;
  return std::filesystem::exists(std::filesystem::symlink_status(path, none));
}

bool is_link(const Path& path) {
  std::error_code none;
  return std::filesystem::is_symlink(std::filesystem::symlink_status(path, none));
}

// Names of the pattern in the folder, in order.
std::vector<std::string> found(const Path& folder, const std::string& pattern) {
  if (pattern.find('*') == std::string::npos)
    return occurs(folder / pattern) ? std::vector<std::string>{pattern} : std::vector<std::string>{};
  std::vector<std::string> names;
  const Path inside = Path(pattern).parent_path();
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder / inside, none))
    if (std::string name = (inside / entry.path().filename()).string(); matches(pattern, name))
      names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

// The folder between the list's and a file that is a link to elsewhere; empty: none.
std::string linked_folder(const Path& folder, const std::string& name) {
  Path inside;
  for (const Path& part : Path(name).parent_path()) {
    inside /= part;
    if (is_link(folder / inside)) return inside.string();
  }
  return {};
}

// How every list begins (FileList::write()).
constexpr std::string_view beginning = "{\n  \"program\": \"catena\"";

// Whether it is a list that a killed program was writing, the first one of a folder say, which nothing lists yet.
bool is_begun_list(const Path& folder, const std::string& name) {
  const std::vector<std::string> parts = parts_of_list();
  if (std::none_of(parts.begin(), parts.end(), [&](const std::string& part) { return matches(part, name); }))
    return false;
  std::ifstream in(folder / name, std::ios::binary);
  std::string text(beginning.size(), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return beginning.starts_with(text);
}

}  // namespace

std::vector<std::string> durable_names(const std::string& name) {
  return {name, name + ".part", name + ".*.part"};
}

std::vector<std::string> parts_of_list() {
  std::vector<std::string> names = durable_names(list_name);
  names.erase(names.begin());
  return names;
}

FileList::FileList(std::filesystem::path folder) : folder_(std::move(folder)) {
  const Path file = folder_ / list_name;
  if (!occurs(file)) return;
  if (is_link(file))
    throw SinkError(file.string() + " is a link; the list of a folder's files must lie in the folder");
  std::string text;
  try {
    text = read_whole(file);
  } catch (const CheckpointError& error) {
    throw SinkError(file.string() + ": " + error.what());
  }
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("program") || json["program"] != "catena" ||
      !json.contains("files") || !json["files"].is_array())
    throw SinkError(file.string() + " is not a list of Catena's files: name another folder, or move it away");
  for (const auto& name : json["files"])
    if (name.is_string()) names_.push_back(name.get<std::string>());
  is_there_ = true;
}

bool FileList::lists(const std::string& name) const {
  return std::any_of(names_.begin(), names_.end(),
                     [&](const std::string& mine) { return matches(mine, name); });
}

FileList::Contents FileList::contents(const std::vector<std::string>& names) const {
  Contents all;
  for (const std::string& pattern : names) {
    if (std::string link = linked_folder(folder_, pattern); !link.empty())
      all.foreign.push_back(std::move(link));
    for (std::string& name : found(folder_, pattern)) {
      const bool listed = lists(name) || is_begun_list(folder_, name);
      if (!listed || is_link(folder_ / name)) all.foreign.push_back(name);
      if (listed) all.listed.push_back(std::move(name));
    }
  }
  std::sort(all.foreign.begin(), all.foreign.end());
  all.foreign.erase(std::unique(all.foreign.begin(), all.foreign.end()), all.foreign.end());
  return all;
}

std::vector<std::string> FileList::present() const {
  std::vector<std::string> all;
  for (const std::string& pattern : names_)
    for (std::string& name : found(folder_, pattern)) all.push_back(std::move(name));
  return all;
}

void FileList::claim(const std::vector<std::string>& names) {
  if (const std::vector<std::string> others = foreign(names); !others.empty())
    throw SinkError(foreign_sentence(folder_, others));
  const std::size_t before = names_.size();
  for (const std::string& name : names)  // a pattern does not match itself
    if (!lists(name) && std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  if (!is_there_ || names_.size() != before) write();
  is_there_ = true;
}

void FileList::replace(const std::vector<std::string>& names) {
  if (const std::vector<std::string> others = foreign(names); !others.empty())
    throw SinkError(foreign_sentence(folder_, others));
  names_ = names;
  write();
  is_there_ = true;
}

void FileList::leave_out_missing() {
  if (!is_there_) return;
  const std::size_t before = names_.size();
  std::erase_if(names_, [&](const std::string& name) {
    return name.find('*') == std::string::npos && !name.starts_with("report.json") && !occurs(folder_ / name);
  });
  if (names_.size() != before) write();
}

void FileList::write() const {
  const nlohmann::ordered_json json{{"program", "catena"}, {"files", names_}};
  write_durably(folder_ / list_name,
                json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
  std::error_code none;
  for (const std::string& pattern : parts_of_list())
    for (const std::string& name : found(folder_, pattern))
      if (!is_link(folder_ / name) && is_begun_list(folder_, name))
        std::filesystem::remove(folder_ / name, none);
}

std::string foreign_sentence(const std::filesystem::path& folder, const std::vector<std::string>& foreign) {
  constexpr std::size_t most = 3;
  const std::string named =
      foreign.size() <= most
          ? joined(foreign, " and ")
          : fmt::format("{} and {} more", joined({foreign.begin(), foreign.begin() + most}),
                        foreign.size() - most);
  const bool link = std::any_of(foreign.begin(), foreign.end(),
                                [&](const std::string& name) { return is_link(folder / name); });
  return fmt::format(
      "the folder {} holds {}, which {} in its files.json, the list of what Catena wrote there{}: name "
      "another folder, or move {} away",
      folder.string(), named, foreign.size() == 1 ? "is not" : "are not",
      link ? " (links are not followed)" : "", foreign.size() == 1 ? "it" : "them");
}

}  // namespace catena::detail
