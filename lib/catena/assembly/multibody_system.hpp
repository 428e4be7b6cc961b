// Bodies in R^3 x SO(3) behind the System contract. Six velocities a body: v of the centre of mass in the
// world frame, Omega in the body frame; seven coordinates: position and unit quaternion, scalar first. Behind
// the coordinates of all bodies q holds three more numbers a body, the low parts of the positions: x_high +
// x_low is the position to twice the digits (docs/decisions/004).
// Fixed bodies have no coordinates. Perturbations: x <- x + dx, R <- R exp(dtheta~).
//
// Points and planar bodies (Body::motion) have three velocities: v, or the two of v across the normal, in the order that makes a
// right-handed triad with it (y, z of x; z, x of y; x, y of z), and the rate about it. Their coordinates are seven as well. The
// kernels evaluate six of them; what comes out is reduced (decision 031).
#pragma once
#include <catena/assembly/detail/body_kernels.hpp>
#include <catena/assembly/detail/workspace_pool.hpp>
#include <catena/assembly/parts/body_system.hpp>

namespace catena {

class MultibodySystem : public BodySystem {
 public:
  // Takes the model over. Throws ModelError where the model holds no moving body, and where a row of a joint holds what its
  // points and planar bodies cannot do anyway.
  explicit MultibodySystem(Model model);

  // Where body id is in State::q (seven numbers) and State::v (v_count of them); -1 for a fixed body.
  int q_offset(BodyId id) const;
  int v_offset(BodyId id) const;
  int v_count(BodyId id) const;  // 6, or 3 of points and planar bodies; 0 for a fixed body
  // Of velocities, or of increments, of all bodies: v of the centre of mass in the world frame and Omega in the body frame
  // [6] of this body; zero for a fixed one.
  std::array<double, 6> six(BodyId id, const double* v) const;

  State initial_state() const override;
  void retract(const double* q, const double* delta, double* out) const override;
  void difference(const double* from, const double* to, double* out) const override;
  void inverse_tangent(const double* increment, const double* delta, double* out) const override;
  void tangent(const double* increment, const double* delta, double* out) const override;
  // The chunks of an evaluation; one part where bodies have fewer than six velocities.
  int parts() const override;
  SystemPart part(int number) const override;
  void retract_part(const SystemPart& part, const double* q, const double* delta, double* out) const override;
  void inverse_tangent_part(const SystemPart& part, const double* increment, const double* delta,
                            double* out) const override;
  void bracket(const double* v, const double* w, double* out) const override;
  void evaluate(const Point& at, const Evaluation& wanted) const override;
  int forces_along() const override;
  void force_along(int number, const Point& at, ForceAlong& out) const override;
  Energy energy(const Point& at) const override;

  // For tests: evaluate as another instruction set would (0, 1, 2; see math/parts/cpu.hpp), lane by lane or
  // eight at once.
  void use_kernels(int instruction_set, bool scalar);

  ~MultibodySystem() override;

 private:
  RigidBodyState moving_body(int block, const State& state) const override;
  // Six velocities of every body, and what the kernels say there.
  struct Six;
  using Lease = detail::WorkspacePool<Six>::Lease;
  void make_workspaces();
  void evaluate_six(const Point& at, const Evaluation& wanted) const;
  void evaluate_reduced(const Point& at, const Evaluation& wanted) const;
  void retract_six(const double* q, const double* delta, double* out) const;
  void retract_chunk(int chunk, const double* q, const double* delta, double* out) const;
  using TangentKernel = void (*)(int first, int count, const double* increment, const double* delta,
                                 double* out);
  void times_tangent(TangentKernel kernel, const double* increment, const double* delta, double* out) const;
  void times_tangent_of_chunk(TangentKernel kernel, int chunk, const double* increment, const double* delta,
                              double* out) const;
  void refuse_idle_rows() const;
  struct Pass;  // one evaluation, shared by the chunks
  void evaluate_chunk(const Pass& pass, int chunk) const;
  void evaluate_elements(const Pass& pass, int chunk) const;
  int chunk_end(int chunk) const;
  int later_group(int first, int groups) const;
  void fetch_bodies(const detail::KernelArgs& args, int first, int later) const;

  std::vector<Model::ElementRef> along_coordinates_;  // the forces that are
  std::vector<double> inertia_;  // lane-interleaved, body_parameters packs a group of eight
  const detail::BodyKernelTable* body_kernels_;
  const detail::LaneFunctions* element_functions_;
  bool scalar_ = false;
  // Null: all bodies have six velocities.
  std::unique_ptr<detail::WorkspacePool<Six>> workspaces_;
};

}  // namespace catena
