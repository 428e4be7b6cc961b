// Table 1 of Li, Li, Ding, Pan 2018: h = 1e-5, 100 000 steps in each form.
#include "solvers/lie_dae_support.hpp"
#include "support/relative.hpp"

using namespace catena_test::lie;

TEST_CASE("T = 1 s, h = 1e-5: Table 1") {
  const double h = 1e-5;
  // Ten thousand times the roundoff of the coordinates over h is what Newton can reach here.
  const auto run = [&](Index index) {
    Options o = as_in_the_source(index, h);
    o.newton_tolerance = 1e-14;
    return errors_of(o, 1.0, h);
  };
  const auto near = [](double value) { return catena_test::relative(value, 1e-4); };
  const Errors one = run(Index::one), two = run(Index::two), three = run(Index::three),
               stabilized = run(Index::stabilized);
  CHECK(one.energy == near(0.010600));
  CHECK(one.position == near(0.00892104));
  CHECK(one.velocity == near(0.0183481));
  CHECK(two.energy == near(0.008309));
  CHECK(two.position == near(0.00286386));
  CHECK(two.acceleration == near(1.05513));
  CHECK(three.energy == near(0.015649));
  CHECK(three.velocity == near(0.0126899));
  CHECK(three.acceleration == near(2.13354));
  CHECK(stabilized.energy == near(0.0086498));
  CHECK(stabilized.position <= 1e-15);
  CHECK(stabilized.velocity <= 1e-12);
  CHECK(stabilized.acceleration <= 1e-11);
  for (const Errors& e : {one, two, three, stabilized}) CHECK(e.orthogonality <= 1e-13);
}
