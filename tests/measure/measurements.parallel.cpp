// Rows of measured numbers: what they hold, by which thread, and at what cost.
#include <catena/assembly/multibody_system.hpp>
#include <catena/assembly/quaternion_system.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/measurements.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/allocation_count.hpp"
#include "support/toy.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <thread>

using namespace catena;

namespace {

Model chain(int n) { return HelixChain({.n = n}).model(); }

// A state of the chain in motion.
State moving(const System& system) {
  GeneralizedAlpha stepper;
  State state = system.initial_state();
  REQUIRE(run(system, stepper, state, {.step = 1e-3, .end = 0.02}).status == Status::ok);
  return state;
}

Quantity highest_body() {
  return {.name = "highest/body",
          .unit = "m",
          .frame = "world",
          .meaning = "largest height of a centre of mass",
          .evaluate = [](const Instant& at, double* out) {
            *out = at.body(0).position[2];
            for (int k = 1; k < at.body_count(); ++k) *out = std::max(*out, at.body(k).position[2]);
          }};
}

Quantity speeds() {
  return {.name = "speed",
          .unit = "m/s",
          .frame = "world",
          .meaning = "of the centre of mass",
          .items = Items::body,
          .needs = Needs::bodies,
          .evaluate = [](const Instant& at, double* out) {
            for (int k = 0; k < at.body_count(); ++k) out[k] = norm(at.body(k).velocity);
          }};
}

// Columns of one quantity out of a row.
std::vector<double> numbers(const Measurements& m, const std::vector<double>& row, const std::string& name) {
  const MeasuredColumns* c = m.find(name);
  REQUIRE_MESSAGE(c != nullptr, name);
  std::vector<double> out;
  for (int k = 0; k < c->count; ++k)
    for (int i = 0; i < c->block; ++i) out.push_back(row[static_cast<std::size_t>(c->column(k, i))]);
  return out;
}

std::vector<double> measured(Measurements& m, const State& state) {
  std::vector<double> row(static_cast<std::size_t>(m.width()), -1.0);
  Outcome outcome;
  outcome.h_taken = 1e-3;
  m(state, outcome, row.data());
  return row;
}

}  // namespace

TEST_CASE("a row holds energy, momentum, residuals and bodies as their own functions give them") {
  const MultibodySystem system(chain(5));
  const State s = moving(system);
  Measurements m(system, standard_selection(builtin_quantities()), {{{"tip", 4, {{0.1, 0.0, 0.0}}}}});
  const std::vector<double> row = measured(m, s);
  const Energy energy = system.energy(point_of(s));
  CHECK(row[0] == s.t);
  CHECK(numbers(m, row, "step/size")[0] == 1e-3);
  CHECK(numbers(m, row, "energy/kinetic")[0] == energy.kinetic);
  CHECK(numbers(m, row, "energy/gravity")[0] == energy.potential);  // there are no forces
  CHECK(numbers(m, row, "energy/forces")[0] == 0.0);
  CHECK(numbers(m, row, "energy/total")[0] == energy.total());
  CHECK(numbers(m, row, "energy/error")[0] == 0.0);  // the first instant
  const std::vector<RigidBodyState> bodies = system.bodies(s);
  const Momentum p = momentum(system.model(), bodies);
  ResidualMeter meter(system);
  CHECK(numbers(m, row, "residuals/acceleration")[0] == meter(s).acceleration.value);
  CHECK(numbers(m, row, "residuals/worst")[0] == meter(s).position.constraint);
  for (std::size_t i = 0; i < 3; ++i) {
    const int k = static_cast<int>(i);
    CHECK(numbers(m, row, "momentum/linear")[i] == p.linear[k]);
    CHECK(numbers(m, row, "momentum/angular")[i] == p.angular[k]);
    CHECK(numbers(m, row, "bodies/position")[9 + i] == bodies[3].position[k]);
    CHECK(numbers(m, row, "bodies/angular_velocity")[9 + i] == bodies[3].angular_velocity[k]);
    CHECK(numbers(m, row, "points/position")[i] == point_position(bodies[4], {{0.1, 0.0, 0.0}})[k]);
    // Joint 3 holds body 3 at its point: minus the multiplier acts on the second body.
    CHECK(numbers(m, row, "reactions/force")[9 + i] == -s.lambda[9 + i]);
  }
  const std::vector<std::string> names = m.column_names();
  CHECK(names[0] == "time");
  CHECK(names[static_cast<std::size_t>(m.find("q")->start)] == "q of 0");
  for (const std::string& name : names) CHECK_FALSE(name.empty());
}

TEST_CASE("numbers do not depend on whether the row holds the state that they follow from") {
  const MultibodySystem six(chain(4));
  const QuaternionSystem seven(chain(4));
  for (const System* system : {static_cast<const System*>(&six), static_cast<const System*>(&seven)}) {
    State s = system->initial_state();
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] += 0.01 * static_cast<double>(k % 7);
    for (std::size_t k = 0; k < s.lambda.size(); ++k) s.lambda[k] = 1.0 + static_cast<double>(k);
    const QuantityCatalog all = builtin_quantities();
    Measurements whole(*system, standard_selection(all)),
        part(*system,
             select(all,
                    "energy/kinetic,energy/potential,energy/total,energy/error,momentum,bodies,reactions"));
    const std::vector<double> a = measured(whole, s), b = measured(part, s);
    CHECK(b.size() < a.size());
    for (const MeasuredColumns& c : part.columns()) {
      CAPTURE(c.quantity.name);
      CHECK(numbers(whole, a, c.quantity.name) == numbers(part, b, c.quantity.name));
    }
  }
}

