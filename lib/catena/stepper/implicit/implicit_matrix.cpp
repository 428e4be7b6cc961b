// jacobian = when_slow: a matrix that serves several steps. State::memory holds where it was made and with which
// discrete values, so that a stepper which does not have it (a fresh object, a state from elsewhere) makes the same one,
// to the bit, and counts nothing for that.
#include <catena/kkt/detail/condition.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>

#include <algorithm>

namespace catena {
using namespace detail;

// The matrix is being made at the present iterate.
void ImplicitStepper::note_matrix() {
  auto out = matrix_point_.begin();
  *out++ = now_.weights.unit;  // these two say which steps it serves
  *out++ = now_.weights.damping;
  *out++ = now_.t;
  const auto append = [&out](const std::vector<double>& x) { out = std::copy(x.begin(), x.end(), out); };
  append(now_.q);
  append(now_.v);
  append(now_.a);
  append(now_.lambda);
  append(now_.xi);
  if (extension_) {
    extension_->write_matrix_numbers(&*out);
    out += static_cast<std::ptrdiff_t>(extension_->matrix_numbers());
  }
  std::copy(now_.discrete, now_.discrete + (matrix_point_.end() - out), out);
  have_matrix_ = true;
}

// Whether there is a matrix for steps of these weights; it is the one in hand, or is made again.
bool ImplicitStepper::find_matrix(const State& state, const NewtonStep& step) {
  const double* point = matrix_point_slot_.of(state);
  if (point[0] != now_.weights.unit || point[1] != now_.weights.damping) return false;
  if (have_matrix_ && std::equal(matrix_point_.begin(), matrix_point_.end(), point)) return true;
  std::copy(point, point + matrix_point_.size(), matrix_point_.begin());
  Point at;
  at.t = point[2];
  at.q = point + 3;
  at.v = at.q + now_.q.size();
  at.a = at.v + now_.v.size();
  at.lambda = at.a + now_.v.size();
  NewtonStep there = step;
  there.dependent_rows = nullptr;  // they were assessed when it was made
  there.lambda = at.lambda;
  there.weights.increment = at.lambda + now_.lambda.size();
  const double* own = there.weights.increment + now_.v.size();
  at.discrete = own + (extension_ ? extension_->matrix_numbers() : 0);
  have_matrix_ = newton_.make_matrix_again(there, [&](const Evaluation& wanted) { evaluate_at(at, wanted); });
  if (have_matrix_ && extension_) extension_->matrix_made_again(at, there.weights.increment, own);
  return have_matrix_;
}

Outcome ImplicitStepper::linearize_step(const State& end, StepLinearization& derivative) {
  const auto refused = [](const char* why) { return failure(Status::unsupported, {why, "refusal", 0.0}); };
  if (method_.index == 1)
    return refused("the rows of index 1 have no derivatives in the contract of systems");
  if (extension_) return refused("the method has unknowns beside u and lambda");
  if (!has_step()) return refused("there is no step to linearise");
  StepLinearization::Step step;
  step.table = sized_.table;
  step.slots = static_cast<int>(method_.slots.size());
  step.end = point_of(end);
  step.end.a = end.a.data();
  step.end.lambda = end.lambda.data();
  step.xi = now_.xi.data();
  const NewtonWeights& w = now_.weights;
  step.of_velocity = relative_scale(RowKind::velocity, w, now_.h);
  step.velocities_only = method_.index == 2;
  step.weights.mass = 1.0;
  step.weights.damping = w.damping;
  step.weights.stiffness = w.unit;
  step.weights.increment = now_.xi.data();
  step.weights.position_rows = {relative_scale(RowKind::position, w, now_.h), 0.0, 0.0};
  step.weights.velocity_rows = {0.0, step.of_velocity, step.of_velocity * w.unit / w.damping};
  if (step.velocities_only) step.weights.position_rows = step.weights.velocity_rows;
  step.compliance = &newton_.kkt().matrix();
  if (offset_changed_) {
    OffsetChange& change = step.offset.emplace(offset_change_);
    change.begin = step.end;
    change.begin.t = end.t - now_.h;
    change.begin.q = q_before_.data();
    change.begin.v = v_before_.data();
    change.begin.a = change.begin.lambda = nullptr;
    change.a = a_before_.data();
    change.y = offset_rate_.data();
    change.x = product_.data();
    change.mu = product_.data() + v_before_.size();
    change.compliance = step.compliance;
  }
  return derivative.make(*system_, step);
}

double ImplicitStepper::condition_number(const State& state, double h) {
  have_matrix_ = false;
  const StepTable table = method_.table({h, h, false});
  const NewtonWeights w = newton_weights(table);
  const NewtonStep step = newton_step(w, h);
  Linearization lin = step.weights;
  lin.matrix = &newton_.kkt().matrix();
  lin.increment = nullptr;
  // dg = unit G dv' and d(A v) = damping A dv' + unit (A v)_q dv', times the factor of the rows.
  lin.velocity_rows = {step.velocity_factor * w.damping, 0.0, step.velocity_factor * w.unit};
  lin.position_rows =
      method_.index == 3 ? RowWeights{step.position_factor * w.unit, 0.0, 0.0} : lin.velocity_rows;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at = point_of(state);
  at.a = state.a.data();
  at.lambda = state.lambda.data();
  system_->evaluate(at, wanted);
  DenseMatrix matrix = to_dense(newton_.kkt().matrix());
  const int n = system_->layout().v_size();
  const double of_u = table.acceleration.of_unknown();  // dv' = of_u du
  for (int i = 0; i < n; ++i)
    for (int j = n; j < matrix.cols; ++j) {
      matrix(i, j) /= of_u;
      matrix(j, i) *= of_u;
    }
  return catena::detail::condition_number(matrix);
}

}  // namespace catena
