// Bodies in R^3 x SO(3) behind the System contract. Six velocities a body: v of the centre of mass in the
// world frame, Omega in the body frame; seven coordinates: position and unit quaternion, scalar first. Behind
// the coordinates of all bodies q holds three more numbers a body, the low parts of the positions: x_high +
// x_low is the position to twice the digits (docs/decisions/004).
// Fixed bodies have no coordinates. Perturbations: x <- x + dx, R <- R exp(dtheta~).
#pragma once
#include <catena/assembly/detail/body_kernels.hpp>
#include <catena/assembly/parts/body_system.hpp>

namespace catena {

class MultibodySystem : public BodySystem {
 public:
  // Takes the model over. Throws ModelError where the model holds no moving body.
  explicit MultibodySystem(Model model);

  // Where body id is in State::q (seven numbers) and State::v (six); -1 for a fixed body.
  int q_offset(BodyId id) const;
  int v_offset(BodyId id) const;

  State initial_state() const override;
  void retract(const double* q, const double* delta, double* out) const override;
  void difference(const double* from, const double* to, double* out) const override;
  void inverse_tangent(const double* increment, const double* delta, double* out) const override;
  void bracket(const double* v, const double* w, double* out) const override;
  void evaluate(const Point& at, const Evaluation& wanted) const override;
  Energy energy(const Point& at) const override;

  // For tests: evaluate as another instruction set would (0, 1, 2; see math/parts/cpu.hpp), lane by lane or
  // eight at once.
  void use_kernels(int instruction_set, bool scalar);

 private:
  RigidBodyState moving_body(int block, const State& state) const override;
  struct Pass;  // one evaluation, shared by the chunks
  void evaluate_chunk(const Pass& pass, int chunk) const;
  void evaluate_elements(const Pass& pass, int chunk) const;
  int chunk_end(int chunk) const;

  std::vector<double> inertia_;  // lane-interleaved, body_parameters packs a group of eight
  const detail::BodyKernelTable* body_kernels_;
  const detail::LaneFunctions* element_functions_;
  bool scalar_ = false;
};

}  // namespace catena
