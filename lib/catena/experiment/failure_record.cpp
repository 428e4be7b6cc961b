#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/detail/failure_record.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace catena::detail {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* format_name = "catena failure";
constexpr int format_version = 1;

template <class S, class Item>
void list_state(S& state, const Item& item) {
  item("q", state.q);
  item("v", state.v);
  item("a", state.a);
  item("lambda", state.lambda);
  item("memory", state.memory);
  item("discrete", state.discrete);
}

Json json_of(const Culprit& of) {
  return {{"name", of.name}, {"quantity", of.quantity}, {"value", of.value}};
}

Json json_of(const std::vector<Culprit>& list) {
  Json json = Json::array();
  for (const Culprit& of : list) json.push_back(json_of(of));
  return json;
}

Json json_of(const NewtonTrace::Iterate& iterate) {
  Json json{{"residuals", json_of(iterate.residuals)},
            {"new_matrix", iterate.new_matrix},
            {"indefinite", iterate.indefinite},
            {"pivot_growth", iterate.pivot_growth}};
  json["weakest_pivot"] = iterate.weakest_pivot.name.empty() ? Json() : json_of(iterate.weakest_pivot);
  json["correction"] = iterate.correction.name.empty() ? Json() : json_of(iterate.correction);
  return json;
}

Json json_of(const System& system, const MatrixDiagnosis& of) {
  Json json{{"condition", of.condition}, {"smallest_singular_values", of.smallest}};
  Json null = Json::array();
  const std::vector<NamedBlock> blocks = blocks_of(system);
  for (const NearNullVector& vector : of.null)
    null.push_back({{"singular_value", vector.singular_value},
                    {"along", shares_by_name(blocks, vector.share)},
                    {"share", vector.share}});
  json["null_vectors"] = std::move(null);
  return json;
}

Json json_of(const System& system, const StepExamination& examined) {
  const NewtonTrace& trace = examined.trace;
  Json json{{"status", to_string(examined.outcome.status)}, {"culprit", json_of(examined.outcome.culprit)}};
  json["iterates"] = Json::array();
  for (const NewtonTrace::Iterate& iterate : trace.iterates) json["iterates"].push_back(json_of(iterate));
  json["residuals"] = json_of(examined.residuals);
  json["blocks"] = Json::array();
  for (const NamedBlock& block : blocks_of(system))
    json["blocks"].push_back({{"name", block.name}, {"first", block.first}, {"size", block.size}});
  json["matrix"] = trace.column.empty() ? Json()
                                        : Json{{"column_pointers", trace.column},
                                               {"rows", trace.row},
                                               {"values", trace.value},
                                               {"residual", trace.residual}};
  json["matrix_of"] = trace.column.empty()    ? Json()
                      : examined.of_beginning ? Json("beginning")
                                              : Json("last iterate");
  json["weakest_pivot"] = examined.weakest_pivot.name.empty() ? Json() : json_of(examined.weakest_pivot);
  json["diagnosis"] = examined.matrix ? json_of(system, *examined.matrix) : Json();
  return json;
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw UsageError(file.string() + ": " + why);
}

}  // namespace

std::string to_json(const System& system, const StepExamination& examined) {
  return json_of(system, examined).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string to_json(const FailureRecord& record, const System& system, const StepExamination& examined,
                    const Catalog& catalog) {
  Json json{{"format", format_name},
            {"format_version", format_version},
            {"version", record.version},
            {"termination", record.termination},
            {"phase", record.start ? "start" : "step"},
            {"time", record.state.t},
            {"step", record.step}};
  json["examination"] = json_of(system, examined);
  json["scenario"] = Json::parse(catena::to_json(record.scenario, catalog));
  json["model"] = Json::array();
  for (const ModelText& file : record.model)
    json["model"].push_back({{"name", file.name}, {"text", file.text}});
  Json state = Json::object();
  list_state(record.state, [&](const char* key, const std::vector<double>& values) { state[key] = values; });
  json["state"] = std::move(state);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

FailureRecord read_failure(const std::filesystem::path& file, const Catalog& catalog) {
  FailureRecord record;
  try {
    const Json json = Json::parse(read_whole(file));
    if (!json.is_object() || json.value("format", "") != format_name)
      refuse(file, "is no record of a failure; `catena run --output DIR` writes one to DIR/failure.json");
    if (json.at("format_version") != format_version)
      refuse(file, "has format " + json.at("format_version").dump() + ", this program reads format " +
                       std::to_string(format_version));
    record.version = json.at("version");
    record.termination = json.at("termination");
    record.start = json.at("phase") == "start";
    record.state.t = json.at("time");
    record.step = json.at("step");
    record.scenario = scenario_from_json(json.at("scenario").dump(), catalog);
    for (const Json& model : json.at("model")) record.model.push_back({model.at("name"), model.at("text")});
    const Json& state = json.at("state");
    list_state(record.state,
               [&](const char* key, std::vector<double>& values) { state.at(key).get_to(values); });
  } catch (const Json::exception&) {
    refuse(file, "was damaged: it does not hold the record of a failure");
  } catch (const CheckpointError& error) {
    refuse(file, error.what());
  }
  if (!(record.step > 0.0) || !std::isfinite(record.step)) refuse(file, "holds no size of a step");
  for (const ModelText& model : record.model) {
    const std::filesystem::path name = model.name;
    bool leaves = name.is_absolute() || name.empty();
    for (const std::filesystem::path& part : name) leaves = leaves || part == "..";
    if (leaves) refuse(file, "names a model file outside of its folder: " + model.name);
  }
  return record;
}

}  // namespace catena::detail
