// Six velocities of every body beside those that points and planar bodies have, and what the kernels say there.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/math/detail/index.hpp>

#include <optional>

namespace catena {

struct MultibodySystem::Six {
  explicit Six(int bodies)
      : v(detail::index(6 * bodies)), a(v.size()), increment(v.size()), delta(v.size()), balance(v.size()) {}
  // Made for the first evaluation that asks for a matrix of this kind.
  BlockMatrix& matrix(Border border, const std::shared_ptr<const BlockPattern>& pattern) {
    std::optional<BlockMatrix>& kept = border == Border::separate ? separate : transposed;
    return kept ? *kept : kept.emplace(pattern, border);
  }

  std::vector<double> v, a, increment, delta, balance;
  std::optional<BlockMatrix> transposed, separate;
};

}  // namespace catena
