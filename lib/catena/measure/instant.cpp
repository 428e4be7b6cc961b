#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/parts/instant.hpp>

#include <cassert>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace catena {
using namespace detail;
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Instant::Instant(const MeasuredSystem& measured) : measured_(measured), energy_initial_(not_known) {}

void Instant::forget() {
  energy_.reset();
  residuals_.reset();
  sums_.reset();
  recomputed_ = nullptr;
  reactions_known_ = own_bodies_known_ = joints_known_ = power_known_ = drives_known_ = false;
}

void Instant::move_to(const State& state, const Outcome& outcome) {
  forget();
  state_ = &state;
  t_ = state.t;
  step_ = outcome.h_taken;
  q_ = state.q.data();
  v_ = state.v.data();
  lambda_ = state.lambda.data();
  if (const std::size_t rows = index(measured_.count(Items::row)); state.lambda.size() < rows) {
    no_lambda_.resize(rows, not_known);
    lambda_ = no_lambda_.data();
  }
  discrete_ = state.discrete.empty() ? nullptr : state.discrete.data();
  const Monitor* monitor = measured_.sources().monitor;
  monitored_ = monitor != nullptr && monitor->looked_at(state);
}

void Instant::move_to(double t, const double* q, const double* v, const double* lambda,
                      const double* discrete) {
  forget();
  state_ = nullptr;
  t_ = t;
  q_ = q;
  v_ = v;
  lambda_ = lambda;
  discrete_ = discrete;
}

const Energy& Instant::energy() const {
  assert(!is_late());
  if (!energy_)
    energy_ = monitored_ ? measured_.sources().monitor->energy()
                         : system().energy({.t = t_, .q = state_->q.data(), .v = v_, .discrete = discrete_});
  return *energy_;
}

double Instant::energy_initial() const {
  if (const Monitor* monitor = measured_.sources().monitor;
      monitor != nullptr && monitor->result().states > 0)
    return monitor->result().energy_initial.total();
  if (std::isnan(energy_initial_)) energy_initial_ = energy().total();
  return energy_initial_;
}

Work Instant::work() const {
  assert(!is_late());
  if (const Monitor* monitor = measured_.sources().monitor;
      monitor != nullptr && monitor->result().states > 0)
    return monitor->result().work_known == WorkKnown::yes ? monitor->work(t_) : Work{not_known, not_known};
  if (!works_) works_ = WorkMeter::is_wanted(system());
  return *works_ ? Work{not_known, not_known} : Work{};
}

const Residuals& Instant::residuals() const {
  assert(!is_late());
  if (!residuals_) {
    if (!monitored_ && !residual_meter_) residual_meter_.emplace(system());
    residuals_ = monitored_ ? measured_.sources().monitor->residuals() : (*residual_meter_)(*state_);
  }
  return *residuals_;
}

StepperStatistics Instant::counts() const { return measured_.sources().steps->last_step(); }

const MonitorResult& Instant::peaks() const { return measured_.sources().monitor->result(); }

RigidBodyState Instant::body(int k) const {
  if (k < 0 || k >= body_count())
    throw std::out_of_range(
        printed("Instant::body(%d): there are %d moving bodies, counted from 0", k, body_count()));
  if (measured_.model_system() == nullptr) {
    assert(!is_late());
    if (!own_bodies_known_) own_bodies_ = system().bodies(*state_);
    own_bodies_known_ = true;
    return own_bodies_[index(k)];
  }
  return measured_.rows().moving_body(k, q_, v_);
}

RigidBodyState Instant::model_body(int number) const { return measured_.rows().body(BodyId{number}, q_, v_); }

const std::vector<JointCoordinates>& Instant::joints() const {
  if (joints_known_) return joints_;
  const auto pose = [&](BodyId body) { return measured_.rows().body(body, q_, v_); };
  const std::vector<MarkedJoint>& marked = measured_.joints();
  joints_.resize(marked.size());
  for (std::size_t k = 0; k < marked.size(); ++k)
    joints_[k] = coordinates(marked[k], pose(marked[k].body_a), pose(marked[k].body_b));
  joints_known_ = true;
  return joints_;
}

