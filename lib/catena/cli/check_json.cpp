#include <catena/cli/check_report.hpp>

#include <nlohmann/json.hpp>

namespace catena {
namespace {

using Json = nlohmann::ordered_json;

Json violations(const std::vector<Violation>& found) {
  Json list = Json::array();
  for (const Violation& v : found) {
    Json one{{"constraint", v.name}, {"residual", v.size}};
    if (!v.place.empty()) one["place"] = v.place;
    list.push_back(std::move(one));
  }
  return list;
}

Json parts(const CheckReport& r) {
  Json list = Json::array();
  for (const PartReport& p : r.parts) {
    Json part{{"bodies", p.bodies}};
    if (r.has_ground) {
      part["on_ground"] = p.on_ground;
      part["forces_to_ground"] = p.forces_ground;
      part["forces_to_other_parts"] = p.forces_others;
    }
    list.push_back(std::move(part));
  }
  return list;
}

Json redundancy(const Redundancy& r) {
  Json dependencies = Json::array();
  for (const Redundancy::Dependency& d : r.dependencies)
    dependencies.push_back({{"rows", d.rows}, {"constraints", d.constraints}});
  return {{"suspected", r.suspected},
          {"proven", r.proven()},
          {"redundant_rows", r.rows - r.rank},
          {"dependencies", std::move(dependencies)}};
}

// Numbers from 1, as the text has them; null where not told apart.
Json number(int k) { return k < 0 ? Json() : Json(k + 1); }

}  // namespace

std::string to_json(const CheckReport& r) {
  Json json;
  json["problem"] = r.problem;
  json["version"] = r.version;
  Json& parameters = json["parameters"] = Json::object();
  for (const OptionValue& option : r.parameters)
    std::visit([&](const auto& value) { parameters[option.name] = value; }, option.value);
  json["fit"] = r.fit();
  json["errors"] = r.errors;
  json["remarks"] = r.remarks;
  json["bodies"] = r.bodies;
  json["fixed_bodies"] = r.fixed_bodies;
  json["velocities"] = r.velocities;
  json["constraints"] = r.constraints;
  json["position_rows"] = r.position_rows;
  json["velocity_rows"] = r.velocity_rows;
  json["independent_rows"] = r.redundancy.rank;
  json["degrees_of_freedom"] = r.degrees_of_freedom();
  json["forces"] = r.forces;
  Json& kinds = json["kinds"] = Json::array();
  for (const KindCount& k : r.kinds)
    kinds.push_back({{"type", k.type}, {"count", k.count}, {"rows", k.rows}});
  json["redundancy"] = redundancy(r.redundancy);
  json["parts"] = parts(r);
  Json& scales = json["scales"] = Json::array();
  for (const Scale& s : r.scales)
    scales.push_back({{"quantity", s.quantity},
                      {"unit", s.unit},
                      {"smallest", s.smallest},
                      {"smallest_of", s.smallest_of},
                      {"largest", s.largest},
                      {"largest_of", s.largest_of},
                      {"ratio", s.ratio()}});
  json["initial_state"] = {{"position_residual", r.largest_position},
                           {"velocity_residual", r.largest_velocity},
                           {"position_violations", violations(r.position_violations)},
                           {"velocity_violations", violations(r.velocity_violations)},
                           {"velocity_change", r.velocity_change}};
  Json& faults = json["wrong_derivatives"] = Json::array();
  for (const DerivativeFault& f : r.derivatives.faults)
    faults.push_back({{"owner", f.owner},
                      {"quantity", f.quantity},
                      {"row", number(f.row)},
                      {"by", f.by},
                      {"component", number(f.component)},
                      {"given", f.given},
                      {"differences", f.expected}});
  json["checked_configurations"] = r.derivatives.points;
  Json& steppers = json["steppers"] = Json::array();
  for (const StepperVerdict& s : r.steppers)
    steppers.push_back({{"name", s.name}, {"takes", s.refusal.empty()}, {"reason", s.refusal}});
  json["exit_status"] = r.exit_status;
  json["exit_text"] = r.exit_text;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace catena
