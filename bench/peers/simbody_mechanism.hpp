// A mechanism as Simbody has it: bodies hang on each other by mobilizers. The joints make a tree from the ground, every other
// joint closes a loop by constraints, and a body without a joint to the tree is free.
#pragma once
#include "plain_mechanism.hpp"

#include <vector>

namespace catena_peer {

// By its integrator RungeKuttaMerson with its default settings and this accuracy: once for the motion, and `repeat` times for
// the time to the end. Throws std::exception for a joint that has
// no counterpart, by name.
PlainRun run_simbody(const PlainMechanism& mechanism, double begin, const std::vector<double>& instants,
                     double accuracy, int repeat);

}  // namespace catena_peer
