// Controllers: code that reads the state of a run at instants and sets discrete values that forces read between
// them. The values are part of State::discrete, so that a copied State resumes controllers as well.
#pragma once
#include <catena/system/system.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena {

// A controller whose output must follow the state at every moment is no controller but a force that reads q and v.
class Controller {
 public:
  virtual ~Controller() = default;

  virtual std::string name() const { return "controller"; }
  // [s] It samples at first_sample() + k period(), k = 0, 1, ..., and steps end there; with fixed steps a sample that is within
  // 1e-3 of a step, and a quarter of a period, of an instant of the grid moves there. 0: at the start and after every
  // accepted step, wherever these end.
  virtual double period() const { return 0.0; }
  virtual double first_sample() const { return 0.0; }  // [s] those before the start of a run are passed over

  // Doubles of its own that it remembers from sample to sample, and what they are at first.
  virtual int memory_size() const { return 0; }
  virtual void begin(const System& system, double* memory) { (void)system, (void)memory; }

  // state: consistent, of the instant. values: those of the system (SystemLayout::discrete_size), to be changed;
  // where one is: MultibodySystem::discrete_offset. Must not depend on anything but its arguments, or a
  // resumed run differs. Derivatives of the motion may jump here; q and v do not.
  virtual void sample(const State& state, double* values, double* memory) = 0;
};

// When the controllers of a run sample, those of its caller and then the elements of its model that sample
// (model/parts/joint_pid.hpp), and where their values are in State::discrete: behind those of the system, for each
// controller in turn the number of its samples and its memory.
class ControllerSchedule {
 public:
  ControllerSchedule(const System& system, const std::vector<Controller*>& controllers);

  // Appends the values of the controllers where state has none, counting samples from state.t on. Returns why
  // the state does not fit otherwise.
  std::string prepare(State& state) const;
  // The first instant of any sample that is still to come; infinity: none.
  double next_instant(const State& state) const;
  // Lets those sample whose instant is at most state.t + roundoff. True: values of the system changed.
  bool sample(State& state, double roundoff, long& samples) const;
  bool empty() const { return controllers_.empty(); }
  double shortest_period() const;  // [s] infinity: none has one
  // Of State::discrete, with the values of the system.
  std::size_t discrete_size() const { return offset_.back(); }

 private:
  std::string label_of(std::size_t c) const;
  double instant(const Controller& controller, double samples) const {
    return controller.first_sample() + samples * controller.period();
  }

  const System& system_;
  std::vector<std::unique_ptr<Controller>> of_model_;
  std::vector<Controller*> controllers_;
  std::vector<std::size_t> offset_;  // in State::discrete; [count] the end
};

}  // namespace catena
