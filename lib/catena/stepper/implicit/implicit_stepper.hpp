// The engine of implicit methods. A method is a table (step_table.hpp); the engine owns everything else: consistent
// start, history in State::memory, Newton's iteration, matrices that serve several steps, redundant rows, restart after
// a change of discrete values, resume, guards, statistics, and the step in between its ends.
//
//     M v'_{n+1} + G^T lambda_{n+1} = f(q_{n+1}, v_{n+1}, t_{n+1}),   q_{n+1} = q_n exp(xi)
//     index 3: g(q_{n+1}) = 0      index 2: G v + g_t = 0      index 1: d/dt (G v + g_t) = 0
//     xi, v_{n+1}, v'_{n+1}: rows of the table over history and unknown u
//
// Newton's unknown is the perturbation of q at the current iterate, divided by unit = T[xi][u] / T[v'][u], so that
// index 3 has B = G^T and C = G exactly and no entry of the matrix depends on the size of h.
//
// BDF2 in the Lie algebra, a whole stepper for every system and every command:
//
//     catena::ImplicitMethod bdf2(int index);   // name, order, slots, table, start
//     catalog.add<catena::TableStepper<&bdf2>>("bdf2");
//
// docs/theory/tables.md, docs/howto/add_a_stepper.md.
#pragma once
#include <catena/kkt/detail/resisted_error.hpp>
#include <catena/stepper/detail/initial_point.hpp>
#include <catena/stepper/detail/newton_iteration.hpp>
#include <catena/stepper/guards/detail/guard_list.hpp>
#include <catena/stepper/implicit/detail/continuation.hpp>
#include <catena/stepper/implicit/parts/history_stepper.hpp>
#include <catena/stepper/implicit/parts/implicit_method.hpp>
#include <catena/stepper/implicit/parts/step_extension.hpp>
#include <catena/stepper/implicit/parts/step_linearization.hpp>
#include <catena/stepper/parts/step_memory.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace catena {

class ImplicitStepper : public HistoryStepper {
 public:
  // backend: empty for the library's own; fallback: a pivoting solver for matrices that backend refuses.
  ImplicitStepper(ImplicitMethod method, const ImplicitSettings& settings, LinearSolverFactory backend = {},
                  LinearSolverFactory fallback = {}, std::unique_ptr<StepExtension> extension = nullptr);

  const Traits& traits() const override { return method_.traits; }
  std::string refuses(const System& system) const override;

  // The derivative of the step just taken, which ended in `end`, by the state that it began in: exact for the discrete
  // trajectory, whatever the Newton matrix of the method leaves out. While the last call of step() is one that succeeded
  // without an exchange of coordinates. Evaluates and factorises anew: three evaluations and one factorisation; the first
  // call allocates. Where a step at index 3 has changed the offset of the velocities (the first one, or one of another
  // size), three evaluations and one factorisation more. Status unsupported, with the reason in Culprit::name: index 1,
  // whose rows have no second derivatives, and methods with unknowns of their own. singular_kkt, not_finite: with the
  // culprit.
  Outcome linearize_step(const State& end, StepLinearization& derivative) override;

  const ImplicitMethod& method() const { return method_; }
  KktSolver& kkt() { return newton_.kkt(); }

  // The 2-norm condition number of the matrix of a step of size h by (u, lambda), at the iterate that equals the
  // started state, with the history held fixed and the balance as the source has it, of unit weight in M u. For small
  // systems: cost (v_size + lambda_size)^3.
  double condition_number(const State& state, double h);

 protected:
  Outcome set_up(const System& system) override;
  const StepExtension* extension() const { return extension_.get(); }

 private:
  // implicit_stepper.cpp
  void make_work_arrays(const State& state) override;
  Linearization mass_and_rows(double h) const override;
  void scaled(const Point& initial, double compliance) override;
  void copy_end(double t, State& end) const override;
  int fetched() const;  // see detail::apply()
  void accept(State& state, double h) override;
  void rejected() override;
  GuardWorkspace guard_workspace(double h);
  double relative_scale(detail::RowKind kind, const NewtonWeights& weights, double h) const;

