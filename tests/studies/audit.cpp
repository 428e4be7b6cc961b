// The audit finds what it is there to find.
#include <catena/assembly/multibody_system.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/problems/problems.hpp>
#include <catena/problems/rod_chain.hpp>
#include <catena/solvers/discrete_action.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/stepper/simple_stepper.hpp>
#include <catena/studies/audit.hpp>
#include <catena/studies/detail/audit_symplectic.hpp>

#include "studies/audit_groups.hpp"
#include "support/few_cases.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

using namespace catena;
using namespace catena::detail;

namespace {

// Semi-implicit Euler with projection, and ways to get it wrong.
struct Euler : SimpleStepper {
  int promised = 1;
  double gravity = 1.0;  // of the accelerations
  bool leaves_constraints = false;

  const Traits& traits() const override {
    traits_ = Traits{.name = "euler"};
    traits_.order_q = traits_.order_v = traits_.order_lambda = promised;
    traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
    traits_.velocity_constraints = true;
    return traits_;
  }
  KktReport advance(State& s, double h) override {
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] += h * gravity * s.a[k];
    move(s, s.v, h);
    s.t += h;
    return leaves_constraints ? find_accelerations(s) : close(s);
  }

 private:
  mutable Traits traits_;
};
struct PromisesTwo : Euler {
  PromisesTwo() { promised = 2; }
};
struct WrongForces : Euler {
  WrongForces() { gravity = 0.98; }
};
struct Drifts : Euler {
  Drifts() { leaves_constraints = true; }
};
struct WrongMultipliers : Euler {
  KktReport advance(State& s, double h) override {
    const KktReport report = Euler::advance(s, h);
    for (double& x : s.lambda) x *= 1.05;  // nothing of the motion depends on them
    return report;
  }
};
// Multipliers that alternate from step to step: by roundoff over h^2, or by an error of order 1/2.
template <bool roundoff>
struct Alternates : Euler {
  KktReport advance(State& s, double h) override {
    const KktReport report = Euler::advance(s, h);
    sign_ = -sign_;
    const double size = roundoff ? 5e-12 / (h * h) : 10.0 * std::sqrt(h);
    for (double& x : s.lambda) x += sign_ * size;
    return report;
  }
  double sign_ = 1.0;
};
// Turned back by a method that is not symmetric.
struct PromisesReversal : Euler {
  const Traits& traits() const override {
    reversible_ = Euler::traits();
    reversible_.reversible = true;
    return reversible_;
  }
  mutable Traits reversible_;
};
struct PromisesSymmetry : Euler {
  const Traits& traits() const override {
    symmetric_ = Euler::traits();
    symmetric_.symmetric = true;
    return symmetric_;
  }
  mutable Traits symmetric_;
};
// Keeps the velocity of its last step for itself.
struct HiddenHistory : Euler {
  KktReport advance(State& s, double h) override {
    std::vector<double> v = s.v;
    for (std::size_t k = 0; k < v.size(); ++k) {
      s.v[k] += h * s.a[k];
      v[k] = before_.empty() ? s.v[k] : s.v[k] + 1e-3 * h * (s.v[k] - before_[k]);
    }
    before_ = s.v;
    move(s, v, h);
    s.t += h;
    return close(s);
  }
  std::vector<double> before_;
};
// A good method whose step in between its ends has one wrong term.
enum class Between { right, wrong_end, wrong_acceleration };
template <Between between>
struct Interpolated : Stepper {
  explicit Interpolated(const LinearSolverFactory& backend = {}) : inner_(fixed(), backend) {}
  static DormandPrinceOptions fixed() {
    DormandPrinceOptions options;
    options.control = ExplicitOptions::Control::fixed;
    return options;
  }
  const Traits& traits() const override {
    traits_ = inner_.traits();
    traits_.order_q = traits_.order_v = traits_.order_lambda = 2;
    return traits_;
  }
  std::string refuses(const System& system) const override { return inner_.refuses(system); }
  void interpolate(double theta, double* q, double* v) const override {
    inner_.interpolate(theta, q, v);
    const double bump = theta * (1.0 - theta);
    for (std::size_t k = 0; k < before_.v.size(); ++k) {
      if (between == Between::wrong_end) v[k] += 1e-3 * theta;
      if (between == Between::wrong_acceleration) v[k] += h_ * bump * before_.a[k];
    }
  }

