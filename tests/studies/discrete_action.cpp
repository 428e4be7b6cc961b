// The chain of the study of Xu and Zhong 2014; the study itself: discrete_action.long.cpp.
#include <catena/studies/detail/discrete_action_runs.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

using namespace catena;
using namespace catena::detail;
using namespace catena::detail::box_chain_study;

TEST_CASE("the chain in a plane of coordinates is the chain of the source, turned") {
  const ChainRun source(chain()), turned(chain_in_coordinate_plane());
  for (int k = 0; k < 4; ++k) {
    const std::array<double, 2> at = source.centre(k);
    const double* x = turned.state().q.data() + 7 * k;
    CHECK(x[0] == 0.0);
    CHECK(x[1] == catena_test::relative(at[0], 1e-14));
    CHECK(x[2] == catena_test::relative(at[1], 1e-14));
  }
  CHECK(turned.energy() == catena_test::relative(source.energy(), 1e-14));
}
