#include <catena/output/detail/redundancy_json.hpp>
#include <catena/output/parts/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace catena {
using namespace detail;
namespace {

using Json = nlohmann::ordered_json;

Json values(const std::vector<OptionValue>& options) {
  Json object = Json::object();
  for (const OptionValue& option : options)
    std::visit([&](const auto& value) { object[option.name] = value; }, option.value);
  return object;
}

Json triple(const Vec3& v) { return Json::array({v[0], v[1], v[2]}); }

Json peak(const Peak& p, const std::string& constraint) {
  return {{"value", p.value}, {"time", p.t}, {"constraint", constraint}};
}

Json owner(const Culprit& c) { return {{"name", c.name}, {"quantity", c.quantity}, {"value", c.value}}; }

Json guards(const std::vector<GuardCount>& counts) {
  Json object = Json::object();
  for (const GuardCount& g : counts) {
    Json one{{"mode", g.reports ? "report" : "on"}, {"count", g.count}};
    if (g.count > 0) {
      one["first_time"] = g.first_t;
      one["first"] = owner(g.first);
    }
    object[g.name] = std::move(one);
  }
  return object;
}

Json remarks(const Report& r) {
  Json all = Json::array();
  for (const std::vector<Remark>* some : {&r.notices, &r.run.remarks})
    for (const Remark& remark : *some)
      all.push_back({{"key", to_string(remark.key)},
                     {"name", remark.culprit.name},
                     {"quantity", remark.culprit.quantity},
                     {"value", remark.culprit.value},
                     {"text", remark.text}});
  return all;
}

void add_run(Json& json, const Report& r) {
  const RunResult& run = r.run;
  const StepperStatistics& s = r.statistics;
  json["step"] = run.step;
  json["smallest_step"] = run.smallest_step;
  json["largest_step"] = run.largest_step;
  json["end"] = r.end;
  json["time"] = run.t_end;
  json["every"] = r.every;
  json["steps"] = run.steps;
  json["rejected_steps"] = run.rejected;
  json["rejected_by_error"] = s.rejected_by_error;
  json["rejected_by_newton"] = s.rejected_by_newton;
  json["bodies"] = r.bodies;
  json["velocity_components"] = r.velocities;
  json["constraint_rows"] = r.rows;
  json["moved"] = Json::array();
  for (const MovedBody& body : r.moved)
    json["moved"].push_back({{"body", body.name}, {"distance", body.distance}, {"turn", body.turn}});
  json["redundancy"] = redundancy_json(r.redundancy);
  json["redundancy"]["reactions"] = r.reactions;
  json["wall_time_s"] = r.seconds_build + run.seconds_total;
  json["ns_per_step_per_body"] = r.ns_per_step_per_body();
  json["ns_fastest_step_per_body"] = run.seconds_fastest_step * 1e9 / std::max(1, r.blocks);
  json["newton_iterations"] = s.newton_iterations;
  json["multiplier_noise"] = s.multiplier_noise;
  json["newton_iterations_per_step"] = r.newton_iterations_per_step();
  json["evaluations"] = s.evaluations;
  json["factorizations"] = s.factorizations;
  json["solves"] = s.solves;
  json["refinements"] = s.refinements;
  json["indefinite_factorizations"] = s.indefinite_factorizations;
  json["growing_factorizations"] = s.growing_factorizations;
  json["stagnations"] = s.stagnations;
  json["dropped_geometric_stiffness"] = s.dropped_geometric_stiffness;
  json["fallback_factorizations"] = s.fallback_factorizations;
  json["guards"] = guards(s.guards);
  json["phase_times_s"] = {{"build", r.seconds_build},         {"setup", run.seconds_setup},
                           {"stepping", run.seconds_stepping}, {"evaluate", s.seconds_evaluate},
                           {"factorize", s.seconds_factorize}, {"solve", s.seconds_solve},
                           {"start", s.seconds_start},         {"output", run.seconds_output}};
}

void add_accuracy(Json& json, const Report& r) {
  const MonitorResult& m = r.monitor;
  json["energy_initial"] = m.energy_initial.total();
  json["energy_final"] = m.energy_final.total();
  json["kinetic_energy_final"] = m.energy_final.kinetic;
  json["potential_energy_final"] = m.energy_final.potential;
  const std::string unknown = why_energy_error_is_unknown(r);
  json["work_of_forces"] = unknown.empty() ? Json(m.work.forces) : Json();
  json["work_of_drives"] = unknown.empty() ? Json(m.work.drives) : Json();
  json["energy_balance"] = m.energy_balance();
  json["energy_error_max"] = m.energy_error_max();
  json["energy_error_is_absolute"] = m.energy_error_is_absolute();
  json["energy_error_unknown"] = unknown;
  json["position_residual_max"] = m.position.value;
  json["velocity_residual_max"] = m.velocity.value;
  json["acceleration_residual_max"] = m.acceleration.value;
  const Culprit& error = r.run.largest_error;
  json["local_error"] =
      error.quantity.empty()
          ? Json()
          : Json{{"value", error.value}, {"time", r.run.t_largest_error}, {"name", error.name}};
  json["worst"] = {{"energy", peak(m.energy_error, "")},
                   {"position", peak(m.position, r.worst_position)},
                   {"velocity", peak(m.velocity, r.worst_velocity)},
                   {"acceleration", peak(m.acceleration, r.worst_acceleration)}};
}

void add_final_state(Json& json, const Report& r) {
  Json positions = Json::array(), quaternions = Json::array(), velocities = Json::array(),
       rates = Json::array();
  for (const RigidBodyState& b : r.final_bodies) {
    positions.push_back(triple(b.position));
    quaternions.push_back(Json::array({b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z}));
    velocities.push_back(triple(b.velocity));
    rates.push_back(triple(b.angular_velocity));
  }
  Json multipliers = Json::array(), constraints = Json::array();
  for (const ConstraintForce& force : r.forces) {
    constraints.push_back(
        {{"name", force.name}, {"first", multipliers.size()}, {"rows", force.lambda.size()}});
    for (const double lambda : force.lambda) multipliers.push_back(lambda);
  }
  json["body_names"] = r.body_names;
  json["positions"] = std::move(positions);
  json["quaternions"] = std::move(quaternions);
  json["velocities_of_coordinates"] = r.v;
  json["coordinates"] = r.q;
  json["velocities"] = std::move(velocities);
  json["angular_velocities"] = std::move(rates);
  json["multipliers"] = std::move(multipliers);
  json["constraints"] = std::move(constraints);
}

Json quantities(const std::vector<FinalQuantity>& quantities) {
  Json object = Json::object();
  for (const FinalQuantity& q : quantities) {
    Json one{{"unit", q.unit}, {"frame", q.frame}, {"meaning", q.meaning}, {"axes", q.axes}};
    if (!q.components.empty()) one["components"] = q.components;
    if (!q.items.empty()) one["items"] = q.items;
    if (q.values.size() == 1 && q.items.empty())
      one["final"] = q.values.front();
    else
      one["final"] = q.values;
    object[q.name] = std::move(one);
  }
  return object;
}

Json error_bars(const ErrorBars& found) {
  if (found.companion.empty()) return nullptr;
  Json bars = Json::object();
  for (const ErrorBar& bar : found.bars)
    bars[bar.quantity] = {{"unit", bar.unit},
                          {"final", bar.at_end},
                          {"largest", bar.largest},
                          {"time", bar.t},
                          {"column", bar.column}};
  return {{"companion", found.companion},
          {"missing", found.missing},
          {"wall_time_s", found.seconds},
          {"bars", std::move(bars)}};
}

Json digits(const Digits& found) {
  if (found.asked == 0) return nullptr;
  return {{"asked", found.asked},     {"reached", found.reached}, {"quantity", found.quantity},
          {"unit", found.unit},       {"bar", found.bar},         {"size", found.size},
          {"setting", found.setting}, {"tried", found.tried},     {"missing", found.missing}};
}

}  // namespace

