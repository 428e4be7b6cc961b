// A visitor of elements that passes over the members that a class derived from it does not look at.
#pragma once
#include <catena/math/detail/passing_over.hpp>
#include <catena/model/element_listing.hpp>

namespace catena::detail {

class PassingVisitor : public PassingOver<ElementVisitor> {
 public:
  void bodies(const OptionInfo&, BodyId*, int) override {}
  void vector(const OptionInfo&, Vec3&) override {}
  void direction(const OptionInfo&, Vec3&) override {}
};

}  // namespace catena::detail
