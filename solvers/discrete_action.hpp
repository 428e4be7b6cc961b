// The discrete action on constrained systems with a Lagrangian (midpoint rule, constraints at the nodes).
//
// Over one step S_k = h L((q_k + q_k+1)/2, (q_k+1 - q_k)/h). Unknowns are q_k+1 and the multiplier gamma_k of
// the old node:
//
//     p_k + D1 S_k - C_k^T gamma_k = 0,   g(q_k+1) = 0,   C_k = dg/dq at q_k
//     p_k+1 = D2 S_k - C_k+1^T mu         mu such that C_k+1 v_k+1 = 0, v the Legendre transform of p
//
// gamma and mu are the impulses of the constraints over the half steps after and before a node. Forces without
// potential enter with half of their impulse at either end. Symplectic where there are none, symmetric,
// order 2; momentum maps of the continuous system are kept.
//
// Newton's unknowns are (q_k+1, h gamma_k), with the matrix [-h D2D1S, C_k^T; C_k+1, 0], whose condition does not
// depend on h. At every node a factorisation of [M, C^T; C, 0] gives v, v' and lambda: State::v and State::a satisfy
// the constraints on velocities and accelerations, and State::lambda holds forces, not impulses: M a - f + C^T lambda = 0
// at State::t. Newton's matrix is the same but for terms of order h, so that the factor of the node serves the step that
// leaves it; where that contracts too slowly (stiff forces), Newton's own matrix is factorised. State::memory holds p.
// Between the ends of a step quaternions are not normalised.
//
// Source: Xu and Zhong, Appl. Math. Mech. 35 (2014) 1071-1080; docs/theory/discrete_action.md.
#pragma once
#include <catena/stepper/implicit/parts/history_stepper.hpp>

#include <vector>

namespace catena {

struct DiscreteActionOptions {
  // Newton ends at max_i |delta_i| / s_i <= newton_tolerance, s: characteristic length, 1 rad, max |lambda|.
  double newton_tolerance = 1e-12;  // [1e-15, 1e-3]
  int max_newton_iterations = 12;   // [1, 1000]
  double proximal = 1e-12;          // [0, 1e-6] see KktOptions::proximal
  GuardOptions guards{};
};

void visit(OptionVisitor& visitor, DiscreteActionOptions& options);

class DiscreteAction : public HistoryStepper {
 public:
  // backend: empty for the library's own block LDU; fallback: a pivoting solver for matrices that it refuses.
  explicit DiscreteAction(DiscreteActionOptions options = {}, LinearSolverFactory backend = {},
                          LinearSolverFactory fallback = {});

  const Traits& traits() const override;
  std::string refuses(const System& system) const override;
  const DiscreteActionOptions& options() const { return options_; }

 protected:
  Outcome exchanged(State& state, double h) override;

 private:
  Outcome set_up(const System& system) override;
  void make_work_arrays(const State& state) override;
  void begin_history(State& state, double h, ConsistentValues& consistent, Outcome& outcome) override;
  Linearization mass_and_rows(double h) const override;
  void scaled(const Point& initial, double compliance) override;
  Outcome attempt(const State& state, double h) override;
  void accept(State& state, double h) override;
  // The node just reached, or the one to leave from.
  struct Node {
    std::vector<double> q, v, a, lambda, p;
    void resize(int q_size, int v_size, int lambda_size);
  };

  void name_undefined(double h, Culprit& culprit) const;
  void evaluate_interval(double h, BlockMatrix* matrix);
  void add_node_impulse(const double* multipliers, double factor, double* p) const;
  void evaluate_rows(double t, const double* q, Linearization* lin, double* position) const;
  void evaluate(double h, const Evaluation& wanted);
  detail::NewtonStep newton_step(double h) const;
  Outcome iterate(const State& state, double h);
  bool iterate_with_node(const State& state, double h);
  void predict();
  void predict_by_history(const State& state, double h);
  void begin_multipliers(double h);
  void correct();
  Point point_of_node(double t, const Node& node) const;
  KktReport make_node_matrix(const Point& at, double* velocity);
  bool find_node_matrix();
  KktReport settle(const State& state, double h, Node& node);
  void take_impulse_before(double h, Node& node);
  void project_velocity(Node& node);
  double solve_forces(const KktReport& factored, double* x);
  Outcome assess(const State& state, double h, Outcome outcome);
  void remember_prediction(State& state);

  DiscreteActionOptions options_;
  LinearSolverFactory backend_, fallback_;
  int n_ = 0, m_ = 0;  // v_size, lambda_size
  Node from_, to_;     // ends of the step in work
  std::vector<double> middle_, slope_, dq_, dv_, multiplier_;
  std::vector<double> change_;  // of q in the step just taken
  std::vector<double> rows_, forces_;
  double t_ = 0.0;
  bool node_kept_ = false;         // matrix and factor are those of the node at node_t_, node_q_
  bool node_serves_ = false;       // its factor may serve an iteration
  bool proximal_reduced_ = false;  // by the solutions at to_
  double node_t_ = 0.0;
  std::vector<double> node_q_, leap_;  // leap_: q_k+1 by q_k, q_k-1 and a_k alone
  bool leapt_ = false;
  bool new_matrix_ = false;  // the factor of the node was too slow in this step
  // State::memory, behind the slots of all steppers with a history: p; multipliers of the node before; q_k - q_k-1; what
  // leap_ missed in the last step; how many of these two there are, and how many steps make Newton's own matrix yet.
  MemorySlot momentum_, lambda_before_, change_before_, missed_, history_, own_matrix_;
  const double* discrete_ = nullptr;  // of the state in work
};

}  // namespace catena
