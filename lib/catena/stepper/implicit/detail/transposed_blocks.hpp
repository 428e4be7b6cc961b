// The transposed of a linear map that acts on each block of velocities alone.
#pragma once
#include <catena/sparse/parts/block_pattern.hpp>

#include <algorithm>
#include <cstddef>

namespace catena::detail {

// out = map^T in, with map(x, y) computing y of x. Of each block one column after the other, by unit vectors in all blocks
// at once. unit, image: overwritten. All arrays [v_size], none aliased.
template <class Map>
void transposed_blocks(const BlockPattern& p, const Map& map, const double* in, double* unit, double* image,
                       double* out) {
  const int widest = *std::max_element(p.primal_size.begin(), p.primal_size.end());
  for (int column = 0; column < widest; ++column) {
    std::fill(unit, unit + p.primal_dimension, 0.0);
    for (std::size_t i = 0; i < p.primal_size.size(); ++i)
      if (column < p.primal_size[i]) unit[p.primal_offset[i] + column] = 1.0;
    map(static_cast<const double*>(unit), image);
    for (std::size_t i = 0; i < p.primal_size.size(); ++i) {
      if (column >= p.primal_size[i]) continue;
      double sum = 0.0;
      for (int l = p.primal_offset[i]; l < p.primal_offset[i] + p.primal_size[i]; ++l)
        sum += image[l] * in[l];
      out[p.primal_offset[i] + column] = sum;
    }
  }
}

}  // namespace catena::detail
