// Tables 1 and 2 of Li, Li, Ding, Pan 2018: 100 000 and 10 000 steps in each form.
#include "solvers/lie_dae_support.hpp"
#include "support/relative.hpp"

namespace lie_dae_source_long_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::lie;

// Figures of an independent implementation of the corrected equations; they agree with the digits printed.
constexpr double relative = 1e-5;

}  // namespace

TEST_CASE("T = 1 s, h = 1e-5: Table 1") {
  const double h = 1e-5;
  // Ten thousand times the roundoff of the coordinates over h is what Newton can reach here.
  const auto run = [&](Index index) {
    Options o = as_in_the_source(index, h);
    o.engine.newton_tolerance = 1e-14;
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
  // The ends of two links of 1 m are known to half a unit in the last place of numbers of 1 to 2 m: four such numbers
  // and their three sums. It is the largest of 1e5 steps, a matter of luck: 1.2e-15 here, 1.0e-15 with the sums of the
  // form V' = u. Root mean square 1.6e-16 and 1.5e-16, 999 of 1000 steps within 6.7e-16 in both.
  CHECK(stabilized.position <= 7 * 0x1p-53 * 2);
  CHECK(stabilized.velocity <= 1e-12);
  CHECK(stabilized.acceleration <= 1e-11);
  for (const Errors& e : {one, two, three, stabilized}) CHECK(e.orthogonality <= 1e-13);
}

// The two energy errors of DAE1 and DAE3 are in each other's place in Table 2 of the source.
TEST_CASE("T = 1 s, h = 1e-4: Table 2 with the energy errors of DAE1 and DAE3 swapped") {
  const Errors one = errors_of(as_in_the_source(Index::one, 1e-4), 1.0, 1e-4),
               two = errors_of(as_in_the_source(Index::two, 1e-4), 1.0, 1e-4),
               three = errors_of(as_in_the_source(Index::three, 1e-4), 1.0, 1e-4),
               stabilized = errors_of(as_in_the_source(Index::stabilized, 1e-4), 1.0, 1e-4);
  const auto near = [](double value) { return catena_test::relative(value, relative); };
  CHECK(one.energy == near(0.082057));
  CHECK(one.position == near(0.0902592));
  CHECK(one.velocity == near(0.176994));
  CHECK(two.energy == near(0.072833));
  CHECK(two.position == near(0.0287438));
  CHECK(two.acceleration == near(10.5240));
  CHECK(three.energy == near(0.130692));
  CHECK(three.velocity == near(0.123099));
  CHECK(three.acceleration == near(21.3930));
  CHECK(stabilized.energy == near(0.0765307));
  // The entries of the source at the level of its Newton tolerance are bounds.
  CHECK(one.acceleration <= 3.1041e-4);
  CHECK(two.velocity <= 1e-13);
  CHECK(three.position <= 1e-14);
  // The ends of two links of 1 m are known to half a unit in the last place of numbers of 1 to 2 m: four such numbers
  // and their three sums.
  CHECK(stabilized.position <= 7 * 0x1p-53 * 2);
  CHECK(stabilized.velocity <= 1e-12);
  CHECK(stabilized.acceleration <= 1e-11);
  for (const Errors& e : {one, two, three, stabilized}) CHECK(e.orthogonality <= 1e-13);
}

// Equations (6), (8), (10) as printed have velocities with a prime throughout: V = V' + B^T mu is computed behind
// every step and never comes back, so that V' is the solution of DAE3.
TEST_CASE("the primes of the source taken literally: dH = 0.1307 instead of 0.0765") {
  const double h = 1e-4;
  const Errors literal = errors_of(as_in_the_source(Index::three, h), 1.0, h),
               corrected = errors_of(as_in_the_source(Index::stabilized, h), 1.0, h);
  CHECK(literal.energy == catena_test::relative(0.1307, 1e-3));
  CHECK(corrected.energy == catena_test::relative(0.0765, 1e-3));
  // The velocities that move the bodies do not keep B V = 0, against the claim of the source for its method.
  CHECK(literal.velocity > 0.1);
  CHECK(corrected.velocity <= 1e-12);
}

}  // namespace lie_dae_source_long_tests