TEST_CASE("chosen items are those of the whole, in its order") {
  const MultibodySystem system(chain(5));
  const State s = moving(system);
  const QuantityCatalog all = builtin_quantities();
  Measurements whole(system, standard_selection(all));
  const std::string second = whole.measured().item_key(Items::body, 1),
                    fourth = whole.measured().item_key(Items::body, 3);
  Measurements part(system, select(all, "bodies:" + fourth + ":" + second));
  const std::vector<double> a = measured(whole, s), b = measured(part, s);
  CHECK(part.width() == 1 + 2 * 13);
  for (const char* name : {"bodies/position", "bodies/orientation", "bodies/angular_velocity"}) {
    const std::vector<double> from = numbers(whole, a, name), to = numbers(part, b, name);
    const std::size_t size = to.size() / 2;
    for (std::size_t i = 0; i < size; ++i) {
      CHECK(to[i] == from[size + i]);
      CHECK(to[size + i] == from[3 * size + i]);
    }
  }
  CHECK(part.item_name(*part.find("bodies/position"), 1) == fourth);
}

TEST_CASE(
    "a quantity of the user's is measured like the others, of models and of systems in their own "
    "coordinates") {
  QuantityCatalog all = builtin_quantities();
  all.add(highest_body()).add(speeds());
  const MultibodySystem system(chain(3));
  const State s = moving(system);
  Measurements m(system, select(all, "highest,speed"));
  const std::vector<double> row = measured(m, s);
  REQUIRE(m.width() == 1 + 1 + 3);
  const std::vector<RigidBodyState> bodies = system.bodies(s);
  double highest = -1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    highest = std::max(highest, bodies[k].position[2]);
    CHECK(row[2 + k] == norm(bodies[k].velocity));
  }
  CHECK(row[1] == highest);
  const catena_test::ToyPendulum own;
  Measurements few(own, standard_selection(all));  // highest_body() does not say that it needs bodies
  CHECK(few.find("speed") == nullptr);
}

TEST_CASE("the energy error counts from the start of the run, of a monitor or of the first row") {
  const MultibodySystem bodies(chain(2));
  State first = moving(bodies);
  Measurements m(bodies, select(builtin_quantities(), "energy"));
  const double start = numbers(m, measured(m, first), "energy/total")[0];
  first.q[2] -= 1.5;
  first.t = 1.0;
  const std::vector<double> second = measured(m, first);
  CHECK(numbers(m, second, "energy/error")[0] == numbers(m, second, "energy/total")[0] - start);
  // Systems in their own coordinates may do work, which nobody has integrated here.
  const catena_test::ToyPendulum system;
  State s = system.initial_state();
  Measurements alone(system, select(builtin_quantities(), "energy"));
  CHECK(std::isnan(numbers(alone, measured(alone, s), "energy/error")[0]));
  s.q = {0.0, -1.5};
  s.t = 1.0;
  Monitor monitor;
  monitor.begin(system);
  monitor.observe(s);
  Measurements monitored(system, select(builtin_quantities(), "energy,peaks"), {{}, nullptr, &monitor});
  s.q = {0.0, -1.0};
  s.t = 2.0;
  monitor.observe(s);
  const std::vector<double> row = measured(monitored, s);
  const double error = 0.5 * catena_test::ToyPendulum::gravity;
  CHECK(std::abs(numbers(monitored, row, "energy/error")[0] - error) <= 1e-15 * 20.0);
  CHECK(numbers(monitored, row, "peaks/energy_error")[0] ==
        std::abs(numbers(monitored, row, "energy/error")[0]));
  CHECK(numbers(monitored, row, "peaks/position_residual")[0] == 0.625);
}

TEST_CASE("rows after the first allocate nothing") {
  const MultibodySystem system(chain(20));
  const State s = moving(system);
  QuantityCatalog all = builtin_quantities();
  all.add(highest_body()).add(speeds());
  const std::string third = MeasuredSystem(system, {}).item_key(Items::body, 2);
  for (const std::string& text : {std::string("standard"), std::string("energy,momentum,reactions,bodies"),
                                  "bodies:\"" + third + "\""}) {
    Measurements m(system, select(all, text));
    std::vector<double> row(static_cast<std::size_t>(m.width()));
    m(s, {}, row.data());
    const Outcome outcome;
    const long taken = catena::test::count_allocations([&] { m(s, outcome, row.data()); });
    if (catena::test::allocation_counting_works()) CHECK(taken == 0);
  }
}

TEST_CASE("one thread completes rows while another takes further ones") {
  const MultibodySystem system(chain(8));
  const State s = moving(system);
  Measurements m(system, standard_selection(builtin_quantities()));
  const std::vector<double> expected = measured(m, s);
  const std::size_t width = expected.size(), count = 50;
  std::vector<double> rows(width * count);
  Outcome outcome;
  outcome.h_taken = 1e-3;
  m.take(s, outcome, rows.data());
  for (std::size_t k = 1; k < count; ++k) {
    std::thread other([&] { m.complete(rows.data() + (k - 1) * width); });
    m.take(s, outcome, rows.data() + k * width);
    other.join();
  }
  m.complete(rows.data() + (count - 1) * width);
  for (std::size_t k = 0; k < count; ++k)
    CHECK(std::equal(expected.begin(), expected.end(), rows.begin() + static_cast<long>(k * width)));
}
