// What drives and forces follow: functions of the time that elements list. Of types without a listing nothing is known.
#pragma once
#include <catena/model/model.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Instants at which they change from one formula to another, in rising order, each once.
std::vector<double> break_points(const Model& model);

// That with the highest frequency between two instants.
struct FastestFunction {
  std::string name;        // of its element, 'force "motor" (varying_force)'; empty: none has a frequency
  std::string member;      // "factor"
  double frequency = 0.0;  // [Hz]
};
FastestFunction fastest_function(const Model& model, double from, double to);

// The shortest bump between break points, of a table say, that steps of h may pass over: from one instant to another the
// function is at neither end what it is at a break point between them, by a quarter of what it does between two instants.
struct ShortBump {
  std::string name, member;      // as of FastestFunction; empty: there is none
  double at = 0.0, value = 0.0;  // [s], of the function there
  double longest_step = 0.0;     // [s] that does not pass over it
};
ShortBump short_bump(const Model& model, double from, double to, double h);

}  // namespace catena::detail
