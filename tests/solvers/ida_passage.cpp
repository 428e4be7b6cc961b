// ida through the flat positions of the N-four-bar mechanism, where the rows of every window depend on each other for an
// instant and the motion passes.
#include <catena/assembly/quaternion_system.hpp>
#include <catena/solvers/ida.hpp>

#include "solvers/singular_passage_support.hpp"
#include "support/few_cases.hpp"

#include <doctest/doctest.h>

#include <string>

namespace ida_passage_tests {

using namespace catena;
using catena_test::pass;
using catena_test::Passage;

namespace {

using Form = IdaOptions::Form;

IdaOptions with(Form form, double tolerance) {
  IdaOptions options;
  options.form = form;
  options.rtol = options.atol = tolerance;
  return options;
}

}  // namespace

TEST_CASE("ida passes flat positions on the right branch, at every tolerance") {
  for (const int n : {1, 2})
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
      if (catena_test::few_cases && (n == 1 || (tolerance != 1e-8 && tolerance != 1e-12))) continue;
      CAPTURE(n);
      CAPTURE(tolerance);
      Ida ida(with(Form::gear_gupta_leimkuhler, tolerance));
      const Passage passage = pass<QuaternionSystem>({.n = n, .joints = WindowJoints::minimal}, ida, 1e-3);
      CHECK(passage.run.status == Status::ok);
      // Measured: 800 to 2400 tolerances down to 1e-10, as far from such places, and 6e-9 m at 1e-12, where roundoff beside
      // them is more than the tolerance.
      CHECK(passage.error < 5e3 * tolerance + 3e-8);
    }
}

TEST_CASE("the other forms of ida end at a flat position by name") {
  for (const Form form : {Form::index1, Form::dummy_derivatives}) {
    CAPTURE(static_cast<int>(form));
    Ida ida(with(form, 1e-8));
    const Passage passage = pass<QuaternionSystem>({.n = 2, .joints = WindowJoints::minimal}, ida, 1e-3);
    CHECK(passage.run.status == Status::step_too_small);
    CHECK(passage.run.t_end < 0.7144);
    CHECK(passage.run.culprit.quantity.find("rows become dependent at t = 0.714") != std::string::npos);
    CHECK(passage.run.culprit.name.find("foot") != std::string::npos);
  }
}

}  // namespace ida_passage_tests
