#include <catena/cli/detail/linear_text.hpp>
#include <catena/cli/detail/mode_files.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/wrong_derivatives.hpp>
#include <catena/measure/joint_values.hpp>
#include <catena/model/detail/passing_visitor.hpp>
#include <catena/system/detail/scaled.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace catena::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown = 10;  // lines of a kind

// Below this part of the largest value of its kind a number is roundoff, and printed as 0. The JSON has it.
constexpr double roundoff = 1e-12;

double without_roundoff(double x, double size) { return std::abs(x) > roundoff * size ? x : 0.0; }
// Of a relative number, which is good to the last digit of doubles at best.
std::string relative_text(double x) {
  return x < std::numeric_limits<double>::epsilon() ? "0" : fmt::format("{:.2g}", x);
}
std::string vector_text(Vec3 x, double size) {
  for (double& e : x.e) e = without_roundoff(e, size);
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}
Json vector_json(const Vec3& x) { return {x[0], x[1], x[2]}; }

const char* at_least(const Modes& m) { return m.at_least ? "at least " : ""; }

std::string stability_text(const Modes& m) {
  if (m.all && m.modes.empty() && m.zeros == 0) return "none: the joints leave no motion";
  std::string text = to_string(m.stability);
  if (m.stability == Stability::unstable)
    text += fmt::format(": {}{} eigenvalue{} grow{}", at_least(m), m.unstable, m.unstable == 1 ? "" : "s",
                        m.unstable == 1 ? "s" : "");
  if (m.stability == Stability::neutral) text += ": nothing grows, and not every perturbation dies out";
  if (m.stability == Stability::unknown)
    text += ": none of the eigenvalues that were computed grows, and there are others";
  return text;
}

// ': body "rod": why (quantity 0.5)'
std::string culprit_text(const Culprit& culprit) {
  std::string text;
  if (!culprit.name.empty()) text += ": " + culprit.name;
  if (!culprit.why.empty()) text += ": " + culprit.why;
  if (!culprit.quantity.empty() && (culprit.value != 0.0 || culprit.why.empty()))
    text += fmt::format(" ({} {:.6g})", culprit.quantity, culprit.value);
  return text;
}

void add_modes(const Modes& m, std::string& text) {
  if (m.status != Status::ok) {
    text += "stability   not known" + culprit_text(m.culprit) + '\n';
    return;
  }
  text += "stability   " + stability_text(m) + '\n';
  if (m.zeros > 0)
    text += fmt::format("zeros       {}{} eigenvalue{}\n", at_least(m), m.zeros,
                        m.zeros == 1 ? " vanishes" : "s vanish");
  for (std::size_t k = 0; k < std::min(shown, m.free_motions.size()); ++k)
    text += "free        " + m.free_motions[k] + " without stiffness\n";
  if (m.free_motions.size() > shown)
    text += fmt::format("free        {} more in the JSON\n", m.free_motions.size() - shown);
}

void add_table(const LinearReport& r, std::string& text) {
  const Modes& m = *r.modes;
  if (!m.modes.empty())
    text += fmt::format("{:>5} {:>18} {:>18} {:>16} {:>10}\n", "mode", "real [1/s]", "imaginary [1/s]",
                        "frequency [Hz]", "damping");
  for (std::size_t k = 0; k < m.modes.size(); ++k) {
    const Mode& mode = m.modes[k];
    const double size = std::abs(mode.eigenvalue);
    text += fmt::format("{:>5} {:>18.12g} {:>18.12g} {:>16.10g} {:>10.4g}\n", k + 1,
                        without_roundoff(mode.eigenvalue.real(), size),
                        without_roundoff(mode.eigenvalue.imag(), size),
                        without_roundoff(mode.frequency, size), without_roundoff(mode.damping_ratio, 1.0));
  }
  if (m.missing > 0)
    text += fmt::format(
        "missing     {} of the modes asked for: eigenvalues that vanish hide them, and --shift S takes those "
        "near S\n",
        m.missing);
  if (m.all || static_cast<int>(m.modes.size()) < r.count) return;
  text += r.shift == 0.0 ? "            the slowest"
                         : fmt::format("            the nearest to {:.6g} 1/s", r.shift);
  text += m.modes.size() == 1 ? " alone" : fmt::format(" {}", m.modes.size());
  text += "; --count N lists more\n";
}

