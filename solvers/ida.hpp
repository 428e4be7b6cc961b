// The reference integrator from the field: IDA of SUNDIALS (variable-order, variable-step BDF; Hindmarsh et al.,
// ACM Trans. Math. Softw. 31, 2005, 363-396; DASSL's successor) with KLU, on three forms of the equations of
// motion (ida_equations.hpp). Built where SUNDIALS was found; CATENA_HAS_SUNDIALS says so.
//
// Works on plain coordinates: systems in their own coordinates, and bodies in seven coordinates with the norm of
// each quaternion kept as one more constraint (docs/decisions/007-ida-on-quaternions.md).
//
// step() takes one internal step of IDA, of at most h, and never evaluates beyond t + h. The history of a
// multistep method is no part of State: a run that is resumed, or whose state was changed from outside, restarts
// at order 1; the outcome of that step says so, and the statistics count it.
#pragma once
#include <catena/math/option.hpp>
#include <catena/stepper/guards/parts/guard_options.hpp>
#include <catena/stepper/stepper.hpp>

#include <memory>

namespace catena {

struct IdaOptions {
  enum class Form { index1, gear_gupta_leimkuhler, dummy_derivatives };

  Form form = Form::gear_gupta_leimkuhler;
  double rtol = 1e-6, atol = 1e-8;                       // of everything that is not set below
  double rtol_q = 0.0, rtol_v = 0.0, rtol_lambda = 0.0;  // 0: rtol
  double atol_q = 0.0, atol_v = 0.0, atol_lambda = 0.0;  // 0: atol; SI units
  bool control_lambda = false;
  int max_order = 5;
  double max_step = 0.0;            // [s] 0: none
  double newton_coefficient = 0.1;  // IDA's own: 0.33
  double pivot_threshold = 0.2;
  GuardOptions guards{};
};
void visit(OptionVisitor& visitor, IdaOptions& options);

class Ida : public Stepper {
 public:
  static constexpr const char* own_backend = "KLU";

  explicit Ida(IdaOptions options = {});
  ~Ida() override;
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;

  const Traits& traits() const override;
  std::string refuses(const System& system) const override;
  void estimate_errors(bool wanted) override { estimates_ = wanted; }
  // By IDA's own polynomial, whose order is that of the step.
  void interpolate(double theta, double* q, double* v) const override;

  const IdaOptions& options() const { return options_; }
  int last_order() const;  // of the step just taken

 protected:
  // Positions may have drifted at a restart, with index 1: they are not held to the tolerance of a start.
  Outcome begin(State& state, double h, bool first) override;
  Outcome take_step(State& state, double h) override;
  Outcome exchanged(State& state, double h) override;

 private:
  Outcome set_up(const System& system) override;
  struct Work;

  IdaOptions options_;
  std::unique_ptr<Work> work_;
  bool estimates_ = false;
};

}  // namespace catena
