// Elements of one C++ type, stored by value: what pools of every kind have in common.
#pragma once
#include <catena/math/detail/named_error.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/element_traits.hpp>
#include <catena/model/element_listing.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace catena::detail {

template <class E>
class ListedPool : public ElementPool {
 public:
  int size() const override { return static_cast<int>(elements_.size()); }
  BodyId body(int element, int i) const override { return at(element).bodies[static_cast<std::size_t>(i)]; }
  std::string name(int element) const override {
    if constexpr (of_element::HasName<E>)
      return at(element).name;
    else
      return std::string(type_name()) + " " + std::to_string(numbers_[static_cast<std::size_t>(element)]);
  }
  bool list_members(int element, ElementVisitor& visitor) const override {
    if constexpr (Listed<E>) {
      E copy = at(element);
      visit(visitor, copy);
      return true;
    } else {
      return (void)element, (void)visitor, false;
    }
  }
  bool markers(int element, rows::Markers& out) const override {
    if constexpr (requires(const E& e) { out = e.markers_of_coordinates(); })
      return out = at(element).markers_of_coordinates(), true;
    else if constexpr (requires(const E& e) { out = e.markers(); })
      return out = at(element).markers(), true;
    else
      return (void)element, (void)out, false;
  }
  std::string defect_at(int element, const BodyFrame<double>* f, double t) const override {
    return of_element::defect_at(at(element), f, t);
  }

  std::string trouble_near(int element, const BodyFrame<double>* f, double from, double to) const override {
    if constexpr (requires(const E& e) { std::string(e.trouble_near(f, from, to)); })
      return at(element).trouble_near(f, from, to);
    else
      return (void)element, (void)f, (void)from, (void)to, "";
  }

  // A member of that name that is not static and text is another thing.
  static constexpr bool states_jumps = requires(const E& e, const BodyFrame<double>* f) {
    typename std::bool_constant<(static_cast<const char*>(E::jump) != nullptr)>;
    static_cast<bool>(e.jumped(f, f));
  };
  const char* jump() const override {
    if constexpr (states_jumps)
      return E::jump;
    else
      return nullptr;
  }
  bool may_jump(int element) const override {
    if constexpr (requires(const E& e) { e.may_jump(); })
      return at(element).may_jump();
    else
      return (void)element, jump() != nullptr;
  }
  bool jumped(int element, const BodyFrame<double>* before, const BodyFrame<double>* after) const override {
    if constexpr (states_jumps) {
      try {
        return at(element).jumped(before, after);
      } catch (...) {
        rethrow(of_element::HasRows<E> ? "joint" : "force", element);
      }
    } else {
      return (void)element, (void)before, (void)after, false;
    }
  }

  const E& at(int element) const { return elements_[static_cast<std::size_t>(element)]; }
  // number: that in the automatic name of the element, -1: it has a name of its own.
  void push_back(E element, int number = -1) {
    elements_.push_back(std::move(element));
    if constexpr (!of_element::HasName<E>) numbers_.push_back(number);
    if (number >= 0) next_number_ = number + 1;
  }
  int next_number() const { return next_number_; }  // behind those of all automatic names so far

 protected:
  // In a handler: 'force "wind" (drag)' has thrown what is being handled.
  [[noreturn]] void rethrow(const char* kind, int element) const {
    rethrow_named(std::string(kind) + " \"" + name(element) + "\" (" + type_name() + ")");
  }

 private:
  std::vector<E> elements_;
  std::vector<int> numbers_;  // of types without names
  int next_number_ = 0;
};

}  // namespace catena::detail
