// What a stepper may ask of a mechanical system:
//
//     q' = q . v,   M(q) v' + G(q,t)^T lambda = f(q,v,t),   g(q,t) = 0,   A(q,t) v + a(q,t) = 0,
//
// on a manifold Q (a Lie group per body, or plain coordinates). Position rows g and velocity rows A share
// one multiplier vector; G denotes the Jacobians of both. A stepper never sees a body.
//
// Perturbations act on the right: q (+) delta = q exp(delta), block by block of the velocity.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/math/rotation.hpp>
#include <catena/sparse/parts/block_matrix.hpp>
#include <catena/system/parts/force_along.hpp>
#include <catena/system/parts/state.hpp>
#include <catena/system/status.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace catena {

// A constraint whose position rows see places as they are, and not their differences alone.
struct PlaceRows {
  int dual = 0;
  std::array<int, 4> q_at = {-1, -1, -1, -1};  // in State::q: three coordinates [m] each; -1: no further body
  double fixed = 1.0;  // largest coordinate of its bodies that do not move, at least 1 [m]
};

// A constraint whose position rows hold a difference that stays open as it moves: of places along a rail or a plane, or of the
// coordinates of a coupling. Their roundoff is that of the sum of these parts.
struct OpenRows {
  // The way from one body to another, or an angle that counts its turns.
  struct Part {
    double factor = 1.0;
    std::array<int, 2> q_at = {-1, -1};  // in State::q, from and to: three coordinates [m] each; -1: still
    Vec3 still = Vec3::Zero();           // of the way, what is between bodies that do not move [m]
    int angle_at = -1;                   // in State::discrete [rad]; -1: a way
  };
  int dual = 0;
  double least = 0.0;  // what does not follow the motion [m, or rad where no row is a length]
  std::vector<Part> parts = {};
};

// Sizes and structure. Velocity blocks are the primal blocks of the pattern, constraints its dual blocks.
struct SystemLayout {
  int q_size = 0;  // coordinates in State::q
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<Level> level;   // per dual block
  std::vector<double> scale;  // per velocity component: characteristic length [m] or 1 [rad]
  // Per velocity component: 1 where it is a rotation, 0 where it is a translation. Empty: coordinates that do not say.
  std::vector<std::uint8_t> rotation = {};

  // Size of the numbers whose roundoff the position rows see [m]; 0: that of the largest coordinate.
  double roundoff_length = 0.0;
  // Those that see places instead, in the order of dual blocks (row_length.hpp).
  std::vector<PlaceRows> place_rows;
  // Those that see more than roundoff_length, or than roundoff_of_cosines, wherever the motion leads, in the same order.
  std::vector<OpenRows> open_rows = {};
  // Per dual block: how many of its position rows, the first ones, are lengths. The others are cosines, made of numbers
  // of the order of 1 whatever the size of the mechanism. Empty: all are lengths.
  std::vector<std::uint8_t> length_rows;
  double reach = 0.0;  // largest size of a body, sum of two arms, or rod [m]; 0: coordinates of their own
  // The same of each dual block: of its bodies and of its own arms. Empty: `reach` for all.
  std::vector<double> reach_of = {};

  // The first force that depends on multipliers, by its name for people; empty: there is none. Then f(q, v, lambda, t), and
  // Border::separate has its derivative in Bt.
  std::string reaction_force = {};

  // The first body that has fewer than six velocities, by its name for people; empty: there is none.
  std::string fewer_velocities = {};

  int discrete_size = 0;  // doubles at the beginning of State::discrete that belong to the system

  static constexpr double roundoff_of_cosines = 4.0;
  // Rows of dual block d that see roundoff_length; those behind them see roundoff_of_cosines.
  int lengths(int d) const {
    const auto i = static_cast<std::size_t>(d);
    return length_rows.empty() ? pattern->dual_size[i] : length_rows[i];
  }

  // M does not depend on q: bodies in velocities of their own frames.
  bool constant_mass = false;

  int v_size() const { return pattern->primal_dimension; }
  int lambda_size() const { return pattern->dual_dimension; }
};

// Where to evaluate. A null pointer leaves the terms of that quantity out.
struct Point {
  double t = 0.0;
  const double* q = nullptr;         // [q_size]
  const double* v = nullptr;         // [v_size]
  const double* a = nullptr;         // [v_size] v'
  const double* lambda = nullptr;    // [lambda_size] null: forces that depend on them are left out too
  bool forces = true;                // false: f is left out of the balance and of its derivatives
  const double* discrete = nullptr;  // State::discrete; null: what initial_state() has there
};

