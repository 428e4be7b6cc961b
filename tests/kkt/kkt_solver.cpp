// The KKT layer: names, inertia, the proximal term, the fallback, refinement.
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/kkt_solver.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/sparse/backends/backends.hpp>

#include "support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace kkt_solver_tests {

namespace {

using namespace catena;
using namespace catena::detail;
using Vector = std::vector<double>;

Model helix(int n) { return HelixChain({.n = n}).model(); }
std::unique_ptr<LinearSolver> klu() { return make_backend("klu"); }

// [mass M + stiffness K, G^T; G, 0] at the initial state, lambda = 0.
void fill(const System& system, KktSolver& kkt, double mass, double stiffness) {
  const State s = system.initial_state();
  Linearization lin;
  lin.matrix = &kkt.matrix();
  lin.mass = mass;
  lin.stiffness = stiffness;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.q = s.q.data();
  at.v = s.v.data();
  at.lambda = s.lambda.data();
  system.evaluate(at, wanted);
}
Vector wave(int n) {
  Vector x;
  for (int k = 0; k < n; ++k) x.push_back(std::sin(1.0 + 0.7 * k));
  return x;
}
double difference(const Vector& a, const Vector& b) {
  double d = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) d = std::max(d, std::abs(a[k] - b[k]));
  return d;
}

// A body pushed away by a spring, held by a ball joint a metre off.
Model pushed() {
  Model model;
  const BodyId body = model.add(Body{.name = "pushed", .position = {{1.0, 0.0, 0.0}}});
  model.add(SphericalJoint{.bodies = {ground, body}, .point_b = {{-1.0, 0.0, 0.0}}, .name = "pivot"});
  model.add(SpringDamper{.bodies = {ground, body}, .point_a = {{2.0, 0.5, 0.0}}, .stiffness = -100.0});
  return model;
}
// The same ball joint twice.
Model doubled() {
  Model model;
  const BodyId body = model.add(Body{.name = "rod", .position = {{0.5, 0.0, 0.0}}});
  for (const char* name : {"first", "second"})
    model.add(SphericalJoint{.bodies = {ground, body}, .point_b = {{-0.5, 0.0, 0.0}}, .name = name});
  return model;
}

}  // namespace

TEST_CASE("owner names the body or the joint of every component of a solution") {
  const MultibodySystem system(helix(3));
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  REQUIRE(kkt.dimension() == 18 + 9);
  CHECK(kkt.owner(0) == "body \"link 1\"");
  CHECK(kkt.owner(5) == "body \"link 1\"");
  CHECK(kkt.owner(6) == "body \"link 2\"");
  CHECK(kkt.owner(17) == "body \"link 3\"");
  CHECK(kkt.owner(18) == "joint \"joint 1\" (spherical)");
  CHECK(kkt.owner(26) == "joint \"joint 3\" (spherical)");
}

TEST_CASE("a refined solution has a backward error of a few units in the last place") {
  const MultibodySystem system(helix(50));
  for (const Factorization kind : {Factorization::ldlt, Factorization::ldu}) {
    KktOptions options;
    options.factorization = kind;
    KktSolver kkt;
    REQUIRE(kkt.attach(system, options).empty());
    fill(system, kkt, 1.2, 0.0);
    kkt.update_proximal();
    REQUIRE(kkt.factorize().status == Status::ok);
    Vector x = wave(kkt.dimension()), plain = x;
    CHECK(kkt.solve_refined(x.data()) < 1e-14);
    kkt.solve(plain.data());
    CHECK(difference(x, plain) < 1e-6);  // the proximal term of 1e-12 times the size of the multipliers, 1e4
  }
}

TEST_CASE("factorize_and_solve gives the bits of factorize and solve") {
  const MultibodySystem system(helix(50));
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  fill(system, kkt, 1.2, 0.0);
  kkt.update_proximal();
  Vector at_once = wave(kkt.dimension()), one_by_one = at_once;
  REQUIRE(kkt.factorize_and_solve(at_once.data()).status == Status::ok);
  REQUIRE(kkt.factorize().status == Status::ok);
  kkt.solve(one_by_one.data());
  CHECK(at_once == one_by_one);
}

