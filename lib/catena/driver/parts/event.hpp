// Events: roots of functions of the state, found during a run.
#pragma once
#include <catena/stepper/stepper.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace catena {

struct Event {
  enum class Direction : std::uint8_t { any, rising, falling };
  std::string name;
  // Its roots are the events. Sees t, q, v and discrete of states inside the steps, whose a and lambda are those
  // of the end of the step. Signs are compared at five equidistant instants of a step;
  // two roots between two of them are found where the five have one sign and the function has the other one at the
  // vertex of the parabola through the three nearest to 0.
  std::function<double(const State&)> value;
  Direction direction = Direction::any;
  bool terminal = false;  // ends the run there, with Status::event
};

// An event that occurred.
struct EventRecord {
  int number = 0;  // in Listeners::events
  std::string name;
  double t = 0.0;  // [s] of the first instant behind the root, to roundoff
  bool rising = true;
};

// Finds the roots inside the steps of a run.
class EventFinder {
 public:
  struct Root {
    int number = 0;
    double theta = 0.0;  // of the step, in (0, 1]
    bool rising = true;
  };

  explicit EventFinder(const std::vector<Event>& events) : events_(events) {}

  // The values that roots are counted from; again after discrete values have changed.
  void begin(const State& state);
  // The same from values that values() gave.
  void begin(std::vector<double> values) { value_ = std::move(values); }
  const std::vector<double>& values() const { return value_; }  // at the last accepted state
  // Roots between the state before and state, which the stepper has just reached in a step of h, in the order of
  // time. between: a state of the sizes of state, overwritten.
  const std::vector<Root>& find(const Stepper& stepper, const State& state, double h, State& between);
  bool empty() const { return events_.empty(); }

 private:
  const std::vector<Event>& events_;
  std::vector<double> value_;
  std::vector<Root> roots_;
};

}  // namespace catena
