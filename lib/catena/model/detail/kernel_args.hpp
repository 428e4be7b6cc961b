// Plain data that kernels of joints and forces read and write; the same for scalar code and for lanes.
#pragma once
#include <cstdint>

namespace catena::detail {

// One evaluation of a whole system (see system/system.hpp: Point, Evaluation, Linearization). Null output
// pointers are not wanted, null inputs leave their terms out.
struct KernelArgs {
  double t = 0.0;
  const double* q = nullptr;        // seven coordinates a moving body
  const double* x_low = nullptr;    // what x is too coarse to hold, three numbers a moving body; null: zero
  const double* fixed_q = nullptr;  // the same for bodies that do not move
  const double* v = nullptr;        // six velocities a moving body
  const double* a = nullptr;
  const double* lambda = nullptr;
  const double* increment = nullptr;
  const double* discrete = nullptr;  // State::discrete; null: the initial values
  const double* targets = nullptr;   // of the group's driven rows: u, u', u'' of lane l at l, 8 + l, 16 + l
  bool forces = true;

  double* balance = nullptr;
  double* position = nullptr;
  double* velocity = nullptr;
  double* acceleration = nullptr;

  // Linearization: H = (mass M + damping D) T^-1 + stiffness K; null pools are not wanted.
  double mass = 0.0, damping = 0.0, stiffness = 0.0;
  double row_jacobian = 1.0, row_velocity = 0.0, row_rate = 0.0;  // weights of this pool's rows
  double* H = nullptr;                                            // diagonal blocks: added to
  double* coupling[2] = {nullptr, nullptr};                       // H_upper and H_lower pools: added to
  double* C = nullptr;                                            // set
  double* Bt = nullptr;                                           // set; null where B = C^T
  const std::uint8_t* without_geometric_stiffness = nullptr;      // per primal block
};

inline constexpr int max_bodies_per_element = 4;
inline constexpr int max_pairs_per_element = max_bodies_per_element * (max_bodies_per_element - 1) / 2;

struct ReactionSlots;  // reaction_of.hpp

// Up to eight elements (joints or forces) of one type whose fixed bodies are at the same places. Index
// arrays have eight entries; those past `count` repeat entry 0 and are never written through.
struct ElementGroup {
  int count = 0;
  unsigned fixed = 0;  // bit i: body i of the element does not move (read fixed_q, write nothing)
  int first = 0;       // number of the first element in the pool; the others follow it
  int q_at[max_bodies_per_element][8];            // into q or fixed_q
  int v_at[max_bodies_per_element][8];            // into v, a, balance, increment
  int block[max_bodies_per_element][8];           // primal block number
  std::uint32_t H_at[max_bodies_per_element][8];  // entry (0, 0) of the diagonal block; stride 8
  int lambda_at[8];                               // into lambda, position, ... (constraints only)
  int discrete_at = 0;                            // into discrete: of the first element; the others follow
  std::uint32_t C_at[max_bodies_per_element];     // base of the group's slots: lane l at C_at + l, stride 8
  // Pair (i, j), i < j, of bodies: number i (2 * max - i - 1) / 2 + j - i - 1. K_ij goes to pool
  // coupling[swapped], K_ji to coupling[1 - swapped]; -1: no slot.
  int pair_at[max_pairs_per_element][8];             // offset in the pool of K_ij
  int pair_transposed_at[max_pairs_per_element][8];  // offset in the pool of K_ji
  std::uint8_t swapped[max_pairs_per_element][8];    // body i has the larger block number
  const double* parameters = nullptr;                // lane-interleaved: parameter p of lane l at 8 p + l
  const ReactionSlots* reaction = nullptr;           // of forces that read multipliers; null: there are none
};

constexpr int pair_number(int i, int j) { return i * (2 * max_bodies_per_element - i - 1) / 2 + j - i - 1; }

}  // namespace catena::detail
