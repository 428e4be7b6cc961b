// A whole time step of generalized_alpha on 1000 joints of every type: a chain of bars. The
// cost of a row is compared with that of a hinge; what is asked for is a ratio of 1.3 at most. Timed is the cheapest of the
// K steps of R turns in which all types take part: every step does the same, and a loaded machine spoils means.
//
//     bench_joint_types [--joints N] [--steps K] [--repetitions R]
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>

#include "timed_scenario.hpp"

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace catena;

constexpr double half = 0.05;  // of a bar [m]

// Bars in one line along x that fall and turn about z as one body at first, which every joint allows; tie(model, bodies) adds
// the joint between two neighbours.
using Tie = std::function<void(Model&, std::array<BodyId, 2>)>;
std::shared_ptr<const Model> chain(int joints, const Tie& tie) {
  constexpr double spin = 0.1;  // [rad/s]
  Model model;
  model.gravity = {{0.0, -9.81, 0.0}};
  BodyId before = ground;
  for (int k = 0; k <= joints; ++k) {
    const double x = 2.0 * half * k;
    const BodyId bar = model.add(Body{.name = "bar " + std::to_string(k),
                                      .mass = 0.1,
                                      .inertia = box_inertia(0.1, {{2.0 * half, 0.02, 0.02}}),
                                      .position = {{x, 0.0, 0.0}},
                                      .velocity = {{0.0, spin * x, 0.0}},
                                      .angular_velocity = {{0.0, 0.0, spin}}});
    if (k > 0) tie(model, {before, bar});
    before = bar;
  }
  return std::make_shared<const Model>(std::move(model));
}

const Vec3 at_end{{half, 0.0, 0.0}}, at_begin{{-half, 0.0, 0.0}};

template <class Joint>
ConstraintId add_joint(Model& model, const std::array<BodyId, 2>& bodies) {
  Joint joint{.bodies = bodies, .point_a = at_end, .point_b = at_begin};
  return model.add(joint);
}
template <class Joint>
Tie joined() {
  return [](Model& model, const std::array<BodyId, 2>& bodies) { add_joint<Joint>(model, bodies); };
}

struct Case {
  std::string name;
  int rows;  // of one joint
  Tie tie;
  std::string beside = {};  // what is there too, and is taken off
};

std::vector<Case> cases() {
  const auto hinge = [](Model& m, const std::array<BodyId, 2>& b) { return add_joint<RevoluteJoint>(m, b); };
  return {
      {"revolute", 5, joined<RevoluteJoint>()},
      {"spherical", 3, joined<SphericalJoint>()},
      {"universal", 4,
       [](Model& m, const std::array<BodyId, 2>& b) {
         m.add(UniversalJoint{.bodies = b,
                              .point_a = at_end,
                              .point_b = at_begin,
                              .axis_a = Vec3::Unit(2),
                              .axis_b = Vec3::Unit(1)});
       }},
      {"cylindrical", 4, joined<CylindricalJoint>()},
      {"prismatic", 5, joined<PrismaticJoint>()},
      {"planar", 3, joined<PlanarJoint>()},
      {"weld", 6, joined<WeldJoint>()},
      {"point_on_line", 2, joined<PointOnLineJoint>()},
      {"point_in_plane", 1, joined<PointInPlaneJoint>()},
      {"constant_orientation", 3, joined<ConstantOrientationJoint>()},
      {"distance", 1,
       [](Model& m, const std::array<BodyId, 2>& b) {
         m.add(DistanceConstraint{.bodies = b, .point_a = at_end, .length = half});
       }},
      {"drive", 1,
       [hinge](Model& m, const std::array<BodyId, 2>& b) {
         m.add(JointDrive{.joint = hinge(m, b),
                          .target = functions::Sine{.amplitude = 0.01, .frequency = 1.0}});
       },
       "revolute"},
      {"joint_friction", 0,
       [hinge](Model& m, const std::array<BodyId, 2>& b) {
         m.add(JointFriction{.joint = hinge(m, b), .coefficient = 0.1, .radius = 0.01, .speed = 0.1});
       },
       "revolute"},
  };
}

int report(int joints, int steps, int repetitions) {
  const std::vector<Case> all = cases();
  std::vector<bench::TimedScenario> runs;
  for (const Case& c : all)
    runs.emplace_back(Scenario{.model = chain(joints, c.tie), .stepper = "generalized_alpha", .step = 1e-4},
                      "ldl");
  for (int r = 0; r < repetitions; ++r)
    for (bench::TimedScenario& run : runs) run.run(steps);
  const auto time_of = [&](const std::string& name) {
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == name) return runs[k].cheapest;
    return 0.0;
  };
  const double hinge = time_of("revolute") / (joints * all.front().rows);
  std::printf(
      "%d joints of each type\n\n| joint | rows | step [us] | a joint [ns] | a row [ns] | to a hinge's | "
      "iterations |\n",
      joints);
  std::printf("|---|---|---|---|---|---|---|\n");
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double own = runs[k].cheapest - (all[k].beside.empty() ? 0.0 : time_of(all[k].beside));
    const double row = all[k].rows > 0 ? own / (joints * all[k].rows) : 0.0;
    const std::string rows = all[k].rows > 0 ? std::to_string(all[k].rows) : "-";
    char of_row[64] = "- | -";
    if (all[k].rows > 0) std::snprintf(of_row, sizeof of_row, "%.0f | %.2f", 1e9 * row, row / hinge);
    std::printf("| %s%s | %s | %.0f | %.0f | %s | %.1f |\n", all[k].name.c_str(),
                all[k].beside.empty() ? "" : ", beside a hinge", rows.c_str(), 1e6 * runs[k].cheapest,
                1e9 * own / joints, of_row,
                static_cast<double>(runs[k].statistics.newton_iterations) /
                    static_cast<double>(runs[k].statistics.steps));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int joints = 1000, steps = 50, repetitions = 10;
  if (!bench::ready(argc, argv,
                    {{"--joints", &joints}, {"--steps", &steps}, {"--repetitions", &repetitions}}))
    return 2;
  return report(joints, steps, repetitions);
}
