#include <catena/problems/box_chain.hpp>
#include <catena/problems/catalog.hpp>
#include <catena/problems/euler_ball_joint.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/problems/rotary_pendulum.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/problems/space_manipulator.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/problems/two_link_manipulator.hpp>

namespace catena {
namespace {

template <class P>
ProblemEntry entry(const char* name) {
  return {name, [] { return std::make_unique<P>(); }};
}

}  // namespace

std::vector<ProblemEntry> builtin_problems() {
  return {
      entry<BoxChain>("box_chain"),
      entry<StraightBoxChain>("straight_box_chain"),
      entry<RodChain>("rod_chain"),
      entry<HelixChain>("helix_chain"),
      entry<SimplePendulum>("simple_pendulum"),
      entry<HeavyTop>("heavy_top"),
      entry<TwoLinkManipulator>("two_link_manipulator"),
      entry<Snakeboard>("snakeboard"),
      entry<RotaryPendulum>("rotary_pendulum"),
      entry<KnifeEdgeProblem>("knife_edge"),
      entry<RollingDiscProblem>("rolling_disc"),
      entry<EulerBallJoint>("euler_ball_joint"),
      entry<SpaceManipulator>("space_manipulator"),
      entry<FourBar>("four_bar"),
  };
}

}  // namespace catena
