// What `catena check` finds, as text and as JSON.
#include <catena/cli/detail/check_report.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/output/detail/redundancy_json.hpp>
#include <catena/output/detail/text_page.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace catena::detail {
namespace {

class Page : public TextPage {
 public:
  void row(const std::string& name, const std::string& value) { line("  {:<28}{}", name, value); }
};

void write_sizes(Page& page, const CheckReport& r) {
  page.line("\nSize");
  if (r.has_ground)
    page.row("bodies",
             fmt::format("{}{}", r.bodies,
                         r.fixed_bodies > 0 ? fmt::format(", {} of them fixed", r.fixed_bodies) : ""));
  else
    page.row("blocks of coordinates", std::to_string(r.blocks));
  page.row("velocities", std::to_string(r.velocities));
  page.row("constraints", fmt::format("{} with {} position and {} velocity rows", r.constraints,
                                      r.position_rows, r.velocity_rows));
  for (const KindCount& kind : r.kinds)
    if (kind.rows > 0) page.row("  " + kind.type, fmt::format("{} with {} rows", kind.count, kind.rows));
  if (r.has_ground) page.row("forces", std::to_string(r.forces));
  for (const KindCount& kind : r.kinds)
    if (kind.rows == 0) page.row("  " + kind.type, std::to_string(kind.count));
  page.row("independent rows", fmt::format("{} of {}", r.redundancy.rank, r.redundancy.rows));
  constexpr std::size_t shown = 10;
  for (std::size_t k = 0; k < r.redundancy.open.size() && k < shown; ++k)
    page.row(k == 0 ? "  open reactions" : "",
             r.redundancy.open[k].name + ": " + components(r.redundancy.open[k]));
  if (r.redundancy.open.size() > shown)
    page.row("", fmt::format("and of {} more", r.redundancy.open.size() - shown));
  page.row("degrees of freedom", std::to_string(r.degrees_of_freedom()));
  constexpr std::size_t of_one = 4;
  for (std::size_t k = 0; k < r.free_motions.size(); ++k) {
    const NamedMotion& motion = r.free_motions[k];
    const std::string name = fmt::format("  free motion {}", k + 1);
    if (!motion.joints.empty()) page.row(name, joints_in_words(motion, of_one));
    page.row(motion.joints.empty() ? name : "", bodies_in_words(motion, of_one));
  }
}

void write_parts(Page& page, const CheckReport& r) {
  page.line("\nParts");
  constexpr std::size_t shown = 10;
  for (std::size_t k = 0; k < r.parts.size() && k < shown; ++k) {
    const PartReport& part = r.parts[k];
    std::string held;
    if (r.has_ground) {
      held = part.on_ground ? "on the ground by joints" : part.forces_ground ? "held by forces only" : "free";
      if (part.forces_others) held += ", tied to other parts by forces";
      held += ": ";
    }
    page.row(fmt::format("{} {}", part.bodies.size(),
                         r.has_ground ? (part.bodies.size() == 1 ? "body" : "bodies")
                                      : (part.bodies.size() == 1 ? "block" : "blocks")),
             held + listed(part.bodies));
  }
  if (r.parts.size() > shown) page.line("  and {} more parts", r.parts.size() - shown);
}

void write_scales(Page& page, const CheckReport& r) {
  page.line("\nScales");
  for (const Scale& s : r.scales)
    page.row(s.quantity, fmt::format("{:.4g} {} ({}) to {:.4g} {} ({}), ratio {:.3g}", s.smallest, s.unit,
                                     s.smallest_of, s.largest, s.unit, s.largest_of, s.ratio()));
}

void write_assembly(Page& page, const CheckReport& r) {
  page.line("\nAssembly");
  constexpr std::size_t shown = 10;
  if (r.moves.empty()) page.row("bodies moved", r.disagreements.empty() ? "none" : "none: see the errors");
  for (std::size_t k = 0; k < r.moves.size() && k < shown; ++k) {
    const MovedBody& m = r.moves[k];
    page.row(k == 0 ? "bodies moved" : "",
             fmt::format("{:<10}  {:<10}  body \"{}\"", fmt::format("{:.3g} m", m.distance),
                         fmt::format("{:.3g} rad", m.turn), m.name));
  }
  if (r.moves.size() > shown) page.row("", fmt::format("and {} more", r.moves.size() - shown));
  for (std::size_t k = 0; k < r.disagreements.size() && k < shown; ++k) {
    const Violation& v = r.disagreements[k];
    page.row(k == 0 ? "disagree" : "", fmt::format("{:<10}  {}, {}", v.by, v.name, v.place));
  }
  if (r.disagreements.size() > shown)
    page.row("", fmt::format("and {} more", r.disagreements.size() - shown));
}

void write_start(Page& page, const CheckReport& r) {
  const auto rows = [&](const char* name, double largest, const std::vector<Violation>& violations) {
    page.row(name, fmt::format("{:.3g} at worst{}", largest, violations.empty() ? "" : ", violated:"));
    constexpr std::size_t shown = 10;
    for (std::size_t k = 0; k < violations.size() && k < shown; ++k)
      page.row("", fmt::format("{:<10}  {}{}{}", violations[k].by, violations[k].name,
                               violations[k].place.empty() ? "" : ", ", violations[k].place));
    if (violations.size() > shown) page.row("", fmt::format("and {} more", violations.size() - shown));
  };
  page.line("\nInitial state");
  rows("position residual", r.largest_position, r.position_violations);
  rows("velocity residual", r.largest_velocity, r.velocity_violations);
}

void write_steppers(Page& page, const CheckReport& r) {
  page.line("\nSteppers");
  for (const StepperVerdict& s : r.steppers)
    page.row(s.name, s.refusal.empty() ? "takes it" : "refuses: " + s.refusal);
}

}  // namespace

