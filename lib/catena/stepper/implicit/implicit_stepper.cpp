#include <catena/math/detail/fetch.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/stepper/detail/for_each_part.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/guards/detail/resolution.hpp>
#include <catena/stepper/implicit/implicit_stepper.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;

Point ImplicitIterate::point() const {
  Point at;
  at.t = t;
  at.q = q.data();
  at.v = v.data();
  at.a = a.data();
  at.lambda = lambda.data();
  at.discrete = discrete;
  return at;
}

ImplicitStepper::ImplicitStepper(ImplicitMethod method, const ImplicitSettings& settings,
                                 LinearSolverFactory backend, LinearSolverFactory fallback,
                                 std::unique_ptr<StepExtension> extension)
    : HistoryStepper({settings.proximal, settings.scaling, settings.newton_tolerance}),
      method_(std::move(method)),
      settings_(settings),
      backend_(std::move(backend)),
      fallback_(std::move(fallback)),
      extension_(std::move(extension)) {
  assert(method_.slots.size() <= history_slots && method_.table);
  if (!(settings_.tolerance > 0.0)) return;
  method_.traits.chooses_step = true;
  control_errors(settings_.tolerance, settings_.kinds, method_.traits.order_q, settings_.max_step);
}

std::string ImplicitStepper::refuses(const System& system) const {
  const auto& level = system.layout().level;
  if (method_.index != 3 || std::find(level.begin(), level.end(), Level::position) == level.end() ||
      std::isfinite(gain_from_positions(method_.table({1.0, 1.0, false}))))
    return {};
  return method_.traits.name +
         " with index = 3 never forgets an error of a position, so that the multipliers grow without bound: "
         "take "
         "more damping of high frequencies, or index = 2";
}

Outcome ImplicitStepper::set_up(const System& system) {
  have_matrix_ = false;
  sized_ = {};
  const SystemLayout& layout = system.layout();
  std::vector<RowKind> rows;
  for (const Level level : layout.level)
    rows.push_back(method_.index == 1                               ? RowKind::acceleration
                   : method_.index == 3 && level == Level::position ? RowKind::position
                                                                    : RowKind::velocity);
  const auto at_position = [](RowKind kind) { return kind == RowKind::position; };
  has_position_rows_ = std::any_of(rows.begin(), rows.end(), at_position);
  has_velocity_rows_ = has_position_rows_ && !std::all_of(rows.begin(), rows.end(), at_position);
  KktOptions kkt;
  const bool natural = settings_.scaling == RowScaling::natural;
  // Forces that depend on multipliers make B another matrix than C^T.
  const bool acts_along_rows = layout.reaction_force.empty();
  const bool symmetric = !settings_.whole_matrix && natural && acts_along_rows;
  kkt.factorization = symmetric ? Factorization::ldlt : Factorization::ldu;
  // Rows at position level have B = C^T exactly; C of the others has terms of order h that only LDU can take.
  const bool transposed =
      symmetric || (natural && acts_along_rows && std::all_of(rows.begin(), rows.end(), at_position));
  kkt.border = transposed ? Border::transposed : Border::separate;
  kkt.proximal = settings_.proximal;
  kkt.backend = backend_;
  kkt.fallback = fallback_;
  Outcome outcome = attach_iteration(system, kkt, std::move(rows));
  if (outcome.status != Status::ok) return outcome;

  const int n = layout.v_size(), m = layout.lambda_size();
  offset_ = memory_.add("velocity offset", 3);
  a_before_slot_ = memory_.add("acceleration before", n);
  for (std::size_t k = 0; k < method_.slots.size(); ++k) own_[k] = memory_.add(method_.slots[k], n);
  lambda_before_ = memory_.add("multipliers before", m);
  resisted_.attach(system);
  if (extrapolates()) continuation_.attach(memory_, system, newton_.per_scale());
  guards_.attach({system, statistics_, method_.traits.order_lambda}, method_.guards, settings_.guards,
                 memory_);
  if (extension_) extension_->attach(system, newton_, statistics_, memory_);
  if (keeps_matrix()) {
    const int own = extension_ ? static_cast<int>(extension_->matrix_numbers()) : 0;
    matrix_point_slot_ = memory_.add_with_discrete("matrix point", 3 + layout.q_size + 3 * n + m + own);
  }
  return outcome;
}

