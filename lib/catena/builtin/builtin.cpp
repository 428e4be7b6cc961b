// The one file that knows everything the library offers.
#include <catena/builtin/builtin.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/model/detail/rows_pool.hpp>
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/rows_joint.hpp>
#include <catena/problems/problems.hpp>
#include <catena/solvers/steppers.hpp>
#include <catena/sparse/backends/backends.hpp>
#include <catena/studies/detail/builtin_studies.hpp>

#include <string>
#include <utility>

namespace catena {
using namespace detail;
namespace {

template <class E>
void add_element(Catalog& catalog) {
  catalog.add<E>(E::type_name);
}

// Of joints whose rows are known at run time only: the largest numbers of bodies and rows.
template <class E>
void add_at_run_time(Catalog& catalog, int bodies, int rows) {
  CatalogElement listed{.name = E::type_name, .summary = E::summary, .bodies = bodies, .rows = rows};
  listed.members = member_rows([](ElementVisitor& v) {
    E defaults{};
    visit(v, defaults);
  });
  listed.file_type = {
      E::type_name,  true, bodies, typeid(RowsPool<E>), [] { return std::make_unique<TypedElement<E>>(); },
      has_markers<E>};
  catalog.add(std::move(listed));
}

void add_constraints(Catalog& catalog) {
  add_element<SphericalJoint>(catalog);
  add_element<RevoluteJoint>(catalog);
  add_element<UniversalJoint>(catalog);
  add_element<CylindricalJoint>(catalog);
  add_element<PrismaticJoint>(catalog);
  add_element<PlanarJoint>(catalog);
  add_element<WeldJoint>(catalog);
  add_element<PointOnLineJoint>(catalog);
  add_element<PointInPlaneJoint>(catalog);
  add_element<ConstantOrientationJoint>(catalog);
  add_element<DistanceConstraint>(catalog);
  add_element<KnifeEdge>(catalog);
  add_element<DiscContact>(catalog);
  add_element<RollingDisc>(catalog);
  add_element<Screw>(catalog);
  add_element<Gear>(catalog);
  add_element<RackAndPinion>(catalog);
  add_element<Differential>(catalog);
  add_at_run_time<RowsJoint>(catalog, 2, 6);
  add_at_run_time<JointCoupling>(catalog, 4, 1);
  add_at_run_time<JointDrive>(catalog, 2, 1);
}

void add_forces(Catalog& catalog) {
  add_element<PointForce>(catalog);
  add_element<Torque>(catalog);
  add_element<SpringDamper>(catalog);
  add_element<TorsionSpring>(catalog);
  add_element<JointForce>(catalog);
  add_element<JointFriction>(catalog);
  add_element<JointPid>(catalog);
  add_element<Strut>(catalog);
  add_element<Bushing>(catalog);
  add_element<VaryingForce>(catalog);
  add_element<VaryingTorque>(catalog);
}

}  // namespace

Catalog builtin() {
  Catalog catalog;
  for (ProblemEntry& problem : builtin_problems()) catalog.add(std::move(problem));
  for (StepperEntry& stepper : builtin_steppers()) catalog.add(std::move(stepper));
  for (LeftOutStepper& stepper : left_out_steppers()) catalog.leave_out(std::move(stepper));
  for (const BackendInfo& info : backends()) {
    const std::string name = info.name;
    catalog.add(CatalogBackend{name, info.meaning, info.ldlt, info.ldu, info.indefinite_H,
                               [name] { return make_backend(name); }, info.reuses_pivots});
  }
  for (StudyEntry& study : builtin_studies()) catalog.add(std::move(study));
  add_constraints(catalog);
  add_forces(catalog);
  const QuantityCatalog quantities = builtin_quantities();
  for (const Quantity& quantity : quantities.all()) catalog.add(quantity);
  return catalog;
}

}  // namespace catena
