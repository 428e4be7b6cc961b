// What the tests of elements that are evaluated at once share: a chain with them, and how numbers of evaluations compare.
#pragma once
#include <catena/model/model.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/sparse/parts/block_matrix.hpp>
#include <catena/system/parts/state.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace catena::test {

// Bodies of the chain, in three chunks of an evaluation; as many elements.
inline constexpr int at_once_count = 600;

// A chain whose bodies have an element each with the next but one, the last two with the ground: AtOnce of the law, or One where
// there is none.
template <class One, class AtOnce, class Law>
Model chain_with_pairs(const std::shared_ptr<const Law>& law) {
  Model model = HelixChain({.n = at_once_count}).model();
  for (int k = 0; k < at_once_count; ++k) {
    const BodyId other = k + 2 < at_once_count ? BodyId{k + 2} : ground;
    if (law == nullptr) {
      model.add(One{{BodyId{k}, other}, k});
      continue;
    }
    AtOnce element;
    element.bodies = {BodyId{k}, other};
    element.law = law;
    element.number = k;
    model.add(element);
  }
  return model;
}

// Velocities that differ from body to body.
inline void set_velocities(State& state) {
  for (std::size_t k = 0; k < state.v.size(); ++k) state.v[k] = 0.1 + 0.001 * static_cast<double>(k % 97);
}

inline void append(const BlockRef& block, std::vector<double>& into) {
  for (int i = 0; i < block.rows; ++i)
    for (int j = 0; j < block.cols; ++j) into.push_back(block(i, j));
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    REQUIRE(std::isfinite(b[k]));
    largest = std::max(largest, std::abs(a[k] - b[k]));
  }
  return largest;
}

}  // namespace catena::test