void ImplicitStepper::make_work_arrays(const State& state) {
  const SystemLayout& layout = system_->layout();
  const auto n = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  now_.q.assign(static_cast<std::size_t>(layout.q_size), 0.0);
  for (auto* x : {&now_.v, &now_.a, &now_.xi, &now_.u, &work_}) x->assign(n, 0.0);
  if (has_position_rows_) {
    v_n_.assign(n, 0.0);
    offset_rate_.assign(n, 0.0);
  }
  now_.lambda.assign(m, 0.0);
  if (settings_.mass_jacobian == MassJacobian::extrapolated) {
    mass_q_.assign(now_.q.size(), 0.0);
    inertia_.assign(n, 0.0);
  }
  if (has_position_rows_ || method_.index == 1) product_.assign(n + m, 0.0);
  if (method_.index == 1 && settings_.exact) {
    moved_q_.assign(now_.q.size(), 0.0);
    for (auto* x : {&moved_v_, &moved_a_}) x->assign(n, 0.0);
    rows_after_.assign(m, 0.0);
    target_.assign(n + m, 0.0);
  }
  if (keeps_matrix()) matrix_point_.assign(matrix_point_slot_.size + state.discrete.size(), 0.0);
  if (extension_) extension_->allocate(now_);
}

double ImplicitStepper::relative_scale(RowKind kind, const NewtonWeights& weights, double h) const {
  if (kind == RowKind::acceleration) return 1.0;
  return relative_to_natural(settings_.scaling, h,
                             1.0 / (kind == RowKind::position ? weights.unit : weights.damping));
}

Linearization ImplicitStepper::mass_and_rows(double h) const {
  const StepSizes even{h, h, false};
  const NewtonWeights weights = newton_weights(even == sized_.sizes ? sized_.table : method_.table(even));
  Linearization lin;
  lin.mass = 1.0;
  lin.position_rows.jacobian = std::sqrt(relative_scale(RowKind::position, weights, h));
  lin.velocity_rows.jacobian = std::sqrt(relative_scale(RowKind::velocity, weights, h));
  if (method_.index == 1) lin.velocity_rows.jacobian = 1.0;
  if (method_.index != 3) lin.position_rows = lin.velocity_rows;
  return lin;
}

void ImplicitStepper::scaled(const Point& initial, double compliance) {
  if (extension_) extension_->scale(initial, compliance);
  have_matrix_ = false;
}

void ImplicitStepper::rejected() {
  have_matrix_ = false;
  if (extension_) extension_->rejected();
}

int ImplicitStepper::fetched() const { return is_far(now_.v.size()) ? static_cast<int>(now_.v.size()) : 0; }

void ImplicitStepper::copy_end(double t, State& end) const {
  end.t = t;
  end.q = now_.q;
  end.v = now_.v;
  end.a = now_.a;
  end.lambda = now_.lambda;
}

void ImplicitStepper::accept(State& state, double h) {
  double* to[history_slots] = {};
  const int slots = static_cast<int>(method_.slots.size());
  for (int k = 0; k < slots; ++k) to[k] = own_[k].of(state);
  double *const a_before = a_before_slot_.of(state), *const lambda_before = lambda_before_.of(state);
  for_each_part(*system_, [&](const SystemPart& part) {
    if (slots > 0) apply(sized_.next, slots, columns_, part.first, part.last, to, fetched());
    const RowsOfPart rows = rows_of_part(*system_, part);
    if (extrapolates()) {
      continuation_.keep_accelerations(state, a_before, part.first, part.last);
      continuation_.keep_multipliers(state, lambda_before, rows.first, rows.last);
    }
    std::copy(state.a.data() + part.first, state.a.data() + part.last, a_before + part.first);
    std::copy(state.lambda.data() + rows.first, state.lambda.data() + rows.last, lambda_before + rows.first);
    std::copy(now_.lambda.data() + rows.first, now_.lambda.data() + rows.last,
              state.lambda.data() + rows.first);
  });
  if (extrapolates()) continuation_.keep_numbers(state, h_before(state), newton_.foreseen());
  if (extension_) extension_->accept(state, now_);
  double* offset = offset_.of(state);
  offset[0] = sized_.offset.rate;
  offset[1] = sized_.offset.jerk;
  offset[2] = sized_.offset.bracket;
  if (keeps_matrix()) std::copy(matrix_point_.begin(), matrix_point_.end(), matrix_point_slot_.of(state));
  take_end(state, h, {now_.q, now_.xi, now_.v, now_.a});
}

GuardWorkspace ImplicitStepper::guard_workspace(double h) {
  return {newton_.rhs(), rate_.data(),     work_.data(), q_before_.data(),
          newton_.kkt(), mass_and_rows(h), statistics_};
}

}  // namespace catena
