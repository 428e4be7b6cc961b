#include <catena/driver/detail/cell.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/crc64.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/output/detail/result_set.hpp>
#include <catena/output/detail/version.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <type_traits>
#include <utility>

namespace catena::detail {
namespace {

using Json = nlohmann::ordered_json;
constexpr int format_version = 2;
constexpr std::string_view stem = "checkpoint-";

// The settings that a resumed run takes over.
template <class S, class Item>
void list_settings(S& settings, const Item& item) {
  item("threads", settings.threads);
  item("format", settings.format);
  item("interval", settings.interval);
  item("checkpoint", settings.checkpoint);
}

Json settings_of(const FolderRequest& request) {
  Json json = Json::object();
  list_settings(request.settings, [&](const char* key, const auto& value) {
    if constexpr (requires { value.has_value(); })
      json[key] = value ? Json(*value) : Json();
    else
      json[key] = value;
  });
  json["error_bars"] = request.error_bars;
  return json;
}

RunSettings settings_from(const Json& json) {
  RunSettings settings;
  list_settings(settings, [&](const char* key, auto& value) {
    const Json& from = json.at(key);
    if constexpr (requires { value.has_value(); }) {
      if (!from.is_null()) value = from.get<typename std::remove_reference_t<decltype(value)>::value_type>();
    } else {
      from.get_to(value);
    }
  });
  return settings;
}

// A model in memory has no text; its program alone can resume the run.
Json json_of(Scenario scenario) {
  scenario.model.reset();
  return Json::parse(to_json(scenario));
}

std::string line(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string hex(std::uint64_t number) { return fmt::format("{:016x}", number); }

// Of scenario, settings and what is known of the model files, each in one line.
std::string checksum(const Json& json) {
  return hex(crc64(line(json.at("scenario")) + line(json.at("settings")) + line(json.at("model"))));
}

std::string sealed(Json json) {
  json["checksum"] = checksum(json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

// The folder that holds all of these files.
std::filesystem::path common_folder(const std::vector<std::filesystem::path>& files) {
  std::filesystem::path common = files.front().parent_path();
  const auto below = [&](const std::filesystem::path& file) {
    return std::mismatch(common.begin(), common.end(), file.begin(), file.end()).first == common.end();
  };
  for (const std::filesystem::path& file : files)
    while (!below(file)) common = common.parent_path();
  return common;
}

}  // namespace

std::vector<ModelCopy> model_copies(const std::vector<std::string>& files) {
  std::vector<ModelCopy> copies;
  if (files.empty()) return copies;
  std::vector<std::filesystem::path> sources;
  for (const std::string& file : files)
    sources.push_back(std::filesystem::weakly_canonical(std::filesystem::absolute(file)));
  const std::filesystem::path common = common_folder(sources);
  for (std::filesystem::path& source : sources) {
    std::filesystem::path name = "model" / source.lexically_relative(common);
    copies.push_back({std::move(source), std::move(name)});
  }
  return copies;
}

namespace {

struct CopiedText {
  ModelCopy file;
  std::string text;
};

std::vector<CopiedText> copied_texts(const std::vector<std::string>& files) {
  std::vector<CopiedText> texts;
  for (ModelCopy& file : model_copies(files)) {
    std::string text = read_whole(file.source);
    texts.push_back({std::move(file), std::move(text)});
  }
  return texts;
}

// Returns their names and checksums.
Json copy_model(const std::filesystem::path& folder, const std::vector<CopiedText>& texts) {
  Json known = Json::array();
  for (const auto& [file, text] : texts) {
    std::filesystem::create_directories((folder / file.name).parent_path());
    write_durably(folder / file.name, text);
    known.push_back(
        {{"copy", file.name.string()}, {"source", file.source.string()}, {"checksum", hex(crc64(text))}});
  }
  return known;
}

}  // namespace

std::optional<long> checkpoint_number(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(stem)) return {};
  long number = 0;
  const char* end = name.data() + name.size();
  const auto [stopped, error] = std::from_chars(name.data() + stem.size(), end, number);
  if (error != std::errc() || stopped != end || number < 0) return {};
  return number;
}

std::vector<std::string> names_of_run(const std::string& format,
                                      const std::vector<std::string>& model_files) {
  std::vector<std::string> names = names_of_results(format);
  const auto add = [&](std::vector<std::string> more) {
    for (std::string& name : more) names.push_back(std::move(name));
  };
  add(parts_of_list());
  for (const std::string& name : {std::string("run.json"), std::string("report.json"),
                                  std::string(failure_file), std::string(stem) + "*"})
    add(durable_names(name));
  for (const char* name : {error_bars_csv, error_bars_h5}) names.emplace_back(name);
  for (const char* name : {error_bars_csv, error_bars_h5}) names.push_back(std::string(name) + ".new");
  std::vector<std::string> files;  // a pipe has no place to be copied to, and is refused elsewhere
  for (const std::string& file : model_files)
    if (std::error_code none; std::filesystem::is_regular_file(file, none)) files.push_back(file);
  for (const ModelCopy& copy : model_copies(files)) add(durable_names(copy.name.string()));
  return names;
}

RunFolder::RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

RunFolder::~RunFolder() {
  if (lock_ >= 0) close(lock_);
}

void RunFolder::lock() {
  if (lock_ >= 0) return;
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Where the file system knows no locks, nobody is kept away.
  if (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw SinkError("another run is writing to the folder " + path_.string());
}

void RunFolder::begin(const FolderRequest& request, const std::vector<std::string>& model_files) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) throw SinkError("cannot create the folder " + path_.string() + ": " + error.message());
  lock();
  FileList list(path_);
  const std::vector<std::string> names = names_of_run(request.settings.format, model_files);
  if (const std::vector<std::string> others = foreign_names(path_, names); !others.empty())
    throw SinkError(foreign_sentence(path_, others));
  const auto cannot_copy = [&](const std::exception& why) {
    return SinkError("cannot copy the model files to " + (path_ / "model").string() + ": " + why.what());
  };
  // Before anything is removed: the files of a run that begins anew are the copies in this folder, and where it is killed
  // between two files here, it can begin anew once more.
  std::vector<CopiedText> texts;
  try {
    texts = copied_texts(model_files);
  } catch (const std::exception& why) {
    throw cannot_copy(why);
  }
  std::vector<std::string> replaced{"run.json"};
  for (const CopiedText& text : texts) replaced.push_back(text.file.name.string());
  std::vector<std::string> earlier = list.present();
  std::erase_if(earlier, [&](const std::string& name) {
    return std::find(replaced.begin(), replaced.end(), name) != replaced.end();
  });
  remove_files(path_, std::move(earlier));
  list.replace(names);
  Json json;
  json["format"] = format_version;
  json["version"] = version();
  json["scenario"] = json_of(request.scenario);
  json["settings"] = settings_of(request);
  try {
    json["model"] = copy_model(path_, texts);
  } catch (const SinkError&) {
    throw;
  } catch (const std::exception& why) {
    throw cannot_copy(why);
  }
  write_durably(request_file(), sealed(std::move(json)));
}

void RunFolder::update(const FolderRequest& request) const {
  FileList(path_).claim(
      names_of_run(request.settings.format, {}));  // a run that has ended lists what it has written
  std::error_code ignored;                         // what a killed program was writing
  for (const std::string& name : FileList(path_).present())
    if (name.ends_with(".part")) std::filesystem::remove(path_ / name, ignored);
  Json json = Json::parse(read_whole(request_file()), nullptr, false);
  if (!json.is_object() || !json.contains("scenario"))
    throw SinkError("cannot write " + request_file().string() + ": it has changed since the run began");
  json["scenario"]["end"] = json_of(request.scenario).at("end");
  json["settings"] = settings_of(request);
  write_durably(request_file(), sealed(std::move(json)));
}

FolderRequest RunFolder::request() const {
  const std::string file = request_file().string();
  if (!std::filesystem::exists(path_)) throw UsageError("there is no folder " + path_.string());
  if (!std::filesystem::exists(file))
    throw UsageError("there is no run in " + path_.string() +
                     ": run.json is missing, which `catena run --output` writes");
  FolderRequest request;
  try {
    const Json json = Json::parse(read_whole(file));
    if (json.at("format") != format_version)
      throw UsageError(file + " has format " + json.at("format").dump() + ", this program reads format " +
                       std::to_string(format_version));
    if (json.at("checksum") != checksum(json))
      throw UsageError(file + " was damaged or changed by hand: its checksum is wrong");
    request.scenario = scenario_from_json(json.at("scenario").dump());
    request.settings = settings_from(json.at("settings"));
    request.error_bars = json.at("settings").value("error_bars", false);
    for (const Json& known : json.at("model")) {
      const std::filesystem::path copy = path_ / known.at("copy").get<std::string>();
      if (!std::filesystem::exists(copy))
        throw UsageError(copy.string() + ", a copy of the model, is missing");
      if (hex(crc64(read_whole(copy))) != known.at("checksum"))
        throw UsageError(copy.string() + ", a copy of the model, was damaged or changed since the run began");
      if (&known == &json.at("model").front()) request.scenario.problem = copy.string();
    }
  } catch (const Json::exception&) {
    throw UsageError(file + " was damaged: it does not hold a request");
  } catch (const CheckpointError& error) {
    throw UsageError(file + ": " + error.what());
  }
  if (request.scenario.problem.empty())
    throw UsageError("the run in " + path_.string() +
                     " was of a model in memory: only the program that made it can resume or show it");
  return request;
}

std::vector<std::filesystem::path> RunFolder::checkpoints() const {
  std::vector<std::pair<long, std::filesystem::path>> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path_, error))
    if (const std::optional<long> number = checkpoint_number(entry.path()))
      found.emplace_back(*number, entry.path());
  std::sort(found.rbegin(), found.rend());
  std::vector<std::filesystem::path> files;
  for (auto& [number, file] : found) files.push_back(std::move(file));
  return files;
}

