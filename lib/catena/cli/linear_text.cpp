#include <catena/cli/detail/linear_text.hpp>
#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/measure/detail/wrong_derivatives.hpp>
#include <catena/measure/joint_values.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

using Json = nlohmann::ordered_json;

std::string vector_text(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]); }
Json vector_json(const Vec3& x) { return {x[0], x[1], x[2]}; }

std::string stability_text(const Modes& m) {
  std::string text = to_string(m.stability);
  if (m.stability == Stability::unstable)
    text += fmt::format(": {} eigenvalue{} grow{}", m.unstable, m.unstable == 1 ? "" : "s",
                        m.unstable == 1 ? "s" : "");
  if (m.stability == Stability::neutral) text += ": nothing grows, and not every perturbation dies out";
  return text;
}

// ': body "rod": why (quantity 0.5)'
std::string culprit_text(const Culprit& culprit) {
  std::string text;
  if (!culprit.name.empty()) text += ": " + culprit.name;
  if (!culprit.why.empty()) text += ": " + culprit.why;
  if (!culprit.quantity.empty()) text += fmt::format(" ({} {:.6g})", culprit.quantity, culprit.value);
  return text;
}

void add_modes(const Modes& m, std::string& text) {
  if (m.status != Status::ok) {
    text += "stability   not known" + culprit_text(m.culprit) + '\n';
    return;
  }
  text += "stability   " + stability_text(m) + '\n';
  if (m.zeros > 0) text += fmt::format("zeros       {} eigenvalues vanish\n", m.zeros);
  for (const std::string& free : m.free_motions) text += "free        " + free + ": nothing acts along it\n";
}

void add_table(const Modes& m, std::string& text) {
  if (!m.modes.empty())
    text += fmt::format("{:>5} {:>18} {:>18} {:>16} {:>10}\n", "mode", "real [1/s]", "imaginary [1/s]",
                        "frequency [Hz]", "damping");
  for (std::size_t k = 0; k < m.modes.size(); ++k)
    text +=
        fmt::format("{:>5} {:>18.12g} {:>18.12g} {:>16.10g} {:>10.4g}\n", k + 1, m.modes[k].eigenvalue.real(),
                    m.modes[k].eigenvalue.imag(), m.modes[k].frequency, m.modes[k].damping_ratio);
}

void add_equilibrium(const LinearReport& r, std::string& text) {
  const Equilibrium& e = *r.equilibrium;
  text +=
      fmt::format("residual    {:.3g} of the largest force, after {} iterations\n", e.residual, e.iterations);
  if (e.moves.empty()) text += "moved       nothing\n";
  constexpr std::size_t shown = 10;
  for (std::size_t k = 0; k < std::min(shown, e.moves.size()); ++k)
    text += fmt::format("moved       {} by {:.6g} m and {:.6g} rad\n", e.moves[k].name, e.moves[k].distance,
                        e.moves[k].turn);
  if (e.moves.size() > shown) text += fmt::format("moved       {} more\n", e.moves.size() - shown);
  for (std::size_t k = 0; k < std::min(shown, r.reactions.size()); ++k)
    text += fmt::format("reaction    {} on {}: {} N, {} N m{}\n", r.reactions[k].joint, r.reactions[k].body,
                        vector_text(r.reactions[k].force), vector_text(r.reactions[k].torque),
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

std::vector<LinearReport::Reaction> reactions_at(const System& system, const State& state) {
  std::vector<LinearReport::Reaction> found;
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return found;
  const Model& model = bodies->model();
  if (model.constraints().size() > most_reactions) return found;
  const Redundancy redundancy = redundant_rows(system, state);
  for (int k = 0; k < static_cast<int>(model.constraints().size()); ++k) {
    const JointReaction r = reaction(*bodies, state, ConstraintId{k});
    found.push_back({model.constraint_label(ConstraintId{k}),
                     r.body == ground ? "the ground" : "body \"" + model.body(r.body).name + '"', r.point,
                     r.force, r.torque,
                     redundancy.open_of(k) == nullptr ? "" : components(*redundancy.open_of(k))});
  }
  return found;
}

void describe(const LinearMotion& motion, LinearReport& report) {
  report.status = motion.status;
  report.culprit = motion.culprit;
  report.linearized = true;
  report.at_rest = motion.at_rest;
  report.symmetric = motion.symmetric;
  report.unsteady = motion.unsteady;
  report.turning = motion.turning;
  report.idle = motion.idle_count;
  const BlockPattern& p = *motion.system->layout().pattern;
  report.sizes = p.primal_size;
  for (int b = 0; b < p.primal_count(); ++b) report.blocks.push_back(motion.system->velocity_block_name(b));
  for (const DerivativeFault& fault : find_wrong_derivatives(*motion.system, motion.state).faults)
    report.remarks.push_back(to_text(*motion.system, fault));
}

std::string to_text(const LinearReport& r) {
  std::string text = fmt::format("{} of {}\n", r.command, r.problem);
  if (r.status != Status::ok) {
    text += fmt::format("status      {}{}\n", to_string(r.status), culprit_text(r.culprit));
    if (r.linearized && r.at_rest && r.status == Status::inconsistent_start)
      text += "            --equilibrium, or catena equilibrium, finds a place where it rests\n";
    return text;
  }
  if (r.equilibrium) add_equilibrium(r, text);
  if (r.linearized) {
    text += r.at_rest ? "about       a state of rest"
                      : "about       a steady motion in a frame that turns with " + vector_text(r.turning) +
                            " rad/s";
    text += fmt::format("; it changes by {:.2g} of the largest acceleration\n", r.unsteady);
    if (r.idle > 0) text += fmt::format("idle        {} turns on which nothing acts are left out\n", r.idle);
  }
  if (r.space)
    text += fmt::format("states      {}; --json writes the matrix and what its states are\n", r.space->size);
  if (r.modes) add_modes(*r.modes, text);
  if (r.modes && r.command == "modes") add_table(*r.modes, text);
  for (const std::string& remark : r.remarks) text += "remark: " + remark + '\n';
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
    json["remarks"] = r.remarks;
    Json& blocks = json["components"] = Json::array();
    for (std::size_t b = 0; b < r.blocks.size(); ++b)
      blocks.push_back({{"of", r.blocks[b]}, {"count", r.sizes[b]}});
  }
  if (r.space)
    json["state_space"] = {{"size", r.space->size}, {"matrix", r.space->matrix}, {"basis", r.space->basis}};
  if (r.modes) json["modes"] = modes_json(*r.modes);
  return json.dump(2) + '\n';
}

}  // namespace catena::detail