void add_equilibrium(const LinearReport& r, std::string& text) {
  const Equilibrium& e = *r.equilibrium;
  text += fmt::format("residual    {} of the largest force on a body, after {} iteration{}\n",
                      relative_text(e.residual), e.iterations, e.iterations == 1 ? "" : "s");
  if (e.moves.empty()) text += "moved       nothing\n";
  for (std::size_t k = 0; k < std::min(shown, e.moves.size()); ++k)
    text += fmt::format("moved       {} by {:.6g} m and {:.6g} rad\n", e.moves[k].name, e.moves[k].distance,
                        e.moves[k].turn);
  if (e.moves.size() > shown)
    text += fmt::format("moved       {} more in the JSON\n", e.moves.size() - shown);
  double force = 0.0, torque = 0.0;
  for (const LinearReport::Reaction& x : r.reactions)
    force = std::max(force, norm(x.force)), torque = std::max(torque, norm(x.torque));
  torque = std::max(torque, force * r.arm);
  for (std::size_t k = 0; k < std::min(shown, r.reactions.size()); ++k)
    text += fmt::format("reaction    {} on {}: {} N, {} N m{}\n", r.reactions[k].joint, r.reactions[k].body,
                        vector_text(r.reactions[k].force, force), vector_text(r.reactions[k].torque, torque),
                        r.reactions[k].open.empty() ? "" : "; open: " + r.reactions[k].open);
  if (std::any_of(r.reactions.begin(), r.reactions.end(), [](const auto& x) { return !x.open.empty(); }))
    text += "            open: redundant rows leave it to the method\n";
  if (r.reactions.size() > shown)
    text += fmt::format("reaction    {} more in the JSON\n", r.reactions.size() - shown);
}

Json modes_json(const Modes& m) {
  Json json;
  json["status"] = to_string(m.status);
  json["stability"] = to_string(m.stability);
  json["unstable"] = m.unstable;
  json["zeros"] = m.zeros;
  json["at_least"] = m.at_least;
  json["all"] = m.all;
  json["method"] = m.method;
  json["free_motions"] = m.free_motions;
  Json& list = json["modes"] = Json::array();
  for (const Mode& mode : m.modes) {
    Json real = Json::array(), imaginary = Json::array();
    for (const std::complex<double>& x : mode.shape) real.push_back(x.real()), imaginary.push_back(x.imag());
    list.push_back({{"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
                    {"frequency", mode.frequency},
                    {"damping_ratio", mode.damping_ratio},
                    {"shape", {{"real", real}, {"imaginary", imaginary}}}});
  }
  return json;
}

}  // namespace

// Each builds what it needs of the whole model.
constexpr std::size_t most_reactions = 2000;

void add_reactions(const System& system, const State& state, LinearReport& report) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return;
  const SystemLayout& layout = system.layout();
  for (const int first : layout.pattern->primal_offset)
    if (first < layout.v_size()) report.arm = std::max(report.arm, layout.scale[index(first)]);
  const Model& model = bodies->model();
  if (model.constraints().size() > most_reactions) return;
  const Redundancy redundancy = redundant_rows(system, state);
  for (int k = 0; k < static_cast<int>(model.constraints().size()); ++k) {
    const JointReaction r = reaction(*bodies, state, ConstraintId{k});
    report.reactions.push_back({model.constraint_label(ConstraintId{k}),
                                r.body == ground ? "the ground" : "body \"" + model.body(r.body).name + '"',
                                r.point, r.force, r.torque,
                                redundancy.open_of(k) == nullptr ? "" : components(*redundancy.open_of(k))});
  }
}

void describe(const LinearMotion& motion, LinearReport& report) {
  report.status = motion.status;
  report.culprit = motion.culprit;
  report.linearized = true;
  report.at_rest = motion.at_rest;
  report.symmetric = motion.symmetric;
  report.unsteady = motion.unsteady;
  report.turning = motion.turning;
  report.fastest = largest_scaled(motion.system->layout(), motion.state.v.data());
  report.idle = motion.idle_count;
  const BlockPattern& p = *motion.system->layout().pattern;
  report.sizes = p.primal_size;
  for (int b = 0; b < p.primal_count(); ++b) report.blocks.push_back(motion.system->velocity_block_name(b));
  report.motions = component_names(*motion.system);
  if (motion.at_rest) add_friction_remark(*motion.system, report);
  for (const DerivativeFault& fault : find_wrong_derivatives(*motion.system, motion.state).faults)
    report.remarks.push_back(to_text(*motion.system, fault));
}

namespace {

// Reads the coefficients of dry friction among the members of a force.
struct DryFriction : PassingVisitor {
  bool found = false;
  void real(const OptionInfo& info, double& value) override {
    const std::string_view name = info.name;
    found = found || (value > 0.0 && (name == "friction" || (name == "coefficient" && by_reaction)));
  }
  bool by_reaction = false;
};

}  // namespace