 private:
  Outcome set_up(const System& system) override { return inner_.attach(system); }
  Outcome begin(State& state, double h, bool) override { return inner_.start(state, h); }
  Outcome take_step(State& state, double h) override {
    before_ = state;
    h_ = h;
    return inner_.step(state, h);
  }
  DormandPrince inner_;
  State before_;
  double h_ = 0.0;
  mutable Traits traits_;
};
// Chooses its steps, whatever tolerances it is given.
struct Stubborn : DormandPrince {
  explicit Stubborn(const DormandPrinceOptions& = {}, LinearSolverFactory backend = {})
      : DormandPrince({}, std::move(backend)) {}
};
struct Breaks : Euler {
  KktReport advance(State&, double) override {
    KktReport report;
    report.status = Status::singular_kkt;
    report.culprit = {"joint \"one\"", "pivot", 0.0};
    return report;
  }
};

template <class S>
AuditResult audit_on(const std::string& problem) {
  std::vector<AuditStepper> steppers{{stepper_entry<S>("mine")}, {stepper_entry<GeneralizedAlpha>("alpha")}};
  std::vector<AuditCase> cases;
  for (const AuditCase& c : audit_cases())
    if (c.problem == problem) cases.push_back(c);
  std::vector<ProblemEntry> problems;
  for (const ProblemEntry& p : builtin_problems())
    if (p.name == problem) problems.push_back(p);
  return audit(steppers, cases, problems);
}

// Checks of "mine" that fail, in their order.
std::vector<std::string> failed(const AuditResult& result) {
  std::vector<std::string> names;
  for (const AuditCheck& c : result.failures())
    if (c.stepper == "mine") names.push_back(c.check);
  return names;
}
bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

TEST_CASE("an honest stepper passes, on bodies and on coordinates with velocity rows") {
  for (const char* problem : {"simple_pendulum", "snakeboard"}) {
    if (catena_test::few_cases && problem == std::string("simple_pendulum")) continue;
    const AuditResult result = audit_on<Euler>(problem);
    CAPTURE(to_text(result));
    CHECK(result.failures().empty());
    CHECK(result.pairs == 2);
    CHECK(result.checks.size() >= 16);
  }
}

TEST_CASE("a promise of a higher order is not believed") {
  const std::vector<std::string> names = failed(audit_on<PromisesTwo>("simple_pendulum"));
  CHECK(among(names, "order of q"));
  CHECK(among(names, "order of v"));
  CHECK(among(names, "order of lambda"));
}

TEST_CASE("roundoff over h^2 in multipliers hides no order, and an error that alternates is no roundoff") {
  // Its sign is no part of the state: that is found, once with steps of another number before it, and nothing else.
  for (const std::string& name : failed(audit_on<Alternates<true>>("simple_pendulum")))
    CHECK(name == "continues from a copy of its state, bits that differ");
  CHECK(among(failed(audit_on<Alternates<false>>("simple_pendulum")), "order of lambda"));
}

TEST_CASE("what is left out of a pair is listed with its reason") {
  const auto reason = [](const AuditResult& result, const std::string& stepper, const std::string& check) {
    for (const AuditSkip& s : result.skipped)
      if (s.stepper == stepper && s.check == check) return s.reason;
    return std::string();
  };
  if (!catena_test::few_cases)
    CHECK(reason(audit_on<Euler>("four_bar"), "alpha", "order of lambda").find("not unique") !=
          std::string::npos);
  const AuditResult controlled = audit_on<DormandPrince>("simple_pendulum");
  CHECK(reason(controlled, "mine", "order in h").find("chooses its steps") != std::string::npos);
  CHECK(std::any_of(controlled.checks.begin(), controlled.checks.end(), [](const AuditCheck& c) {
    return c.stepper == "mine" && c.check == "exponent of the error of q over the tolerance" && c.at_least;
  }));
}

TEST_CASE("a stepper that chooses its steps without a look at its tolerance is found") {
  const std::vector<std::string> names = failed(audit_on<Stubborn>("simple_pendulum"));
  CHECK(among(names, "exponent of the error of q over the tolerance"));
  CHECK(among(names, "exponent of the error of v over the tolerance"));
  CHECK(among(names, "exponent of the error of lambda over the tolerance"));
}

