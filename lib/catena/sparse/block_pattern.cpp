#include <catena/sparse/parts/block_pattern.hpp>

#include <algorithm>
#include <cassert>

namespace catena {
namespace {

int offsets(const std::vector<int>& size, int start, std::vector<int>& offset) {
  offset.resize(size.size());
  int at = start;
  for (std::size_t k = 0; k < size.size(); ++k) {
    assert(size[k] > 0);
    offset[k] = at;
    at += size[k];
  }
  return at;
}

}  // namespace

int BlockPattern::block_of(int at) const {
  const std::vector<int>& offset = at < primal_dimension ? primal_offset : dual_offset;
  return static_cast<int>(std::upper_bound(offset.begin(), offset.end(), at) - offset.begin()) - 1;
}

void BlockPattern::finish() {
  primal_dimension = offsets(primal_size, 0, primal_offset);
  dual_dimension = offsets(dual_size, primal_dimension, dual_offset) - primal_dimension;
  for ([[maybe_unused]] const Coupling& c : couplings)
    assert(c.i != c.j && c.i >= 0 && c.j >= 0 && c.i < primal_count() && c.j < primal_count());
  for ([[maybe_unused]] const Incidence& c : incidences)
    assert(c.dual >= 0 && c.primal >= 0 && c.dual < dual_count() && c.primal < primal_count());
  assert(incidence_place.empty() || incidence_place.size() == incidences.size());
  assert(coupling_place.empty() || coupling_place.size() == couplings.size());
}

}  // namespace catena
