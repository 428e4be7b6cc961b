// What Dormand-Prince carries from step to step in State::memory; shared by its source files.
#pragma once
#include <catena/solvers/dormand_prince.hpp>

namespace catena {

// [0] advice for the next step, [1] error of the last one, [2] accepted steps, [3] steps in a row that looked
// limited by stability, [4] and that did not.
struct DormandPrince::Memory {
  static constexpr std::size_t size = 5;
  double* base;
  double& h() const { return base[0]; }
  double& error() const { return base[1]; }
  double& steps() const { return base[2]; }
  double& stiff() const { return base[3]; }
  double& calm() const { return base[4]; }
  static Memory of(const State& s) { return {const_cast<double*>(s.memory.data())}; }
};

}  // namespace catena