  // implicit_start.cpp
  void begin_history(State& state, double h, ConsistentValues& consistent, Outcome& outcome) override;
  void started(State& state, double h) override;
  detail::RowErrors row_errors(double h) const;
  StartRows start_rows(double h) const;
  MotionTerms error_terms(const StepTable& table, const StepSizes& sizes) const;
  VelocityOffset offset(const StepTable& table, const StepSizes& sizes) const;
  KktReport change_offset(const State& state, const VelocityOffset& before, const VelocityOffset& now);
  void clear_rows(Level level, double* x) const;

  // implicit_newton.cpp
  detail::Continuation::Before before(const State& state) const;
  Outcome attempt(const State& state, double h) override;
  template <class Evaluate>
  KktReport iterate(const State& state, const detail::NewtonStep& step, Evaluate&& evaluate);
  double error_at_start(const State& state, double h) override;
  void estimate_error(const State& state);
  detail::NewtonStep newton_step(const NewtonWeights& weights, double h) const;
  void make_table(const StepSizes& sizes);
  KktReport predict(const State& state, double h);
  void move(const State& state, const SystemPart& part);
  void move(const State& state);
  void correct(const State& state);
  void evaluate_at(const Point& at, const Evaluation& wanted);
  void solve_acceleration_rows();
  void rows_along(const double* delta, double epsilon, double* rows);

  // implicit_matrix.cpp
  bool extrapolates() const { return !extension_ && !settings_.guess_is_last; }
  bool keeps_matrix() const { return settings_.jacobian == JacobianUpdate::when_slow; }
  void note_matrix();
  bool find_matrix(const State& state, const detail::NewtonStep& step);

  ImplicitMethod method_;
  ImplicitSettings settings_;
  LinearSolverFactory backend_, fallback_;
  std::unique_ptr<StepExtension> extension_;  // null: the table is the whole method
  bool has_position_rows_ = false;            // enforced at position level
  bool has_velocity_rows_ = false;            // beside these

  // State::memory, behind the slots of all steppers with a history: offset of the velocities, v'_{n-1}, the method's own
  // slots, lambda_{n-1}, those of the continuation and of the guards, and where the matrix in use was made.
  MemorySlot offset_, a_before_slot_, own_[history_slots], lambda_before_, matrix_point_slot_;
  detail::Continuation continuation_;
  detail::ResistedError resisted_;

  // What the sizes of a step alone determine, made by make_table() where they are others than those of the last one.
  struct SizedTable {
    StepSizes sizes;  // h = 0: not made
    StepTable table;
    ShortRow guess, guess_of_accelerations;
    ShortRow move[3];              // increment, velocity, acceleration
    ShortRow next[history_slots];  // of the method's own slots
    VelocityOffset offset;
    std::optional<MotionTerms> error;  // made where it is asked for
  };
  SizedTable sized_;

  // The step in hand.
  bool new_matrix_ = false, offset_changed_ = false;
  ImplicitIterate now_;
  std::vector<double> v_n_;             // where its offset changes
  detail::OffsetChange offset_change_;  // of the last change; y is in offset_rate_
  std::vector<double> offset_rate_;
  const double* columns_[table_columns] = {};
  std::vector<double> work_, product_, inertia_;
  std::vector<double> mass_q_;                                             // mass_jacobian = extrapolated
  std::vector<double> target_, rows_after_, moved_q_, moved_v_, moved_a_;  // index 1, exact

  std::vector<double> matrix_point_;  // where the matrix was made, as in State::memory
  bool have_matrix_ = false;          // the factor is that of matrix_point_
};

// The stepper of a method that has no options but those of the engine. method_at(index): with the constraints at position
// (3), velocity (2) or acceleration level (1); its guards have their options too.
template <ImplicitMethod (*method_at)(int index)>
class TableStepper : public ImplicitStepper {
 public:
  struct Options : ImplicitOptions {
    friend void visit(OptionVisitor& visitor, Options& options) {
      visit_implicit(visitor, options, with_own_guards(method_at(options.index_number()).guards));
    }
  };
  explicit TableStepper(const Options& options = {}, LinearSolverFactory backend = {},
                        LinearSolverFactory fallback = {})
      : ImplicitStepper(method_at(options.index_number()), options.settings(), std::move(backend),
                        std::move(fallback)) {}
};

}  // namespace catena
