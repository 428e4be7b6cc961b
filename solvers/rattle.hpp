// RATTLE on the Lie group and its compositions: symplectic and reversible, of order 2, 4, 6 or 8. With p = M v, f the applied
// forces without the gyroscopic term and T the right tangent operator on rotations,
//
//     T^-1(xi) M xi / h = p_n + (h/2) (f(q_n) - G_n^T lambda),   q_{n+1} = q_n exp(xi),   g(q_{n+1}) = 0
//     p_{n+1} = T^-1(-xi) M xi / h + (h/2) (f(q_{n+1}) - G_{n+1}^T mu),   G_{n+1} M^-1 p_{n+1} + g_t = 0
//
// A step of a composition is a number of such substeps, some of them back in time: it takes forces that are functions of the
// positions alone. Newton's iteration ends at roundoff, since what it leaves would add up in the energy.
//
// Each node makes one matrix [M G^T; G 0], whose factor projects the velocities there and iterates for the next positions
// (the simplified form). Where bodies turn far in a substep that contracts slowly, and the whole Jacobian is taken.
// State::a and State::lambda are those of the index-1 system at the end of the step, whose order is that of q and v.
//
// Sources: Andersen, J. Comput. Phys. 52 (1983) 24-34; Reich, SIAM J. Numer. Anal. 33 (1996) 475-491; Hairer, Lubich, Wanner,
// Geometric Numerical Integration, 2nd ed., VII.1.4. docs/theory/rattle.md
#pragma once
#include <catena/stepper/implicit/parts/history_stepper.hpp>

#include <vector>

namespace catena {

struct RattleOptions {
  enum class Order : std::uint8_t { two, four, six, eight, eight_short };
  enum class Newton : std::uint8_t { automatic, simplified, whole };

  Order order = Order::two;
  Newton newton = Newton::automatic;
  int max_newton_iterations = 60;  // [1, 1000] of a substep
  double proximal = 1e-12;         // [0, 1e-6] see KktOptions::proximal
  GuardOptions guards{};
};

void visit(OptionVisitor& visitor, RattleOptions& options);

class Rattle : public HistoryStepper {
 public:
  using Options = RattleOptions;
  // backend: empty for the library's own block LDL.
  explicit Rattle(RattleOptions options = {}, LinearSolverFactory backend = {});

  const Traits& traits() const override { return traits_; }
  // Systems that are not of bodies in six velocities, rows at velocity level, forces that are not the gradient of a
  // potential, and for compositions constraints that move by themselves, each by its name.
  std::string refuses(const System& system) const override;
  bool trace(NewtonTrace*) override { return false; }

 private:
  Outcome set_up(const System& system) override;
  void make_work_arrays(const State& state) override;
  void begin_history(State&, double, ConsistentValues&, Outcome&) override {}
  Linearization mass_and_rows(double h) const override;
  Outcome attempt(const State& state, double h) override;
  void accept(State& state, double h) override;
  void rejected() override {
    node_is_known_ = false;
    counts_node_ = true;
  }
  Outcome assess(const State& state, double h, Outcome outcome);

  // rattle_step.cpp
  Outcome leave(const State& state);
  Outcome substep(double t, double to, double h, const double* a);
  Outcome find_positions(double t, double to, double h, const double* a);
  void residuals(double to, double h);
  bool simplified_correction();
  bool whole_correction(double t, double to);
  double roundoff_of_corrections() const;
  double correction_size(const double* delta) const;
  Outcome arrive(double t, double h);
  Outcome factorise_node(double t, const KktReport& report);
  Outcome accelerate(double t);
  void take_out_proximal(const double* multipliers);
  void take_accelerations(const double* a);
  void solve(KktSolver& kkt, double* x);
  void evaluate(const Point& at, const Evaluation& wanted);
  void multiply_mass(const double* x, double* out) const;
  void add_whole_jacobian();
  Outcome not_converged(double to, double size);
  Point at(double t) const;

  RattleOptions options_;
  Traits traits_;
  LinearSolverFactory backend_;
  std::vector<double> gamma_;
  int n_ = 0, m_ = 0;  // v_size, lambda_size
  MemorySlot lambda_before_;

  // The node that a substep leaves: coordinates, velocity, momentum, applied forces; of that at which a step begins, G^T lambda
  // as well. node_is_known_: its matrix is factorised, at node_t_ and node_q_.
  std::vector<double> q_, v_, p_, force_, held_;
  bool node_is_known_ = false, counts_node_ = false;
  double node_t_ = 0.0;
  std::vector<double> node_q_;
  // The iterate: increment, M times it, h^2/2 G^T lambda, and the residuals as a right-hand side.
  std::vector<double> xi_, mass_xi_, reaction_, end_q_, x_, turned_;
  std::vector<double> a_, lambda_, change_;
  std::vector<double> mass_;        // per block its entries, by rows
  std::vector<double> velocities_;  // g_t
  double contraction_now_ = 0.0;
  KktSolver whole_;  // of the whole Jacobian
  const double* discrete_ = nullptr;
};

}  // namespace catena
