// What an implicit method is made of: a table, the beginning of its history, and how its equations are solved.
#pragma once
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/implicit/parts/step_table.hpp>
#include <catena/stepper/parts/newton.hpp>
#include <catena/stepper/parts/row_scaling.hpp>
#include <catena/stepper/stepper.hpp>

#include <array>
#include <functional>
#include <vector>

namespace catena {

using StartRows = std::array<StartRow, history_slots>;

// The method as the paper has it. Its index: at which level holonomic rows are enforced; velocity rows of a system are
// always enforced at velocity level, with index 1 differentiated once.
struct ImplicitMethod {
  Traits traits;                   // promises; order_q counts for the start and for the velocity offset
  int index = 3;                   // 3: positions, 2: velocities, 1: accelerations
  std::vector<const char*> slots;  // names of the method's own history, history_slots at most
  std::function<StepTable(const StepSizes&)> table;
  std::function<StartRows(double h)> start;  // may be empty: all slots begin at zero
  GuardSet guards{};
};

// How the equations of a step are solved, and how a run begins.
struct ImplicitSettings {
  bool exact = false;         // every term of the linearisation; else what a symmetric matrix can hold
  bool whole_matrix = false;  // LDU with the rows' terms of order h; exact has them in any case
  JacobianUpdate jacobian = JacobianUpdate::every_step;
  double newton_tolerance = 1e-10;  // [1] largest scaled correction, see newton.hpp
  int max_newton_iterations = 30;
  RowScaling scaling = RowScaling::natural;
  MassJacobian mass_jacobian = MassJacobian::exact;
  double proximal = 1e-12;
  // The history before t_0 has v'' (from the accelerations one and two steps ahead); else v'' counts as zero.
  bool jerk_at_start = true;
  // Index 3: the velocities begin with the offset that those of the method have later on (VelocityOffset), so that the
  // multipliers are right from the first step.
  bool offset_at_start = true;
  bool offset_follows_step = true;  // and change it with the size of the steps
  bool guess_is_last = false;       // Newton begins with v_n and lambda_n instead of extrapolated values
  GuardOptions guards{};
};

// The guards of a method that says nothing else.
constexpr GuardSet usual_guards(int index, int order) {
  GuardSet set{GuardKind::dependent_rows, GuardKind::pole};
  if (index == 3) set = set.with(GuardKind::resolution);
  if (index == 3 && order > 1) set = set.with(GuardKind::velocity_level);
  if (index < 3) set = set.with(GuardKind::gaps);
  if (index == 1) set = set.with(GuardKind::forbidden_velocities);
  return set;
}

// Traits of a method of the engine: its residuals follow from the index.
inline Traits implicit_traits(const char* name, const char* summary, int order, int index) {
  Traits t;
  t.name = name;
  t.summary = summary;
  t.order_q = t.order_v = t.order_lambda = order;
  t.position_residual = index == 3;
  t.velocity_residual = index == 2;
  t.acceleration_residual = index == 1;
  t.variable_step = true;
  t.velocity_constraints = true;
  return t;
}

// Options of a method that has none of its own.
struct ImplicitOptions {
  enum class Index { three, two, one };

  Index index = Index::three;
  bool exact_newton = false;  // LDU of the whole linearisation; else LDL^T of the symmetric part
  JacobianUpdate jacobian = JacobianUpdate::every_step;
  double newton_tolerance = 1e-10;
  int max_newton_iterations = 30;
  double proximal = 1e-12;
  GuardOptions guards{};

  int index_number() const { return 3 - static_cast<int>(index); }
  ImplicitSettings settings() const;
};

void visit(OptionVisitor& visitor, ImplicitOptions& options);

}  // namespace catena
