// The control of local errors: tolerances, norm, acceptance, and the step that is proposed. For every stepper that has an
// estimate, explicit or implicit; the stepper makes the estimate and takes the steps.
#pragma once
#include <catena/stepper/parts/kind_tolerances.hpp>
#include <catena/stepper/parts/step_controller.hpp>
#include <catena/stepper/parts/step_memory.hpp>
#include <catena/system/system.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace catena::detail {

// What a component may be wrong by in a step: atol s_i + rtol |y_i|, s_i its characteristic size (SystemLayout::scale),
// velocities per second. Bodies have no |q|: there it counts as s_i.
struct ErrorTolerances {
  double rtol_position = 0.0, atol_position = 0.0;  // [1]
  double rtol_velocity = 0.0, atol_velocity = 0.0;  // [1], [1/s]
  double max_step = 0.0;                            // [s] 0: no limit
  KindTolerances kinds{};
};

// The error of a step in tolerances.
struct LocalError {
  double square = 0.0, largest = 0.0;  // sum of squares, largest magnitude
  int worst = -1;                      // component; -1: no error at all
  bool of_projection = false;  // the largest is what the projection has taken, not what the method leaves

  void add(double error, double tolerance, int component, bool is_of_projection = false) {
    const double relative = tolerance > 0.0 ? error / tolerance : (error == 0.0 ? 0.0 : INFINITY);
    square += relative * relative;
    if (std::abs(relative) <= largest) return;
    largest = std::abs(relative);
    worst = component;
    of_projection = is_of_projection;
  }
  // A step is accepted where this is at most 1.
  double root_mean_square(std::size_t count) const { return std::sqrt(square / static_cast<double>(count)); }
};

class ErrorControl {
 public:
  ErrorControl(const StepController& controller, const ErrorTolerances& tolerances)
      : controller_(controller), tolerances_(tolerances) {}

  const StepController& controller() const { return controller_; }
  StepController& controller() { return controller_; }

  // Adds the slots of the control. plain: q is a vector of numbers with errors of their own, q_size of them; else errors
  // of positions are increments, one a velocity component. Returns an empty string, or why the tolerances mean nothing here.
  std::string attach(const System& system, StepMemory& memory, bool plain);
  const ErrorTolerances& tolerances() const { return tolerances_; }
  // Of component i of positions (or increments) and velocities, whose magnitudes are x and v.
  double position_tolerance(std::size_t i, double x) const;
  double velocity_tolerance(std::size_t i, double v) const;
  // Whether coordinates have a size of their own to which errors are relative.
  bool sized() const { return sized_; }

  // At a started state: the first step to be tried.
  void begin(State& state, double first) const;
  // What the memory of a state holds: advice [s], error and size [s] of the last step. A method whose history begins anew
  // within a run keeps them: the error of its steps does not.
  using Numbers = std::array<double, 3>;
  Numbers numbers(const State& state) const {
    return {advice_.value(state), error_.value(state), size_.value(state)};
  }
  void resume(State& state, const Numbers& numbers) const {
    advice_.value(state) = numbers[0];
    error_.value(state) = numbers[1];
    size_.value(state) = numbers[2];
  }
  // The step that the memory of a state advises.
  double proposed(const State& state) const { return advice_.value(state); }
  // A step of size h with this error in tolerances was accepted, where `asked` was wanted and a longer one was rejected or
  // not. Returns the advice for the next one.
  double accept(State& state, double h, double asked, double error, bool rejected) const;
  // The next size to try, behind an attempt with this error; 0: it failed of something else.
  double cut(double h, double error) const { return h * controller_.cut(error); }
  // Whether steps of size h have no numbers any more between t and what was asked for.
  static bool vanishes(double h, double t, double asked);

 private:
  double limited(double h) const;

  StepController controller_;
  ErrorTolerances tolerances_;
  const System* system_ = nullptr;
  bool plain_ = false, sized_ = false;
  MemorySlot advice_, error_, size_;  // advice [s]; of the last step: error, size [s]
};

}  // namespace catena::detail
