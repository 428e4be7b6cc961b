// A coupling of coordinates that joints have, over any number of turns:
//
//   const ConstraintId left = model.add(...), right = model.add(...);   // hinges
//   model.add(JointCoupling{.terms = {{left, JointCoordinate::angle, 1.0}, {right, JointCoordinate::angle, -2.5}}});
//
// holds left - 2.5 right at the value that it has where the bodies are. It is evaluated as the couplings with names
// (couplings.hpp): a gear of the same axes has the same bits. All that have terms of the same kinds between bodies in
// the same order share lanes.
#pragma once
#include <catena/model/element_listing.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/frame.hpp>
#include <catena/model/parts/joint_term.hpp>
#include <catena/model/rows/markers.hpp>
#include <catena/model/rows/plan.hpp>

#include <string>
#include <vector>

namespace catena {

// The sum of coefficient times coordinate of all terms is `held`. The joints have markers (joints.hpp, RowsJoint) and
// connect two to four bodies together, the ground among them. lambda times a coefficient is minus the moment about the
// joint's axis on its second body [N m], or minus the force along it [N]; the first body feels the opposite.
struct JointCoupling {
  static constexpr const char* type_name = "coupling";
  static constexpr const char* summary =
      "a weighted sum of angles and displacements of two to four joints holds";

  std::vector<JointTerm> terms = {};  // two to four, of joints that the model has already
  bool as_placed = true;              // `held` is measured where the bodies are when the coupling is added
  double held = 0.0;                  // [rad], or [m] where a displacement is among the terms
  std::string name = {};

  // Set by Model::add.
  std::vector<BodyId> bodies = {};  // of the joints, each once, in the order of the terms
  struct Between {
    int a, b;  // numbers in the list of bodies
    rows::Markers markers;
  };
  std::vector<Between> between = {};  // what each term measures

  // What Model::add and its pool ask (detail/rows_pool.hpp).
  ElementDefect join(const Model& model);
  void placed(const BodyFrame<double>* f);
  rows::Shape shape() const;
  void save(double* out) const;
  void follow(const BodyFrame<double>* f, double* values) const;
};

void visit(ElementVisitor& visitor, JointCoupling& joint);

// Compiled once, in compiled_elements.cpp.
extern template ConstraintId Model::add(JointCoupling);

}  // namespace catena
