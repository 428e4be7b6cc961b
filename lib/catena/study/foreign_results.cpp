#include <catena/driver/detail/grid.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/study/detail/foreign_results.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>

namespace catena::detail {
namespace {

using ForeignJson = nlohmann::json;

constexpr int foreign_version = 1;

// The length of a quaternion that is written with seven digits is within 2e-7 of 1.
constexpr double unit_length = 1e-6;

// Without "[json.exception.type_error.302] ", which says nothing about the file.
std::string plain_words(const ForeignJson::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  return text.starts_with('[') && end != std::string::npos ? text.substr(end + 2) : text;
}

// Does the work; what is wrong then says where in the file it is.
template <class Work>
void at_place(const std::string& place, const Work& work) {
  std::string why;
  try {
    work();
    return;
  } catch (const ForeignJson::exception& error) {
    why = plain_words(error);
  } catch (const UsageError& error) {
    why = error.what();
  }
  throw UsageError(place + ": " + why);
}

const ForeignJson& member(const ForeignJson& json, const char* key) {
  if (!json.is_object()) throw UsageError(fmt::format("an object with \"{}\" belongs here", key));
  const auto found = json.find(key);
  if (found == json.end()) throw UsageError(fmt::format("\"{}\" is missing", key));
  return *found;
}

template <class Value>
Value value_of(const ForeignJson& json, const char* key) {
  Value value{};
  const ForeignJson& at = member(json, key);
  at_place(fmt::format("\"{}\"", key), [&] { value = at.get<Value>(); });
  return value;
}

// Where it may be missing.
template <class Value>
Value value_of(const ForeignJson& json, const char* key, const Value& otherwise) {
  return json.is_object() && !json.contains(key) ? otherwise : value_of<Value>(json, key);
}

// A list of what belongs together, one after the other; its place: "instant 3".
template <class Each>
void for_each_of(const ForeignJson& json, const char* key, const char* name, const Each& each) {
  const ForeignJson& list = member(json, key);
  if (!list.is_array()) throw UsageError(fmt::format("\"{}\" is a list", key));
  std::size_t number = 0;
  for (const ForeignJson& one : list) at_place(fmt::format("{} {}", name, ++number), [&] { each(one); });
}

std::vector<double> numbers(const ForeignJson& json, const char* key, std::size_t count) {
  auto values = value_of<std::vector<double>>(json, key);
  if (values.size() != count)
    throw UsageError(fmt::format("\"{}\": {} numbers, where {} are wanted", key, values.size(), count));
  return values;
}

Quat quaternion_of(const ForeignJson& json, const char* key) {
  const std::vector<double> e = numbers(json, key, 4);
  const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  if (!(std::abs(length - 1.0) <= unit_length))
    throw UsageError(fmt::format("\"{}\": its length is {:.8g}, where 1 is wanted, to within {:g}", key,
                                 length, unit_length));
  return {e[0], e[1], e[2], e[3]};
}

Vec3 triple_of(const ForeignJson& json, const char* key) {
  const std::vector<double> x = numbers(json, key, 3);
  return {{x[0], x[1], x[2]}};
}

MotionSample sample_from(const ForeignJson& json) {
  MotionSample sample;
  sample.reached = true;
  if (json.contains("bodies"))
    for_each_of(json, "bodies", "body", [&](const ForeignJson& body) {
      RigidBodyState state{};
      state.orientation = quaternion_of(body, "quaternion");
      state.position = triple_of(body, "position");
      state.velocity = triple_of(body, "velocity");
      state.angular_velocity = triple_of(body, "angular_velocity");
      sample.bodies.push_back(state);
    });
  const std::vector<double> none;
  sample.q = value_of(json, "q", none);
  sample.v = value_of(json, "v", none);
  sample.lambda = value_of(json, "multipliers", none);
  if (sample.bodies.empty() == sample.q.empty()) throw UsageError("an instant has either bodies, or q and v");
  return sample;
}

ForeignCode::Run run_from(const ForeignJson& json) {
  ForeignCode::Run run;
  run.setting = value_of<std::string>(json, "setting");
  const double steps = value_of(json, "steps", 0.0);
  if (!(steps >= 0.0 && steps <= most_steps) || steps != std::floor(steps))
    throw UsageError(fmt::format("\"steps\": {:g}, where a whole number from 0 is wanted", steps));
  run.steps = static_cast<long>(steps);
  run.seconds = value_of(json, "seconds", std::numeric_limits<double>::quiet_NaN());
  if (run.seconds < 0.0)
    throw UsageError(fmt::format("\"seconds\": {:g}, where a number from 0 is wanted", run.seconds));
  for_each_of(json, "instants", "instant", [&](const ForeignJson& instant) {
    const auto time = value_of<double>(instant, "time");
    if (!run.times.empty() && !(time > run.times.back()))
      throw UsageError(
          fmt::format("\"time\": {} s, where one behind that of the instant before is wanted, {} s", time,
                      run.times.back()));
    run.times.push_back(time);
    at_place(fmt::format("t = {:g} s", run.times.back()),
             [&] { run.samples.push_back(sample_from(instant)); });
  });
  return run;
}

}  // namespace

ForeignCode read_foreign_results(const std::string& file, const std::string& flag) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(
        fmt::format("{} {}: {}; docs/reference/compare.md says what such a file holds", flag, file, why));
  };
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) refuse("it is a folder, where a file is wanted");
  std::ifstream stream(file);
  if (!stream) refuse("it cannot be read");
  ForeignCode code;
  code.file = file;
  code.flag = flag;
  try {
    const ForeignJson json = ForeignJson::parse(stream);
    if (value_of<int>(json, "catena_results") != foreign_version) refuse("catena_results is not 1");
    code.code = value_of<std::string>(json, "code");
    code.problem = value_of<std::string>(json, "problem");
    for_each_of(json, "runs", "run", [&](const ForeignJson& run) { code.runs.push_back(run_from(run)); });
    if (code.runs.empty()) refuse("\"runs\" is an empty list, where one run at least is wanted");
  } catch (const ForeignJson::exception& error) {
    refuse(plain_words(error));
  } catch (const UsageError& error) {
    if (std::string(error.what()).starts_with(flag)) throw;
    refuse(error.what());
  }
  return code;
}

