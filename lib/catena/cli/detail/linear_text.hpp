// What `catena equilibrium`, `linearize` and `modes` find, as data; to people as text, to programs as JSON.
#pragma once
#include <catena/linear/linear_analysis.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

struct LinearReport {
  std::string command, problem;
  Status status = Status::ok;
  Culprit culprit = {};

  struct Reaction {
    std::string joint, body;  // the body that feels it
    Vec3 point, force, torque;
    std::string open;  // components that redundant rows leave open, 'force z, torque x, y'
  };
  std::optional<Equilibrium> equilibrium = std::nullopt;
  std::vector<Reaction> reactions = {};
  double arm = 0.0;  // size of the largest body [m]

  bool equilibrium_asked = false;  // by --equilibrium
  bool linearized = false, at_rest = false, symmetric = false;
  double unsteady = 0.0;
  Vec3 turning = Vec3::Zero();
  double fastest = 0.0;  // velocity beside the size of its body [1/s]
  int idle = 0;
  std::vector<std::string> blocks = {};   // names of velocity blocks
  std::vector<int> sizes = {};            // and their components
  std::vector<std::string> motions = {};  // of all of them, component_names()
  std::vector<std::string> remarks = {};  // wrong derivatives, friction
  int count = 0;                          // of modes that were asked for
  double shift = 0.0;                     // to which they are the nearest [1/s]
  std::optional<StateSpace> space = std::nullopt;
  std::optional<Modes> modes = std::nullopt;
};

// Fills in the reactions: those of all joints of up to 2000; none of larger models and of systems in their own coordinates.
void add_reactions(const System& system, const State& state, LinearReport& report);
// Fills what a linearized motion says.
void describe(const LinearMotion& motion, LinearReport& report);
// Where the model has dry friction, that it holds nothing at rest.
void add_friction_remark(const System& system, LinearReport& report);

std::string to_text(const LinearReport& report);
std::string to_json(const LinearReport& report);  // docs/howto/find_modes.md lists the keys

}  // namespace catena::detail