TEST_CASE("the proximal term is epsilon times the Schur scale of each row") {
  Model model;
  const BodyId body = model.add(Body{.mass = 4.0});
  model.add(SphericalJoint{.bodies = {ground, body}});  // at the centre of mass: C H^-1 C^T = 1/m
  const MultibodySystem system(std::move(model));
  KktOptions options;
  options.proximal = 1e-9;
  KktSolver kkt;
  REQUIRE(kkt.attach(system, options).empty());
  fill(system, kkt, 2.0, 0.0);
  kkt.update_proximal();
  for (int r = 0; r < 3; ++r) CHECK(kkt.matrix().proximal(0)[r] == catena_test::relative(1e-9 / 8.0, 1e-12));
}

TEST_CASE("redundant rows: singular and named without the proximal term, solved with it, alike shares") {
  const MultibodySystem system(doubled());
  KktOptions options;
  options.proximal = 0.0;
  KktSolver bare;
  REQUIRE(bare.attach(system, options).empty());
  fill(system, bare, 1.0, 0.0);
  const KktReport report = bare.factorize();
  CHECK(report.status == Status::singular_kkt);
  CHECK((report.culprit.name == "joint \"first\" (spherical)" ||
         report.culprit.name == "joint \"second\" (spherical)"));

  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  fill(system, kkt, 1.0, 0.0);
  kkt.update_proximal();
  REQUIRE(kkt.factorize().status == Status::ok);
  Vector x(static_cast<std::size_t>(kkt.dimension()), 0.0);
  x[1] = -9.81;
  kkt.solve(x.data());
  for (std::size_t r = 0; r < 3; ++r) {
    CHECK(std::abs(x[6 + r]) < 10.0);
    CHECK(x[6 + r] == catena_test::component(x[9 + r], 1e-3));
  }
}

TEST_CASE("a factory that returns no back end is refused") {
  const MultibodySystem system(pushed());
  KktOptions options;
  options.backend = [] { return std::unique_ptr<LinearSolver>(); };
  KktSolver kkt;
  CHECK(kkt.attach(system, options) == "the back end could not be made: its factory returns none");
}

TEST_CASE("an indefinite H is found by the inertia and solved by the pivoting fallback") {
  const MultibodySystem system(pushed());
  KktOptions options;
  options.fallback = klu;
  KktSolver kkt, pivoting;
  REQUIRE(kkt.attach(system, options).empty());
  options.backend = klu;
  REQUIRE(pivoting.attach(system, options).empty());
  for (KktSolver* solver : {&kkt, &pivoting}) {
    fill(system, *solver, 1.0, 1.0);
    solver->update_proximal();
  }
  const KktReport report = kkt.factorize();
  CHECK(report.indefinite);
  CHECK(report.offending_primal == 0);
  REQUIRE(kkt.factorize_with_fallback());
  REQUIRE(pivoting.factorize().status == Status::ok);
  Vector a = wave(kkt.dimension()), b = a;
  kkt.solve(a.data());
  pivoting.solve(b.data());
  CHECK(difference(a, b) < 1e-13);
  // The next factorisation is the own one again.
  fill(system, kkt, 1.0, 0.0);
  CHECK(!kkt.factorize().indefinite);
}

TEST_CASE("a number that is none is distinguished from a vanished pivot") {
  const MultibodySystem system(helix(3));
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  fill(system, kkt, 1.0, 0.0);
  kkt.matrix().H(1)(0, 0) = std::nan("");
  CHECK(kkt.factorize().status == Status::not_finite);
}

TEST_CASE("a sibling shares the analysis and not the numbers") {
  const MultibodySystem system(helix(10));
  KktSolver kkt;
  REQUIRE(kkt.attach(system, {}).empty());
  KktSolver other = kkt.sibling();
  fill(system, kkt, 1.0, 0.0);
  fill(system, other, 2.0, 0.0);
  REQUIRE(kkt.factorize().status == Status::ok);
  REQUIRE(other.factorize().status == Status::ok);
  Vector x = wave(kkt.dimension()), y = x;
  for (int k = 60; k < kkt.dimension(); ++k)
    x[static_cast<std::size_t>(k)] = y[static_cast<std::size_t>(k)] = 0.0;
  kkt.solve(x.data());
  other.solve(y.data());
  // Twice the mass under the same forces: half the motion, the same multipliers.
  for (std::size_t k = 0; k < x.size(); ++k) CHECK(std::abs(x[k] - (k < 60 ? 2.0 : 1.0) * y[k]) < 1e-9);
}

}  // namespace kkt_solver_tests
