// Assembly: moves the bodies of a model onto its joints, and to coordinates that its joints shall have at first.
//
//   const AssemblyOptions options{.pins = {base}, .coordinates = {{.joint = hip, .value = 0.5, .rate = 6.0}}};
//   const AssemblyReport report = assemble(model, options);
//   if (report.status != Status::ok)
//     for (const auto& d : report.disagreements) std::cerr << name_of(d, options, model) << " is off by " << d.by << '\n';
//
// docs/theory/kkt.md#assembly
#pragma once
#include <catena/model/model.hpp>
#include <catena/model/parts/joint_term.hpp>
#include <catena/system/parts/state.hpp>
#include <catena/system/status.hpp>

#include <optional>
#include <string>
#include <vector>

namespace catena {

// What a coordinate of a joint between two markers shall be at first. It is held during the assembly alone.
struct InitialCoordinate {
  ConstraintId joint{};
  JointCoordinate coordinate = JointCoordinate::angle;
  std::optional<double> value =
      std::nullopt;  // [rad], modulo whole turns, or [m]; none: as the assembly leaves it
  std::optional<double> rate =
      std::nullopt;  // [rad/s] or [m/s]; none: as the projection of the velocities leaves it
};

struct BodyWeight {
  BodyId body{};
  double weight = 1.0;  // positive
};

struct AssemblyOptions {
  std::vector<BodyId> pins =
      {};  // keep position and orientation; their velocities are projected as those of others
  // How many times its mass a body counts where it is decided who moves: heavy ones move little. Positions only.
  std::vector<BodyWeight> weights = {};
  std::vector<InitialCoordinate> coordinates = {};
  double tolerance = 1e-12;  // of each position row [m, rad, or 1 of a sine], beside roundoff; positive
  int attempts =
      4;  // from positions that are moved more and more, where the given ones lead to no assembly; >= 1
  bool accelerations = true;  // false: State::a and lambda of the report remain zero
};

struct AssemblyReport {
  // newton_not_converged: no position found; singular_kkt: no velocity, or no acceleration; not_finite. The model is unchanged
  // unless it is ok.
  Status status = Status::ok;
  Culprit culprit = {};

  // Bodies whose pose has changed, those that moved most beside their own size first.
  struct Move {
    BodyId body{};
    double distance = 0.0;  // of the centre of mass [m]
    double turn = 0.0;      // [rad]
  };
  std::vector<Move> moves = {};
  double largest_velocity_change =
      0.0;  // max |delta v_i| / s_i, of the projection [1/s] (SystemLayout::scale)

  // Those that contradict one another, the widest open first: joints, and coordinates that were asked for. Together they
  // are a null vector of the transposed Jacobian at the nearest positions (or velocities) that were found.
  struct Disagreement {
    ConstraintId joint{};
    int coordinate = -1;   // number in AssemblyOptions::coordinates; -1: the joint itself
    bool of_rate = false;  // at velocity level
    double amount = 0.0;   // its largest row [m, rad, 1; of rates a second]
    std::string by = {};   // for people: '0.75 m and 0.02 rad'
  };
  std::vector<Disagreement> disagreements = {};

  int iterations = 0;  // of all attempts
  int attempts = 1;    // that were needed, or made in vain
  // Of a MultibodySystem of the assembled model: consistent q, v, a and lambda.
  State state = {};
};

// Positions by Newton's method on the position rows with a Levenberg term where it fails; velocities, accelerations and
// multipliers by ConsistentValues. Positions and velocities of the bodies are moved as little as the mass metric measures it,
// step by step. Velocity rows do not hold positions. Throws ModelError for a coordinate that its joint does not have or holds
// itself, for numbers out of range and for a model that Model::check() refuses.
AssemblyReport assemble(Model& model, const AssemblyOptions& options = {});

// 'angle of joint "hip" (revolute)', 'speed of joint "hip" (revolute)' or 'joint "hip" (revolute)'.
std::string name_of(const AssemblyReport::Disagreement& disagreement, const AssemblyOptions& options,
                    const Model& model);

}  // namespace catena