std::filesystem::path RunFolder::write_failure(const std::string& json) const {
  FileList(path_).claim(durable_names(failure_file));
  const std::filesystem::path file = path_ / failure_file;
  write_durably(file, json);
  return file;
}

void RunFolder::remove_outdated() const {
  std::error_code ignored;
  const FileList list(path_);
  for (const char* file : {failure_file, error_bars_csv, error_bars_h5, "report.json"})
    if (list.lists(file)) std::filesystem::remove(path_ / file, ignored);
}

std::filesystem::path RunFolder::add(const Checkpoint& checkpoint) {
  const std::vector<std::filesystem::path> before = checkpoints();
  const long number = before.empty() ? 1 : *checkpoint_number(before.front()) + 1;
  const std::filesystem::path file = path_ / (std::string(stem) + std::to_string(number));
  write_durably(file, to_bytes(checkpoint));
  std::error_code ignored;  // one more than two does no harm
  for (const std::filesystem::path& other : before)
    if (other != sound_ && is_checkpoint(other)) std::filesystem::remove(other, ignored);
  sound_ = file;
  return file;
}

std::string misfit_of(const State& state, const State& like) {
  struct Part {
    const char* name;
    const std::vector<double>&there, &here;
  };
  for (const Part& part : {Part{"positions", state.q, like.q},
                           {"velocities", state.v, like.v},
                           {"accelerations", state.a, like.a},
                           {"multipliers", state.lambda, like.lambda},
                           {"discrete values", state.discrete, like.discrete}}) {
    if (part.there.size() != part.here.size())
      return "it has " + std::to_string(part.there.size()) + " " + part.name + ", the system has " +
             std::to_string(part.here.size());
  }
  return {};
}

FoundCheckpoint RunFolder::find(const Identity& identity, const State& like) {
  FoundCheckpoint found;
  for (const std::filesystem::path& file : checkpoints()) try {
      if (std::error_code none; !std::filesystem::is_regular_file(file, none))
        throw CheckpointError("it is no file");
      Checkpoint checkpoint = checkpoint_from(read_whole(file));
      const std::string other = difference(checkpoint.identity, identity);
      if (!other.empty()) throw CheckpointError("it belongs to another run: " + other);
      const std::string misfit = misfit_of(checkpoint.state, like);
      if (!misfit.empty()) throw CheckpointError(misfit);
      const std::string defect = defect_of(checkpoint.run);
      if (!defect.empty()) throw CheckpointError("the progress of the run in it makes no sense: " + defect);
      found.checkpoint = std::move(checkpoint);
      found.file = sound_ = file;
      return found;
    } catch (const CheckpointError& error) {
      found.refused.push_back(file.string() + ": " + error.what());
    }
  return found;
}

}  // namespace catena::detail
