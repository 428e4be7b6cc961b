// The classical Runge-Kutta method of order 4 with a fixed step, for systems without constraints: the integrator of
// many published examples, and the plainest one. Where the system gives q' itself (System::rate), q is integrated as
// plain numbers; elsewhere in the Lie algebra at q_n,
//
//     q = q_n exp(x),   x' = T^-1(x) v,   M v' = f
//
// (Munthe-Kaas, Appl. Numer. Math. 29 (1999) 115-127). dormand_prince is the method for everything else.
#pragma once
#include <catena/kkt/kkt_solver.hpp>
#include <catena/stepper/stepper.hpp>

#include <string>
#include <vector>

namespace catena {

class RungeKutta4 : public Stepper {
 public:
  // backend empty: the library's own.
  explicit RungeKutta4(LinearSolverFactory backend = {}) : backend_(std::move(backend)) {}

  const Traits& traits() const override;
  std::string refuses(const System& system) const override;
  Outcome start(State& state, double h) override;
  Outcome step(State& state, double h) override;
  // Cubic Hermite polynomials: order 3 between the steps.
  void interpolate(double theta, double* q, double* v) const override;
  const StepperStatistics& statistics() const override { return statistics_; }

 private:
  Outcome take_on(const System& system) override;
  static constexpr int stages = 4;

  // x' and v' at a stage: a factorisation of M. kv null: v' is known.
  KktReport derivatives(double t, const double* x, const double* q, const double* v, double* kx, double* kv);
  KktReport accelerate(double t, const double* q, const double* v, double* a);
  Point at(double t, const double* q, const double* v) const;
  Outcome accept(State& state, double h);

  LinearSolverFactory backend_;
  const System* system_ = nullptr;
  KktSolver kkt_;
  StepperStatistics statistics_;
  bool plain_ = false;                // q is integrated as plain numbers
  const double* discrete_ = nullptr;  // of the state in step()
  double h_taken_ = 0.0;

  std::vector<double> kx_[stages], kv_[stages];
  std::vector<double> x_, q_, v_, a_;  // the stage at work; after it the end of the step
  // The step just taken, for interpolate().
  std::vector<double> q_before_, v_before_, a_before_, discrete_before_, x_end_, kx_end_, a_end_;
  mutable std::vector<double> between_;
};

}  // namespace catena
