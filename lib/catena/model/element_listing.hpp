// The members of a constraint or force, listed once beside the struct:
//
//   void visit(ElementVisitor& visitor, SphericalJoint& joint);
//
// with name, unit, range and meaning of each. `catena list`, the readers of model files and the checks of the
// numbers derive from it. Users' own types may have one; without it they take part in a model all the same.
#pragma once
#include <catena/math/option.hpp>
#include <catena/math/small.hpp>
#include <catena/model/parts/function.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/parts/joint_term.hpp>

#include <string>
#include <vector>

namespace catena {

// A visitor of functions too, for those that an element has.
class ElementVisitor : public FunctionVisitor {
 public:
  // A list of numbers in SI units. A visitor that does not override this passes it over.
  void numbers(const OptionInfo& info, std::vector<double>& value) override { (void)info, (void)value; }
  // The bodies that it acts on, in its own order.
  virtual void bodies(const OptionInfo& info, BodyId* bodies, int count) = 0;
  // Three finite numbers.
  virtual void vector(const OptionInfo& info, Vec3& value) = 0;
  // A vector of any length but zero.
  virtual void direction(const OptionInfo& info, Vec3& value) = 0;
  // A direction too, or zero where there is none. A visitor that does not override this sees a vector.
  virtual void side(const OptionInfo& info, Vec3& value) { vector(info, value); }
  // A square matrix of `size` rows, row by row, in SI units. A visitor that does not override this passes it over.
  virtual void square(const OptionInfo& info, double* value, int size) {
    (void)info, (void)value, (void)size;
  }
  // A list of words, each one of `known`. A visitor that does not override this passes it over.
  virtual void words(const OptionInfo& info, std::vector<std::string>& value,
                     const std::vector<std::string>& known) {
    (void)info, (void)value, (void)known;
  }
  // Coordinates of other joints. A visitor that does not override this passes them over.
  virtual void joint_terms(const OptionInfo& info, std::vector<JointTerm>& value) { (void)info, (void)value; }
  // Another joint of the model. A visitor that does not override this passes it over.
  virtual void joint(const OptionInfo& info, ConstraintId& value) { (void)info, (void)value; }
  // A function with arguments in units.argument; its values are in units.value. A visitor that does not override this
  // passes it over.
  virtual void function(const OptionInfo& info, Function& value, const FunctionUnits& units) {
    (void)info, (void)value, (void)units;
  }
};

template <class E>
concept Listed = requires(ElementVisitor& visitor, E& element) {
  visit(visitor, element);
};

// Collects the first complaint about a listed member: 'length must be positive, is -1'. Numbers without a finite square
// are refused: energies and lengths are made of squares.
class MemberCheck final : public ElementVisitor {
 public:
  std::string defect = {};
  std::string member = {};  // which it is about

  void real(const OptionInfo& info, double& value) override;
  void integer(const OptionInfo& info, int& value) override;
  void vector(const OptionInfo& info, Vec3& value) override;
  void direction(const OptionInfo& info, Vec3& value) override;
  void bodies(const OptionInfo&, BodyId*, int) override {}
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}
  void function(const OptionInfo& info, Function& value, const FunctionUnits& units) override;

 private:
  // The number and its square; has: "is " or "has ".
  void finite(const OptionInfo& info, double value, const char* has);
  void in_range(const OptionInfo& info, double value);
  void complain(const OptionInfo& info, const std::string& why);
};

struct ElementDefect {
  std::string text;
  std::string member = {};  // which member it is about; empty: not known

  bool empty() const { return text.empty(); }
};

// What is wrong with the parameters of an element, by its listing and by its own defect().
template <class E>
ElementDefect element_defect(E& element) {
  ElementDefect defect;
  if constexpr (Listed<E>) {
    MemberCheck check;
    visit(check, element);
    defect = {std::move(check.defect), std::move(check.member)};
  }
  if constexpr (requires { element.defect(); }) {
    if (defect.empty()) defect.text = element.defect();
  }
  return defect;
}

}  // namespace catena
