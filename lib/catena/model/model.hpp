// The mechanism as a user describes it: bodies, constraints, forces, with names. A model rejects nonsense
// by name when it is added (ModelError) and knows nothing of matrices.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/name_index.hpp>
#include <catena/model/parts/error.hpp>
#include <catena/model/parts/frame.hpp>

#include <cassert>
#include <memory>
#include <string>
#include <vector>

namespace catena {

namespace detail {
template <class E>
struct IdOf;  // ConstraintId or ForceId; in parts/model_add.hpp
}

// A frame fixed in a body: a point, an axis and a direction across it (marker.hpp).
struct Marker {
  BodyId body = ground;
  Vec3 point = Vec3::Zero();  // frame of the body [m]
  Vec3 axis = Vec3::Unit(2);  // frame of the body, any length but zero
  Vec3 side = Vec3::Zero();   // frame of the body, across the axis; zero: some direction
};

class Model {
 public:
  Model() = default;
  Model(const Model&);
  Model& operator=(const Model&);
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;

  Vec3 gravity = Vec3::Zero();  // world frame [m/s^2]

  // Throws ModelError naming the body: non-positive mass, inertia that violates the triangle inequality,
  // non-finite numbers, a quaternion off unit length, a duplicate name. An empty name becomes "body N".
  BodyId add(Body body);

  // A constraint or a force: a struct that satisfies Constraint or Force (constraint.hpp, force.hpp), built
  // in or the user's. Throws ModelError naming it: a body that does not exist, a joint of a body to itself,
  // no moving body at all, a duplicate name, non-finite parameters. An empty name, or that of a type without
  // the member `name`, becomes the name of the type and the first number that is free: "spherical 3". What else its
  // members throw is thrown on with its name. Returns a ConstraintId or a ForceId.
  template <class E>
  typename detail::IdOf<E>::type add(E element);

  int body_count() const { return static_cast<int>(bodies_.size()); }
  // Not of the ground.
  const Body& body(BodyId id) const { return bodies_[index(id)]; }
  Body& body(BodyId id) { return bodies_[index(id)]; }
  // The whole model again, for changes made through body(id) and gravity: throws ModelError like add, for bodies,
  // for gravity that is not finite and for joints and forces that are left without a moving body. A body that has
  // another name now is found by it.
  void check();
  // A marker of a body of this model, for joints between two of them (marker.hpp).
  Marker frame(BodyId id, const Vec3& point, const Vec3& axis = Vec3::Unit(2),
               const Vec3& side = Vec3::Zero()) const {
    assert(id == ground || (static_cast<int>(id) >= 0 && static_cast<int>(id) < body_count()));
    return {id, point, axis, side};
  }
  // Throw ModelError with the nearest names.
  BodyId find_body(const std::string& name) const;
  ConstraintId find_joint(const std::string& name) const;
  ForceId find_force(const std::string& name) const;
  const std::vector<Body>& bodies() const { return bodies_; }
  // Pose and velocity at first; of the ground and of fixed bodies at rest.
  BodyFrame<double> initial_frame(BodyId id) const;

  // Elements in the order in which they were added; element k of a pool.
  struct ElementRef {
    int pool, element;
  };
  const std::vector<ElementRef>& constraints() const { return constraints_; }
  const std::vector<ElementRef>& forces() const { return forces_; }
  const std::vector<std::unique_ptr<detail::ElementPool>>& pools() const { return pools_; }
  std::string constraint_name(ConstraintId id) const { return element_name(2 * static_cast<int>(id)); }
  std::string constraint_label(ConstraintId id) const;  // 'joint "hip" (spherical)'
  std::string force_label(ForceId id) const;            // 'force "strut" (spring_damper)'

  // Throws ModelError unless the initial positions satisfy every position constraint to the tolerance, of the size of
  // the bodies at the joint [at most 1 m; rad], and to the rounding errors of their places and arms; says by how
  // much each of the worst fails and names assemble (kkt/parts/assemble.hpp). Also where a constraint has no value,
  // or a force has none at closed positions.
  void check_initial_positions(double tolerance = 1e-9) const;
  // Position constraints that the initial positions violate by more, the worst first.
  struct OpenConstraint {
    ConstraintId id{};
    double amount = 0.0;  // its largest row [m or rad]
    std::string by = {};  // for people: '0.75 m and 0.02 rad'; of users' own types the largest row
  };
  std::vector<OpenConstraint> open_constraints(double tolerance = 1e-9) const;
  // Constraints and forces without a value at the initial positions, as their defect_at (force.hpp) says.
  struct UndefinedConstraint {
    ConstraintId id{};
    std::string why;
  };
  std::vector<UndefinedConstraint> undefined_constraints() const;
  struct UndefinedForce {
    ForceId id{};
    std::string why;
  };
  std::vector<UndefinedForce> undefined_forces() const;

 private:
  // A constraint or force before it is in: what the checks speak of.
  struct ElementDescription {
    const char* kind;  // "joint" or "force"
    const std::string& name;
    const char* type_name;
    const BodyId* bodies;
    int body_count;
  };
  std::size_t index(BodyId id) const {
    if (static_cast<int>(id) < 0 || static_cast<int>(id) >= body_count()) refuse_number(id);
    return static_cast<std::size_t>(id);
  }
  [[noreturn]] void refuse_number(BodyId id) const;
  // Throws ModelError where another body has the name.
  void refuse_taken_name(const Body& body) const;
  // Throws ModelError for missing bodies, a body met twice, no moving body, a name that is taken.
  void check_element(const ElementDescription& what) const;
  // Throws ModelError where no body moves.
  void check_movement(const ElementDescription& what) const;
  // The type's name and the first number, from the given one on, that together are no name yet.
  std::string free_name(const char* type_name, int& number) const;
  [[noreturn]] static void refuse(const ElementDescription& what, const std::string& reason,
                                  const std::string& member = {});
  // Which position row of the only element of a pool is not finite at the initial positions, or "".
  std::string not_finite_alone(const detail::ElementPool& pool) const;
  std::string defect_at_start(const ElementRef& element) const;
  // Constraints and forces share one name space; constraint k is number 2 k of it, force k number 2 k + 1.
  std::string element_name(int number) const;
  // The number there of a joint (kind 0) or a force (kind 1). Throws ModelError with the nearest names of its kind.
  int find_element(int kind, const std::string& name) const;

  std::vector<Body> bodies_;
  std::vector<ElementRef> constraints_, forces_;
  std::vector<std::unique_ptr<detail::ElementPool>> pools_;
  detail::NameIndex body_names_, element_names_;
};

}  // namespace catena

#include <catena/model/parts/model_add.hpp>
