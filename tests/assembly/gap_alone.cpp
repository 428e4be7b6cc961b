// A joint of a user's that states nothing but its gap, in a system with others.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/detail/state_between.hpp>
#include <catena/driver/run.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/system/detail/row_length.hpp>

#include "support/ball_of_gap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace catena;
using namespace catena::detail;

namespace {

using test::BallOfGapAlone;

const Vec3 far_away{{1e5, -0.5e5, 0.25e5}};
constexpr int links = 6;

// A chain of built-in joints that begins horizontally far away, and beside it, near the origin, what `more` adds.
template <class More>
Model far_chain(More&& more) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  BodyId before = ground;
  for (int k = 0; k < links; ++k) {
    const BodyId link = model.add(Body{.name = "link " + std::to_string(k),
                                       .inertia = 0.02 * Mat3::Identity(),
                                       .position = far_away + Vec3{{0.25 + 0.5 * k, 0.0, 0.0}}});
    const Vec3 on_before = k == 0 ? far_away : Vec3{{0.25, 0.0, 0.0}}, on_link{{-0.25, 0.0, 0.0}};
    if (k % 2 == 0)
      model.add(SphericalJoint{.bodies = {before, link}, .point_a = on_before, .point_b = on_link});
    else
      model.add(RevoluteJoint{.bodies = {before, link},
                              .point_a = on_before,
                              .point_b = on_link,
                              .axis_a = Vec3::Unit(1),
                              .axis_b = Vec3::Unit(1)});
    before = link;
  }
  more(model);
  return model;
}

BodyId add_bob(Model& model) {
  return model.add(Body{.name = "bob", .inertia = 0.02 * Mat3::Identity(), .position = {{0.5, 0.0, 0.0}}});
}
void nothing(Model&) {}
void built_in_pendulum(Model& model) {
  model.add(SphericalJoint{.bodies = {ground, add_bob(model)}, .point_b = {{-0.5, 0.0, 0.0}}});
}
void users_pendulum(Model& model) {
  model.add(BallOfGapAlone{.bodies = {ground, add_bob(model)}, .eye = {{-0.5, 0.0, 0.0}}});
}

constexpr int rows_of_chain = links / 2 * (3 + 5);

struct Run {
  RunResult result;
  std::vector<double> rows;    // of the chain at the end [m]
  std::vector<double> lambda;  // of its joints
  std::vector<Vec3> places;    // of its links, from far_away
};

Run run_chain(Stepper& stepper, const Model& model, double h, double end) {
  const MultibodySystem system(model);
  State s = system.initial_state();
  Run r;
  r.result = run(system, stepper, s, {.step = h, .end = end});
  std::vector<double> rows(static_cast<std::size_t>(system.layout().lambda_size()));
  Evaluation wanted;
  wanted.position = rows.data();
  system.evaluate(point_of(s), wanted);
  r.rows.assign(rows.begin(), rows.begin() + rows_of_chain);
  r.lambda.assign(s.lambda.begin(), s.lambda.begin() + rows_of_chain);
  for (int k = 0; k < links; ++k)
    r.places.push_back(system.bodies(s)[static_cast<std::size_t>(k)].position - far_away);
  return r;
}

// What the chain is closed to when it is alone: 64 roundoffs of numbers of 2 m, four times its arms of half a metre, and
// not of 1e5 m, 1.4e-9.
void check_rows(const std::vector<double>& rows) {
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(rows[k]) <= 64.0 * 0x1p-52 * 2.0);
  }
}

}  // namespace

