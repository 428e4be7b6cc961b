// One joint or force by itself, where its bodies are at first: what is asked of an element before there is a system.
#pragma once
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/model.hpp>

#include <array>
#include <vector>

namespace catena::detail {

// Position and unit quaternion, scalar first: the seven coordinates of a body.
void put_pose(const Vec3& position, const Quat& orientation, double* q);
inline void put_pose(const Body& body, double* q) { put_pose(body.position, body.orientation, q); }

// In a layout in which body k of the element, whether it moves or not, has the coordinates from 7 k on.
class ElementAlone {
 public:
  ElementAlone(const Model& model, const ElementPool& pool, int element);

  const ElementPool& pool() const { return pool_; }
  // Null: the ground.
  const Body* body(int k) const { return bodies_[static_cast<std::size_t>(k)]; }
  bool moves(int k) const { return body(k) != nullptr && !body(k)->fixed; }
  std::vector<double>& coordinates() { return q_; }
  void place(int k, const Vec3& position, const Quat& orientation);  // body k, elsewhere than at first
  const ElementGroup& group() const { return group_; }

  // The gaps of a constraint of positions at the present coordinates [units of the rows].
  std::vector<double> rows() const;
  // Their change by the motions of the bodies: row r, body k, component c (world x, y, z [1/m], turn about axes of the
  // body [1/rad]) at 6 (bodies r + k) + c.
  std::vector<double> jacobian() const;

 private:
  const ElementPool& pool_;
  std::array<const Body*, max_bodies_per_element> bodies_{};
  std::vector<double> q_;
  ElementGroup group_{};
};

}  // namespace catena::detail
