#include <catena/problems/detail/euler_ball_joint.hpp>
#include <catena/problems/problems.hpp>

namespace catena {
using namespace detail;
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
      entry<NFourBar>("n_four_bar"),
      entry<RandomTree>("random_tree"),
  };
}

}  // namespace catena
