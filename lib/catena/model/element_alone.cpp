#include <catena/model/detail/element_alone.hpp>

#include <algorithm>
#include <cstdint>

namespace catena::detail {

void put_pose(const Vec3& x, const Quat& e, double* q) {
  const double pose[7] = {x[0], x[1], x[2], e.w, e.x, e.y, e.z};
  std::copy(pose, pose + 7, q);
}

ElementAlone::ElementAlone(const Model& model, const ElementPool& pool, int element)
    : pool_(pool), q_(7 * static_cast<std::size_t>(pool.bodies())) {
  group_.count = 1;
  group_.first = element;
  for (int k = 0; k < pool.bodies(); ++k) {
    const BodyId id = pool.body(element, k);
    if (id != ground) bodies_[static_cast<std::size_t>(k)] = &model.body(id);
    put_pose(id == ground ? Body{} : model.body(id), q_.data() + 7 * k);
    group_.q_at[k][0] = 7 * k;
  }
}

void ElementAlone::place(int k, const Vec3& position, const Quat& orientation) {
  put_pose(position, orientation, q_.data() + 7 * k);
}

std::vector<double> ElementAlone::rows() const {
  std::vector<double> out(static_cast<std::size_t>(pool_.rows()));
  KernelArgs args;
  args.q = q_.data();
  args.position = out.data();
  pool_.evaluate(args, group_);
  return out;
}

std::vector<double> ElementAlone::jacobian() const {
  // Evaluation writes for eight elements at once, body by body.
  constexpr std::size_t lanes = 8;
  const std::size_t rows = static_cast<std::size_t>(pool_.rows()), slots = lanes * 6 * rows,
                    bodies = static_cast<std::size_t>(pool_.bodies());
  std::vector<double> in_lanes(slots * bodies), out(6 * rows * bodies);
  ElementGroup group = group_;
  for (std::size_t k = 0; k < bodies; ++k) group.C_at[k] = static_cast<std::uint32_t>(slots * k);
  KernelArgs args;
  args.q = q_.data();
  args.C = in_lanes.data();
  pool_.evaluate(args, group);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < bodies; ++k)
      for (std::size_t c = 0; c < 6; ++c)
        out[6 * (bodies * r + k) + c] = in_lanes[slots * k + lanes * (6 * r + c)];
  return out;
}

}  // namespace catena::detail
