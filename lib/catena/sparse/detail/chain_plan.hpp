// What the kernels of chains read, as plain data: which numbers belong to which place. docs/theory/block_ldl.md explains it.
#pragma once
#include <cstddef>
#include <cstdint>

namespace catena::detail::ldl {

// Where one body of each of eight segments finds its numbers, in doubles. Of rows that are not there: -1.
enum class ChainSlot : std::uint8_t {
  H,       // the diagonal block
  before,  // C of the rows that tie it to the body before it
  after,   // C of the rows that tie it to the body behind it
  rows,    // the rows before it, among all rows
  body,    // its unknowns in the solution vector
  // The block that couples it with the body behind it, in the pools of both triangles; at -2 - k: where this body has the
  // larger number.
  coupling
};
inline constexpr int chain_slots = 6;

// Joints that there are kernels for where no two bodies are coupled: ball joints and, where what vanishes is known, hinges.
constexpr bool has_chain_kernels(int rows, bool split) { return rows == 3 || (rows == 5 && split); }
// Where neighbours are coupled, for joints that begin as a ball joint does: universal joints, hinges and welds.
constexpr bool has_coupled_chain_kernels(int rows, bool split) { return split && rows >= 4 && rows <= 6; }

struct ChainPlan {
  int rows = 0;           // of a joint
  bool split = false;     // every block has the structure of BlockPattern::primal_split and incidence_split
  bool coupled = false;   // neighbouring bodies are, in their rotations
  bool symmetric = true;  // L D L^T; else L D U, of bodies that are not coupled
  // One segment alone, of a short chain whose bodies are not coupled: its first rows, those of the ground, are eliminated behind its first body. Pivots depend
  // on the bodies in front of them then; those of a ground that is last fall with the masses of all bodies, and guards that
  // compare them along a step take that for rows that become dependent.
  bool rooted = false;
  bool far = false;  // matrix and factor are larger than the caches: prefetch them
  // groups * 8 segments of `places` bodies each, in the order of the chain, then one segment of `tail` bodies.
  int groups = 0, places = 0, tail = 0;
  int last_rows = -1;  // rows behind the last body, among all rows; -1: there are none
  int primal_dimension = 0;
  const std::int32_t* index = nullptr;  // [group][place][slot][lane], then [body of the tail][slot]

  int bodies() const { return 8 * groups * places + tail; }
  int segments() const { return 8 * groups + (tail > 0 ? 1 : 0); }
  // Rows between segments, which are eliminated last: before each segment, and behind the last body.
  int nodes() const { return segments() + (last_rows >= 0 ? 1 : 0); }
  const std::int32_t* place(int group, int t) const {
    return index + static_cast<std::size_t>((group * places + t) * chain_slots * 8);
  }
  const std::int32_t* tail_place(int t) const {
    return index + static_cast<std::size_t>(groups * places * chain_slots * 8 + t * chain_slots);
  }
};

}  // namespace catena::detail::ldl
