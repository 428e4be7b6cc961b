#include <catena/math/detail/index.hpp>
#include <catena/math/detail/interpolating_weight.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/measure/detail/work_meter.hpp>
#include <catena/model/detail/forces_at_once.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace catena::detail {
namespace {

constexpr int order_of_ends = 2, order_of_middle = 4;  // of the trapezoidal rule and Simpson's

// Where the rules take powers inside a step, in parts of it.
constexpr double simpson[] = {0.5};
constexpr double lobatto[] = {0.17267316464601143, 0.5, 0.8273268353539886};  // (1 -+ sqrt(3/7)) / 2
const double* nodes_of(std::size_t points) { return points == 1 ? simpson : lobatto; }

// Over s of a stretch h [s], of the polynomial through the powers [W] at its ends, first and last, and at points between them.
std::array<double, 3> integral_of(const std::array<std::array<double, 3>, 5>& watts, std::size_t points,
                                  double h, double s) {
  std::array<double, 5> node{};
  std::array<std::size_t, 5> at{0};
  for (std::size_t k = 0; k < points; ++k) {
    node[k + 1] = nodes_of(points)[k];
    at[k + 1] = k + 1;
  }
  node[points + 1] = 1.0;
  at[points + 1] = watts.size() - 1;
  std::array<double, 3> sum{};
  for (std::size_t i = 0; i < points + 2; ++i) {
    const double weight = interpolating_weight(node, points + 2, i, s);
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += h * weight * watts[at[i]][k];
  }
  return sum;
}

// Velocities that differ in all components, [-1, 1) m/s and rad/s.
void set_velocities(std::vector<double>& v, int number) {
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = 2.0 * scattered(k, 0.2654435769 * number) - 1.0;
}

const double* data_or_null(const std::vector<double>& values) {
  return values.empty() ? nullptr : values.data();
}

// What the forces of a model supply at one point, asked for in the order of the model. Those that are evaluated at once are
// evaluated once.
class Powers {
 public:
  Powers(const BodyRows& bodies, const Point& at) : bodies_(bodies), at_(at) {}

  // [W]; size: as of BodyRows::force_power.
  double operator()(int force, double* size = nullptr) {
    const Model& model = bodies_.system().model();
    const Model::ElementRef& ref = model.forces()[index(force)];
    const ElementPool& pool = *model.pools()[index(ref.pool)];
    if (!is_at_once(pool.plan().stages.front())) return bodies_.force_power(force, at_, size);
    if (pool_ != &pool) {
      pool_ = &pool;
      std::vector<BodyFrame<double>> frames;
      for (int e = 0; e < pool.size(); ++e)
        for (int i = 0; i < pool.bodies(); ++i) {
          const RigidBodyState b = bodies_.body(pool.body(e, i), at_.q, at_.v);
          frames.push_back({b.position, rotation_matrix(b.orientation), b.velocity, b.angular_velocity});
        }
      parts_ = forces_at_once(pool).power_of_all(frames.data(), at_.t);
    }
    const PowerParts& parts = parts_[index(ref.element)];
    if (size != nullptr) *size = std::abs(parts.of_wrenches) + std::abs(parts.of_potential);
    return parts.of_wrenches + parts.of_potential;
  }

 private:
  const BodyRows& bodies_;
  Point at_;
  const ElementPool* pool_ = nullptr;  // that the parts are of
  std::vector<PowerParts> parts_;
};

// Numbers of the forces of a model that may do work.
std::vector<int> working_forces(const BodyRows& bodies) {
  constexpr int probes = 3;
  constexpr double roundoff = 1e-12;  // of the power of the wrenches, some thousand units in the last place
  const Model& model = bodies.system().model();
  std::vector<int> found;
  std::vector<State> states;
  std::vector<Powers> powers;  // at these states
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k) {
    const Model::ElementRef& at = model.forces()[static_cast<std::size_t>(k)];
    const std::optional<bool> stated = [&] {
      try {
        return model.pools()[static_cast<std::size_t>(at.pool)]->does_work(at.element);
      } catch (...) {
        rethrow_named(model.force_label(ForceId{k}));
      }
    }();
    bool works = stated.value_or(false);
    for (int n = 0; n < probes && !stated && !works; ++n) {
      if (powers.empty()) {
        states.assign(probes, bodies.system().initial_state());
        for (int m = 0; m < probes; ++m) {
          State& state = states[index(m)];
          set_velocities(state.v, m);
          powers.emplace_back(bodies, point_of(state));
        }
      }
      double size = 0.0;
      const double power = powers[index(n)](k, &size);
      works = !(std::abs(power) <= roundoff * size) || size == 0.0;
    }
    if (works) found.push_back(k);
  }
  return found;
}

}  // namespace

bool WorkMeter::is_wanted(const System& system) {
  const BodySystem* bodies = bodies_of(system);
  return bodies == nullptr || DriveMeter::count(system) > 0 || !working_forces(BodyRows(*bodies)).empty();
}

