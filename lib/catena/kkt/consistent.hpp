// Consistent initial values, computed from the model; the user need not supply them. Every function fills the
// matrix of the KKT solver with the index-1 system
//     [ M  G^T ] [ x  ]
//     [ G   0  ] [ mu ]
// at (t, q), factorises it and solves. Work arrays are allocated in the first call only. The caller owns the arrays; their
// sizes are those of the system's layout: q [q_size]; v, a, target, w [v_size]; lambda [lambda_size]. No function throws.
// A report whose status is not ok (singular_kkt, not_finite, and those named below) names the culprit; the arrays are then
// unchanged, except the q of project_positions.
#pragma once
#include <catena/kkt/detail/position_newton.hpp>

#include <vector>

namespace catena {

class ConsistentValues {
 public:
  // Uses the matrix of kkt, which must be attached to system. discrete: State::discrete, which must outlive
  // this; null: its initial values.
  ConsistentValues(const System& system, KktSolver& kkt, const double* discrete = nullptr)
      : system_(system), kkt_(kkt), discrete_(discrete), newton_(system, kkt) {}
  ~ConsistentValues() { kkt_.release_workspace(); }
  ConsistentValues(const ConsistentValues&) = delete;
  ConsistentValues& operator=(const ConsistentValues&) = delete;

  // Status inconsistent_start, with the worst row and a remedy, where |g| exceeds the tolerance times the size of
  // the bodies at the joint (at most 1) plus the roundoff of the coordinates.
  KktReport check_positions(double t, const double* q, double tolerance);

  // Moves v, in the norm of the mass matrix, to the nearest velocity with G v + g_t = 0 and A v + a = 0.
  // largest_change: max |dv_i| / s_i.
  KktReport project_velocities(double t, const double* q, double* v, double& largest_change);

  // v' and lambda of the index-1 system at (t, q, v). Status newton_not_converged: a force that depends on lambda makes
  // the lambda that it follows grow as fast.
  KktReport accelerations(double t, const double* q, const double* v, double* a, double* lambda);

  // Moves q along M^-1 G^T until |g| <= tolerance, in 30 iterations at most (detail/position_newton.hpp). Status
  // newton_not_converged names the worst row. largest_change: max |delta_i| / s_i over all corrections.
  KktReport project_positions(double t, double* q, double tolerance, double& largest_change);
  // The same until each row is at most `relative` times the numbers whose roundoff it sees (row_length.hpp).
  KktReport project_to_roundoff(double t, double* q, double relative, double& largest_change);

 private:
  Point point(double t, const double* q, const double* v = nullptr) const;
  KktReport look_at_positions(double t, const double* q, const detail::GapLimit& limit);
  KktReport factorize(double t, const double* q, const double* v);
  // Solves with the right-hand side in rhs_. Status singular_kkt where the solution has no accuracy, not_finite where
  // a number is not finite.
  void solve(KktReport& report, const Point& at);
  bool is_roundoff(double wanted, const Point& at) const;
  double open_rows(const Point& at, std::vector<int>& constraints);
  void look_at_rows(KktReport& report, const Point& at);
  void follow_reactions(KktReport& report, Point at, std::vector<double> known);
  double* rhs();
  double* rows() { return rhs() + system_.layout().v_size(); }

  const System& system_;
  KktSolver& kkt_;
  const double* discrete_;
  detail::PositionNewton newton_;
  std::vector<double> rhs_, rows_;
};

// Fills a and lambda of a state with the accelerations and multipliers of the index-1 system at its t, q, v and discrete
// values; v is taken as it is. Analyses the system on each call: for many states keep a KktSolver and ConsistentValues.
// Status unsupported, with a sentence in the name of the culprit: the state is one of another system.
KktReport find_accelerations(const System& system, State& state);

// What moved when an initial state was moved onto the constraints.
struct Projection {
  Status status = Status::ok;  // newton_not_converged, singular_kkt, not_finite: the state is unchanged
  Culprit culprit;             // on failure: the row with the largest gap
  double largest_position_change =
      0.0;  // max |delta_i| / s_i over all Newton corrections (SystemLayout::scale)
  double largest_velocity_change = 0.0;  // likewise, of v
};

// Moves the positions until every position row is within tolerance [m, or the unit of the row], along M^-1 G^T;
// then v is moved, in the norm of the mass matrix, to the nearest velocity that the constraints allow. For systems of any
// kind. A Model is assembled, with coordinates that joints shall have, by assemble() (parts/assemble.hpp).
Projection project_positions(const System& system, State& state, double tolerance = 1e-12);

}  // namespace catena
