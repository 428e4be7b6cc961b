// The derivative of one step of a table method: how the end of the step changes with its beginning, and the transposed
// map, which takes derivatives of a result backwards.
//
// A perturbation of a started state is one array of size() numbers:
//
//     q (right perturbation, q exp(delta)), v, v', v' of the state before, the slots of the method's history  [v_size each]
//     lambda  [lambda_size]
//
// in the units of the velocities and multipliers of the system; an array of derivatives has their inverses. A step takes
// nothing from lambda, whose first guess alone it is: that part of the beginning counts as zero.
//
//     delta xi = T^-1(xi) delta q_{n+1} - T^-1(-xi) delta q_n
//     [(M + damping D) T^-1 + unit K, G^T; C, -compliance] [delta q_{n+1} / unit; delta lambda] = known
//
// with M, D = -df/dv, K and G at the end of the step, and the rest from the table (docs/theory/tables.md). Sources: the
// implicit function theorem; for generalized-alpha Bruels, Eberhard, Int. J. Numer. Meth. Eng. 74 (2008).
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/implicit/detail/offset_linearization.hpp>
#include <catena/stepper/implicit/parts/step_table.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>
#include <vector>

namespace catena {

class StepLinearization {
 public:
  // What a step was, for make(); the stepper fills it in (ImplicitStepper::linearize_step).
  struct Step {
    StepTable table;
    int slots = 0;               // of the method's own history
    Point end;                   // with v', lambda and discrete values
    const double* xi = nullptr;  // [v_size] increment from q_n
    Linearization weights;       // of the matrix by delta q_{n+1} / unit, without matrix
    double of_velocity = 1.0;    // the rows at velocity level are those of G v + g_t times this over damping
    bool velocities_only = false;                // all rows are enforced at velocity level (index 2)
    const BlockMatrix* compliance = nullptr;     // whose D and proximal term the rows have
    std::optional<detail::OffsetChange> offset;  // of the velocities, where the step has changed it (index 3)
  };
  // Evaluates and factorises. The system must outlive this. Status singular_kkt or not_finite, with the culprit, where the
  // matrix has no factor; unsupported where there is no solver for it.
  Outcome make(const System& system, const Step& step);

  int size() const { return (4 + slots_) * n_ + m_; }
  int q() const { return 0; }  // first numbers of the parts
  int v() const { return n_; }
  int a() const { return 2 * n_; }
  int a_before() const { return 3 * n_; }
  int slot(int k) const { return (4 + k) * n_; }
  int lambda() const { return (4 + slots_) * n_; }

  // after = A before, before = A^T after. Arrays of size() numbers, not aliased.
  void apply(const double* before, double* after);
  void apply_transposed(const double* after, double* before);

 private:
  void columns_of(const double* before, const double** columns);
  void transposed_tangent(const double* xi, const double* in, double* out);
  void keep_velocity_rows(double* rows) const;

  const System* system_ = nullptr;
  int n_ = 0, m_ = 0, slots_ = 0;
  StepTable table_;
  NewtonWeights weights_;
  double row_factor_ = 1.0;
  bool velocities_only_ = false;
  std::vector<double> xi_, back_;  // the increment and its negative
  KktSolver step_;
  std::optional<KktSolver> mass_, damping_;  // matrices alone: M and D, with G in their rows
  std::optional<detail::OffsetLinearization> offset_;
  bool offset_changed_ = false;
  std::vector<double> x_, product_, other_, y_, p_, r_, u_, v_n_;
};

}  // namespace catena
