// Runs of the discrete action on the chain of four boxes, with everything that the source draws.
#pragma once
#include <catena/assembly/quaternion_system.hpp>
#include <catena/output/parts/study.hpp>
#include <catena/solvers/discrete_action.hpp>

#include <array>
#include <functional>
#include <vector>

namespace catena::detail::box_chain_study {

constexpr double step_size = 0.002;  // of the source [s]

// The chain as the source has it, or with its plane turned about the vertical, without gravity, ...
Model chain(double gravity = 9.8);
// In the plane of world y and z: then no number ever has a part out of the plane.
Model chain_in_coordinate_plane();
// Turns like one rigid body: v = W x x, omega = R^T W.
Model spinning(Model model, const Vec3& W);
// Turns the first box by this angle about its long axis, which takes the chain out of its plane.
Model turned(Model model, double angle);

// ||A - A^T||/||A|| (Frobenius) of the Newton matrix A = [h D2D1 L, -C_k^T; -C_k+1, 0] of the step of size h [s] from
// the coordinates before to those after.
double newton_matrix_asymmetry(const QuaternionSystem& system, const std::vector<double>& before,
                               const std::vector<double>& after, double h);

// A run with fixed steps, throws std::runtime_error where a step fails.
class ChainRun {
 public:
  explicit ChainRun(Model model, double h = step_size);
  ChainRun(const ChainRun&) = delete;
  ChainRun& operator=(const ChainRun&) = delete;

  // So many steps, each followed by a call of `each` where there is one.
  void advance(long steps, const std::function<void()>& each = {});
  void turn_back();  // v := -v; what follows starts anew

  const QuaternionSystem& system() const { return system_; }
  const State& state() const { return state_; }
  const StepperStatistics& statistics() const { return stepper_.statistics(); }
  double energy() const;
  Vec3 angular_momentum() const;  // about the origin
  // Largest residual of the joints and of e.e - 1.
  double joint_residual() const;
  double norm_residual() const;
  // (x~, z) of the centre of a box, x~ = (-x + y)/sqrt 2; and its distance from that plane through the origin.
  std::array<double, 2> centre(int box) const;
  double out_of_plane() const;                        // largest of all boxes
  std::vector<std::array<double, 2>> joints() const;  // in the plane, from the origin to the tip

  double matrix_asymmetry() const;  // of the last step

 private:
  double residual(bool norms) const;

  QuaternionSystem system_;
  DiscreteAction stepper_;
  State state_;
  std::vector<double> before_;  // q
  double h_;
  bool attached_ = false;
};

// Largest error of the centres at T = 1 against the planar four-link equations [m].
double reference_error(const ChainRun& at_one_second);

// The part of the study in a file of its own.
void what_is_imprecise(StudyReport& report);

}  // namespace catena::detail::box_chain_study
