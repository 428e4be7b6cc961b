// All elements of one C++ type in a model: constraints or forces, stored by value. Assembly walks them in
// groups and calls evaluate once a group; names, bodies and parameters are asked for at set-up.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/detail/along_coordinates.hpp>
#include <catena/model/detail/kernel_args.hpp>
#include <catena/model/detail/reaction_of.hpp>
#include <catena/model/parts/frame.hpp>
#include <catena/model/parts/ids.hpp>
#include <catena/model/rows/markers.hpp>
#include <catena/model/rows/plan.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace catena {
class ElementVisitor;
}  // namespace catena
namespace catena::detail {

// What a force supplies, in two parts whose sum is its power beside its potential [W].
struct PowerParts {
  double of_wrenches = 0.0, of_potential = 0.0;
  double error = 0.0;  // of of_potential, where it is a central difference
};

// The error of the difference of two energies [J] at +h and -h [s]: their roundoff, and h^2 of the rate, h being the cubic root
// of machine precision in units of the motion.
inline double error_of_difference(double after, double before, double h) {
  constexpr double roundoff = 16.0 * std::numeric_limits<double>::epsilon(), of_square = 1e-9;
  return (roundoff * (std::abs(after) + std::abs(before)) + of_square * std::abs(after - before)) / (2.0 * h);
}

class ElementPool {
 public:
  virtual ~ElementPool() = default;
  virtual std::unique_ptr<ElementPool> clone() const = 0;

  virtual const char* type_name() const = 0;  // "spherical", "spring_damper", or the user's name for it
  virtual int size() const = 0;
  virtual int bodies() const = 0;  // 1 ... 4
  virtual BodyId body(int element, int i) const = 0;
  virtual std::string name(int element) const = 0;
  virtual bool couples() const = 0;  // needs the slots H_ij between its bodies

  // Shows the visitor a copy of the element's members; false: its type has no listing (element_listing.hpp).
  virtual bool list_members(int element, ElementVisitor& visitor) const {
    (void)element, (void)visitor;
    return false;
  }

  // How its elements are evaluated, and what their rows mean; the same for all of them.
  virtual const Plan& plan() const = 0;
  // Parameters of one element, Plan::parameters of them.
  virtual void parameters(int element, double* out) const { (void)element, (void)out; }

  // The markers that its rows connect; false: it has none.
  virtual bool markers(int element, rows::Markers& out) const { return (void)element, (void)out, false; }

  // Why this one has no value where its bodies are, or "" (force.hpp).
  virtual std::string defect_at(int element, const BodyFrame<double>* f, double t) const = 0;

  // What of this one makes steps fail near the time and the place, or "" (force.hpp).
  virtual std::string trouble_near(int element, const BodyFrame<double>* f, double from, double to) const {
    return (void)element, (void)f, (void)from, (void)to, "";
  }

  // What happens where elements of this type jump (force.hpp), null: they do not; and whether one has jumped between two
  // positions of its bodies.
  virtual const char* jump() const { return nullptr; }
  virtual bool may_jump(int element) const { return (void)element, jump() != nullptr; }
  virtual bool jumped(int element, const BodyFrame<double>* before, const BodyFrame<double>* after) const {
    return (void)element, (void)before, (void)after, false;
  }

  // Discrete values of one element in State::discrete, and what they are at first.
  virtual int discrete_size() const { return 0; }
  virtual void initial_discrete(int element, double* out) const { (void)element, (void)out; }

  // Of values that follow the motion by themselves, as full turns of an angle: brings them up to the motion of its bodies
  // at t, after every accepted step. What the rows are does not change by that.
  virtual bool follows_motion() const { return false; }
  virtual void follow_motion(int element, const BodyFrame<double>* f, double t, double* values) const {
    (void)element, (void)f, (void)t, (void)values;
  }
  // Whether one of them is an integral over the time.
  virtual bool integrates(int element) const { return (void)element, false; }

  // Of elements that sample the motion at the instants 0, T, 2 T, ...: T [s], 0 for one that does not, and what sets their
  // discrete values there.
  virtual bool samples() const { return false; }
  virtual double sampling_period(int element) const { return (void)element, 0.0; }
  virtual void sample(int element, const BodyFrame<double>* f, double t, double* values) const {
    (void)element, (void)f, (void)t, (void)values;
  }

  // Of a stage with targets: u, u', u'' at the time t of each element of the group, as KernelArgs::targets.
  virtual void targets(const ElementGroup& group, double t, double* out) const {
    (void)group, (void)t, (void)out;
  }

  // Scalar evaluation of lanes [0, group.count); elements group.first, group.first + 1, ....
  virtual void evaluate(const KernelArgs& args, const ElementGroup& group) const = 0;

  // Constraints: rows and level. Forces: rows() == 0.
  virtual int rows() const { return 0; }
  virtual Level level() const { return Level::position; }
  // Forces: the potential energy [J] of the elements of a group; 0 where there is none.
  virtual double potential(const KernelArgs& args, const ElementGroup& group) const {
    (void)args, (void)group;
    return 0.0;
  }
  // Forces: the multipliers that one of them reads.
  virtual ReactionOf reaction_of(int element) const { return (void)element, ReactionOf{}; }
  // Forces: what one of them supplies beside its potential [W]. f: frames of its bodies; discrete: its own values;
  // reaction: the multipliers that it reads, null: it is taken without them.
  virtual double net_power(int element, const BodyFrame<double>* f, double t, const double* discrete,
                           const double* reaction) const {
    const PowerParts parts = power(element, f, t, discrete, reaction);
    return parts.of_wrenches + parts.of_potential;
  }
  // The same in its two parts: the power of its wrenches, and the rate of its potential along the motion.
  virtual PowerParts power(int element, const BodyFrame<double>* f, double t, const double* discrete,
                           const double* reaction) const {
    (void)element, (void)f, (void)t, (void)discrete, (void)reaction;
    return {};
  }
  // Forces along coordinates of their own (along_coordinates.hpp); false: their type does not have them.
  virtual bool has_coordinates() const { return false; }
  virtual void along_coordinates(int element, const BodyFrame<double>* f, double t, const double* discrete,
                                 AlongCoordinates& out) const {
    (void)element, (void)f, (void)t, (void)discrete, (void)out;
  }
  // Whether one of them may supply something at any time; none: its type does not say.
  virtual std::optional<bool> does_work(int element) const { return (void)element, std::nullopt; }
};

}  // namespace catena::detail
