// How small a step constraints at position level bear. Their rows are known to the roundoff of positions, and the
// multipliers answer it: accelerations of a step of size h are wrong by up to K eta / h^2, and forces by what goes with
// that, however well Newton's method converges. eta: roundoff of the rows; K: gain of the method from errors of the
// rows to its accelerations.
//
// What roundoff can do is estimated at the start; what it does is seen in the steps: noise of the rows changes its sign
// from step to step in the multipliers of every method with a damped highest frequency, while the motion does not.
// Both have to be large, and of one size, before a step is refused. The estimate alone would refuse chains that lie
// along an axis, whose rows have hardly any roundoff; differences alone, motion that the steps do not resolve.
#pragma once
#include <catena/stepper/guards/parts/guard.hpp>

namespace catena::detail {

// What a stepper keeps of that in State::memory.
struct StepResolution {
  // Relative errors of multipliers: above the first they are looked at, above the second steps are refused.
  static constexpr double remarkable = 1e-4, refused = 1e-2;
  static constexpr std::size_t size = 5;  // doubles in State::memory

  double noise =
      0.0;  // h^2 times what roundoff can make of a multiplier [N s^2]; 0: unknown, or no such rows
  double force = 0.0;    // of the start, that multipliers are compared with [N]
  double largest = 0.0;  // multiplier of the steps that were looked at [N]
  double rough = 0.0;    // steps in a row with errors that would be refused
  double length = 0.0;   // of the numbers whose roundoff makes that noise [m]

  static StepResolution from(const double* memory) {
    return {memory[0], memory[1], memory[2], memory[3], memory[4]};
  }
  void write(double* memory) const;

  // Where joints slide, the noise follows the ways that they have gone.
  void move_to(const SystemLayout& layout, const Point& at);
  // Whether the multipliers of steps of this size need to be looked at.
  bool watches(double h) const { return noise > remarkable * h * h * force; }
  // Looks at those of three equal steps in a row, [lambda_size]. Status step_too_small where they have been noise for
  // three times, and the rows are seen to scatter by as much. end: of the step that is looked at. largest_error: raised to
  // the relative error that was seen.
  Outcome watch(double h, const double* before, const double* now, const double* next, double& largest_error,
                const System& system, const Point& end, GuardWorkspace& workspace);
};

// Which errors of the rows a method's matrix turns into which accelerations.
struct RowErrors {
  Linearization weights;  // of the matrix: mass and rows
  double row = 1.0;       // on the right-hand side of a position row: what asks for an acceleration of 1
  double gain =
      1.0;  // K: root of the sum over later steps of (h^2 v')^2 after an error of 1 in the rows of one
};

// At a started state, by one solve with rows of equal size whose signs are as good as random. Overwrites the matrix and
// the factor of kkt, and x [v_size + lambda_size]. Multipliers count against the largest of those at the start, of the
// forces there, and of forces that would move a body by its own size within a second, so that what begins at rest has
// something to compare with.
StepResolution measure_step_resolution(const System& system, const State& started, KktSolver& kkt,
                                       const RowErrors& errors, double* x);

}  // namespace catena::detail
