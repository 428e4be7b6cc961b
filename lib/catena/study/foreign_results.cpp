#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/study/detail/foreign_results.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <limits>

namespace catena::detail {
namespace {

using ForeignJson = nlohmann::json;

constexpr int foreign_version = 1;

std::vector<double> numbers(const ForeignJson& json, std::size_t count) {
  const auto values = json.get<std::vector<double>>();
  if (values.size() != count)
    throw UsageError(fmt::format("{} numbers, where {} are wanted", values.size(), count));
  return values;
}

Vec3 triple_of(const ForeignJson& json) {
  const std::vector<double> x = numbers(json, 3);
  return {{x[0], x[1], x[2]}};
}

MotionSample sample_from(const ForeignJson& json) {
  MotionSample sample;
  sample.reached = true;
  const ForeignJson none = ForeignJson::array();
  for (const ForeignJson& body : json.value("bodies", none)) {
    RigidBodyState state{};
    const std::vector<double> e = numbers(body.at("quaternion"), 4);
    state.orientation = {e[0], e[1], e[2], e[3]};
    state.position = triple_of(body.at("position"));
    state.velocity = triple_of(body.at("velocity"));
    state.angular_velocity = triple_of(body.at("angular_velocity"));
    sample.bodies.push_back(state);
  }
  sample.q = json.value("q", std::vector<double>{});
  sample.v = json.value("v", std::vector<double>{});
  sample.lambda = json.value("multipliers", std::vector<double>{});
  if (sample.bodies.empty() == sample.q.empty()) throw UsageError("an instant has either bodies, or q and v");
  return sample;
}

ForeignCode::Run run_from(const ForeignJson& json) {
  ForeignCode::Run run;
  run.setting = json.at("setting").get<std::string>();
  run.steps = json.value("steps", 0L);
  run.seconds = json.value("seconds", std::numeric_limits<double>::quiet_NaN());
  for (const ForeignJson& instant : json.at("instants")) {
    run.times.push_back(instant.at("time").get<double>());
    run.samples.push_back(sample_from(instant));
  }
  return run;
}

}  // namespace

ForeignCode read_foreign_results(const std::string& file, const std::string& flag) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(
        fmt::format("{} {}: {}; docs/reference/compare.md says what such a file holds", flag, file, why));
  };
  std::ifstream stream(file);
  if (!stream) refuse("it cannot be read");
  ForeignCode code;
  code.file = file;
  code.flag = flag;
  try {
    const ForeignJson json = ForeignJson::parse(stream);
    if (json.at("catena_results").get<int>() != foreign_version) refuse("catena_results is not 1");
    code.code = json.at("code").get<std::string>();
    code.problem = json.at("problem").get<std::string>();
    for (const ForeignJson& run : json.at("runs")) code.runs.push_back(run_from(run));
  } catch (const ForeignJson::exception& error) {
    refuse(error.what());
  } catch (const UsageError& error) {
    if (std::string(error.what()).starts_with(flag)) throw;
    refuse(error.what());
  }
  return code;
}

std::vector<ForeignRun> measured(const ForeignCode& code, const ReferenceMotion& reference) {
  std::vector<ForeignRun> runs;
  for (const ForeignCode::Run& run : code.runs) {
    ForeignRun one{.code = code.code, .setting = run.setting, .steps = run.steps, .seconds = run.seconds};
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const int k = reference.motion.find(run.times[i]);
      if (k < 0) continue;
      const MotionSample& known = reference.motion.samples[index(k)];
      if (run.samples[i].bodies.size() != known.bodies.size() || run.samples[i].q.size() != known.q.size())
        throw UsageError(
            fmt::format("{} {}: {} bodies and {} coordinates at t = {:g} s, where the problem has {} and {}",
                        code.flag, code.file, run.samples[i].bodies.size(), run.samples[i].q.size(),
                        run.times[i], known.bodies.size(), known.q.size()));
      const Errors here = distance(run.samples[i], known);
      ++one.instants;
      one.largest.raise_to(here);
      if (index(k) + 1 == reference.motion.instants.size()) one.at_end = here;
    }
    if (one.instants == 0)
      throw UsageError(fmt::format(
          "{} {}: \"{}\" has none of the {} instants that are compared, up to t = {:g} s", code.flag,
          code.file, run.setting, reference.motion.instants.size(), reference.motion.instants.back()));
    for (const Part part : all_parts)
      if (!reference.refused[static_cast<std::size_t>(part)].empty())
        one.largest[part] = one.at_end[part] = std::numeric_limits<double>::quiet_NaN();
    runs.push_back(std::move(one));
  }
  return runs;
}

}  // namespace catena::detail
