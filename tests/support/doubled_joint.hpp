// A chain with redundant rows.
#pragma once
#include <catena/model/joints.hpp>
#include <catena/problems/helix_chain.hpp>

namespace catena::test {

// A helix of twenty bodies in which one ball joint is there twice.
inline Model chain_with_doubled_joint() {
  HelixChainParameters p;
  p.n = 20;
  Model model = HelixChain(p).model();
  model.add(SphericalJoint{.bodies = {BodyId{6}, BodyId{7}},
                           .point_a = {{0.2, 0.0, 0.0}},
                           .point_b = {{-0.2, 0.0, 0.0}},
                           .name = "twin"});
  return model;
}

}  // namespace catena::test
