// The multipliers that a ReactionRule chooses among those with the same forces on the bodies.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/kkt_solver.hpp>
#include <catena/measure/detail/reaction_meter.hpp>
#include <catena/measure/parts/reaction_rule.hpp>

#include <cstddef>
#include <vector>

namespace catena::detail {

// With W = L L^T the quadratic form of the rule in the multipliers of one constraint, lambda = L^-T y and G' = L^-1 G, it is the
// shortest y with G'^T y = G^T lambda_0: the limit of
//     [ H  G'^T ] [ x ]   [ G^T lambda_0 ]
//     [ G'  -D  ] [ y ] = [ 0            ]
// with the same D for all rows and any H. Every solve leaves H x of the right-hand side, which is the next one. H: the squares of
// the bodies' sizes, so that no mass takes part. Allocates in its constructor alone. Not for two threads at once.
class SharedMultipliers {
 public:
  // Throws SelectionError as joint_stiffness() does.
  SharedMultipliers(const BodySystem& system, const ReactionRule& rule);

  // q: seven coordinates a moving body, unit quaternions; lambda, discrete: as in State. Of the rows of the model.
  const double* operator()(double t, const double* q, const double* lambda, const double* discrete);

 private:
  void measure_rows(double t, const double* discrete);
  void factorise(const Point& at);
  void weigh_constraint(int dual, std::size_t& side);
  void leave_rest();
  double size_of_residual() const;

  MultibodySystem system_;
  ReactionMeter meter_;
  KktSolver kkt_;
  std::vector<JointStiffness> stiffness_;  // per constraint
  int most_rows_ = 0;
  std::vector<int> first_factor_;  // per constraint: of its L, by rows
  std::vector<double> factor_, q_, unit_, x_, residual_, lambda_;
  std::vector<std::vector<double>>
      wrench_;  // per row of a constraint: six numbers a side for a multiplier of 1
};

}  // namespace catena::detail
