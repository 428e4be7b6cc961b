// A thin uniform disc that rolls on a level plane without slip, in two forms with the same motion: as a body with
// the joints DiscContact and RollingDisc, and in its own coordinates with a mass matrix that depends on them.
//
// Own coordinates: q = (x, y, phi, theta, psi), the centre over the plane [m] and z-x-z Euler angles [rad],
// R = Rz(phi) Rx(theta) Rz(psi): heading, lean of the axis against the vertical (pi/2: upright), spin. The height
// r sin(theta) is eliminated, rolling is two velocity rows, along world x and y as in RollingDisc: the multipliers of
// both forms are the same. Singular where the disc lies flat.
#pragma once
#include <catena/problems/problem.hpp>
#include <catena/system/coordinate_system.hpp>

#include <array>

namespace catena {

struct RollingDiscParameters {
  enum class Form { bodies, euler_angles };
  enum class Motion { wobble, steady };

  Form form = Form::bodies;
  Motion motion = Motion::wobble;
  double mass = 2.0;        // [kg]
  double radius = 0.3;      // [m]
  double gravity = 9.81;    // along -z [m/s^2]
  double heading = 0.4;     // phi, at the start [rad]
  double lean = 1.1;        // theta, at the start, > 0 [rad]
  double precession = 1.5;  // phi', at the start [rad/s]
  double lean_rate = 0.8;   // theta', at the start; 0 for steady motion [rad/s]
  double spin = -9.0;       // psi' + phi' cos(theta), about the axis, at the start; steady motion has its own

  bool operator==(const RollingDiscParameters&) const = default;
};
void visit(OptionVisitor& visitor, RollingDiscParameters& parameters);

// The definition behind CoordinateSystem.
struct RollingDiscDefinition {
  static constexpr int coordinates = 5;
  static constexpr const char* name = "rolling disc";
  static constexpr std::array<const char*, 2> velocity_row_names{"rolling along x", "rolling along y"};

  double m, r, g;  // [kg], [m], [m/s^2]

  double across() const { return 0.25 * m * r * r; }  // moment of inertia about a diameter [kg m^2]
  double about() const { return 0.5 * m * r * r; }    // about the axis [kg m^2]

  std::array<bool, 5> angles() const { return {false, false, true, true, true}; }
  template <class S>
  Mat<S, 5, 5> mass(const Vec<S, 5>& q) const {
    const S s = sin(q[3]), c = cos(q[3]), o(0.0);
    const S cross = about() * c;
    return {{S(m),
             o,
             o,
             o,
             o,  //
             o,
             S(m),
             o,
             o,
             o,  //
             o,
             o,
             across() * s * s + about() * c * c,
             o,
             cross,  //
             o,
             o,
             o,
             across() + m * r * r * c * c,
             o,  //
             o,
             o,
             cross,
             o,
             S(about())}};
  }
  template <class S>
  Vec<S, 5> force(const Vec<S, 5>& q, const Vec<S, 5>& v, const S&) const {
    const S s = sin(q[3]), c = cos(q[3]);
    const double A = across(), C = about();
    return {{S(0.0), S(0.0), (C * s * v[4] - 2.0 * (A - C) * s * c * v[2]) * v[3],
             s * v[2] * ((A - C) * c * v[2] - C * v[4]) + m * r * (r * s * c * v[3] * v[3] - g * c),
             C * s * v[2] * v[3]}};
  }
  template <class S>
  Mat<S, 2, 5> velocity_rows(const Vec<S, 5>& q, const S&) const {
    const S sp = sin(q[2]), cp = cos(q[2]), s = sin(q[3]), c = cos(q[3]), one(1.0), o(0.0);
    return {{one, o, r * cp * c, -r * sp * s, r * cp,  //
             o, one, r * sp * c, r * cp * s, r * sp}};
  }
  template <class S>
  S potential(const Vec<S, 5>& q) const {
    return m * g * r * sin(q[3]);
  }
  std::vector<RigidBodyState> bodies(const Vec<double, 5>& q, const Vec<double, 5>& v) const;
};

class RollingDiscProblem : public Problem {
 public:
  explicit RollingDiscProblem(RollingDiscParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "a disc that rolls without slip, as a body or in Euler angles; wobbling or in a steady circle";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  Model model() const override;
  std::unique_ptr<System> own_system() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 2.0}; }
  std::vector<ObservedPoint> observed_points() const override;
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;
  std::optional<std::vector<RigidBodyState>> exact_bodies(double t) const override;

 private:
  RollingDiscParameters p_;
};

// Coordinates and velocities of the own form at the start; in steady motion with the spin that keeps the lean.
// Throws ModelError where no such spin is.
struct RollingDiscState {
  Vec<double, 5> q, v;
};
RollingDiscState initial_state(const RollingDiscParameters& parameters);
// The steady circle at t, exactly: all rates constant; the multipliers along x and y.
RollingDiscState steady_state(const RollingDiscParameters& parameters, double t);
std::array<double, 2> steady_multipliers(const RollingDiscParameters& parameters, double t);

}  // namespace catena
