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

}  // namespace catena::detail
