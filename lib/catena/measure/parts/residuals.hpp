// How well a state satisfies the constraints, at three levels.
#pragma once
#include <catena/system/system.hpp>

#include <vector>

namespace catena {

// The largest absolute row of one level and the constraint that it belongs to.
struct WorstRow {
  double value = 0.0;   // nan where a row is not finite
  int constraint = -1;  // dual block; -1: there are no rows
};

struct Residuals {
  WorstRow position;      // g(q, t)
  WorstRow velocity;      // G v + g_t, and velocity constraints
  WorstRow acceleration;  // the time derivative of that with v' = State::a
};

// Evaluates the residuals of one system again and again without allocating.
class ResidualMeter {
 public:
  explicit ResidualMeter(const System& system);
  Residuals operator()(const State& state);

 private:
  WorstRow worst(const std::vector<double>& rows) const;

  const System& system_;
  std::vector<double> position_, velocity_, acceleration_;
};

}  // namespace catena
