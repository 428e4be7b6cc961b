#include <catena/solvers/detail/ida_session.hpp>
#include <catena/stepper/detail/largest_error.hpp>
#include <catena/stepper/detail/phase_timer.hpp>

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>
#include <utility>

namespace catena::detail::ida_detail {
namespace {

Session* self_of(void* data) { return static_cast<Session*>(data); }

}  // namespace

// Where this throws, the destructor frees what is there, as the constructor that it calls has ended.
Session::Session(Equations& equations, const IdaOptions& o) : Session(equations) {
  const auto given = [](double own, double general) { return own > 0.0 ? own : general; };
  rtol_ = {given(o.rtol_q, o.rtol), given(o.rtol_v, o.rtol), given(o.rtol_lambda, o.rtol), 0.0, 0.0};
  atol_ = {given(o.atol_q, o.atol), given(o.atol_v, o.atol), given(o.atol_lambda, o.atol), 0.0, 0.0};
  // mu corrects velocities and vanishes in the exact solution; w is as algebraic as lambda.
  const auto at = [](Kind kind) { return static_cast<std::size_t>(kind); };
  rtol_[at(Kind::mu)] = rtol_[at(Kind::v)];
  atol_[at(Kind::mu)] = atol_[at(Kind::v)];
  rtol_[at(Kind::w)] = rtol_[at(Kind::lambda)];
  atol_[at(Kind::w)] = atol_[at(Kind::lambda)];
  // Multipliers and accelerations carry the roundoff of v times cj: a Newton that waits for them stalls at small
  // steps. They follow from q and v, which it does wait for.
  weight_.fill(1.0);
  constexpr double none = 1e-30;  // SUNDIALS wants them positive
  control_algebraic_ = o.control_lambda;
  if (!control_algebraic_) weight_[at(Kind::lambda)] = weight_[at(Kind::mu)] = weight_[at(Kind::w)] = none;

  check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
  const sunindextype size = equations.size();
  for (N_Vector* v : {&y_, &yp_, &id_, &scratch_, &errors_}) {
    *v = N_VNew_Serial(size, context_);
    if (*v == nullptr) throw std::bad_alloc();
    N_VConst(0.0, *v);
  }
  ida_ = IDACreate(context_);
  if (ida_ == nullptr) throw std::bad_alloc();
  check(IDASetErrHandlerFn(ida_, hear, this), "IDASetErrHandlerFn");
  check(IDASetUserData(ida_, this), "IDASetUserData");
  check(IDAInit(ida_, residual, 0.0, y_, yp_), "IDAInit");
  check(IDAWFtolerances(ida_, weights), "IDAWFtolerances");
  check(IDASetSuppressAlg(ida_, SUNTRUE), "IDASetSuppressAlg");
  check(IDASetMaxOrd(ida_, o.max_order), "IDASetMaxOrd");
  check(IDASetMaxStep(ida_, o.max_step), "IDASetMaxStep");
  check(IDASetNonlinConvCoef(ida_, o.newton_coefficient), "IDASetNonlinConvCoef");
}

Session::~Session() {
  if (ida_ != nullptr) IDAFree(&ida_);
  if (solver_ != nullptr) SUNLinSolFree(solver_);
  if (matrix_ != nullptr) SUNMatDestroy(matrix_);
  for (N_Vector v : {y_, yp_, id_, scratch_, errors_})
    if (v != nullptr) N_VDestroy(v);
  if (context_ != nullptr) SUNContext_Free(&context_);
}

void Session::check(int flag, const char* what) const {
  if (flag < 0) throw std::runtime_error(std::string(what) + " of SUNDIALS failed: " + message_);
}

int Session::begin(double t) {
  const int flag = IDAReInit(ida_, t, y_, yp_);
  if (flag < 0) return flag;
  // Components with id 0 take no part in the error test; mu, of index 2, never does.
  double* id = N_VGetArrayPointer(id_);
  for (int i = 0; i < equations_.size(); ++i)
    id[i] = equations_.differential(i) || (control_algebraic_ && equations_.kind(i) != Kind::mu) ? 1.0 : 0.0;
  check(IDASetId(ida_, id_), "IDASetId");
  // The error of the first step is about h^2 y'' / 4. IDA's own guess, h y' = 1/2 of the tolerance, is smaller by
  // orders of magnitude where a component begins at zero.
  constexpr double part_of_tolerance = 0.1;
  if (weights(y_, scratch_, this) != 0) return IDA_BAD_EWT;
  const double curvature = N_VWrmsNorm(errors_, scratch_);
  check(IDASetInitStep(ida_, curvature > 0.0 ? std::sqrt(4.0 * part_of_tolerance / curvature) : 0.0),
        "IDASetInitStep");
  const auto nonzeros = static_cast<sunindextype>(equations_.row().size());
  if (!known_) {
    const sunindextype size = equations_.size();
    matrix_ = SUNSparseMatrix(size, size, nonzeros, CSC_MAT, context_);
    if (matrix_ == nullptr) throw std::bad_alloc();
    solver_ = SUNLinSol_KLU(y_, matrix_, context_);
    if (solver_ == nullptr) throw std::bad_alloc();
    check(IDASetLinearSolver(ida_, solver_, matrix_), "IDASetLinearSolver");
    check(IDASetJacFn(ida_, jacobian), "IDASetJacFn");
    known_ = true;
  } else {
    check(SUNLinSol_KLUReInit(solver_, matrix_, nonzeros, SUNKLU_REINIT_FULL), "SUNLinSol_KLUReInit");
  }
  return IDA_SUCCESS;
}

int Session::advance(double t_stop, double& t) {
  message_.clear();
  const double before = t;
  int flag = IDASetStopTime(ida_, t_stop);
  // Reaching t_stop within roundoff, IDA may be an ulp before or behind it; the next call then returns at once.
  for (int call = 0; flag >= 0 && call < 3; ++call) {
    flag = IDASolve(ida_, t_stop, &t, y_, yp_, IDA_ONE_STEP);
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag == IDA_TSTOP_RETURN || t - before > 1e-3 * (t_stop - before)) break;
    double taken = 0.0;
    IDAGetLastStep(ida_, &taken);
    if (flag < 0 || taken <= 2.0 * (t - before)) break;
  }
  return flag;
}

