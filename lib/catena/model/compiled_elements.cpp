// Model::add for the joints and forces of the library, with the pools that hold and evaluate them: compiled here, so that
// sources which add them need not.
#include <catena/model/forces.hpp>
#include <catena/model/joints.hpp>
#include <catena/model/parts/rows_joint.hpp>

namespace catena {

template ConstraintId Model::add(SphericalJoint);
template ConstraintId Model::add(RevoluteJoint);
template ConstraintId Model::add(UniversalJoint);
template ConstraintId Model::add(CylindricalJoint);
template ConstraintId Model::add(PrismaticJoint);
template ConstraintId Model::add(PlanarJoint);
template ConstraintId Model::add(WeldJoint);
template ConstraintId Model::add(PointOnLineJoint);
template ConstraintId Model::add(PointInPlaneJoint);
template ConstraintId Model::add(ConstantOrientationJoint);
template ConstraintId Model::add(DistanceConstraint);
template ConstraintId Model::add(KnifeEdge);
template ConstraintId Model::add(DiscContact);
template ConstraintId Model::add(RollingDisc);
template ConstraintId Model::add(Screw);
template ConstraintId Model::add(Gear);
template ConstraintId Model::add(RackAndPinion);
template ConstraintId Model::add(Differential);
template ConstraintId Model::add(RowsJoint);
template ConstraintId Model::add(JointCoupling);
template ConstraintId Model::add(JointDrive);
template ForceId Model::add(PointForce);
template ForceId Model::add(Torque);
template ForceId Model::add(SpringDamper);
template ForceId Model::add(TorsionSpring);
template ForceId Model::add(JointForce);
template ForceId Model::add(JointFriction);
template ForceId Model::add(JointPid);
template ForceId Model::add(Strut);
template ForceId Model::add(Bushing);
template ForceId Model::add(VaryingForce);
template ForceId Model::add(VaryingTorque);

}  // namespace catena
