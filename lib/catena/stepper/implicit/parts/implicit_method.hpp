// What an implicit method is made of: a table, the beginning of its history, and how its equations are solved.
#pragma once
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/implicit/parts/step_table.hpp>
#include <catena/stepper/parts/kind_tolerances.hpp>
#include <catena/stepper/parts/newton.hpp>
#include <catena/stepper/parts/row_scaling.hpp>
#include <catena/stepper/stepper.hpp>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace catena {

using StartRows = std::array<StartRow, history_slots>;

// The method as the paper has it. Its index: at which level holonomic rows are enforced; velocity rows of a system are
// always enforced at velocity level, with index 1 differentiated once.
struct ImplicitMethod {
  Traits traits;                   // promises; order_q counts for the start and for the velocity offset
  int index = 3;                   // 3: positions, 2: velocities, 1: accelerations
  std::vector<std::string> slots;  // names of the method's own history, history_slots at most
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
  double tolerance = 0.0;           // [1/s] of the local error of q, see EngineOptions; 0: fixed steps
  double max_step = 0.0;            // [s] with tolerance; 0: no limit
  KindTolerances kinds{};           // with tolerance
  GuardOptions guards{};
};

// The guards of a method that says nothing else: of this index, and of the order of its positions.
GuardSet usual_guards(int index, int order);
// All guards of implicit methods.
const GuardSet& implicit_guards();
// The same, and those of a method that are not among them.
GuardSet with_own_guards(const GuardSet& of_method);

// Traits of a method of the engine: its residuals follow from the index.
inline Traits implicit_traits(std::string name, std::string summary, int order, int index) {
  Traits t;
  t.name = std::move(name);
  t.summary = std::move(summary);
  t.order_q = t.order_v = t.order_lambda = order;
  t.position_residual = index == 3;
  t.velocity_residual = index == 2;
  t.acceleration_residual = index == 1;
  t.variable_step = true;
  t.velocity_constraints = t.reaction_forces = true;
  return t;
}

// What every method of the engine lets a user choose. A method with options of its own has it as their
// member engine.
struct EngineOptions {
  JacobianUpdate jacobian = JacobianUpdate::every_step;
  double newton_tolerance = 1e-10;
  int max_newton_iterations = 30;
  double proximal = 1e-12;
  // [1/s] The local error of q that a step may have per second, root mean square over the components in characteristic
  // sizes (SystemLayout::scale): what a run is wrong by after a second falls in proportion. 0: steps of the size that is
  // asked for.
  double tolerance = 0.0;
  double max_step = 0.0;   // [s] with tolerance; 0: no limit
  KindTolerances kinds{};  // with tolerance; lengths and angles per second
  GuardOptions guards{};

  // Of an engine that needs nothing else.
  ImplicitSettings settings() const;
};

// In the order of the listing: how Newton's matrix is kept, his iteration, the proximal term, the control of errors;
// guards: those of the method.
void visit_jacobian(OptionVisitor& visitor, EngineOptions& options);
void visit_engine(OptionVisitor& visitor, EngineOptions& options, const GuardSet& guards = implicit_guards());

// Options of a method that has none of its own.
struct ImplicitOptions {
  enum class Index { three, two, one };

  Index index = Index::three;
  bool exact_newton = false;  // LDU of the whole linearisation; else LDL^T of the symmetric part
  EngineOptions engine{};

  int index_number() const { return 3 - static_cast<int>(index); }
  ImplicitSettings settings() const;
};

// guards: those of the method.
void visit_implicit(OptionVisitor& visitor, ImplicitOptions& options, const GuardSet& guards);
inline void visit(OptionVisitor& visitor, ImplicitOptions& options) {
  visit_implicit(visitor, options, implicit_guards());
}

}  // namespace catena
