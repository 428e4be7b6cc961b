// What every system of bodies has, whatever its coordinates: the model with its names, the layout of its
// elements, the poses of fixed bodies, gravity and the potentials of forces.
#pragma once
#include <catena/assembly/detail/body_freedoms.hpp>
#include <catena/assembly/detail/element_groups.hpp>
#include <catena/model/model.hpp>
#include <catena/system/system.hpp>

#include <string>
#include <vector>

namespace catena {

class BodySystem : public System {
 public:
  BodySystem(const BodySystem&) = delete;
  BodySystem& operator=(const BodySystem&) = delete;

  const Model& model() const { return model_; }
  int chunks() const { return elements_.chunks; }  // of an evaluation, that threads share
  // Where the discrete values of an element are in State::discrete; -1: it has none.
  int discrete_offset(ForceId id) const;
  int discrete_offset(ConstraintId id) const;

  const SystemLayout& layout() const override { return layout_; }
  std::string velocity_block_name(int primal) const override;
  std::string constraint_name(int dual) const override;
  void start_discrete(State& state) const override { follow_motion(state, state.t); }
  bool update_discrete(State& state) const override;
  std::vector<double> break_points() const override;
  std::vector<RigidBodyState> bodies(const State& state) const override;
  RigidBodyState body_state(const State& state, BodyId id) const;  // the ground: at rest in the origin
  // Of the bodies of an element of the model, in its order.
  void frames_of(const State& state, const detail::ElementPool& pool, int element,
                 BodyFrame<double>* f) const;
  std::vector<std::string> body_names() const override;
  // Which velocities the moving bodies have.
  const detail::BodyFreedoms& freedoms() const { return freedoms_; }

 protected:
  // Takes the model over; fills of layout_ what the model alone says. Throws ModelError where Model::check()
  // does or no body moves.
  explicit BodySystem(Model model);

  // Of a moving body, by its primal block.
  virtual RigidBodyState moving_body(int block, const State& state) const = 0;

  int moving_count() const { return static_cast<int>(elements_.body_of_block.size()); }
  int block_of(BodyId id) const { return elements_.block_of_body[static_cast<std::size_t>(id)]; }
  // The same for callers that may ask for a body that the model does not have: throws ModelError. The ground: -1.
  int block_there(BodyId id) const;
  const Body& body(int block) const {
    return model_.body(BodyId{elements_.body_of_block[static_cast<std::size_t>(block)]});
  }
  // Radius of gyration about the mean axis [m]; of a point 0.
  double characteristic_length(int block) const;
  // q, v, a, lambda of the sizes of the layout, all zero; discrete values as they are at first.
  State blank_state() const;
  // 'joint "hip" (revolute)', of an element of a pool.
  std::string element_label(int pool, int element) const;
  // Brings turns of angles up to the poses of a state, and integrals of controllers up to t; nan: they have not begun.
  void follow_motion(State& state, double t) const;
  // Evaluation::undefined.
  void find_undefined(const Point& at, Culprit& found) const;
  // At args.t, args.q (seven coordinates a body) and what kernels read besides. inertia: of all bodies, as lane_inertia()
  // has it; v: six velocities a body, else as freedoms_ has them.
  Energy energy_of(const std::vector<double>& inertia, const double* v, bool six,
                   const detail::KernelArgs& args) const;

  Model model_;
  detail::ElementLayout elements_;
  detail::BodyFreedoms freedoms_;
  SystemLayout layout_;
};

// The bodies of a system; null: it is in its own coordinates.
inline const BodySystem* bodies_of(const System& system) { return dynamic_cast<const BodySystem*>(&system); }

}  // namespace catena
