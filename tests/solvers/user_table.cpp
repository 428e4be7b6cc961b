// An implicit method of a user's own: a table on the engine, with its guards, its orders and the audit.
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/problems.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>
#include <catena/stepper/parts/stepper_entry.hpp>
#include <catena/studies/audit.hpp>

#include "support/few_cases.hpp"
#include "support/relative.hpp"
#include "support/residual.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace user_table_tests {

namespace {

using namespace catena;
using namespace catena::detail;

// BDF2 as the paper has it, u = v_{n+1}.
ImplicitMethod bdf2(int index) {
  const auto table = [](const StepSizes& s) {
    const TableRow v = last_velocity, eta = slot(0), alpha = slot(1), u = unknown;
    const double r = s.h / s.h_before, sigma = (1 + 2 * r) / (1 + r), ht = s.h / sigma;
    StepTable t;
    t.increment = ht * ((sigma - 1) * eta + u);
    t.velocity = u;
    t.acceleration = (1 / ht) * (u - v) - (sigma - 1) * alpha;
    t.next = {(1 / s.h) * t.increment, (1 / s.h) * (u - v)};
    return t;
  };
  const auto start = [](double h) { return StartRows{{{1, -h / 2, h * h / 6, h * h / 12}, {0, 1, -h / 2}}}; };
  return {
      implicit_traits("bdf2", "", 2, index), index, {"eta", "alpha"}, table, start, usual_guards(index, 2)};
}
using Bdf2 = TableStepper<&bdf2>;

Model chain() {
  HelixChainParameters p;
  p.n = 6;
  return HelixChain(p).model();
}

State run(const System& system, const Bdf2::Options& o, double h, double end) {
  Bdf2 stepper(o, {}, {});
  REQUIRE(stepper.attach(system).status == Status::ok);
  State s = system.initial_state();
  REQUIRE(stepper.start(s, h).status == Status::ok);
  for (int k = 0, n = static_cast<int>(std::lround(end / h)); k < n; ++k)
    REQUIRE(stepper.step(s, h).status == Status::ok);
  return s;
}

double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) d = std::max(d, std::abs(a[k] - b[k]));
  return d;
}

}  // namespace

// Runs with h, h/2 and h/4 differ by c h^2 (1 + O(h)); the second term is some per cent at these steps.
TEST_CASE("a user's BDF2 has order 2 in q, v and lambda at index 3, 2 and 1") {
  const MultibodySystem system(chain());
  for (const auto index :
       {ImplicitOptions::Index::three, ImplicitOptions::Index::two, ImplicitOptions::Index::one}) {
    Bdf2::Options o;
    o.index = index;
    o.engine.newton_tolerance = 1e-13;
    CAPTURE(o.index_number());
    const State a = run(system, o, 4e-3, 0.4), b = run(system, o, 2e-3, 0.4), c = run(system, o, 1e-3, 0.4);
    CHECK(std::log2(distance_of(a.q, b.q) / distance_of(b.q, c.q)) == catena_test::relative(2.0, 0.05));
    CHECK(std::log2(distance_of(a.v, b.v) / distance_of(b.v, c.v)) == catena_test::relative(2.0, 0.05));
    CHECK(std::log2(distance_of(a.lambda, b.lambda) / distance_of(b.lambda, c.lambda)) ==
          catena_test::relative(2.0, 0.05));
  }
}

TEST_CASE("a user's BDF2 passes the audit") {
  std::vector<AuditCase> cases;
  for (const AuditCase& c : audit_cases())
    if (!catena_test::few_cases || c.problem == "snakeboard") cases.push_back(c);
  std::vector<ProblemEntry> problems = audit_problems();
  std::erase_if(problems, [&](const ProblemEntry& p) {
    return std::none_of(cases.begin(), cases.end(), [&](const AuditCase& c) { return c.problem == p.name; });
  });
  const AuditResult result = audit({{stepper_entry<Bdf2>("bdf2")}}, cases, problems);
  CAPTURE(to_text(result));
  CHECK(result.failures().empty());
  CHECK(result.checks.size() > 5 * cases.size());
}

TEST_CASE(
    "a user's table is guarded: steps below the roundoff of positions end with the reason, or are counted") {
  const MultibodySystem system(chain());
  for (const GuardMode mode : {GuardMode::on, GuardMode::report, GuardMode::off}) {
    Bdf2::Options o;
    o.engine.guards.guards = mode;
    Bdf2 stepper(o, {}, {});
    REQUIRE(stepper.attach(system).status == Status::ok);
    State s = system.initial_state();
    REQUIRE(stepper.start(s, 1e-8).status == Status::ok);
    Outcome outcome;
    int steps = 0;
    for (; steps < 20 && outcome.status == Status::ok; ++steps) outcome = stepper.step(s, 1e-8);
    const auto& counts = stepper.statistics().guards;
    long refused = 0;
    for (const GuardCount& count : counts)
      if (count.name == std::string("guard_resolution")) refused = count.count;
    if (mode == GuardMode::on) {
      CHECK(outcome.status == Status::step_too_small);
      CHECK(outcome.culprit.quantity.find("roundoff of positions") != std::string::npos);
      CHECK(refused == 1);
    } else {
      CHECK(outcome.status == Status::ok);
      CHECK(steps == 20);
      CHECK((refused > 0) == (mode == GuardMode::report));
      CHECK(counts.empty() == (mode == GuardMode::off));
    }
  }
}

TEST_CASE("a table that never lets an error of a position go is refused at index 3") {
  struct Trapezoid : ImplicitStepper {
    explicit Trapezoid(int index) : ImplicitStepper(method(index), {}) {}
    static ImplicitMethod method(int index) {
      const auto table = [](const StepSizes& s) {
        StepTable t;
        t.velocity = last_velocity + (s.h / 2) * (last_acceleration + unknown);
        t.increment = (s.h / 2) * (last_velocity + t.velocity);
        t.acceleration = unknown;
        return t;
      };
      return {implicit_traits("trapezoid", "", 2, index), index, {}, table, {}, usual_guards(index, 2)};
    }
  };
  const MultibodySystem system(chain());
  CHECK(Trapezoid(3).attach(system).status == Status::unsupported);
  CHECK(Trapezoid(3).refuses(system).find("index = 2") != std::string::npos);
  CHECK(Trapezoid(2).attach(system).status == Status::ok);
}

}  // namespace user_table_tests
