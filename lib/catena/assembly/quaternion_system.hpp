// Bodies in seven coordinates behind the System contract: position and quaternion e, scalar first, in the
// plain vector space R^7; velocities are their derivatives (x', e'). What keeps e at unit length is a
// constraint e.e - 1 = 0 a body, so that the system has a Lagrangian in vector-space coordinates:
//
//     L = m |x'|^2 / 2 + omega^T J omega / 2 - V,   omega = 2 vec(e* e')  (body frame)
//
// State::q holds seven numbers a moving body. Dual blocks: the constraints of the model in its order, then one norm
// row a moving body. Constraint and force kernels are those of the six-velocity system, evaluated at
// R(e/|e|) and converted by dtheta = P de, P = (2/|e|^2) G(e). Every 7 x 7 block of H is singular along e;
// the norm rows are flagged for the solver (BlockPattern::norm_row).
//
// Source: Xu and Zhong, Appl. Math. Mech. 35 (2014) 1071-1080.
#pragma once
#include <catena/assembly/detail/quaternion_algebra.hpp>
#include <catena/assembly/detail/quaternion_kernels.hpp>
#include <catena/assembly/detail/workspace_pool.hpp>
#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/parts/threads.hpp>

#include <algorithm>
#include <functional>

namespace catena {

// Whether all bodies that move are rigid ones: points and planar bodies have no such coordinates.
bool all_rigid(const Model& model);

class QuaternionSystem : public BodySystem {
 public:
  // Takes the model over. Throws ModelError where Model::check() does or no body moves, and where one is no rigid body.
  explicit QuaternionSystem(Model model);

  // Where body id is in State::q and State::v (seven numbers each); -1 for a fixed body.
  int offset(BodyId id) const;
  // Dual blocks [0, joint_count()) are the model's constraints, the others norm rows, one a moving body.
  int joint_count() const { return joints_; }

  State initial_state() const override;
  void retract(const double* q, const double* delta, double* out) const override;  // q + delta
  // The chunks of an evaluation.
  int parts() const override { return elements_.chunks; }
  SystemPart part(int number) const override;
  void retract_part(const SystemPart& part, const double* q, const double* delta, double* out) const override;
  void inverse_tangent_part(const SystemPart& part, const double* increment, const double* delta,
                            double* out) const override;
  void difference(const double* from, const double* to, double* out) const override;
  // evaluate(), energy() and evaluate_lagrangian() may be called by several threads at once; as many sets of
  // six-velocity arrays are kept as there were callers at the same time.
  void evaluate(const Point& at, const Evaluation& wanted) const override;
  Energy energy(const Point& at) const override;
  std::string constraint_name(int dual) const override;

  bool has_lagrangian() const override { return true; }
  void evaluate_lagrangian(double t, const double* q, const double* v,
                           const LagrangianTerms& wanted) const override;
  // p = (m x', 4 G(e)^T J G(e) e').
  void momentum(const double* q, const double* v, double* p) const override;
  // x' = p_x / m, omega = J^-1 G(e) p_e / 2, e' = e o (0, omega) / 2; what p has along e has no effect.
  void velocity(const double* q, const double* p, double* v) const override;

 private:
  RigidBodyState moving_body(int block, const State& state) const override;
  int norm_row(int block) const {  // its place in State::lambda
    return layout_.pattern->dual_offset[static_cast<std::size_t>(joints_ + block)] -
           layout_.pattern->primal_dimension;
  }
  // Of one evaluation: poses with normalised quaternions, six velocities, and what the kernels say there. rates: for blocks
  // of elements alone.
  struct Workspace {
    Workspace(int bodies, const std::shared_ptr<const BlockPattern>& pattern);
    std::vector<double> q, v, a, balance;
    std::vector<detail::QuaternionRates<double>> rates;
    BlockMatrix stiffness;  // six-velocity blocks: weighted K and D; C: d(G v)/dq, Bt: G
    BlockMatrix damping;    // D alone, for d(Omega)/de
  };
  using Lease = detail::WorkspacePool<Workspace>::Lease;

  // Rows that lie side by side in the pools of six and of seven columns.
  struct RowPlace {
    int rows = 0;
    std::uint32_t six = 0, seven = 0;  // offsets of lane 0
    int body[8] = {}, dual[8] = {};
  };
  void make_inertia();
  void make_row_places();
  template <class Kernel>
  void each_group(const double* inertia, const Kernel& kernel) const;
  void prepare(Workspace& w, const double* q, const double* v, const double* a) const;
  void prepare_rates(Workspace& w, const double* q, const double* v) const;
  detail::KernelArgs kernel_args(const Workspace& w, const Point& at) const;
  void walk(const detail::KernelArgs& args) const;
  void walk_chunk(const detail::KernelArgs& args, int chunk) const;
  void walk_with_derivatives(Workspace& w, detail::KernelArgs args, double stiffness, double damping) const;
  void add_forces_to_lagrangian(double t, const double* q, const double* v,
                                const LagrangianTerms& wanted) const;
  void write_bodies(const Workspace& w, const Point& at, const Evaluation& wanted) const;
  void add_element_balance(const Workspace& w, double sign, double* balance) const;
  void add_element_blocks(const Workspace& w, double stiffness, const std::uint8_t* without,
                          BlockMatrix& out) const;
  void write_row_blocks(const Workspace& w, const Point& at, const Linearization& lin) const;

  int joints_ = 0;
  bool has_forces_ = false;
  const detail::LaneFunctions* functions_ = &detail::lane_functions();
  const detail::QuaternionKernelTable* kernels_ = &detail::quaternion_kernels();
  // Lane-interleaved, as BodyGroup has it; and with the inverses in the places of mass and inertia.
  std::vector<double> inertia_, inverse_inertia_;
  std::vector<RowPlace> row_places_;
  mutable detail::WorkspacePool<Workspace> workspaces_;
};

// kernel(group) for groups of eight bodies, those of a chunk by one thread.
template <class Kernel>
void QuaternionSystem::each_group(const double* inertia, const Kernel& kernel) const {
  const auto one_chunk = [&](int c) {
    const int end = std::min((c + 1) * elements_.chunk_size, moving_count());
    for (int first = c * elements_.chunk_size; first < end; first += lanes) {
      detail::QuaternionGroup g;
      g.first = first;
      g.count = std::min(lanes, end - first);
      g.inertia = inertia + static_cast<std::ptrdiff_t>(first) * detail::body_parameters;
      for (int i = 0; i < 3; ++i) g.gravity[i] = model_.gravity[i];
      kernel(g);
    }
  };
  parallel_for(elements_.chunks, std::cref(one_chunk));
}

}  // namespace catena
