// The problems that come with the library: an explicit list. A new one is a file pair, and a line here and in problems.cpp.
#pragma once
#include <catena/problems/box_chain.hpp>
#include <catena/problems/euler_angles.hpp>
#include <catena/problems/four_bar.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/knife_edge.hpp>
#include <catena/problems/n_four_bar.hpp>
#include <catena/problems/problem.hpp>
#include <catena/problems/random_tree.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/problems/rolling_disc.hpp>
#include <catena/problems/rotary_pendulum.hpp>
#include <catena/problems/simple_pendulum.hpp>
#include <catena/problems/snakeboard.hpp>
#include <catena/problems/space_manipulator.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/problems/two_link_manipulator.hpp>

#include <vector>

namespace catena {

std::vector<ProblemEntry> builtin_problems();

}  // namespace catena
