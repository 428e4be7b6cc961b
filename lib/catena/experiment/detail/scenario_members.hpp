// The members of a scenario, listed once. JSON and key, model files, the command line and the columns of tables all come
// from this listing: a new member is one line in Scenario and one here.
#pragma once
#include <catena/experiment/scenario.hpp>

#include <string>

namespace catena::detail {

struct ScenarioMember {
  const char* name;               // key in JSON and in model files; the option of the command line is --name
  const char* unit = "";          // of a number; empty: none
  const char* argument = "";      // the value of that option, in its help; empty: there is no such option
  const char* meaning = nullptr;  // of a member with an option
};

// item(ScenarioMember, pointer to member) for each member but the model, which is no text.
template <class Item>
void each_member(const Item& item) {
  using M = ScenarioMember;
  item(M{"problem"}, &Scenario::problem);
  item(M{"parameters"}, &Scenario::parameters);
  item(M{"seed", "", "N", "of a random problem: 0 (default) to 2^64 - 1; others ignore it"}, &Scenario::seed);
  item(M{"stepper", "", "NAME",
         "method (catena list steppers); default: the problem's own, of a model generalized_alpha"},
       &Scenario::stepper);
  item(M{"step", "s", "H", "size of a step [s]"}, &Scenario::step);
  item(M{"end", "s", "T", "end of the run [s]"}, &Scenario::end);
  item(M{"tolerance", "", "TOL", "all tolerances of a stepper that controls its error"},
       &Scenario::tolerance);
  item(M{"options"}, &Scenario::options);
  item(M{"backend", "", "NAME", "linear solver (catena list backends)"}, &Scenario::backend);
  item(M{"every", "", "K", "write every K-th step; default: about 1000 instants in all"}, &Scenario::every);
  item(M{"max_cuts"}, &Scenario::max_cuts);
  item(M{"gaps", "", "CHOICE",
         "a joint left open by more than a thousandth of its largest body: failure (default), the run ends "
         "as unstable, or remark, for those who measure the drift of a method"},
       &Scenario::gaps);
  item(M{"record", "", "LIST",
         "quantities of the results, with commas between: energy,reactions:hip (catena list quantities); "
         "default: the standard ones"},
       &Scenario::record);
  item(
      M{"reactions", "", "RULE",
        "which reactions are reported where redundant rows leave them open: norm:LENGTH, the least squares "
        "of forces and of torques over a length in m, or stiffness:FORCE:TORQUE, shared by joints of that "
        "stiffness in N/m and N m/rad, with joints of their own behind it (stiffness:1e6:1e4,leg 1:2e6:1e4); "
        "default: those that the stepper has chosen"},
      &Scenario::reactions);
  item(M{"multipliers", "", "CHOICE",
         "multipliers in the results: method (default), those of the stepper, or recomputed, from its "
         "positions and "
         "velocities at each instant, with the difference, lambda_bar"},
       &Scenario::multipliers);
  item(M{"precision", "", "FORM", "of the numbers in the results: float64 (default) or float32"},
       &Scenario::precision);
}

// Sets a member that is a number or a text. Throws UsageError that begins with "--NAME TEXT: ".
void set_member(Scenario& scenario, const std::string& name, const std::string& text);

}  // namespace catena::detail