WorkMeter::WorkMeter(const System& system)
    : system_(system), break_points_(system.break_points()), multipliers_(system) {
  if (DriveMeter::count(system) > 0) {
    drives_.emplace(system);
    drive_power_.resize(static_cast<std::size_t>(system.layout().pattern->dual_count()));
    no_lambda_.resize(static_cast<std::size_t>(system.layout().lambda_size()));
  }
  if (const BodySystem* of_bodies = bodies_of(system); of_bodies != nullptr) {
    bodies_.emplace(*of_bodies);
    forces_ = working_forces(*bodies_);
    return;
  }
  const State at = system.initial_state();
  states_power_ = system.power(point_of(at)).has_value();
}

WorkMeter::Numbers WorkMeter::power(const State& at, const std::vector<double>& lambda,
                                    const std::vector<double>& discrete_values) {
  Numbers sum{};
  const double* discrete = data_or_null(discrete_values);
  const auto count = [&](Part part, double watts) {
    sum[part] += watts;
    sum[absolute] += std::abs(watts);
  };
  const bool there = index(system_.layout().lambda_size()) == lambda.size();
  const Point point{.t = at.t,
                    .q = at.q.data(),
                    .v = at.v.data(),
                    .lambda = there ? lambda.data() : nullptr,
                    .discrete = discrete};
  if (bodies_)
    for (Powers powers(*bodies_, point); const int k : forces_) count(of_forces, powers(k));
  else
    count(of_forces, system_.power(point).value_or(0.0));
  if (drives_) {
    multiplied_ = multiplied_ || (there && std::any_of(lambda.begin(), lambda.end(),
                                                       [](double number) { return number != 0.0; }));
    const double* q = bodies_ ? bodies_->unit_poses(at.q.data(), unit_q_) : at.q.data();
    (*drives_)(at.t, q, there ? lambda.data() : no_lambda_.data(), discrete, drive_power_.data());
    for (const double watts : drive_power_) count(of_drives, watts);
    moved_ = moved_ || drives_->moving();
  }
  return sum;
}

// The instant of break_points_ that t is, but for the roundoff of a sum of steps.
std::optional<double> WorkMeter::break_at(double t) const {
  const double roundoff = 16.0 * std::numeric_limits<double>::epsilon() * std::abs(t);
  const auto found = std::lower_bound(break_points_.begin(), break_points_.end(), t - roundoff);
  return found != break_points_.end() && *found <= t + roundoff ? std::optional(*found) : std::nullopt;
}

// Where a function of the time changes, multipliers and forces have two values: those of the time t.
WorkMeter::Numbers WorkMeter::power_beside(const State& at, double t, const std::vector<double>& discrete) {
  within_ = at;
  within_.t = t;
  within_.discrete = discrete;
  if (reads_multipliers()) multipliers_.solve(within_);
  return power(within_, within_.lambda, discrete);
}

void WorkMeter::step(const AcceptedStep& step) {
  if (!states_power_) return;
  const bool continuous = std::exchange(is_continuous_, false);
  h_ = 0.0;  // nothing is known of this step where an element throws
  step_.reset();
  const Traits& traits = step.traits();
  multiplied_ = multiplied_ || traits.order_lambda > 0;
  const State &before = step.before(), &after = step.after();
  // Multipliers that belong to the middle of the step count for both of its ends.
  const bool at_ends = traits.lambda_at == 1.0;
  const bool follows_breaks = !break_points_.empty() && (at_ends || !reads_multipliers());
  const std::optional<double> breaks_before = follows_breaks ? break_at(before.t) : std::nullopt,
                              breaks_after = follows_breaks ? break_at(after.t) : std::nullopt;
  constexpr double later = std::numeric_limits<double>::infinity();
  if (breaks_before)
    begin_ = power_beside(before, std::max(before.t, std::nextafter(*breaks_before, later)), before.discrete);
  else if (continuous && (at_ends || !reads_multipliers()))
    begin_ = end_;
  else
    begin_ = power(before, at_ends ? before.lambda : after.lambda, before.discrete);
  if (!continuous || breaks_before || !pair_is_open_) {
    pair_is_open_ = false;
    t_pair_ = before.t;
    power_pair_ = begin_[of_forces] + begin_[of_drives];
    work_pair_ = done_[of_forces] + done_[of_drives];
  }
  before_ = done_;
  t_ = before.t;
  t_end_ = after.t;
  const int order = std::max(traits.order_q, traits.order_v);
  points_inside_ = order > order_of_middle ? 3 : order > order_of_ends ? 1 : 0;
  step_.emplace(step);
  solves_inside_ = reads_multipliers() && InnerMultipliers::are_needed(traits);
  for (std::size_t k = 0; k < points_inside_; ++k) inside_[k] = power_inside(nodes_of(points_inside_)[k]);
  end_ = breaks_after
             ? power_beside(after, std::min(after.t, std::nextafter(*breaks_after, -later)), before.discrete)
             : power(after, after.lambda, before.discrete);
  end_discrete_ = after.discrete;
  h_ = step.h();
  t_inner_ = t_;
  to_inner_ = {};
  inner_ = begin_;
}