// At t, q, v and the discrete values of a state, without accelerations and multipliers. The state must outlive it.
inline Point point_of(const State& state) {
  return {.t = state.t,
          .q = state.q.data(),
          .v = state.v.data(),
          .discrete = state.discrete.empty() ? nullptr : state.discrete.data()};
}

// Weights of one kind of rows in C (see Linearization).
struct RowWeights {
  double jacobian = 1.0;  // of G
  double velocity = 0.0;  // of G T^-1(increment)
  double rate = 0.0;      // of d(G v + g_t)/dq
};

// What to differentiate, written straight into the slots of a KKT matrix:
//     H  = (mass M + damping D) T^-1(increment) + stiffness K
//     C  = weights.jacobian G + weights.velocity G T^-1(increment) + weights.rate d(G v + g_t)/dq
//     Bt = G - (df/dlambda)^T                                 (Border::separate only)
// with r = M a - f + G^T lambda, K = dr/dq, D = -df/dv, and T the right tangent operator of the group at
// the increment of the step (identity for plain coordinates or increment == nullptr).
struct Linearization {
  BlockMatrix* matrix = nullptr;
  double mass = 0.0, damping = 0.0, stiffness = 0.0;
  const double* increment = nullptr;  // [v_size]
  RowWeights position_rows, velocity_rows;
  // Per primal block: nonzero leaves the geometric stiffness d(G^T lambda)/dq of that block out (the
  // safeguard against an indefinite H). Null: all in.
  const std::uint8_t* without_geometric_stiffness = nullptr;
  bool rows_only = false;  // fill C (and Bt) alone
  // With Border::separate: leaves the slots Bt as they are, so that B and C may belong to different points
  // (B = G^T of the old node, C = G of the new one).
  bool keep_Bt = false;
};

// What to compute at a point; null: not wanted.
struct Evaluation {
  double* balance = nullptr;   // M a - f + G^T lambda                                  [v_size]
  double* position = nullptr;  // g; 0 on velocity rows                                 [lambda_size]
  double* velocity = nullptr;  // G v + g_t, or A v + a                                 [lambda_size]
  double* acceleration =
      nullptr;  // the time derivative of that with v' = a; without a: its bias [lambda_size]
  Linearization* linearization = nullptr;
  // The first joint or force without a value at t and q, and why; stays as it is where there is none. For messages.
  Culprit* undefined = nullptr;
};

struct Energy {
  double kinetic = 0.0, potential = 0.0;  // [J]
  double total() const { return kinetic + potential; }
};

// A rigid body as a user sees it.
struct RigidBodyState {
  Vec3 position;          // centre of mass, world frame [m]
  Quat orientation;       // body -> world, scalar first
  Vec3 velocity;          // of the centre of mass, world frame [m/s]
  Vec3 angular_velocity;  // body frame [rad/s]
};

// The Lagrangian side of a system in plain (vector-space) coordinates, for variational steppers:
// L(q, v) = T - V and the force F that has no potential. v is q'.
struct LagrangianTerms {
  double* dq = nullptr;  // dL/dq + F                                                       [v_size]
  double* dv = nullptr;  // dL/dv                                                           [v_size]
  // H = qq d(dq)/dq + qv d(dq)/dv + vq d(dv)/dq + vv d(dv)/dv
  BlockMatrix* matrix = nullptr;
  double qq = 0.0, qv = 0.0, vq = 0.0, vv = 0.0;
  const double* discrete = nullptr;  // State::discrete, see Point
};

// A stretch of whole velocity blocks, [first_block, last_block), and their components [first, last) of v.
struct SystemPart {
  int number = 0, first_block = 0, last_block = 0, first = 0, last = 0;
};

// Pointers are to arrays of the caller's, of the sizes of the layout: q, from, to [q_size]; v, delta, increment and all
// that is one number a velocity component [v_size]. Units follow from the coordinates; of bodies: positions [m],
// quaternions [1], v [m/s], Omega [rad/s], increments [m, rad], momenta [kg m/s, kg m^2/s].
class System {
 public:
  virtual ~System() = default;

  virtual const SystemLayout& layout() const = 0;  // the same as long as the system lives
  // Initial q, v (as given, not yet projected) and discrete state at time t; a, lambda zero.
  virtual State initial_state() const = 0;