TEST_CASE("steps are made shorter until the estimates of errors are a thousandth of the motion") {
  const auto of_mine = [](const AuditResult& result, const std::string& check) {
    for (const AuditCheck& c : result.checks)
      if (c.stepper == "mine" && c.check == check) return c;
    return AuditCheck{};
  };
  const std::string check = "error of lambda at the end, of its size";
  std::vector<AuditCase> cases;
  for (const int steps : {16, 400})
    cases.push_back({.problem = "simple_pendulum", .end = 0.5, .steps = steps});
  std::vector<AuditCheck> found;
  for (const AuditCase& c : cases)
    found.push_back(of_mine(audit({{stepper_entry<Euler>("mine")}}, {c}, {builtin_problems()[4]}), check));
  CHECK(found[0].measured <= found[0].bound);
  CHECK(found[0].bound == 1e-3);
  CHECK(found[0].remark == "with 4 times the steps of the case");
  CHECK(found[1].remark.empty());
}

TEST_CASE("multipliers of bodies in six velocities and in seven coordinates are compared") {
  const AuditResult result =
      audit({{stepper_entry<DiscreteAction>("seven")}, {stepper_entry<WrongMultipliers>("six")}},
            {{.problem = "simple_pendulum"}}, {builtin_problems()[4]});
  for (const AuditCheck& c : result.checks)
    if (c.check == "same end as all others") CHECK(c.measured > c.bound);
  CHECK(std::none_of(result.skipped.begin(), result.skipped.end(),
                     [](const AuditSkip& s) { return s.check.rfind("same lambda", 0) == 0; }));
}

TEST_CASE("wrong forces are found by the energy, the reference and the other steppers") {
  const std::vector<std::string> names = failed(audit_on<WrongForces>("simple_pendulum"));
  CHECK_FALSE(among(names, "order of q"));  // it converges, to something else
  CHECK(among(names, "energy"));
  CHECK(among(names, "known digits of q"));
  CHECK(among(names, "same end as all others"));
}

TEST_CASE("wrong multipliers, on which no motion depends, are found by the other steppers") {
  for (const char* problem : {"simple_pendulum", "snakeboard"})
    if (!catena_test::few_cases || problem == std::string("simple_pendulum"))
      CHECK(failed(audit_on<WrongMultipliers>(problem)) ==
            std::vector<std::string>{"same end as all others"});
}

TEST_CASE("residuals that are promised to vanish and do not are found") {
  const std::vector<std::string> names = failed(audit_on<Drifts>("simple_pendulum"));
  CHECK(among(names, "position residual"));
  CHECK(among(names, "velocity residual"));
  CHECK_FALSE(among(names, "acceleration residual"));
}

TEST_CASE("a method that does not return is not reversible") {
  CHECK(failed(audit_on<PromisesReversal>("simple_pendulum")) ==
        std::vector<std::string>{"returns when turned back"});
}

TEST_CASE("symmetry that is promised is looked at, with every method that is not symmetric") {
  CHECK(failed(audit_on<PromisesSymmetry>("simple_pendulum")) ==
        std::vector<std::string>{"returns when turned back"});
}

TEST_CASE("a history that is not in the state is found by the bits of a run that is continued") {
  const std::vector<std::string> names = failed(audit_on<HiddenHistory>("simple_pendulum"));
  CHECK(names == std::vector<std::string>(2, "continues from a copy of its state, bits that differ"));
}

TEST_CASE("a wrong term of the step in between its ends is found, on bodies and on coordinates") {
  for (const char* problem : {"simple_pendulum", "snakeboard"}) {
    CAPTURE(problem);
    CHECK(failed(audit_on<Interpolated<Between::right>>(problem)).empty());
    CHECK(among(failed(audit_on<Interpolated<Between::wrong_end>>(problem)),
                "between the ends of a step: these ends, relative"));
    const std::vector<std::string> names =
        failed(audit_on<Interpolated<Between::wrong_acceleration>>(problem));
    CHECK(names == std::vector<std::string>{"between the ends of a step: order of v"});
  }
}

