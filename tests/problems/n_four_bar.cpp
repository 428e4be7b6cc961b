#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/detail/redundancy.hpp>
#include <catena/problems/n_four_bar.hpp>
#include <catena/sparse/backends/detail/rank_of_rows.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

using namespace catena;
using namespace catena::detail;

namespace {

Redundancy redundancy(const NFourBarParameters& parameters) {
  const MultibodySystem system(NFourBar(parameters).model());
  return find_redundancy(system, system.initial_state(),
                         [](const BlockMatrix& m, const RankOptions& o) { return rank_of_rows(m, o); });
}

}  // namespace

TEST_CASE("n_four_bar: the initial state closes all windows, with the energy that is stated") {
  for (const int n : {1, 2, 40})
    for (const WindowJoints joints : {WindowJoints::hinges, WindowJoints::minimal}) {
      const NFourBar problem({.n = n, .joints = joints});
      const Model model = problem.model();
      model.check_initial_positions(1e-14);
      const MultibodySystem system(model);
      CHECK(system.energy(point_of(system.initial_state())).total() ==
            catena_test::relative(problem.invariants()[0].value, 1e-14));
    }
}

TEST_CASE("n_four_bar: three redundant rows a window with hinges, none with the minimal joints") {
  for (const int n : {1, 2, 5}) {
    const Redundancy hinges = redundancy({.n = n}),
                     minimal = redundancy({.n = n, .joints = WindowJoints::minimal});
    CHECK(hinges.rows == 15 * n + 5);
    CHECK(hinges.rank == 12 * n + 5);
    CHECK(minimal.rows == 12 * n + 5);
    CHECK(minimal.rank == minimal.rows);
  }
}

TEST_CASE("n_four_bar: the references are points of the circle, and their velocities have the energy") {
  for (const int n : {1, 2, 40}) {
    const NFourBar problem({.n = n});
    const std::vector<Reference> known = problem.references();
    REQUIRE(known.size() == 9);
    for (std::size_t k = 0; k < known.size(); k += 3) {
      const std::vector<double>&x = known[k].value, &v = known[k + 1].value;
      CHECK(x[0] * x[0] + x[1] * x[1] == catena_test::relative(1.0, 1e-15));
      CHECK(std::abs(x[0] * v[0] + x[1] * v[1]) < 1e-14);
      const double posts = n + 1, speed_square = v[0] * v[0] + v[1] * v[1];
      CHECK(9.81 * x[1] * (0.5 * posts + n) + 0.5 * speed_square * (posts / 3.0 + n) ==
            catena_test::relative(problem.invariants()[0].value, 1e-14));
    }
  }
}
