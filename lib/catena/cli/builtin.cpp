// The one file that knows everything the program offers.
#include <catena/cli/builtin.hpp>
#include <catena/model/distance_constraint.hpp>
#include <catena/model/point_force.hpp>
#include <catena/model/revolute_joint.hpp>
#include <catena/model/spherical_joint.hpp>
#include <catena/model/spring_damper.hpp>
#include <catena/model/torque.hpp>
#include <catena/problems/catalog.hpp>
#include <catena/solvers/catalog.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/studies/catalog.hpp>

#include <string>
#include <utility>

namespace catena {
namespace {

using Parameters = std::vector<CatalogElement::Parameter>;

template <class E>
CatalogElement element(const char* summary, const Parameters& parameters) {
  CatalogElement made{.name = E::type_name, .summary = summary, .parameters = parameters};
  made.bodies = static_cast<int>(decltype(E::bodies){}.size());
  if constexpr (Constraint<E>) made.rows = E::rows;
  return made;
}

void add_constraints(Catalog& catalog) {
  const Parameters points{{"point_a", "m", "0, 0, 0", "point of the first body, its frame"},
                          {"point_b", "m", "0, 0, 0", "point of the second body, its frame"}};
  Parameters hinge = points, rod = points;
  hinge.push_back({"axis_a", "1", "0, 0, 1", "hinge axis in the first body, its frame; any length but 0"});
  hinge.push_back({"axis_b", "1", "0, 0, 1", "hinge axis in the second body, its frame; any length but 0"});
  rod.push_back({"length", "m", "1", "distance of the two points, > 0"});
  catalog.add(element<SphericalJoint>("ball joint: two points coincide", points));
  catalog.add(element<RevoluteJoint>("hinge: two points and two axes coincide", hinge));
  catalog.add(element<DistanceConstraint>("massless rod: two points keep their distance", rod));
}

void add_forces(Catalog& catalog) {
  catalog.add(
      element<PointForce>("constant force on a point of a body",
                          {{"point", "m", "0, 0, 0", "where it acts, body frame"},
                           {"force", "N", "0, 0, 0", "along `axes`"},
                           {"axes", "1", "world", "world or body: the axes along which force is given"}}));
  catalog.add(
      element<Torque>("constant torque on a body",
                      {{"torque", "N m", "0, 0, 0", "along `axes`"},
                       {"axes", "1", "world", "world or body: the axes along which torque is given"}}));
  catalog.add(element<SpringDamper>("linear spring and damper between two points",
                                    {{"point_a", "m", "0, 0, 0", "point of the first body, its frame"},
                                     {"point_b", "m", "0, 0, 0", "point of the second body, its frame"},
                                     {"stiffness", "N/m", "0", "force per elongation"},
                                     {"damping", "N s/m", "0", "force per rate of elongation"},
                                     {"rest_length", "m", "0", "length without force, >= 0"}}));
}

}  // namespace

Catalog builtin() {
  Catalog catalog;
  for (ProblemEntry& problem : builtin_problems()) catalog.add(std::move(problem));
  for (StepperEntry& stepper : builtin_steppers()) catalog.add(std::move(stepper));
  for (const BackendInfo& info : backends()) {
    const std::string name = info.name;
    catalog.add(CatalogBackend{name, info.meaning, info.ldlt, info.ldu, info.indefinite_H,
                               [name] { return make_backend(name); }});
  }
  for (StudyEntry& study : builtin_studies()) catalog.add(std::move(study));
  add_constraints(catalog);
  add_forces(catalog);
  return catalog;
}

}  // namespace catena