  // out = q exp(delta) [q_size], block by block; out may be q. Quaternions are kept at unit length to roundoff.
  virtual void retract(const double* q, const double* delta, double* out) const = 0;
  // The velocities in parts, cut by the system alone: a stepper does all that it has to do with the numbers of one part while
  // they are in the cache of a core, and threads share the parts. Unless a system has its own, there is one.
  virtual int parts() const { return 1; }
  virtual SystemPart part(int number) const {
    return {number, 0, layout().pattern->primal_count(), 0, layout().v_size()};
  }
  // As retract() and inverse_tangent() for the blocks of one part. Arrays are whole; of other blocks nothing is read or written.
  virtual void retract_part(const SystemPart& part, const double* q, const double* delta, double* out) const;
  virtual void inverse_tangent_part(const SystemPart& part, const double* increment, const double* delta,
                                    double* out) const;
  // out [v_size] with to = from exp(out): the inverse of retract. Of two orientations the shorter turn, at most pi.
  virtual void difference(const double* from, const double* to, double* out) const = 0;
  // out = T^-1(increment) delta, block by block: how an increment changes when its end point is perturbed by
  // delta, q exp(increment) exp(delta) = q exp(increment + out). Plain coordinates: out = delta.
  virtual void inverse_tangent(const double* increment, const double* delta, double* out) const;
  // out = T(increment) delta, the inverse of that: the velocity where an increment grows by delta per second. Unless a
  // system has its own, T^-1 is inverted block by block, with arrays that are allocated in every call.
  virtual void tangent(const double* increment, const double* delta, double* out) const;
  // out = [v, w], the Lie bracket of the velocity algebra (Omega_v x Omega_w for a body; 0 for coordinates).
  virtual void bracket(const double* v, const double* w, double* out) const;

  // One pass over the system. Same bits for any number of threads; allocates nothing.
  virtual void evaluate(const Point& at, const Evaluation& wanted) const = 0;

  // Forces along coordinates s(q) of their own, springs and dampers, by numbers from 0: D = ds/dq, Q
  // and its slopes at t, q and v (force_along.hpp).
  virtual int forces_along() const { return 0; }
  virtual void force_along(int number, const Point& at, ForceAlong& out) const;

  // The kinematic equation q' = X(q) v of coordinates whose rates are not v: Euler angles under an angular
  // velocity, say. Where has_rate() is true, explicit steppers integrate q as plain numbers with q' from here, at
  // every stage; elsewhere they advance q by retract(). at: t, q, v, discrete; qdot: [q_size].
  virtual bool has_rate() const { return false; }
  virtual void rate(const Point& at, double* qdot) const;
  // Called by Stepper::start() at State::t, where SystemLayout::discrete_size is positive: what counts the time begins there
  // (the integral of a controller). A state that a run has left is not changed.
  virtual void start_discrete(State& state) const;
  // Called by Stepper::step() after every step that its method has taken, where SystemLayout::discrete_size is
  // positive: brings the discrete state up to the new q and v (which chart of the angles is in use). May exchange q and v
  // for others of the same motion, or of one beside it by no more than the system's documented error. True: something
  // changed, derivatives kept from the end of the step are no longer valid.
  virtual bool update_discrete(State& state) const;

  // Of the motion, and of gravity and all forces that have a potential [J]. at: t, q, v and the discrete values, which
  // forces over full turns need (a torsion spring).
  virtual Energy energy(const Point& at) const = 0;

  // For systems in their own coordinates: what supplies energy beside potentials and constraints [W], the rate of
  // energy() along the motion where no constraint acts. A run's balance of energy is assessed where this has a value
  // (docs/theory/output.md#the-verdict); of systems of bodies it knows the forces one by one. at: as for energy().
  virtual std::optional<double> power(const Point& at) const;

  // Names for people: 'body "link 12"', 'joint "hip" (spherical)'.
  virtual std::string velocity_block_name(int primal) const = 0;
  virtual std::string constraint_name(int dual) const = 0;

  // Instants at which what drives and forces follow changes from one formula to another, in rising order. Steps that a method
  // chooses end there: estimates of errors see nothing of a pulse between the stages of a step.
  virtual std::vector<double> break_points() const { return {}; }

  // All bodies in model order (empty for systems in their own coordinates). Throws std::invalid_argument for the state of
  // another system.
  virtual std::vector<RigidBodyState> bodies(const State& state) const;
  virtual std::vector<std::string> body_names() const;

  // True where the coordinates form a vector space and the three functions below are there.
  virtual bool has_lagrangian() const { return false; }
  virtual void evaluate_lagrangian(double t, const double* q, const double* v,
                                   const LagrangianTerms& wanted) const;
  virtual void momentum(const double* q, const double* v, double* p) const;  // p = dL/dv
  virtual void velocity(const double* q, const double* p, double* v) const;  // its inverse on the constraints
};

}  // namespace catena
