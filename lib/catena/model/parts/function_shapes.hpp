// The functions that come with the library, as data: of the time, or of a coordinate. Arguments and values have the units
// of the member that holds the function: seconds and radians for the angle of a drive, say.
#pragma once
#include <vector>

namespace catena::functions {

// The same value everywhere.
struct Constant {
  double value = 0.0;
};

// Linear from `from` at `start` to `to` at `end`, constant before and after. Its slope jumps at both ends: a drive of
// an angle or a displacement should take a smooth step.
struct Ramp {
  double from = 0.0, to = 1.0;
  double start = 0.0, end = 1.0;
};

// As a ramp, but smooth: with s from 0 to 1 between start and end, s^3 (10 - 15 s + 6 s^2), whose first and second
// derivatives are continuous.
struct SmoothStep {
  double from = 0.0, to = 1.0;
  double start = 0.0, end = 1.0;
};

// offset + amplitude sin(2 pi frequency x + phase)
struct Sine {
  double amplitude = 1.0;
  double frequency = 1.0;  // [1 / argument]: Hz of the time
  double phase = 0.0;      // [rad]
  double offset = 0.0;
};

// A sine whose frequency rises linearly from `frequency` at 0 to `end_frequency` at `duration`, and stays there.
struct Chirp {
  double amplitude = 1.0;
  double frequency = 1.0, end_frequency = 10.0;  // [1 / argument]
  double duration = 1.0;
  double phase = 0.0;  // [rad]
  double offset = 0.0;
};

// c_0 + c_1 x + c_2 x^2 + ..., in SI units.
struct Polynomial {
  std::vector<double> coefficients = {};
};

enum class Spline {
  cubic,  // two continuous derivatives, third one too at the second and the last but one point ("not a knot")
  monotone,  // one continuous derivative; rises and falls where the points do (Fritsch and Butland 1984)
  linear,    // straight lines between the points
};
enum class Beyond {
  none,  // no value outside of the table: a run that gets there ends with the name of the element
  hold,  // the first or the last value
};

// A curve through points (x_k, y_k), in SI units.
struct Table {
  std::vector<double> x = {};  // rising
  std::vector<double> y = {};
  Spline spline = Spline::cubic;
  Beyond beyond = Beyond::none;
};

}  // namespace catena::functions
