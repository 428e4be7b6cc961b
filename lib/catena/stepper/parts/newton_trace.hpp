// What Newton's iteration does in one step, for people who look into a step that fails.
#pragma once
#include <catena/system/status.hpp>

#include <vector>

namespace catena {

struct NewtonTrace {
  struct Iterate {
    // Before its correction: the largest of the force balance and of the residuals of each level of rows, with their owners.
    std::vector<Culprit> residuals;
    bool new_matrix = false;    // made at this iterate; else that of an earlier one
    bool indefinite = false;    // more negative pivots than rows
    double pivot_growth = 1.0;  // 1: unknown, or the back end pivots
    Culprit weakest_pivot;      // of the rows: relative to their local Schur scale; without a name: not known
    Culprit correction;         // the largest, in characteristic sizes; without a name: there was none
  };
  std::vector<Iterate> iterates;

  // Of a step that has failed, at its last iterate; else empty. The matrix in compressed columns, with the proximal term, in
  // the unknowns and equations of the stepper: primal blocks first, then dual blocks.
  std::vector<int> column, row;
  std::vector<double> value;
  // In the same order, without the scales of the stepper: forces [N, N m], then what the rows hold [m, rad] or its rate.
  std::vector<double> residual;
  std::vector<const char*> quantity;  // of each block
};

}  // namespace catena