WorkMeter::Numbers WorkMeter::power_inside(double theta) {
  step_->at(theta, within_);
  if (solves_inside_) multipliers_.solve(within_);
  return power(within_, within_.lambda, within_.discrete);
}

// What controllers keep for themselves is behind the values of the system.
bool WorkMeter::has_sampled(const State& state) const {
  const auto of_system = state.discrete.begin() + system_.layout().discrete_size;
  return !std::equal(state.discrete.begin(), of_system, end_discrete_.begin());
}

void WorkMeter::observe(const State& state) {
  seen_ = state.t;
  if (h_ == 0.0) return;
  const bool whole = state.t == t_end_;
  const Numbers part = whole ? integral(1.0) : integral_to(state.t);
  for (std::size_t k = 0; k < done_.size(); ++k) done_[k] = before_[k] + part[k];
  is_continuous_ = whole && !has_sampled(state);
  if (whole) estimate_doubt();
  if (!whole || is_continuous_) return;
  Point at = point_of(state);
  const double now = system_.energy(at).potential;
  at.discrete = end_discrete_.data();
  const double set = now - system_.energy(at).potential;
  done_[of_forces] += set;
  done_[absolute] += std::abs(set);
}

void WorkMeter::estimate_doubt() {
  // Of methods that have points inside, every step is a pair.
  if (points_inside_ == 0 && !pair_is_open_) {
    pair_is_open_ = is_continuous_;
    return;
  }
  const auto of = [](const Numbers& watts) { return watts[of_forces] + watts[of_drives]; };
  const double h = t_end_ - t_pair_, work = of(done_) - work_pair_;
  const double by_ends = std::abs(work - 0.5 * h * (power_pair_ + of(end_)));
  const bool has_middle = points_inside_ == most_inside;
  doubt_ += by_ends;
  error_of_rule_ +=
      has_middle ? std::abs(work - h / 6.0 * (power_pair_ + 4.0 * of(inside_[1]) + of(end_))) : by_ends;
  pair_is_open_ = false;
}

WorkMeter::Numbers WorkMeter::integral(double s) const {
  return integral_of({begin_, inside_[0], inside_[1], inside_[2], end_}, points_inside_, h_, s);
}

WorkMeter::Numbers WorkMeter::integral_to(double t) {
  const double s = std::clamp((t - t_) / h_, 0.0, 1.0);
  // Without inner multipliers a force that depends on them is on a line between the ends, one of which an event may have moved.
  if (points_inside_ < most_inside || (reads_multipliers() && !solves_inside_)) return integral(s);
  if (t < t_inner_) {
    t_inner_ = t_;
    to_inner_ = {};
    inner_ = begin_;
  }
  const double from = (t_inner_ - t_) / h_, length = s - from;
  if (!(length > 0.0)) return to_inner_;
  // What an output looks at is nothing that the run knows.
  const bool moved = moved_, multiplied = multiplied_;
  std::array<Numbers, most_inside + 2> watts{inner_};
  for (std::size_t k = 0; k < most_inside; ++k) watts[k + 1] = power_inside(from + length * lobatto[k]);
  watts.back() = s < 1.0 ? power_inside(s) : end_;
  moved_ = moved;
  multiplied_ = multiplied;
  const Numbers part = integral_of(watts, most_inside, length * h_, 1.0);
  for (std::size_t k = 0; k < part.size(); ++k) to_inner_[k] += part[k];
  inner_ = watts.back();
  t_inner_ = t;
  return to_inner_;
}

Work WorkMeter::at(double t) {
  if (h_ == 0.0 || t == seen_) return {done_[of_forces], done_[of_drives]};
  const Numbers part = t == t_end_ ? integral(1.0) : integral_to(t);
  return {before_[of_forces] + part[of_forces], before_[of_drives] + part[of_drives]};
}

WorkKnown WorkMeter::known() const {
  if (!states_power_) return WorkKnown::no_power;
  return moved_ && !multiplied_ ? WorkKnown::no_multipliers : WorkKnown::yes;
}

void WorkMeter::write(double* memory) const {
  const double all[numbers] = {done_[0],
                               done_[1],
                               done_[2],
                               end_[0],
                               end_[1],
                               end_[2],
                               is_continuous_ ? 1.0 : 0.0,
                               moved_ ? 1.0 : 0.0,
                               multiplied_ ? 1.0 : 0.0,
                               doubt_,
                               t_pair_,
                               power_pair_,
                               work_pair_,
                               pair_is_open_ ? 1.0 : 0.0,
                               error_of_rule_};
  std::copy(all, all + numbers, memory);
}

void WorkMeter::read(const double* memory) {
  std::copy_n(memory, 3, done_.begin());
  std::copy_n(memory + 3, 3, end_.begin());
  is_continuous_ = memory[6] != 0.0;
  moved_ = memory[7] != 0.0;
  multiplied_ = memory[8] != 0.0;
  doubt_ = memory[9];
  t_pair_ = memory[10];
  power_pair_ = memory[11];
  work_pair_ = memory[12];
  pair_is_open_ = memory[13] != 0.0;
  error_of_rule_ = memory[14];
}

}  // namespace catena::detail
