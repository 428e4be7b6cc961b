// What a method may add to a step of the engine of implicit methods: unknowns of its own beside u and lambda.
#pragma once
#include <catena/stepper/detail/newton_iteration.hpp>
#include <catena/stepper/implicit/parts/step_table.hpp>
#include <catena/stepper/parts/step_memory.hpp>

#include <vector>

namespace catena {

// The iterate at the end of the step, and what the step solves for.
struct ImplicitIterate {
  double t = 0.0, h = 0.0;           // [s] end and size of the step
  NewtonWeights weights;             // of this step
  double of_unknown = 1.0;           // v' per u
  const double* discrete = nullptr;  // of the state in work
  std::vector<double> q;             // [q_size]
  std::vector<double> v, a, xi, u;   // [v_size] a: v'; xi: increment from q_n
  std::vector<double> lambda;        // [lambda_size]

  Point point() const;
};

// Called by the engine in this order; iterate: that of the engine, which the extension may change where it says so.
class StepExtension {
 public:
  virtual ~StepExtension() = default;

  virtual void attach(const System& system, detail::NewtonIteration& newton, StepperStatistics& statistics,
                      StepMemory& memory) = 0;
  virtual void allocate(const ImplicitIterate& iterate) = 0;
  // The compliance of the rows has changed. initial: the system's initial state.
  virtual void scale(const Point& initial, double compliance) = 0;
  virtual void adjust(detail::NewtonStep& step) = 0;
  // Its own unknowns from the memory of the state; u of the iterate as the table guesses it, to be changed.
  virtual void predict(const State& state, ImplicitIterate& iterate) = 0;
  // Whether the step can use the matrices of the step before, where Newton's is kept.
  virtual bool keep_matrix(const State& state, ImplicitIterate& iterate) = 0;
  // The engine has made q, v and v' of the iterate: adds its part to v and v'.
  virtual void moved(ImplicitIterate& iterate) = 0;
  // As system.evaluate(at, wanted), with what the extension needs of the same point.
  virtual void evaluate(const Point& at, Evaluation wanted) = 0;
  // Newton's correction is known and not yet applied.
  virtual KktReport solved(ImplicitIterate& iterate) = 0;
  // It was applied, and moved() was called.
  virtual void corrected(ImplicitIterate& iterate) = 0;
  // Newton has converged. state: at the beginning of the step.
  virtual Outcome finish(const State& state, ImplicitIterate& iterate) = 0;
  // The step is accepted. The slots of the table hold their next values.
  virtual void accept(State& state, const ImplicitIterate& iterate) = 0;
  virtual void rejected() = 0;

  // Numbers that a kept matrix depends on beside the iterate.
  virtual std::size_t matrix_numbers() const = 0;
  virtual void write_matrix_numbers(double* out) const = 0;
  // Newton's matrix was made again at this point.
  virtual void matrix_made_again(const Point& at, const double* xi, const double* numbers) = 0;
};

}  // namespace catena