bool Session::interpolate(double t, double* y) const {
  double now = 0.0, last = 0.0;
  IDAGetCurrentTime(ida_, &now);
  IDAGetLastStep(ida_, &last);
  if (IDAGetDky(ida_, std::clamp(t, now - last, now), 0, scratch_) < 0) return false;
  const double* x = N_VGetArrayPointer(scratch_);
  std::copy(x, x + equations_.size(), y);
  return true;
}

Counters Session::counters() const {
  Counters c;
  IDAGetNumSteps(ida_, &c.steps);
  IDAGetNumLinSolvSetups(ida_, &c.setups);
  IDAGetNumErrTestFails(ida_, &c.error_failures);
  IDAGetNonlinSolvStats(ida_, &c.newton, &c.newton_failures);
  c.solves = c.newton;
  return c;
}

double Session::next_step() const {
  double h = 0.0;
  IDAGetCurrentStep(ida_, &h);
  return h;
}

int Session::last_order() const {
  int order = 0;
  IDAGetLastOrder(ida_, &order);
  return order;
}

int Session::worst_component(double& ratio) const {
  ratio = 0.0;
  if (IDAGetEstLocalErrors(ida_, scratch_) < 0 || IDAGetErrWeights(ida_, errors_) < 0) return 0;
  const double *e = N_VGetArrayPointer(scratch_), *w = N_VGetArrayPointer(errors_);
  int worst = 0;
  for (int i = 0; i < equations_.size(); ++i) {
    const double x = std::abs(e[i] * w[i]);
    if (std::isfinite(x) && x <= ratio) continue;
    ratio = x;
    worst = i;
    if (!std::isfinite(x)) break;
  }
  return worst;
}

StepError Session::error_of_positions(const std::vector<double>& scale) const {
  if (IDAGetEstLocalErrors(ida_, scratch_) < 0) return {};
  return largest_error(N_VGetArrayPointer(scratch_), scale);
}

template <class F>
int Session::flag_of(F&& evaluate) {
  try {
    return evaluate() ? 0 : 1;  // 1: a smaller step may stay where the equations have values
  } catch (...) {
    thrown_ = std::current_exception();
    return -1;
  }
}

int Session::residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void* data) {
  Session& s = *self_of(data);
  const PhaseTimer timer(s.seconds_evaluate);
  return s.flag_of([&] {
    return s.equations_.residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(F));
  });
}

int Session::jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* data,
                      N_Vector, N_Vector, N_Vector) {
  Session& s = *self_of(data);
  const PhaseTimer timer(s.seconds_factorize);
  // SUNDIALS empties the matrix, its structure included, before it asks for a new one.
  std::copy(s.equations_.column().begin(), s.equations_.column().end(), SUNSparseMatrix_IndexPointers(J));
  std::copy(s.equations_.row().begin(), s.equations_.row().end(), SUNSparseMatrix_IndexValues(J));
  return s.flag_of([&] {
    return s.equations_.jacobian(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), cj,
                                 SUNSparseMatrix_Data(J));
  });
}

int Session::weights(N_Vector y, N_Vector w, void* data) {
  const Session& s = *self_of(data);
  const double* x = N_VGetArrayPointer(y);
  double* out = N_VGetArrayPointer(w);
  for (int i = 0; i < s.equations_.size(); ++i) {
    const auto kind = static_cast<std::size_t>(s.equations_.kind(i));
    out[i] = s.weight_[kind] / std::max(s.rtol_[kind] * std::abs(x[i]) + s.atol_[kind], s.roundoff_[kind]);
    if (!std::isfinite(out[i])) return 1;
  }
  return 0;
}

void Session::hear(int, const char*, const char*, char* text, void* data) { self_of(data)->message_ = text; }

}  // namespace catena::detail::ida_detail