const BodySums& Instant::sums() const {
  if (sums_) return *sums_;
  BodySums sums;
  const Vec3 g = measured_.model_system()->model().gravity;
  const bool six = measured_.rows().has_six_velocities();
  const std::vector<MeasuredSystem::Inertia>& inertia = measured_.inertia();
  for (int k = 0; k < body_count(); ++k) {
    const double *x = q_ + 7 * k, mass = inertia[index(k)].mass;
    if (!six) {
      const RigidBodyState b = body(k);
      add_momentum(sums.momentum, mass, inertia[index(k)].inertia, x, b.orientation, b.velocity.e,
                   b.angular_velocity.e);
    } else {
      const double* v = v_ + 6 * k;
      add_momentum(sums.momentum, mass, inertia[index(k)].inertia, x, Quat{x[3], x[4], x[5], x[6]}, v, v + 3);
    }
    sums.gravity -= mass * (g.e[0] * x[0] + g.e[1] * x[1] + g.e[2] * x[2]);
  }
  sums_ = sums;
  return *sums_;
}

const std::vector<double>& Instant::force_power() const {
  if (power_known_) return force_power_;
  force_power_.resize(measured_.model_system()->model().forces().size());
  for (std::size_t k = 0; k < force_power_.size(); ++k)
    force_power_[k] = measured_.rows().force_power(
        static_cast<int>(k), {.t = t_, .q = q_, .v = v_, .lambda = lambda(), .discrete = discrete_});
  power_known_ = true;
  return force_power_;
}

const std::vector<double>& Instant::drive_power() const {
  if (drives_known_) return drive_power_;
  if (!drive_meter_) drive_meter_.emplace(system());
  drive_power_.resize(index(measured_.count(Items::constraint)));
  (*drive_meter_)(t_, unit_poses(), lambda(), discrete_, drive_power_.data());
  drives_known_ = true;
  return drive_power_;
}

const double* Instant::unit_poses() const {
  return measured_.model_system() == nullptr ? q_ : measured_.rows().unit_poses(q_, unit_q_);
}

const double* Instant::recomputed() const {
  assert(!is_late());
  if (!recomputed_multipliers_) recomputed_multipliers_.emplace(system());
  if (recomputed_ == nullptr) recomputed_ = (*recomputed_multipliers_)(*state_);
  return recomputed_;
}

const double* Instant::lambda() const {
  const bool of_method = measured_.sources().multipliers == MultiplierChoice::method;
  return of_method || is_late() ? lambda_ : recomputed();
}

const double* Instant::lambda_bar() const {
  const double* const other = recomputed();
  lambda_bar_.resize(index(measured_.count(Items::row)));
  for (std::size_t k = 0; k < lambda_bar_.size(); ++k) lambda_bar_[k] = std::abs(lambda_[k] - other[k]);
  return lambda_bar_.data();
}

// Reactions are linear in the multipliers.
const double* Instant::reaction_bar() const {
  const double* const other = recomputed();
  std::vector<double>& difference = lambda_bar_;
  difference.resize(index(measured_.count(Items::row)));
  for (std::size_t k = 0; k < difference.size(); ++k) difference[k] = lambda_[k] - other[k];
  wrenches(difference.data(), reaction_bar_);
  for (double& x : reaction_bar_) x = std::abs(x);
  return reaction_bar_.data();
}

const double* Instant::reactions() const {
  if (!reactions_known_) wrenches(lambda(), reactions_);
  reactions_known_ = true;
  return reactions_.data();
}

// By the rule for reactions.
void Instant::wrenches(const double* of, std::vector<double>& out) const {
  if (!reaction_meter_) reaction_meter_.emplace(*measured_.model_system());
  out.resize(6 * measured_.sides().size());
  const ReactionRule& rule = measured_.sources().reactions;
  if (!rule.text.empty()) {
    if (!shared_multipliers_) shared_multipliers_.emplace(*measured_.model_system(), rule);
    of = (*shared_multipliers_)(t_, unit_poses(), of, discrete_);
  }
  (*reaction_meter_)(t_, unit_poses(), of, discrete_, out.data());
}

}  // namespace catena
