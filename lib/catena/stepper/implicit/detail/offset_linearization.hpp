// The derivative of v_n as a step at index 3 takes it, where the offset of the velocities changes with the step (the first
// step, or one of another size): v_n + x with
//
//     [M G^T; G -compliance] [x; mu] = [0; G y + (grows - 1) (G v_n + g_t)]   at the beginning of the step
//     y = of_a v'_n + of_a_before v'_{n-1} + bracket [v_n, v'_n]
//
// and 0 on the right for rows at velocity level. With K = d(M x + G^T mu)/dq and N(w) = d(G w + g_t)/dq
//
//     [M G^T; G -compliance] [dx; dmu] = [-K dq; G (dy + (grows - 1) dv) + R dq]
//     R = N(y - x + (grows - 1) v_n) + (grows - 2) N(0),   N(-x) - N(0) for rows at velocity level
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/stepper.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

// What a change of the offset was; the arrays are the stepper's, and make() alone reads them.
struct OffsetChange {
  Point begin;                               // t, q, v and discrete values
  const double *a = nullptr, *y = nullptr;   // [v_size]
  const double *x = nullptr, *mu = nullptr;  // [v_size], [lambda_size]
  double grows = 1.0;                        // the offset that v_n has, in proportion
  double of_a = 0.0, of_a_before = 0.0;      // [s]
  double bracket = 0.0;                      // [s^2]
  const BlockMatrix* compliance = nullptr;   // whose D and proximal term the rows have
};

class OffsetLinearization {
 public:
  // like: attached, for its analysis. Three evaluations (four with rows at velocity level) and one factorisation.
  Outcome make(const System& system, const KktSolver& like, const OffsetChange& change);

  // Adds to v the derivative of v_n + x by q, v, v' and v' before. Arrays of [v_size]; v is none of the others.
  void apply(const double* dq, const double* dv, const double* da, const double* da_before, double* v);
  // Adds the transposed of the same to dq, dv, da and da_before.
  void apply_transposed(const double* v, double* dq, double* dv, double* da, double* da_before);

 private:
  void keep_position_rows(double* rows) const;

  const System* system_ = nullptr;
  std::optional<KktSolver> projection_, second_, part_;  // the last two: matrices alone
  double grows_ = 1.0, of_a_ = 0.0, of_a_before_ = 0.0, of_bracket_ = 0.0;
  std::vector<double> v_, a_, w_, sum_, product_, of_q_, y_, unit_, image_;
};

}  // namespace catena::detail
