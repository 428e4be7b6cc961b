// Runs of alpha_rattle for its tests.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/solvers/alpha_rattle.hpp>

#include "support/started_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace catena_test::rattle {

using namespace catena;
using Options = AlphaRattleOptions;
using Vector = std::vector<double>;

using catena_test::coordinates;
using catena_test::distance;
using catena_test::largest;

using Run = StartedRun<AlphaRattle, Options>;

// v' and lambda of the index-1 system at the state's t, q, v.
inline void index_1(const System& system, const State& s, Vector& a, Vector& lambda) {
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  a.resize(s.v.size());
  lambda.resize(s.lambda.size());
  ConsistentValues consistent(system, kkt, s.discrete.data());
  REQUIRE(consistent.accelerations(s.t, s.q.data(), s.v.data(), a.data(), lambda.data()).status ==
          Status::ok);
}

}  // namespace catena_test::rattle
