// Forces and torques on a body over time.
#pragma once
#include <catena/model/body.hpp>
#include <catena/model/detail/point_force_wrench.hpp>
#include <catena/model/detail/torque_wrench.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/frame.hpp>

#include <array>
#include <string>

namespace catena {

// `force` times factor(t) at a point of a body. It counts by its work.
struct VaryingForce {
  static constexpr const char* type_name = "varying_force";
  static constexpr const char* summary = "force on a point of a body over time";

  std::array<BodyId, 1> bodies;
  Vec3 point = Vec3::Zero();  // body frame [m]
  Vec3 force = Vec3::Zero();  // where factor is 1, along `axes` [N]
  Axes axes = Axes::world;
  Function factor = 1.0;  // of the time [s]
  std::string name = {};

  bool does_work() const { return true; }
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  Vec<double, 6> wrench(const BodyFrame<double>& body, double t) const;
  void derivatives(const BodyFrame<double>* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const;
};

// `torque` times factor(t) on a body.
struct VaryingTorque {
  static constexpr const char* type_name = "varying_torque";
  static constexpr const char* summary = "torque on a body over time";

  std::array<BodyId, 1> bodies;
  Vec3 torque = Vec3::Zero();  // where factor is 1, along `axes` [N m]
  Axes axes = Axes::world;
  Function factor = 1.0;  // of the time [s]
  std::string name = {};

  bool does_work() const { return true; }
  std::string defect_at(const BodyFrame<double>* f, double t) const;
  Vec<double, 6> wrench(const BodyFrame<double>& body, double t) const;
  void derivatives(const BodyFrame<double>* f, double t, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const;
};

void visit(ElementVisitor& visitor, VaryingForce& force);
void visit(ElementVisitor& visitor, VaryingTorque& force);

// Compiled once, in compiled_elements.cpp.
extern template ForceId Model::add(VaryingForce);
extern template ForceId Model::add(VaryingTorque);

}  // namespace catena