std::string to_text(const CheckReport& r) {
  Page page;
  std::string given;
  for (const OptionValue& v : r.parameters)
    given += (given.empty() ? ": " : ", ") + v.name + " = " + to_text(v);
  page.line("Check of {}{}", r.problem, given);
  write_sizes(page, r);
  write_parts(page, r);
  write_scales(page, r);
  if (r.assembled) write_assembly(page, r);
  write_start(page, r);
  page.line("\nDerivatives");
  page.row("compared with differences",
           fmt::format("at {} configurations, {} wrong", r.derivatives.points, r.derivatives.faults.size()));
  if (!r.steppers.empty()) write_steppers(page, r);
  page.line("");
  for (const std::string& remark : r.remarks) page.line("remark: {}", remark);
  for (const std::string& error : r.errors) page.line("error: {}", error);
  page.line("{}", r.fit() ? "fit to run" : "not fit to run");
  return page.take();
}

namespace {

using Json = nlohmann::ordered_json;

Json assembly(const CheckReport& r) {
  Json moves = Json::array(), disagreements = Json::array();
  for (const MovedBody& m : r.moves)
    moves.push_back({{"body", m.name}, {"distance", m.distance}, {"turn", m.turn}});
  for (const Violation& v : r.disagreements)
    disagreements.push_back({{"name", v.name}, {"by", v.by}, {"place", v.place}});
  return {{"moves", std::move(moves)},
          {"velocity_change", r.assembly_velocity_change},
          {"disagreements", std::move(disagreements)}};
}

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

Json free_motions(const CheckReport& r) {
  Json list = Json::array();
  for (const NamedMotion& motion : r.free_motions) {
    Json joints = Json::array(), bodies = Json::array();
    for (const NamedMotion::Joint& j : motion.joints)
      joints.push_back(
          {{"joint", j.name}, {"coordinate", j.turns ? "angle" : "displacement"}, {"rate", j.rate}});
    for (const NamedMotion::MovingBody& b : motion.bodies)
      bodies.push_back({{"body", b.name}, {"moves", b.how}});
    list.push_back({{"joints", std::move(joints)}, {"bodies", std::move(bodies)}});
  }
  return list;
}

// Numbers from 1, as the text has them; null where they are not distinguished.
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
  json["free_motions"] = free_motions(r);
  json["held"] = r.held;
  json["redundancy"] = redundancy_json(r.redundancy);
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
  if (r.assembled) json["assembly"] = assembly(r);
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

}  // namespace catena::detail
