// How a numerical operation ended. Recoverable and fatal are different values all the way up.
#pragma once
#include <cstdint>
#include <string>

namespace catena {

enum class Status : std::uint8_t {
  ok,
  // Recoverable: a smaller step may succeed.
  newton_not_converged,  // the iterations ran out or the corrections grew
  singular_kkt,          // a pivot vanished
  not_finite,            // NaN or Inf appeared
  // Fatal: a smaller step will not help.
  step_too_small,      // the step was cut to its lower limit and still failed
  inconsistent_start,  // no consistent velocities, accelerations or multipliers were found
  unsupported,         // this stepper cannot take this system
  unstable,  // steps converge, but the motion has left the constraints that the method does not enforce
  stopped,   // a user or an observer asked to stop
  event,     // a terminal event ended the run: nothing has failed
  exception  // fatal: code that takes part in the run, a force, a quantity or a controller say, threw an exception
};

inline bool recoverable(Status s) {
  return s == Status::newton_not_converged || s == Status::singular_kkt || s == Status::not_finite;
}

inline const char* to_string(Status s) {
  switch (s) {
    case Status::ok:
      return "ok";
    case Status::newton_not_converged:
      return "newton_not_converged";
    case Status::singular_kkt:
      return "singular_kkt";
    case Status::not_finite:
      return "not_finite";
    case Status::step_too_small:
      return "step_too_small";
    case Status::inconsistent_start:
      return "inconsistent_start";
    case Status::unsupported:
      return "unsupported";
    case Status::unstable:
      return "unstable";
    case Status::stopped:
      return "stopped";
    case Status::event:
      return "event";
    case Status::exception:
      return "exception";
  }
  return "unknown";
}

// What the cause is, in the user's names.
struct Culprit {
  std::string name;      // 'body "link 12"', 'joint "hip" (spherical)'; empty: nobody in particular
  std::string quantity;  // "force balance", "position residual", "pivot", ...
  double value = 0.0;    // of the quantity, in SI units: [N, N m] of a balance, [m, rad] of positions, ...
  std::string why = {};  // a sentence on what is wrong with it, where more is known than a number
};

}  // namespace catena
