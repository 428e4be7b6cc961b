#include <catena/experiment/parts/options.hpp>
#include <catena/math/detail/passing_over.hpp>
#include <catena/studies/detail/audit_make.hpp>

#include <string>
#include <vector>

namespace catena::detail::audit_detail {
namespace {

// Reads what iterations end at; sets the tolerances of the error control.
class Tolerances : public PassingOver<> {
 public:
  Tolerances(Made& made, double control) : made_(made), control_(control) {}

  void real(const OptionInfo& info, double& value) override {
    const std::string name = info.name;
    if (name == "newton_tolerance") made_.newton_tolerance = value;
    if (name == "newton_tolerance" || name == "newton_coefficient") made_.iterates = true;
    const bool controls = name.rfind("rtol", 0) == 0 || name.rfind("atol", 0) == 0;
    if (controls && value > 0.0 && control_ > 0.0) value = control_;
  }

 private:
  Made& made_;
  double control_;
};

}  // namespace

Made make(const AuditStepper& which, double control) {
  const std::unique_ptr<StepperSetup> setup = which.entry.setup();
  set_options([&](OptionVisitor& v) { setup->visit(v); }, which.options, "option",
              "stepper " + which.entry.name);
  Made made;
  made.stepper = setup->make({}, {});
  const bool controlled = made.stepper->traits().chooses_step && control > 0.0;
  Tolerances tolerances(made, controlled ? control : 0.0);
  setup->visit(tolerances);
  if (controlled) made.stepper = setup->make({}, {});
  return made;
}

}  // namespace catena::detail::audit_detail
