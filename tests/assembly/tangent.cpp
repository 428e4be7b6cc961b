// The right tangent operator of bodies, in lanes, is the inverse of the one that the linearizations carry.
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/helix_chain.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace catena;

TEST_CASE(
    "T(xi) undoes T^-1(xi) for turns from nothing to three radians, and leaves translations as they are") {
  const MultibodySystem chain(HelixChain({.n = 11}).model());  // a full pack of lanes and a part of one
  const auto n = static_cast<std::size_t>(chain.layout().v_size());
  std::vector<double> delta(n), moved(n), back(n);
  for (std::size_t k = 0; k < n; ++k) delta[k] = std::sin(1.7 * static_cast<double>(k) + 0.3);
  for (const double turn : {0.0, 1e-9, 1e-3, 0.09, 0.11, 1.0, 3.0}) {
    CAPTURE(turn);
    std::vector<double> xi(n);
    for (std::size_t k = 0; k < n; ++k)
      xi[k] = turn * std::cos(0.9 * static_cast<double>(k)) / std::sqrt(3.0);
    chain.inverse_tangent(xi.data(), delta.data(), moved.data());
    chain.tangent(xi.data(), moved.data(), back.data());
    for (std::size_t k = 0; k < n; ++k) {
      CHECK(std::abs(back[k] - delta[k]) <= 1e-14);
      if (k % 6 < 3) CHECK(back[k] == delta[k]);
    }
    // The operator of System itself, which eliminates T^-1 block by block.
    chain.System::tangent(xi.data(), moved.data(), back.data());
    for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(back[k] - delta[k]) <= 1e-14);
  }
}

TEST_CASE("T(xi) d is the velocity at the end of an increment that grows by d") {
  const MultibodySystem chain(HelixChain({.n = 3}).model());
  const State start = chain.initial_state();
  const auto n = static_cast<std::size_t>(chain.layout().v_size());
  std::vector<double> xi(n), d(n), at(n), velocity(n), difference(n);
  for (std::size_t k = 0; k < n; ++k) {
    xi[k] = 0.7 * std::cos(0.9 * static_cast<double>(k));
    d[k] = std::sin(1.7 * static_cast<double>(k));
  }
  chain.tangent(xi.data(), d.data(), velocity.data());
  constexpr double h = 1e-4;
  State before = start, after = start;
  for (std::size_t k = 0; k < n; ++k) at[k] = xi[k] - h * d[k];
  chain.retract(start.q.data(), at.data(), before.q.data());
  for (std::size_t k = 0; k < n; ++k) at[k] = xi[k] + h * d[k];
  chain.retract(start.q.data(), at.data(), after.q.data());
  chain.difference(before.q.data(), after.q.data(), difference.data());
  for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(difference[k] / (2.0 * h) - velocity[k]) <= 1e-7);
}
