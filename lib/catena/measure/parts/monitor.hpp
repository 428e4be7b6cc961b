// Tracks the balance of energy and the residuals over every accepted step of a run.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/detail/work_meter.hpp>
#include <catena/measure/parts/residuals.hpp>
#include <catena/measure/parts/work.hpp>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace catena {

// A largest value and where it was found.
struct Peak {
  double value = 0.0;
  double t = 0.0;       // [s]
  int constraint = -1;  // dual block, where there is one
};

// What a run did to its invariants. Maxima over the start and all accepted steps; nan stays nan.
struct MonitorResult {
  Energy energy_initial, energy_final;  // [J]
  Work work;                            // from the start to the end [J]
  WorkKnown work_known = WorkKnown::yes;
  Peak energy_error;         // largest |E - E(0) - work| [J]; nan where the work is not known
  double kinetic_max = 0.0;  // [J]
  Peak position, velocity, acceleration;
  long states = 0;  // looked at

  // E - E(0) - work at the end [J]; nan where the work is not known.
  double energy_balance() const;
  // An energy that vanishes at the start (to roundoff of the energies exchanged) leaves no relative error.
  bool energy_error_is_absolute() const;
  // energy_error relative to |E(0)|, or absolute [J].
  double energy_error_max() const;
};

// The peaks as quantities: each is one of the catalog, and a column of tables of runs.
struct NamedPeak {
  const char *name, *unit, *meaning;
  Peak MonitorResult::*peak;
};
const std::array<NamedPeak, 4>& named_peaks();

class Monitor : public Observer {
 public:
  void begin(const System& system) override;
  // Continues with what remember() has set.
  void resume(const System& system, const State& state) override;
  // Where something may do work, which is integrated over the steps.
  bool wants_steps() const override { return work_ != nullptr; }
  void step(const AcceptedStep& step) override;
  // False: the energy is not finite, or a constraint has a gap or a rate that is none.
  bool observe(const State& state) override;
  Outcome failure() const override;

  // All that it has seen so far, for a checkpoint, and back. False: these are not the numbers of a monitor.
  std::vector<double> memory() const;
  bool remember(const std::vector<double>& memory);

  const MonitorResult& result() const { return result_; }
  // Whether this is the state seen last, recognised by its time.
  bool looked_at(const State& state) const { return result_.states > 0 && state.t == t_; }
  // Of the state seen last.
  const Energy& energy() const { return energy_; }
  const Residuals& residuals() const { return residuals_; }
  // From the start of the run to t, an instant of the last step [s].
  Work work(double t) const { return work_ ? work_->at(t) : Work{}; }
  // Null: nothing does work.
  const detail::WorkMeter* work_meter() const { return work_.get(); }

 private:
  void attach(const System& system);
  void look(const State& state);
  void balance(double t);

  const System* system_ = nullptr;
  std::optional<ResidualMeter> meter_;
  std::unique_ptr<detail::WorkMeter> work_;
  std::array<double, detail::WorkMeter::numbers> of_work_{};  // as of the checkpoint
  Peak error_;  // energy_error, whether the work is known or not
  MonitorResult result_;
  double t_ = 0.0;  // [s] of the state seen last
  Energy energy_;
  Residuals residuals_;
  int fastest_ = -1;  // where the energy is not finite: the primal block of the largest velocity
};

}  // namespace catena
