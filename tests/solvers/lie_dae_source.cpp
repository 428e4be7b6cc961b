// lie_dae against the figures of its source: Li, Li, Ding, Pan 2018, two-link manipulator, up to
// T = 0.1 s; Tables 1 and 2: lie_dae_source.long.cpp.
#include "solvers/lie_dae_support.hpp"
#include "support/relative.hpp"

namespace lie_dae_source_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::lie;

// Figures of an independent implementation of the corrected equations; they agree with the digits printed.
constexpr double relative = 1e-5;

}  // namespace

TEST_CASE("T = 0.1 s, h = 1e-3: the energy errors of all four forms") {
  const std::array<double, 4> expected = {0.0989786, 0.0566098, 0.1036838, 0.0572448};
  for (std::size_t k = 0; k < forms.size(); ++k) {
    CAPTURE(name(forms[k]));
    CHECK(errors_of(as_in_the_source(forms[k], 1e-3), 0.1, 1e-3).energy ==
          catena_test::relative(expected[k], relative));
    // and with the defaults of Newton's iteration
    Options o;
    o.index = forms[k];
    o.order = 1;
    o.perturbed_start = false;
    CHECK(errors_of(o, 0.1, 1e-3).energy == catena_test::relative(expected[k], relative));
  }
}

TEST_CASE("exact Newton takes three iterations a step at h = 1e-4 and four at 1e-3, in every form") {
  for (const Index index : forms) {
    CAPTURE(name(index));
    // a step now and then, at turning points of the motion, takes one less or one more
    CHECK(errors_of(as_in_the_source(index, 1e-4), 0.1, 1e-4).iterations == catena_test::relative(3.0, 0.02));
    CHECK(errors_of(as_in_the_source(index, 1e-3), 0.1, 1e-3).iterations == catena_test::relative(4.0, 0.02));
  }
}

}  // namespace lie_dae_source_tests
