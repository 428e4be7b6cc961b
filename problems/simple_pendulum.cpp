#include <catena/model/joints.hpp>
#include <catena/problems/simple_pendulum.hpp>

namespace catena {

void visit(OptionVisitor& visitor, SimplePendulumParameters& p) {
  visitor.real({"gravity", "m/s^2", "along -y", 0.0, 1e6}, p.gravity);
}

Model SimplePendulum::model() const {
  Model model;
  model.gravity = {{0.0, -p_.gravity, 0.0}};
  const BodyId bob = model.add(Body{.name = "pendulum",
                                    .mass = 2.0,
                                    .inertia = diagonal(Vec3{{0.5, 0.5, 0.5}}),
                                    .position = {{-0.5, 0.0, 0.0}},
                                    .orientation = {0.0, 0.0, 0.0, 1.0}});  // half a turn about z, exactly
  model.add(RevoluteJoint{.bodies = {ground, bob},
                          .point_a = Vec3::Zero(),
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(2),
                          .axis_b = Vec3::Unit(2),
                          .name = "pivot"});
  return model;
}

std::vector<ObservedPoint> SimplePendulum::observed_points() const {
  return {{"point", 0, {{0.5, 0.0, 0.0}}}};
}

std::vector<Invariant> SimplePendulum::invariants() const {
  return {
      {"energy", "J", 0.0,
       "released at the height of the pivot; the benchmark library accepts errors below 5e-5 J over 10 s"}};
}

std::vector<Reference> SimplePendulum::references() const {
  if (p_.gravity != SimplePendulumParameters{}.gravity) return {};
  const char* source =
      "exact solution in elliptic functions; problem: IFToMM library of benchmark problems, A01";
  return {
      {1.0, "point", "position [m]", {0.98629175113187531936, -0.16501085312554116875, 0.0}, 20, source},
      {1.0, "point", "velocity [m/s]", {0.29690551591631582156, 1.77464364111265562647, 0.0}, 20, source},
      {5.0, "point", "position [m]", {-0.94230543504375733550, -0.33475433841400058079, 0.0}, 20, source},
      {5.0, "point", "velocity [m/s]", {0.85790425688594907306, -2.41492865437048862260, 0.0}, 20, source},
      {10.0, "point", "position [m]", {-0.27508746257611686005, -0.96141920509912506427, 0.0}, 20, source},
      {10.0, "point", "velocity [m/s]", {4.17559810095172883646, -1.19474905456047527165, 0.0}, 20, source},
  };
}

}  // namespace catena
