// One IDA integrator with its vectors, sparse matrix and KLU: all that is seen of SUNDIALS. Prints nothing; what
// IDA has to say is kept in message().
#pragma once
#include <catena/solvers/detail/ida_equations.hpp>
#include <catena/solvers/ida.hpp>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <array>
#include <exception>
#include <string>

namespace catena::detail::ida_detail {

// Of the integrator since it was begun.
struct Counters {
  long steps = 0, newton = 0, setups = 0, solves = 0, error_failures = 0, newton_failures = 0;
};

class Session {
 public:
  // Sizes everything. equations must outlive the session.
  Session(Equations& equations, const IdaOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  double* y() { return N_VGetArrayPointer(y_); }
  double* yp() { return N_VGetArrayPointer(yp_); }
  double* second() { return N_VGetArrayPointer(errors_); }  // y'' where it is known, for the first step

  // Begins at order 1 from y(), yp() and second() at t. The pattern of the matrix may have changed. IDA's flag.
  int begin(double t);
  // One internal step towards t_stop, which is not passed. IDA_TSTOP_RETURN: it was reached. On failure y() and
  // yp() are those of the last good step.
  int advance(double t_stop, double& t);
  // The polynomial of the last step at t, all components; false: t is outside of that step.
  bool interpolate(double t, double* y) const;

  // What roundoff leaves in coordinates and in velocities, for the steps to come: no tolerance is smaller. Of SI units.
  void set_roundoff(double of_q, double of_v) {
    roundoff_[static_cast<std::size_t>(Kind::q)] = of_q;
    roundoff_[static_cast<std::size_t>(Kind::v)] = of_v;
  }

  Counters counters() const;
  double next_step() const;
  int last_order() const;
  // The component with the largest local error relative to its tolerance, and that ratio.
  int worst_component(double& ratio) const;
  // The largest local error that IDA estimates of the coordinates in the step just taken, in units of scale.
  StepError error_of_positions(const std::vector<double>& scale) const;
  const std::string& message() const { return message_; }
  double seconds_evaluate = 0.0, seconds_factorize = 0.0;

 private:
  explicit Session(Equations& equations) : equations_(equations) {}
  static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void* self);
  static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix J, void* self,
                      N_Vector, N_Vector, N_Vector);
  static int weights(N_Vector y, N_Vector w, void* self);
  static void hear(int code, const char* module, const char* function, char* text, void* self);
  void check(int flag, const char* what) const;
  // What IDA gets of equations that have values or not, or throw: an exception would pass through its C functions.
  template <class F>
  int flag_of(F&& evaluate);

  Equations& equations_;
  std::array<double, 5> rtol_{}, atol_{}, weight_{};  // per Kind
  std::array<double, 5> roundoff_{};                  // likewise
  SUNContext context_ = nullptr;
  N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr, scratch_ = nullptr, errors_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  void* ida_ = nullptr;
  std::string message_;
  std::exception_ptr thrown_;  // by the equations: advance() throws it again
  bool known_ = false;         // the linear solver is there
  bool control_algebraic_ = false;
};

}  // namespace catena::detail::ida_detail
