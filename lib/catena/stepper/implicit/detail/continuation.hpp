// Where Newton begins, and what the steps before say of his iteration. v' and the multipliers of up to four instants continue to
// the end of the next step by a polynomial.
//
// With P_k the polynomial of order k through the last k + 1 values,
//
//     P_3(t_{n+1}) = x_n + T_1 + T_2 + T_3,   T_k = (t_{n+1} - t_n) ... (t_{n+1} - t_{n-k+1}) x[t_n, ..., t_{n-k}],
//
// x[...] the divided differences. T_1 is in the table of the method (StepTable::guess); T_2 and T_3 are added here. P_k is wrong
// by T_{k+1} to leading order. Where the T_k do not fall, because of roundoff or of a motion that the steps do not resolve, P_1
// remains. docs/decisions/050-one-correction.md
#pragma once
#include <catena/math/detail/array_kernels.hpp>
#include <catena/stepper/implicit/parts/step_table.hpp>
#include <catena/stepper/parts/newton.hpp>
#include <catena/stepper/parts/step_memory.hpp>
#include <catena/system/system.hpp>

#include <array>
#include <vector>

namespace catena::detail {

// The size of the step to come and those of the three before it, the latest first [s].
using StepsBack = std::array<double, 4>;
// The weights of x_n, x_{n-1}, x_{n-2} and x_{n-3} in T_order; order: 1 to 3.
std::array<double, 4> term_of_continuation(int order, const StepsBack& h);

class Continuation {
 public:
  // per_scale: 1 / SystemLayout::scale, which must outlive this.
  void attach(StepMemory& memory, const System& system, const double* per_scale);

  // Values of t_{n-1}.
  struct Before {
    double h;  // t_n - t_{n-1}
    const double *a, *lambda;
  };
  // For the step of size h from this state.
  void look_ahead(const State& state, double h, const Before& before);
  // The step continues by a line.
  void look_no_further();
  int order_of_accelerations() const { return order_a_; }
  // u of the components [first, last), where its order is above 1: of the guess, by which v' continues by a line, with
  // (T_2 + T_3) / of_unknown added; of_unknown: of u in v'. columns: see apply(), fetched: its whole.
  void unknown(const ShortRow& guess, double of_unknown, const double* const* columns, int first, int last,
               double* u, int fetched) const;
  // lambda_{n+1} of the rows [first, last). ahead: of T_1 over lambda_n - lambda_{n-1}.
  void multipliers(double ahead, const double* lambda, const double* lambda_before, int first, int last,
                   double* out) const;

  // The step is accepted: before the values of t_n take the place of those of t_{n-1}.
  void keep_accelerations(State& state, const double* a_before, int first, int last) const;
  void keep_multipliers(State& state, const double* lambda_before, int first, int last) const;
  // After these. contractions: of the step.
  void keep_numbers(State& state, double h_before, const NewtonMonitor::Contractions& contractions) const;
  // Of the step that ended in this state.
  NewtonMonitor::Contractions contractions(const State& state) const;

 private:
  // What the slot holds: steps taken, sizes of the last step but one and of that before, orders, contractions.
  enum Number : std::uint8_t {
    steps,
    size_before,
    size_before_that,
    order_a,
    order_lambda,
    contraction_of_q,
    contraction_of_lambda,
    numbers_kept
  };
  using Columns = std::array<const double*, 4>;
  // The largest |T_1|, |T_2| and |T_3|.
  using Largest = std::array<double, 3>;
  // per: factors of the components, or null.
  Largest largest_terms(const Columns& x, const double* per, int first, int last, int known) const;
  void choose_orders(const Columns& a, const Columns& lambda, int known);
  WeightedColumns terms(int order, const Columns& x) const;

  const System* system_ = nullptr;
  const double* per_scale_ = nullptr;
  std::vector<Largest> of_parts_[2];  // per part of the system: of v' and of the multipliers
  std::size_t n_ = 0, m_ = 0;
  MemorySlot numbers_, a_, lambda_;  // a_, lambda_: those of two and of three steps back, in turn
  StepsBack sizes_{};                // of term_
  int terms_made_ = 0;
  std::array<double, 4> term_[3]{};       // T_1, T_2, T_3
  int order_a_ = 1, order_lambda_ = 1;    // of the step in hand
  WeightedColumns of_a_{}, of_lambda_{};  // T_2 + T_3 of it, values of t_n first; no columns: zero
};

}  // namespace catena::detail
