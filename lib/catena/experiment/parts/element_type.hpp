// Joints and forces that a model file can name. Everything comes from the listing of the C++ type
// (model/element_listing.hpp): a user's own joint with a listing works in files like a built-in.
#pragma once
#include <catena/model/constraint.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/model/force.hpp>
#include <catena/model/model.hpp>

#include <functional>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace catena {

// One joint or force of any type, outside of a model.
class AnyElement {
 public:
  virtual ~AnyElement() = default;
  virtual std::unique_ptr<AnyElement> clone() const = 0;
  virtual void list(ElementVisitor& visitor) = 0;  // its members; the visitor may change them
  virtual void add_to(Model& model) const = 0;     // throws ModelError as Model::add
};

template <class E>
class TypedElement final : public AnyElement {
 public:
  std::unique_ptr<AnyElement> clone() const override { return std::make_unique<TypedElement>(*this); }
  void list(ElementVisitor& visitor) override { visit(visitor, element_); }
  void add_to(Model& model) const override { model.add(element_); }

 private:
  E element_{};
};

struct ElementType {
  std::string name;         // behind `type:`
  bool constraint = false;  // else a force
  int bodies = 0;
  std::type_index pool = typeid(void);  // dynamic type of its pool in a model
  // With default members; empty: the type has no listing, so that files cannot hold it.
  std::function<std::unique_ptr<AnyElement>()> make = {};
  // A joint between two markers, which one frame in the world can give, and whether this gives its side as the axis of the
  // second body (model/marker.hpp).
  bool markers = false, crosses = false;
};

template <class E>
inline constexpr bool has_markers = requires(const E& e) {
  e.markers();
};

template <class E>
ElementType element_type(std::string name) {
  ElementType type{std::move(name), Constraint<E>, detail::of_element::body_count<E>,
                   typeid(detail::PoolOf<E>)};
  if constexpr (Listed<E>) type.make = [] { return std::make_unique<TypedElement<E>>(); };
  type.markers = has_markers<E>;
  if constexpr (requires { E::crosses; }) type.crosses = E::crosses;
  return type;
}

using ElementTypes = std::vector<ElementType>;

}  // namespace catena