void add_friction_remark(const System& system, LinearReport& report) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return;
  const Model& model = bodies->model();
  std::vector<std::string> names;
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k) {
    const Model::ElementRef& at = model.forces()[index(k)];
    const ElementPool& pool = *model.pools()[index(at.pool)];
    DryFriction dry;
    dry.by_reaction = std::string_view(pool.type_name()) == "joint_friction";
    if (pool.list_members(at.element, dry) && dry.found) names.push_back(model.force_label(ForceId{k}));
  }
  if (names.empty()) return;
  report.remarks.push_back(
      "dry friction of " + listed(names) +
      " holds nothing at rest: without sliding it is zero, and near rest it is a damper. "
      "A place where friction alone holds is no equilibrium here");
}

std::string to_text(const LinearReport& r) {
  std::string text = fmt::format("{} of {}\n", r.command, r.problem);
  const auto add_remarks = [&] {
    for (const std::string& remark : r.remarks) text += "remark: " + remark + '\n';
  };
  if (r.status != Status::ok) {
    text += fmt::format("status      {}{}\n", to_string(r.status), culprit_text(r.culprit));
    // Drives and forces over time would fail there as well.
    const bool falls =
        r.status == Status::inconsistent_start && r.at_rest && r.culprit.quantity == "acceleration";
    if (r.linearized && falls && !r.equilibrium_asked)
      text += "            --equilibrium, or catena equilibrium, looks for a place where it rests\n";
    add_remarks();
    return text;
  }
  if (r.equilibrium) add_equilibrium(r, text);
  if (r.linearized) {
    text += r.at_rest ? "about       a state of rest" : "about       a steady motion in a frame that ";
    if (!r.at_rest)
      text += norm(r.turning) > roundoff * r.fastest
                  ? "turns with " + vector_text(r.turning, r.fastest) + " rad/s"
                  : "does not turn";
    text += "; relative deviation " + relative_text(r.unsteady) + '\n';
    if (r.idle > 0) text += fmt::format("idle        {} turns on which nothing acts are left out\n", r.idle);
  }
  if (r.space)
    text += fmt::format("states      {}; --json writes the matrix and what its states are\n", r.space->size);
  if (r.modes) add_modes(*r.modes, text);
  if (r.modes && r.command == "modes") add_table(r, text);
  add_remarks();
  return text;
}

std::string to_json(const LinearReport& r) {
  Json json;
  json["command"] = r.command;
  json["problem"] = r.problem;
  json["status"] = to_string(r.status);
  if (r.status != Status::ok)
    json["culprit"] = {{"name", r.culprit.name},
                       {"quantity", r.culprit.quantity},
                       {"value", r.culprit.value},
                       {"why", r.culprit.why}};
  if (r.equilibrium) {
    Json& e = json["equilibrium"] = {{"residual", r.equilibrium->residual},
                                     {"iterations", r.equilibrium->iterations}};
    Json& moves = e["moves"] = Json::array();
    for (const Equilibrium::Move& m : r.equilibrium->moves)
      moves.push_back({{"name", m.name}, {"distance", m.distance}, {"turn", m.turn}});
    e["q"] = r.equilibrium->state.q;
    Json& reactions = e["reactions"] = Json::array();
    for (const LinearReport::Reaction& x : r.reactions)
      reactions.push_back({{"joint", x.joint},
                           {"on", x.body},
                           {"point", vector_json(x.point)},
                           {"force", vector_json(x.force)},
                           {"torque", vector_json(x.torque)},
                           {"open", x.open}});
  }
  if (r.linearized) {
    json["at_rest"] = r.at_rest;
    json["unsteady"] = r.unsteady;
    json["turning"] = vector_json(r.turning);
    json["idle_components"] = r.idle;
    Json& blocks = json["components"] = Json::array();
    auto motion = r.motions.begin();
    for (std::size_t b = 0; b < r.blocks.size(); ++b) {
      const auto next = motion + r.sizes[b];
      blocks.push_back(
          {{"of", r.blocks[b]}, {"count", r.sizes[b]}, {"motions", Json(std::vector(motion, next))}});
      motion = next;
    }
  }
  json["remarks"] = r.remarks;
  if (r.space)
    json["state_space"] = {{"size", r.space->size}, {"matrix", r.space->matrix}, {"basis", r.space->basis}};
  if (r.modes) json["modes"] = modes_json(*r.modes);
  return json.dump(2) + '\n';
}

}  // namespace catena::detail
