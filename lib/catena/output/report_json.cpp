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

std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Piece by piece: the values of Json take many times the memory of the numbers, and the destructor of a long list asks for more of
// it, which ends the process where there is none.
template <class T, class JsonOf>
void append_list(std::string& text, const std::vector<T>& list, const JsonOf& json_of) {
  constexpr std::size_t piece = 64;
  text += '[';
  for (std::size_t begin = 0; begin < list.size(); begin += piece) {
    Json some = Json::array();
    for (std::size_t k = begin; k < std::min(begin + piece, list.size()); ++k)
      some.push_back(json_of(list[k]));
    const std::string between = text_of(some);
    if (begin > 0) text += ',';
    text.append(between, 1, between.size() - 2);
  }
  text += ']';
}

template <class T>
void append_list(std::string& text, const std::vector<T>& list) {
  append_list(text, list, [](const T& one) -> const T& { return one; });
}

void begin_line(std::string& text, const std::string& key) {
  text += (text.empty() ? "{\n" : ",\n") + text_of(key) + ": ";
}

template <class... List>
void add_list(std::string& text, const char* key, const List&... list) {
  begin_line(text, key);
  append_list(text, list...);
}

// One key a line: readable, and long arrays stay on theirs.
void add_lines(std::string& text, const Json& json) {
  for (const auto& [key, value] : json.items()) {
    begin_line(text, key);
    text += text_of(value);
  }
}

void add_final_state(std::string& text, const Report& r) {
  const auto& bodies = r.final_bodies;
  add_list(text, "body_names", r.body_names);
  add_list(text, "positions", bodies, [](const auto& b) { return triple(b.position); });
  add_list(text, "quaternions", bodies, [](const auto& b) {
    return Json::array({b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z});
  });
  add_list(text, "velocities_of_coordinates", r.v);
  add_list(text, "coordinates", r.q);
  add_list(text, "velocities", bodies, [](const auto& b) { return triple(b.velocity); });
  add_list(text, "angular_velocities", bodies, [](const auto& b) { return triple(b.angular_velocity); });
  std::vector<double> multipliers;
  for (const ConstraintForce& force : r.forces)
    multipliers.insert(multipliers.end(), force.lambda.begin(), force.lambda.end());
  add_list(text, "multipliers", multipliers);
  std::size_t first = 0;
  add_list(text, "constraints", r.forces, [&](const ConstraintForce& force) {
    first += force.lambda.size();
    return Json{{"name", force.name}, {"first", first - force.lambda.size()}, {"rows", force.lambda.size()}};
  });
}

void add_quantities(std::string& text, const std::vector<FinalQuantity>& quantities) {
  begin_line(text, "quantities");
  text += '{';
  for (const FinalQuantity& q : quantities) {
    Json one{{"unit", q.unit}, {"frame", q.frame}, {"meaning", q.meaning}, {"axes", q.axes}};
    if (!q.components.empty()) one["components"] = q.components;
    text += (&q == &quantities.front() ? "" : ",") + text_of(q.name) + ':' + text_of(one);
    text.pop_back();  // its bracket
    if (!q.items.empty()) {
      text += ",\"items\":";
      append_list(text, q.items);
    }
    text += ",\"final\":";
    if (q.values.size() == 1 && q.items.empty())
      text += text_of(q.values.front());
    else
      append_list(text, q.values);
    text += '}';
  }
  text += '}';
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
  std::string text;
  add_lines(text, json);
  add_final_state(text, r);
  add_quantities(text, r.quantities);
  add_lines(text, {{"error_bars", error_bars(r.error_bars)},
                   {"digits", digits(r.digits)},
                   {"files", r.files},
                   {"remarks", remarks(r)},
                   {"failed_step",
                    r.failure.empty() ? Json() : Json{{"lines", r.failure}, {"record", r.failure_file}}}});
  return text + "\n}\n";
}

}  // namespace catena