std::string to_json(const Report& r) {
  Json json;
  json["problem"] = r.problem;
  json["parameters"] = values(r.parameters);
  json["seed"] = r.seed ? Json(*r.seed) : Json();
  json["stepper"] = r.stepper;
  json["options"] = values(r.options);
  json["backend"] = r.backend;
  json["status"] = r.error.empty() ? to_string(r.run.status) : "error";
  json["verdict"] = verdict(r);
  json["cause"] = to_string(r.run.cause);
  json["culprit"] = owner(r.run.culprit);
  json["start_remark"] = owner(r.run.start_remark);
  json["unfinished_states_in_steps"] = r.run.unfinished;
  json["unfinished_remark"] = owner(r.run.unfinished_remark);
  json["termination"] = termination(r);
  json["exit_status"] = r.exit_text.empty() ? Json() : Json(r.exit_status);
  json["exit_text"] = r.exit_text;
  json["error"] = r.error;
  if (r.resumed_from.empty())
    json["resumed_from"] = nullptr;
  else
    json["resumed_from"] = {{"checkpoint", r.resumed_from},
                            {"time", r.run.t_resumed},
                            {"resumes", r.run.resumes},
                            {"restarted", r.resume_restarted},
                            {"finished_before", r.finished_before},
                            {"refused", r.refused}};
  json["version"] = r.version;
  json["machine"] = r.processor;
  json["instruction_set"] = r.instruction_set;
  json["threads"] = r.threads;
  add_run(json, r);
  add_accuracy(json, r);
  add_final_state(json, r);
  json["quantities"] = quantities(r.quantities);
  json["error_bars"] = error_bars(r.error_bars);
  json["digits"] = digits(r.digits);
  json["files"] = r.files;
  json["remarks"] = remarks(r);
  json["failed_step"] = r.failure.empty() ? Json() : Json{{"lines", r.failure}, {"record", r.failure_file}};
  // One key a line: readable, and long arrays stay on theirs.
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += text.empty() ? "{\n" : ",\n";
    text += Json(key).dump() + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

}  // namespace catena
