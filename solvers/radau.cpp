#include <catena/math/detail/index.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/radau.hpp>
#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/detail/hermite.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const GuardSet& radau_guards() {
  static const GuardSet set{&dependent_rows_guard, &pole_guard};
  return set;
}

// The error falls with h^4. RADAU5 bounds the growth by 8 and keeps steps that would grow by less than a fifth.
StepController controller() {
  return {.of_error = 0.25, .smallest_factor = 0.2, .largest_factor = 8.0, .kept_factor = 1.2};
}

}  // namespace

void visit(OptionVisitor& visitor, RadauOptions& o) {
  visit_error_control(visitor, o);
  visit_choice(
      visitor,
      {"newton", "",
       "simplified: one real matrix of masses and rows; whole: damping and stiffness as well, real and "
       "complex; automatic: whole where stiffness makes simplified slow"},
      o.newton, {"automatic", "simplified", "whole"});
  visitor.integer({"max_newton_iterations", "1", "a step that needs more is cut", 1, 1000},
                  o.max_newton_iterations);
  visit_guards(visitor, o.guards, radau_guards());
}

Radau::Radau(RadauOptions options, LinearSolverFactory backend)
    : ProjectedStepper(controller(), tolerances_of(options), options.initial_step),
      options_(std::move(options)),
      backend_(std::move(backend)) {
  traits_.name = "radau";
  traits_.summary =
      "Radau IIA of three stages on the Lie group, implicit, step control, index 3 with projection";
  traits_.order_q = traits_.order_v = traits_.order_lambda = 5;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
  traits_.variable_step = traits_.velocity_constraints = traits_.reaction_forces = true;
  traits_.chooses_step = options_.control == RadauOptions::Control::adaptive;
}

std::string Radau::refuses(const System&) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  return adaptive() ? no_step_small_enough(options_) : endless_max_step(options_.max_step);
}

Outcome Radau::set_up(const System& system) {
  Outcome outcome = attach_index_1(system, backend_, false, {.options = options_.guards});
  if (outcome.status != Status::ok) return outcome;
  KktOptions kkt;
  kkt.backend = backend_;
  if (std::string refusal = kkt_.attach(system, kkt); !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  real_.reset();
  complex_.reset();
  const SystemLayout& layout = system.layout();
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  const BlockPattern& pattern = *layout.pattern;
  is_velocity_row_.assign(index(m_), 0);
  for (int d = 0; d < pattern.dual_count(); ++d)
    if (layout.level[index(d)] == Level::velocity)
      std::fill_n(is_velocity_row_.begin() + pattern.dual_offset[index(d)] - n_, pattern.dual_size[index(d)],
                  std::uint8_t{1});
  velocity_level_ = std::find(is_velocity_row_.begin(), is_velocity_row_.end(), 1) != is_velocity_row_.end();
  a_before_ = memory_.add("accelerations before", n_);
  contraction_slot_ = memory_.add("contraction", 1);
  whole_slot_ = memory_.add("whole", 1);
  for (Stage& stage : stages_) {
    stage.at = now_;
    stage.xi.assign(index(n_), 0.0);
    stage.x.assign(index(n_ + m_), 0.0);
  }
  middle_ = now_;
  for (auto* x : {&middle_xi_, &weight_x_, &weight_v_, &error_x_, &error_v_, &rate_, &xi_end_, &v_end_,
                  &a_end_, &between_})
    x->assign(index(n_), 0.0);
  for (auto* x : {&sum_, &product_}) x->assign(index(n_ + m_), 0.0);
  velocity_rows_.assign(velocity_level_ ? index(m_) : 0, 0.0);
  h_kept_ = 0.0;
  allocate_states();
  return {};
}

// Of component i of an increment: the larger of both ends counts, where coordinates have a size.
double Radau::tolerance_of_x(const State& state, std::size_t i) const {
  const double size = errors_.sized() ? std::max(std::abs(state.q[i]), std::abs(now_.q[i])) : 0.0;
  return errors_.position_tolerance(i, size);
}

LocalError Radau::local_error(const State& state, double) {
  LocalError error;
  for (std::size_t i = 0; i < error_x_.size(); ++i)
    error.add(error_x_[i], tolerance_of_x(state, i), static_cast<int>(i));
  for (std::size_t i = 0; i < error_v_.size(); ++i)
    error.add(error_v_[i], errors_.velocity_tolerance(i, std::max(std::abs(state.v[i]), std::abs(now_.v[i]))),
              static_cast<int>(i));
  return error;
}

StepError Radau::step_error(const State&, double) {
  StepError error;
  const std::vector<double>& scale = system_->layout().scale;
  for (std::size_t i = 0; i < error_x_.size(); ++i) {
    const double relative = std::abs(error_x_[i]) / scale[i];
    if (relative > error.largest) error = {relative, static_cast<int>(i)};
  }
  return error;
}

void Radau::keep(State& state, double h) {
  std::copy(state.a.begin(), state.a.end(), a_before_.of(state));
  contraction_slot_.value(state) = contraction_;
  whole_slot_.value(state) = whole_now_ ? 1.0 : 0.0;
  h_kept_ = h;
  v_end_ = now_.v;
  a_end_ = now_.a;
}

void Radau::interpolate(double theta, double* q, double* v) const {
  assert(has_step() && "no step was taken last");
  interpolate_on_group(*system_,
                       {h_kept_, before_.q.data(), xi_end_.data(), before_.v.data(), v_end_.data(),
                        before_.a.data(), a_end_.data()},
                       theta, between_.data(), q, v);
}

GuardWorkspace Radau::guard_workspace() {
  GuardWorkspace workspace{equations_.work(), rate_.data(), between_.data(), before_.q.data(),
                           equations_.kkt(),  {},           statistics_};
  workspace.weights.mass = 1.0;
  return workspace;
}

}  // namespace catena
