// A file of a sweep says what the options of the command say: a map of their names.
#include <catena/cli/detail/commands.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/opened_problem.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/detail/document.hpp>
#include <catena/io/detail/fields.hpp>
#include <catena/study/parts/axis.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

namespace catena::detail {
namespace {

bool is_sweep(const FileNode& root) {
  if (!root.is_map()) return false;
  for (FileNode key = root.first(); key; key = key.next().next())
    if (key.is_scalar() && key.text() == "vary") return true;
  return false;
}

// The values of a list with commas between, as on the command line: "10,20", "[0,0,1],[0,1,0]".
std::string joined_values(Fields& fields, const FileNode& list) {
  std::string text;
  for (FileNode value = list.first(); value; value = value.next()) {
    if (!value.is_scalar() && !value.is_sequence())
      fields.fail(value, "a value is a number, a text or a list of numbers, not " + value.what());
    text += text.empty() ? "" : ",";
    text += value.is_sequence() ? "[" + joined_values(fields, value) + "]" : std::string(value.text());
  }
  return text;
}

// "key=value" of each pair of a map.
void read_pairs(Fields& fields, const FileNode& node, std::vector<std::string>& into) {
  if (!node) return;
  if (!node.is_map()) {
    fields.fail(node, "write a map here, key: value, not " + node.what());
    return;
  }
  for (FileNode key = node.first(); key; key = key.next().next()) {
    const FileNode value = key.next();
    if (value.is_scalar())
      into.push_back(std::string(key.text()) + "=" + std::string(value.text()));
    else if (value.is_sequence())
      into.push_back(std::string(key.text()) + "=" + joined_values(fields, value));
    else
      fields.fail(value, "write a number, a text or a list here, not " + value.what());
  }
}

// One text, or a list of them; what varies may be maps too, whose pairs go together.
void read_texts(Fields& fields, const FileNode& node, std::vector<std::string>& into, bool maps) {
  if (!node) return;
  if (node.is_scalar()) {
    into.emplace_back(node.text());
    return;
  }
  if (maps && node.is_map()) {
    read_pairs(fields, node, into);
    return;
  }
  if (!node.is_sequence()) fields.fail(node, "write a text or a list of texts here, not " + node.what());
  for (FileNode value = node.is_sequence() ? node.first() : FileNode(); value; value = value.next()) {
    if (value.is_scalar()) {
      into.emplace_back(value.text());
    } else if (maps && value.is_map()) {
      std::vector<std::string> pairs;
      read_pairs(fields, value, pairs);
      std::string together;
      for (const std::string& pair : pairs) together += (together.empty() ? "" : " with ") + pair;
      into.push_back(together);
    } else {
      fields.fail(value, "write a text here, not " + value.what());
    }
  }
}

void read_scalar(Fields& fields, const char* key, std::string& into) {
  const FileNode node = fields.take(key);
  std::string text;
  if (node && read_text(fields, node, key, text) && into.empty()) into = text;
}

// A parameter has one spelling here: "set.n" of "n" too.
std::string spelt_out(const std::string& key) {
  const std::optional<std::string> parameter = parameter_of(key);
  return parameter ? std::string(parameter_prefix) + *parameter : key;
}

// What an axis varies; nothing of one that makes no sense, which is refused later.
std::vector<std::string> keys_of(const std::string& axis) {
  std::vector<std::string> keys;
  Complaints said_later;
  said_later.attempt([&] {
    for (const Variable& variable : axis_from_text(axis)) keys.push_back(spelt_out(variable.key));
  });
  return keys;
}

std::set<std::string> typed_keys(const std::vector<std::string>& vary) {
  std::set<std::string> keys;
  for (const std::string& axis : vary)
    for (const std::string& key : keys_of(axis)) keys.insert(key);
  return keys;
}

// Those of the file whose keys were not typed, and behind them those that were typed. varied: typed_keys() of these.
void complete_axes(std::vector<std::string>& typed, const std::vector<std::string>& from_file,
                   const std::set<std::string>& varied, const std::string& file) {
  std::vector<std::string> axes;
  Complaints complaints;
  for (const std::string& axis : from_file) {
    const std::vector<std::string> keys = keys_of(axis);
    const auto is_typed = [&](const std::string& key) { return varied.count(key) > 0; };
    if (std::none_of(keys.begin(), keys.end(), is_typed))
      axes.push_back(axis);
    else if (!std::all_of(keys.begin(), keys.end(), is_typed))
      complaints.add(fmt::format(
          "the axis \"{}\" of {} varies several keys together, and --vary replaces some of them: type all of "
          "them",
          axis, file));
  }
  complaints.throw_if_any();
  axes.insert(axes.end(), typed.begin(), typed.end());
  typed = std::move(axes);
}

// What varies is set for no row: of keys "prefix" and the key of the pair.
void remove_pairs(std::vector<std::string>& pairs, const std::set<std::string>& keys,
                  std::string_view prefix) {
  std::erase_if(pairs, [&](const std::string& pair) {
    return keys.count(std::string(prefix) + pair.substr(0, pair.find('='))) > 0;
  });
}

// Of those with "key=value", the keys that were not typed.
void complete_keys(std::vector<std::string>& typed, const std::vector<std::string>& from_file) {
  const std::size_t count = typed.size();
  for (const std::string& pair : from_file) {
    bool given = false;
    for (std::size_t k = 0; k < count; ++k)
      given = given || typed[k].substr(0, typed[k].find('=')) == pair.substr(0, pair.find('='));
    if (!given) typed.push_back(pair);
  }
}

}  // namespace

bool read_sweep_file(SweepRequest& request) {
  if (!names_model_file(request.problem) || !std::filesystem::is_regular_file(request.problem)) return false;
  const std::filesystem::path file = request.problem;
  const std::unique_ptr<const Document> document = Document::parse(request.problem, read_whole(file));
  const FileNode root = document->root();
  if (!is_sweep(root)) return false;
  FileErrors errors;
  Fields fields(root, "", errors);
  std::string problem;
  const FileNode named = fields.need("problem");
  if (named) read_text(fields, named, "problem", problem);
  std::vector<std::string> vary, keep, set, option;
  const std::set<std::string> varied = typed_keys(request.vary);
  read_texts(fields, fields.take("vary"), vary, true);
  read_texts(fields, fields.take("keep"), keep, false);
  read_pairs(fields, fields.take("set"), set);
  read_pairs(fields, fields.take("option"), option);
  each_member([&](const ScenarioMember& member, auto) {
    const std::string_view name = member.name;
    std::string unused;
    if (*member.argument != '\0' && name != "precision")
      read_scalar(fields, member.name, varied.count(member.name) > 0 ? unused : request.members[member.name]);
  });
  read_scalar(fields, "samples", request.samples);
  read_scalar(fields, "sampling", request.sampling);
  read_scalar(fields, "sample_seed", request.sample_seed);
  read_scalar(fields, "output", request.output);
  read_scalar(fields, "threads", request.threads);
  read_scalar(fields, "threads_of_row", request.threads_of_row);
  read_scalar(fields, "row_limit", request.row_limit);
  read_scalar(fields, "allow_failed", request.allow_failed);
  read_scalar(fields, "report", request.report);
  fields.refuse("time_limit", "time_limit: it is of one start of the program: type --time-limit TIME");
  fields.refuse(
      "retry",
      "retry: it is of one start of the program, and the next one would run the same rows again: type "
      "--retry STATUS");
  fields.refuse("shard", "shard: each process has another one of the same file: type --shard I/N");
  fields.finish();
  errors.throw_if_any();
  complete_axes(request.vary, vary, varied, request.problem);
  if (request.keep.empty()) request.keep = std::move(keep);
  remove_pairs(set, varied, parameter_prefix);
  remove_pairs(option, varied, option_prefix);
  complete_keys(request.parameters, set);
  complete_keys(request.options, option);
  // As in model files: beside the file that names it.
  const bool beside = names_model_file(problem) && std::filesystem::path(problem).is_relative();
  request.problem = beside ? (file.parent_path() / problem).string() : problem;
  return true;
}

}  // namespace catena::detail
