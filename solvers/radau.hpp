// Radau IIA with three stages on the Lie group: order 5 in q, v and lambda, gaps closed to roundoff, steps chosen by an error
// estimate. In the chart at q_n, with increments xi_i and multipliers L_i of the stages t_n + c_i h and T the right tangent
// operator,
//
//     q_i = q_n exp(xi_i),   V_i = T(xi_i) (1/h) sum_j w_ij xi_j,   W_i = (1/h) sum_j w_ij (V_j - v_n),   w = A^-1
//     M W_i + G^T(q_i) L_i = f(q_i, V_i, L_i, t_i),   g(q_i, t_i) = 0,   A V_i + a = 0 of rows at velocity level
//
// and at the end q_{n+1} = q_3, v_{n+1} = V_3 moved to the nearest velocity that the rows allow, a and lambda from the index-1
// system there.
//
// Newton's matrix is made once a step. As long as forces and tensions are soft over a step it is [M G^T; G 0], whose one real
// factor serves all three stages (newton = simplified). Where they are stiff, damping and stiffness are taken in, of forces
// and of the multipliers, and a complex system is solved beside the real one (newton = whole). automatic: the second where the
// first contracts slowly and the estimate h |D| / 4M + h^2 |K| / 16M says that this is why; and where it is springs and dampers so
// stiff that they hold their coordinates, these are taken like rows of a joint, by one real factor (detail/stiff_coordinates.hpp).
//
// Forces that depend on multipliers are refused: those of the stages have order 2, and so would have the motion.
//
// Where springs are so stiff that h omega >> 1, v and lambda fall to the orders of a constraint that is not projected, 3 and
// 2; q keeps 5.
//
// Source: Hairer, Wanner, Solving Ordinary Differential Equations II, 2nd ed., IV.8, VI.3, VII.4-6. docs/theory/radau.md
#pragma once
#include <catena/solvers/detail/complex_kkt.hpp>
#include <catena/solvers/detail/stiff_coordinates.hpp>
#include <catena/stepper/parts/projected_implicit_stepper.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace catena {

struct RadauOptions {
  enum class Control : std::uint8_t { adaptive, fixed };
  enum class Newton : std::uint8_t { automatic, simplified, whole };
  Control control = Control::adaptive;
  // As those of ExplicitOptions.
  double rtol_position = 1e-9, atol_position = 1e-9;
  double rtol_velocity = 1e-9, atol_velocity = 1e-9;  // s_i per second
  KindTolerances kinds{};
  double initial_step = 0.0;  // [s] 0: from the first two derivatives
  double max_step = 0.0;      // [s] 0: no limit
  Newton newton = Newton::automatic;
  int max_newton_iterations = 15;  // [1, 1000] a step that needs more is cut
  GuardOptions guards{};           // dependent_rows, pole
};

void visit(OptionVisitor& visitor, RadauOptions& options);

class Radau : public ProjectedImplicitStepper {
 public:
  using Options = RadauOptions;
  // backend empty: the library's own.
  explicit Radau(RadauOptions options = {}, LinearSolverFactory backend = {});

  // Options that no step could satisfy.
  std::string refuses(const System& system) const override;

 private:
  struct Stage {
    State at;
    std::vector<double> xi, x;      // x: residuals, then the correction [v_size + lambda_size]
    std::vector<double> tau, rest;  // of stiff_: forces, and their residuals, then the correction
  };
  // Newton's matrices: of masses and rows; the same with stiff coordinates as rows; with damping and stiffness as well.
  enum class Matrix : std::uint8_t { simplified, rows, whole };

  Outcome set_up(const System& system) override;
  KktReport attempt(const State& state, double h) override;
  void keep(State& state, double h) override;

  // radau_step.cpp
  static Matrix matrix_of(double slot);
  KktReport choose_next(const State& state, double h, KktReport report);
  void predict(const State& state, double h);
  void predict_at(const State& state, double h, double c, State& at, double* xi) const;
  void move_stages(const State& state, double h);
  void predict_forces(const State& state, double h);
  KktReport find_stages(const State& state, double h, Matrix wanted);
  void evaluate_stages();
  void transform(const double (&by)[3][3]);
  void scale_rows(double h);
  void solve_stages(double h);
  double correct_stages(double h);
  bool corrections_are_roundoff() const;
  KktReport not_finite_stage(bool corrected);
  KktReport finish(const State& state, double h);
  KktReport close_stiff_coordinates(State& end);
  void take_stiff_forces();

  // radau_matrix.cpp
  Point at_middle(bool with_forces) const;
  KktReport make_matrices(double h, Matrix wanted);
  double stiffness(double h);
  std::string make_whole();
  void estimate_error(const State& state, double h);
  void multiply_mass(const std::vector<double>& by);

  RadauOptions options_;
  LinearSolverFactory backend_;
  MemorySlot a_before_, contraction_slot_;
  // The matrices of the next step and of the last one; forces of stiff_ at the end of the last step and the one before; how many
  // more steps do not take them like rows.
  MemorySlot matrix_slot_, used_slot_, tau_slot_, tau_before_, wait_slot_;

  KktSolver kkt_;  // [M G^T; G 0] in the middle of the step
  // With stiffness: of the real eigenvalue of A^-1 and of the complex one. Made when they are first needed.
  std::unique_ptr<KktSolver> real_;
  std::unique_ptr<detail::ComplexKkt> complex_;
  std::array<Stage, 3> stages_;
  State middle_;  // where the matrices are made: t + 0.6 h, predicted
  std::vector<double> middle_xi_;
  detail::StiffCoordinates stiff_;
  std::vector<double> sum_, product_;
  Matrix next_ = Matrix::simplified, used_ = Matrix::simplified;  // of the next step, and of this attempt
  int wait_ = 0;
};

}  // namespace catena
