// The forms of a constrained system in plain coordinates (v = q') that are handed to IDA, as F(t, y, y') = 0
// with dF/dy + cj dF/dy' in compressed sparse columns. Nothing of SUNDIALS is seen here.
//
//   index1                     y = (q, v, lambda)
//     q' - v = 0,  M v' + G^T lambda - f = 0,  d/dt (G v + g_t) = 0
//   gear_gupta_leimkuhler      y = (q, v, lambda, mu), one mu a position row
//     q' - v + G^T mu = 0,  M v' + G^T lambda - f = 0,  G v + g_t = 0,  g = 0
//   dummy_derivatives          y = (q, v, lambda, w), one w a row
//     q_i' - v_i = 0 for the independent coordinates, g = 0,
//     M a + G^T lambda - f = 0,  d/dt (G v + g_t) = 0 with v' = a,  G v + g_t = 0,
//     a_i = v_i' for the independent velocities, a_i = w for the others
//
// Rows of F: n kinematic ones (a dependent coordinate's is taken by the g that determines it), n of the balance,
// then the constraint rows; G denotes position and velocity rows alike.
#pragma once
#include <catena/solvers/detail/ida_choice.hpp>
#include <catena/sparse/detail/csc_map.hpp>
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena::detail::ida_detail {

enum class Form : std::uint8_t { index1, gear_gupta_leimkuhler, dummy_derivatives };

enum class Kind : std::uint8_t { q, v, lambda, mu, w };

class Equations {
 public:
  // Symbolic work and all arrays. The system must outlive the use.
  Equations(const System& system, Form form);

  int size() const { return size_; }
  Kind kind(int component) const;
  bool differential(int component) const;  // its derivative appears in F
  std::string owner(int component) const;  // body or constraint, in the user's names

  // State::discrete, which every evaluation sees; null: that of the initial state.
  void set_discrete(const double* discrete) { discrete_ = discrete; }

  // y and y' of a state whose a and lambda belong to its q and v. second: y'' in the error test's components, from
  // the derivative of a.
  void pack(const State& state, double* y, double* yp) const;
  void pack_second(const State& state, const std::vector<double>& jerk, double* second) const;
  // q, v, a and lambda of y and y'.
  void unpack(const double* y, const double* yp, State& state) const;

  // False where a number is not finite.
  bool residual(double t, const double* y, const double* yp, double* F);
  // The joint or force without a value that residual() has met since it was forgotten; no name: none.
  const Culprit& undefined() const { return undefined_; }
  void forget_undefined() { undefined_ = {}; }

  // Compressed columns; they change with choose().
  const std::vector<int>& column() const { return column_; }
  const std::vector<int>& row() const { return row_; }
  // dF/dy + cj dF/dy' into row().size() values. False where a number is not finite.
  bool jacobian(double t, const double* y, const double* yp, double cj, double* values);

  // Chooses dependent coordinates anew by pivoting on G(q, t); those of dummy_derivatives change the pattern: begin
  // the integrator anew. False where rows depend on each other; then dependent_constraint() says which.
  bool choose(double t, const double* q);
  // How good the choice is at (t, q): 1/2 to 1 when fresh, towards 0 as it turns bad. crossed: a row that was dependent
  // on others at some moment since the last call of choose() or watch(), at `fraction` of the way; -1: none.
  struct Watch {
    double quality = 1.0, fraction = 0.0;
    int crossed = -1;
  };
  Watch watch(double t, const double* q);
  // How far the rows are from dependence at the instant of the last choose() or watch(): DependentChoice::weakest().
  double weakest() const { return choice_.weakest(); }
  // The velocity that constraint row `lambda_row` determines at present.
  int dependent_velocity(int lambda_row) const;
  // The constraint that choose() or watch() found to depend on others.
  std::string dependent_constraint() const;

  long evaluations() const { return evaluations_; }

 private:
  // Values of [H B; C -] of the system at one point, in the columns of map_.
  enum Source : std::uint8_t { one, mass, damping, stiffness, rows_by_q, rows_by_v, mu_stiffness, sources };
  struct Term {
    int entry, slot;
  };
  struct Group {
    Source source;
    double factor;
    bool times_cj;
    std::vector<Term> terms;
  };

  // One value of one source: where it belongs in the matrix, and which term of which group it is.
  struct Place {
    int column, row, group, term;
  };

  void order_rows();
  // The place of every value of every source.
  void build_pattern();
  // Columns and rows of the matrix, and the slot of each term in it.
  void number_slots(std::vector<Place>& places);
  Point point(double t, const double* y, const double* a) const;
  void differentiate(const Point& at, const Linearization& what, std::vector<double>& values);
  void linearize(double t, const double* y, const double* yp);
  void linearize_acceleration_rows(const Point& at);
  void load_rows(double t, const double* q);
  void name_undefined(double t, const double* y, const double* yp, const double* F);
  void put_mu(const double* y) const;
  const double* acceleration_of(const double* y, const double* yp) const;

  const System& system_;
  Form form_;
  int n_ = 0, m_ = 0, position_count_ = 0, size_ = 0;
  std::vector<int> position_index_;  // per row of lambda: its number among position rows, -1: velocity row
  std::vector<int> elimination_, place_in_elimination_;  // rows in the order of elimination; and back
  std::vector<int> dual_of_row_, primal_of_component_;
  const double* discrete_ = nullptr;
  Culprit undefined_;
  CscMap map_;
  BlockMatrix matrix_;
  std::vector<int> entry_row_, entry_column_;  // of every value of map_
  std::vector<double> values_[sources];
  std::vector<Group> groups_;
  std::vector<int> column_, row_;
  DependentChoice choice_;
  DependentChoice::Rows sparse_rows_;
  std::vector<int> row_entries_;  // of map_, for sparse_rows_
  mutable std::vector<double> a_, mu_;
  std::vector<double> rows_, work_, moved_, later_;
  int dependent_row_ = 0;
  long evaluations_ = 0;
};

}  // namespace catena::detail::ida_detail
