// The snakeboard of X. Ma, L. Chen, Y. Zhang, "Numerical integration of nonholonomic constrained mechanical
// systems by alpha methods" (model: Lewis, Ostrowski, Murray, Burdick 1994): a board with a rotor at its centre
// and two pairs of wheels that turn about the vertical and do not slip sideways.
//
// q = (x, y, theta, psi, phi_b, phi_f): centre of the board [m], angle of its axis against world x, angles of the
// rotor and of the back and front wheels against the board [rad].
//
// The rows of the source are wrong in one sign: the front wheels are at +L along the board, so that its third
// entry is +L cos phi_f. As printed both pairs of wheels are at the same place, and the rows become equal as
// soon as phi_b = phi_f.
#pragma once
#include <catena/problems/problem.hpp>
#include <catena/system/coordinate_system.hpp>

#include <array>

namespace catena {

struct SnakeboardParameters {
  enum class Sign { corrected, source };

  double force = 20.0;  // F, on the centre of the board along its axis [N]
  Sign sign = Sign::corrected;
};
void visit(OptionVisitor& visitor, SnakeboardParameters& parameters);

// The definition behind CoordinateSystem.
struct SnakeboardDefinition {
  static constexpr int coordinates = 6;
  static constexpr const char* name = "snakeboard";
  static constexpr std::array<const char*, 2> velocity_row_names{"back wheels", "front wheels"};

  static constexpr double mass_of_all = 6.0;       // m [kg]
  static constexpr double board_inertia = 0.016;   // J, about the vertical as all of them [kg m^2]
  static constexpr double rotor_inertia = 0.072;   // J_r
  static constexpr double wheel_inertia = 0.0013;  // J_w, of one pair
  static constexpr double half_length = 0.2;       // L, centre of the board to the wheels [m]
  static constexpr double rotor_stiffness = 1.0;   // k_r [N m/rad]
  static constexpr double wheel_stiffness = 0.1;   // k_w [N m/rad]

  double force_along = 20.0;  // F [N]
  double front_side = 1.0;    // side of the centre of the front wheels; -1: the source's sign

  template <class S>
  Mat<S, 6, 6> mass(const Vec<S, 6>&) const {
    constexpr double m = mass_of_all, J = board_inertia, r = rotor_inertia, w = wheel_inertia;
    return cast<S>(Mat<double, 6, 6>{{m, 0, 0,
                                      0, 0, 0,  //
                                      0, m, 0,
                                      0, 0, 0,  //
                                      0, 0, J + r + 2 * w,
                                      r, w, w,  //
                                      0, 0, r,
                                      r, 0, 0,  //
                                      0, 0, w,
                                      0, w, 0,  //
                                      0, 0, w,
                                      0, 0, w}});
  }
  template <class S>
  Vec<S, 6> force(const Vec<S, 6>& q, const Vec<S, 6>&, const S&) const {
    return {{force_along * cos(q[2]), force_along * sin(q[2]), S(0.0), -rotor_stiffness * q[3],
             -wheel_stiffness * q[4], -wheel_stiffness * q[5]}};
  }
  std::array<bool, 6> angles() const { return {false, false, true, true, true, true}; }
  // K = -df/dq, D = -df/dv
  void force_derivatives(const Vec<double, 6>& q, const Vec<double, 6>& v, double t, Mat<double, 6, 6>& K,
                         Mat<double, 6, 6>& D) const;
  // The wheels do not slip along their axles. Multipliers: minus the force of the ground along the axle [N].
  template <class S>
  Mat<S, 2, 6> velocity_rows(const Vec<S, 6>& q, const S&) const {
    const S back = q[4] + q[2], front = q[5] + q[2], o(0.0);
    return {{-sin(back), cos(back), -half_length * cos(q[4]), o, o, o,  //
             -sin(front), cos(front), front_side * half_length * cos(q[5]), o, o, o}};
  }
  // Of the springs; the force F has none.
  template <class S>
  S potential(const Vec<S, 6>& q) const {
    return 0.5 * (rotor_stiffness * q[3] * q[3] + wheel_stiffness * (q[4] * q[4] + q[5] * q[5]));
  }
};

class Snakeboard : public Problem {
 public:
  explicit Snakeboard(SnakeboardParameters parameters = {}) : p_(parameters) {}

  std::string summary() const override {
    return "Ma-Chen-Zhang: nonholonomic board; singular at 1.2537 s with force = 20, conservative with 0";
  }
  void visit(OptionVisitor& visitor) override { catena::visit(visitor, p_); }
  std::unique_ptr<System> own_system() const override;
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }
  std::vector<Invariant> invariants() const override;
  std::vector<Reference> references() const override;

 private:
  SnakeboardParameters p_;
};

}  // namespace catena