TEST_CASE("a stepper that breaks fails with its culprit, and the others are still compared") {
  const AuditResult result = audit_on<Breaks>("simple_pendulum");
  REQUIRE(result.failures().size() == 1);
  CHECK(result.failures()[0].check == "reaches the end");
  CHECK(result.failures()[0].remark.find("joint \"one\"") != std::string::npos);
}

TEST_CASE("one step of the discrete action is symplectic, of generalized-alpha with rho < 1 it is not") {
  DiscreteAction action;
  CHECK(symplectic_defect(action) <= symplectic_tolerance);
  for (const double rho : {0.0, 0.5, 0.8, 0.9}) {
    GeneralizedAlpha alpha({.rho_inf = rho});
    CHECK(symplectic_defect(alpha) > 10.0 * symplectic_tolerance);
  }
  // A method that is not, at order 5: one short step hides it, a longer one does not.
  DormandPrince claims(Interpolated<Between::right>::fixed());
  CHECK(symplectic_defect(claims, symplectic_steps[0]) <= symplectic_tolerance);
  CHECK(symplectic_defect(claims, symplectic_steps[2]) > 1e3 * symplectic_tolerance);
  for (const double h : symplectic_steps) CHECK(symplectic_defect(action, h) <= symplectic_tolerance);
  // The exact flow is symplectic, so the chart is canonical and the differences are good to their bound.
  DormandPrince exact(
      {.rtol_position = 1e-13, .atol_position = 1e-13, .rtol_velocity = 1e-13, .atol_velocity = 1e-13});
  CHECK(symplectic_defect(exact) < 0.01 * symplectic_tolerance);
}

TEST_CASE("a problem without a case is an error that says what is missing") {
  std::vector<ProblemEntry> problems = audit_problems();
  problems.push_back({"mine", [] { return std::make_unique<RodChain>(); }});
  CHECK_THROWS_WITH_AS(
      audit({}, audit_cases(), problems),
      "the audit has no case of problem \"mine\": add one with its end and its number of steps to "
      "audit_cases(), or give the problems of your cases to audit(steppers, cases, problems)",
      std::invalid_argument);
  CHECK_NOTHROW(audit({}, audit_cases(), audit_problems()));  // all that come with the library have one
}

TEST_CASE("every case of the audit belongs to one of its tests") {
  std::vector<std::string> in_groups, in_cases;
  for (const auto& [name, problems] : catena_test::audit_groups())
    in_groups.insert(in_groups.end(), problems.begin(), problems.end());
  for (const AuditCase& c : audit_cases())
    if (std::find(in_cases.begin(), in_cases.end(), c.problem) == in_cases.end())
      in_cases.push_back(c.problem);
  std::sort(in_groups.begin(), in_groups.end());
  std::sort(in_cases.begin(), in_cases.end());
  CHECK(in_groups == in_cases);
}

TEST_CASE("pairs that a stepper refuses are left out with its reason") {
  std::vector<ProblemEntry> problems;
  for (const ProblemEntry& p : builtin_problems())
    if (p.name == "snakeboard" || p.name == "heavy_top") problems.push_back(p);
  const AuditResult result =
      audit({{stepper_entry<DiscreteAction>("discrete_action")}},
            {{.problem = "snakeboard"}, {.problem = "heavy_top", .skip = "too fast"}}, problems);
  REQUIRE(result.skipped.size() == 2);
  CHECK(result.skipped[0].reason.find("acts on velocities") != std::string::npos);
  CHECK(result.skipped[1].reason == "too fast");
  CHECK(result.pairs == 0);
}

TEST_CASE("options of variants and cases are checked by name, range and choice") {
  const auto with = [](const Settings& options) {
    return audit({{stepper_entry<GeneralizedAlpha, GeneralizedAlphaOptions>("alpha"), options}},
                 {{.problem = "rod_chain"}}, {builtin_problems()[2]});
  };
  CHECK_THROWS_WITH_AS(with({{"rho", "1"}}),
                       "option rho=1 (stepper alpha): no option \"rho\": did you mean \"rho_inf\"?",
                       UsageError);
  CHECK_THROWS_WITH_AS(with({{"rho_inf", "2"}}), "option rho_inf=2 (stepper alpha): 2 is out of range [0, 1]",
                       UsageError);
  CHECK_THROWS_WITH_AS(with({{"index", "four"}}),
                       "option index=four (stepper alpha): no choice \"four\"; there are 3, 2", UsageError);
}