void refuse_other_model(const ForeignCode& code, const MotionSample& of_model,
                        const std::vector<double>& instants) {
  const SampledMotion compared(instants);
  for (std::size_t r = 0; r < code.runs.size(); ++r) {
    const ForeignCode::Run& run = code.runs[r];
    bool shared = false;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const auto check = [&](const char* key, std::size_t there, std::size_t wanted) {
        if (there != wanted)
          throw UsageError(fmt::format(
              "{} {}: run {}: instant {}: t = {:g} s: \"{}\": {} of them, where the problem has {}",
              code.flag, code.file, r + 1, i + 1, run.times[i], key, there, wanted));
      };
      const MotionSample& sample = run.samples[i];
      check("bodies", sample.bodies.size(), of_model.bodies.size());
      check("q", sample.q.size(), of_model.q.size());
      check("v", sample.v.size(), of_model.v.size());
      if (!sample.lambda.empty()) check("multipliers", sample.lambda.size(), of_model.lambda.size());
      shared = shared || compared.find(run.times[i]) >= 0;
    }
    if (!shared)
      throw UsageError(
          fmt::format("{} {}: run {}: \"{}\" has none of the {} instants that are compared, up to t = {:g} s",
                      code.flag, code.file, r + 1, run.setting, instants.size(), instants.back()));
  }
}

std::vector<ForeignRun> measured(const ForeignCode& code, const ReferenceMotion& reference) {
  std::vector<ForeignRun> runs;
  for (const ForeignCode::Run& run : code.runs) {
    ForeignRun one{.code = code.code, .setting = run.setting, .steps = run.steps, .seconds = run.seconds};
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const int k = reference.motion.find(run.times[i]);
      if (k < 0) continue;
      const MotionSample& known = reference.motion.samples[index(k)];
      const Errors here = distance(run.samples[i], known);
      ++one.instants;
      one.largest.raise_to(here);
      if (index(k) + 1 == reference.motion.instants.size()) one.at_end = here;
    }
    for (const Part part : all_parts)
      if (!reference.refused[static_cast<std::size_t>(part)].empty())
        one.largest[part] = one.at_end[part] = std::numeric_limits<double>::quiet_NaN();
    runs.push_back(std::move(one));
  }
  return runs;
}

}  // namespace catena::detail
