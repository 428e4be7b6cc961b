// What the kernels of norm rows read and write, as plain data. norm_rows.hpp explains it.
#pragma once
#include <cstdint>

namespace catena::detail {

// Eight bodies, one a lane: entry e of lane l at [8 * e + l].
struct NormBodyPack {
  const double* H = nullptr;                          // 7 x 7
  const double *unit_c = nullptr, *unit_b = nullptr;  // four numbers each
  double* to_H = nullptr;                             // 6 x 6
  double *H_c = nullptr, *b_H = nullptr;              // H unit_c and H^T unit_b, seven numbers each
};

// Eight blocks of so many rows, C or the transposed of B, one a lane.
struct NormRowPack {
  int rows = 0;
  const double* C = nullptr;           // rows x 7
  const double* unit = nullptr;        // of all bodies
  const std::int32_t* body = nullptr;  // where the numbers of each lane's body begin in it
  const double* counts = nullptr;      // one a lane; 0: there are no such rows
  double* to_C = nullptr;              // rows x 6
  double* C_unit = nullptr;            // C unit, a number a row
};

struct NormRowKernels {
  // Both return the largest of what goes along the units, beside what roundoff leaves of it.
  // symmetric: of (H + H^T) / 2. split: what BlockPattern::primal_split and incidence_split say is zero is there already.
  double (*body)(const NormBodyPack&, bool symmetric, bool split);
  double (*rows)(const NormRowPack&);
  // Of a solution, eight bodies side by side, where nothing else goes along the units; unit: as in NormBodyPack.
  // reduce: seven numbers a body become six, those across its unit, and the one along it. expand: the other way round.
  void (*reduce)(const double* unit, const double* seven, double* six, double* along);
  void (*expand)(const double* unit, const double* six, const double* along, double* seven);
};

}  // namespace catena::detail