TEST_CASE("a gap alone near the origin leaves a chain far away as accurate as it is by itself") {
  GeneralizedAlpha alpha;
  DormandPrince dormand_prince;
  for (Stepper* stepper : {static_cast<Stepper*>(&alpha), static_cast<Stepper*>(&dormand_prince)}) {
    CAPTURE(stepper);
    const Run alone = run_chain(*stepper, far_chain(nothing), 1e-3, 0.2),
              beside = run_chain(*stepper, far_chain(users_pendulum), 1e-3, 0.2);
    REQUIRE(alone.result.status == Status::ok);
    REQUIRE(beside.result.status == Status::ok);
    CHECK(beside.result.rejected == 0);
    check_rows(alone.rows);
    check_rows(beside.rows);
    // To the last places of the coordinates: 0.2 s multiply no error.
    for (std::size_t k = 0; k < alone.places.size(); ++k)
      CHECK(norm(beside.places[k] - alone.places[k]) <= 4.0 * 0x1p-52 * 1e5);
    // Newton's tolerance of 1e-10 times the largest of them, some 100 N.
    for (std::size_t k = 0; k < alone.lambda.size(); ++k)
      CHECK(std::abs(beside.lambda[k] - alone.lambda[k]) < 1e-7);
  }
}

TEST_CASE("states between steps of a chain far away are as accurate beside a gap alone") {
  for (const bool beside : {false, true}) {
    const MultibodySystem system(beside ? far_chain(users_pendulum) : far_chain(nothing));
    GeneralizedAlpha stepper;
    State s = system.initial_state();
    REQUIRE(stepper.attach(system).status == Status::ok);
    REQUIRE(stepper.start(s, 1e-2).status == Status::ok);
    StateBetween between(system);
    for (int k = 0; k < 50; ++k) {
      REQUIRE(stepper.step(s, 1e-2).status == Status::ok);
      const State& half = between.at(0.5, stepper, s, 1e-2);
      CHECK(between.failures() == 0);
      std::vector<double> rows(static_cast<std::size_t>(system.layout().lambda_size()));
      Evaluation wanted;
      wanted.position = rows.data();
      system.evaluate(point_of(half), wanted);
      rows.resize(rows_of_chain);
      check_rows(rows);
    }
  }
}

TEST_CASE("rows that see places are kept apart from rows that see differences, joint by joint") {
  const MultibodySystem alone(far_chain(nothing)), built_in(far_chain(built_in_pendulum)),
      users(far_chain(users_pendulum));
  CHECK(alone.layout().place_rows.empty());
  CHECK(built_in.layout().place_rows.empty());
  CHECK(users.layout().roundoff_length == built_in.layout().roundoff_length);
  REQUIRE(users.layout().place_rows.size() == 1);
  CHECK(users.layout().place_rows[0].dual == links);
  const State s = users.initial_state();
  RowLengths lengths(users.layout(), point_of(s));
  for (int d = 0; d < links; ++d) {
    lengths.at(d);
    CHECK(lengths[0] == users.layout().roundoff_length);
    if (d % 2 == 1) CHECK(lengths[3] == SystemLayout::roundoff_of_cosines);
  }
  lengths.at(links);
  CHECK(lengths[2] == 1.0);  // the bob hangs half a metre from the origin
}

TEST_CASE("a gap alone far away sees the coordinates of its own bodies, fixed ones too") {
  Model model = far_chain(nothing);
  const BodyId post = model.add(Body{.name = "post", .position = {{0.0, -3e6, 0.0}}, .fixed = true});
  model.add(BallOfGapAlone{
      .bodies = {BodyId{0}, BodyId{1}}, .hook = {{0.25, 0.0, 0.0}}, .eye = {{-0.25, 0.0, 0.0}}});
  const BodyId bob = add_bob(model);
  model.add(BallOfGapAlone{.bodies = {post, bob}, .hook = {{0.0, 3e6, 0.0}}, .eye = {{-0.5, 0.0, 0.0}}});
  const MultibodySystem system(std::move(model));
  const State s = system.initial_state();
  RowLengths lengths(system.layout(), point_of(s));
  lengths.at(links);
  CHECK(lengths[0] == doctest::Approx(1e5).epsilon(1e-4));
  lengths.at(links + 1);
  CHECK(lengths[0] == 3e6);
}
