// What can be measured of a run, as data: a quantity has a name, a unit, a frame, a shape and a function of one
// instant. Every output derives from the list of quantities (quantity_catalog.hpp): columns of CSV, datasets of HDF5,
// arrays of VTK, keys of JSON, lines of the report. A quantity of one's own is one aggregate:
//
//   catalog.add(Quantity{.name = "tip/height", .unit = "m", .frame = "world", .meaning = "of the last body",
//                        .evaluate = [](const Instant& at, double* out) {
//                          *out = at.body(at.body_count() - 1).position[2];
//                        }});
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace catena {

class Instant;
class System;

// What a quantity has one value of. The number of items and their names depend on the system.
enum class Items : std::uint8_t {
  one,         // the whole system
  body,        // moving bodies of a model; bodies of a system in its own coordinates
  row,         // constraint rows, in the order of State::lambda
  side,        // constraints acting on moving bodies (measure/detail/reaction_meter.hpp)
  point,       // points that the problem follows
  coordinate,  // numbers of State::q; of bodies seven each, without the low parts of positions
  velocity,    // numbers of State::v and State::a
  discrete,    // discrete values of the elements in State::discrete
  joint,       // joints with markers (measure/parts/joint_coordinates.hpp)
  force,       // forces of a model, in its order
  constraint   // joints and other constraints: blocks of rows, in the order of State::lambda
};
const char* axis_name(Items items);  // "body"; "" for the whole system

// What a system or a run must have for a quantity to be there.
enum class Needs : std::uint8_t {
  nothing,
  stepper,      // its counters are known (MeasureSources::steps)
  monitor,      // the peaks of a run are known (MeasureSources::monitor)
  bodies,       // poses of bodies
  model,        // a model of bodies and joints
  constraints,  // multipliers
  sides,        // a model with constraints
  discrete,     // discrete values of elements
  points,       // points to follow in a model
  markers,      // a model with joints between markers
  forces        // a model with forces
};
const char* describe(Needs needs);  // "models", as in the tables of the documentation

// Numbers that State::q or State::v of a system of bodies holds already: `stride` apart, the first at `start`.
struct StateView {
  Items of = Items::one;  // coordinate or velocity; one: the numbers are nowhere
  int start = 0, stride = 0;
};

struct Quantity {
  // Letters, digits, '_', '-', '.', and '/' between a group and its members: "energy/kinetic". In results.h5 the
  // dataset /energy/kinetic.
  std::string name;
  std::string unit = "1";
  std::string frame = {};    // "world", "body"; empty: there is none
  std::string meaning = {};  // one line
  Items items = Items::one;
  std::vector<std::string> components = {};  // names of the numbers of one item; empty: one number
  std::vector<std::string> titles =
      {};                // of the columns of tables, one a component; empty: from name and components
  bool whole = false;    // whole numbers
  bool standard = true;  // recorded where nothing is chosen
  // evaluate() gives a rate per second; what is recorded is its integral over time since the start of the run, by a
  // quadrature on the interpolant of every step (step_integrals.hpp). `unit` is that of the integral.
  bool integrated = false;
  // Angles in (-pi, pi], which a run counts over full turns from step to step, from their value at its start on. They have
  // complete(), and their rate [rad/s] in evaluate(), by which a step may take them over more than half a turn; without it no
  // step may.
  bool counted = false;
  // evaluate() of an integrated quantity reads multipliers: inside steps of a method whose multipliers are of an order above
  // 2 they are computed, where else they lie on a line between those of accepted states.
  bool multipliers = false;
  Needs needs = Needs::nothing;

  // Writes items x components numbers, item by item. Called by the thread of the run at output instants. Must not
  // allocate where the run must not, and must not change anything that the run depends on.
  std::function<void(const Instant&, double* out)> evaluate = {};

  // For quantities that follow from t, q, v, lambda and discrete values alone (Instant::is_late() says what is there): called
  // after evaluate() with what that has left in out, maybe by another thread that writes results beside the run.
  std::function<void(const Instant&, double* out)> complete = {};
  // complete() is called by the thread of the run as well, at the output instant: an interpreter runs it, or it reads what
  // the run changes.
  bool on_run_thread = false;

  // Empty, or where the same numbers are in the state, so that results need to keep them once only.
  std::function<StateView(const System&)> view = {};

  int component_count() const { return components.empty() ? 1 : static_cast<int>(components.size()); }
  // Of the column of component k in a table: "linear momentum x [kg m/s]".
  std::string column_title(int k) const;
  // Names of its dimensions, without that of time: "", "3", "body", "body, 3".
  std::string shape() const;
};

// A sentence that says what is wrong with it; empty: nothing.
std::string defect(const Quantity& quantity);

}  // namespace catena
