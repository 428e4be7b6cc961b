#include <catena/math/detail/index.hpp>
#include <catena/math/detail/interpolating_weight.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/measure/parts/step_integrals.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace catena {
using namespace detail;
namespace {

// The nodes of Gauss and Legendre on [0, 1] of order 6, (1 -+ sqrt(3/5)) / 2, and 10, (1 -+ sqrt(5 -+ 2 sqrt(10/7)) / 3) / 2.
constexpr std::array<double, 5> three{0.1127016653792583114820734600, 0.5, 0.8872983346207416885179265400},
    five{0.04691007703066800360118656085, 0.2307653449471584544818427896, 0.5, 0.7692346550528415455181572104,
         0.9530899229693319963988134391};

const std::array<double, 5>& node_at(std::size_t count) { return count == five.size() ? five : three; }

}  // namespace

StepIntegrals::StepIntegrals(const System& system, const Selection& selection, MeasureSources sources) {
  if (std::none_of(selection.begin(), selection.end(), [](const ChosenQuantity& chosen) {
        return chosen.quantity.integrated || chosen.quantity.counted;
      }))
    return;  // most runs need nothing of this, and need not know the system
  measured_ = std::make_unique<const MeasuredSystem>(system, std::move(sources));
  now_.emplace(*measured_);
  std::size_t size = 0;
  for (const ChosenQuantity& chosen : selection) {
    const Quantity& quantity = chosen.quantity;
    if (!(quantity.integrated || quantity.counted) || !measured_->has(quantity.needs)) continue;
    (quantity.counted ? counts_ : integrates_) = true;
    const std::size_t count = index(measured_->count(quantity.items) * quantity.component_count());
    quantities_.push_back({quantity, size, count});
    const bool friction = quantity.needs == Needs::forces && !system.layout().reaction_force.empty();
    if ((quantity.multipliers || friction) && !multipliers_)
      multipliers_ = std::make_unique<InnerMultipliers>(system);
    size += count;
  }
  before_.assign(size, 0.0);
  done_ = before_;
  rate_before_.assign(size, 0.0);
  for (std::vector<double>& rates : rates_) rates.assign(size, 0.0);
}

void StepIntegrals::begin(const System&) {
  std::fill(before_.begin(), before_.end(), 0.0);
  done_ = before_;
  std::fill(rate_before_.begin(), rate_before_.end(), 0.0);
  h_ = 0.0;
  step_.reset();
  begun_ = false;
}

void StepIntegrals::resume(const System&, const State& state) {
  t_ = seen_ = state.t;
  h_ = 0.0;
  step_.reset();
  if (!counts_) return;
  now_->move_to(state, {});
  for (const Integrated& q : quantities_) {
    if (!q.quantity.counted) continue;
    rates_of(q, *now_, rates_now_);
    std::copy(rates_now_.begin(), rates_now_.end(),
              rate_before_.begin() + static_cast<std::ptrdiff_t>(q.first));
  }
}

void StepIntegrals::rates_of(const Integrated& q, const Instant& at, std::vector<double>& rates) const {
  rates.assign(q.count, 0.0);
  if (q.quantity.evaluate) q.quantity.evaluate(at, rates.data());
}

// The angle that differs from `angle` by full turns and is nearest to where the rates lead. A rate that changes in one direction
// leads to between s times those of both ends: where that leaves more than half a turn open, near a pole of the angle or
// where the rate is not resolved, the nearest to the angle before counts.
double StepIntegrals::over_turns(std::size_t k, double angle, double rate, double s) const {
  constexpr double turn = 2.0 * std::numbers::pi;
  const double before = rate_before_[k];
  const bool resolved = 0.5 * s * std::abs(rate - before) < 0.5 * turn;
  const double near = before_[k] + (resolved ? 0.5 * s * (before + rate) : 0.0);
  return angle + turn * std::round((near - angle) / turn);
}

std::array<double, StepIntegrals::most_nodes> StepIntegrals::weights(double t) const {
  if (h_ <= 0.0) return {};
  const double theta = std::clamp((t - t_) / h_, 0.0, 1.0);
  std::array<double, most_nodes> weights{};
  for (std::size_t i = 0; i < nodes_; ++i)
    weights[i] = h_ * interpolating_weight(node_at(nodes_), nodes_, i, theta);
  return weights;
}

void StepIntegrals::rates_inside(double theta, std::vector<double>& rates) const {
  step_->at(theta, node_);
  if (multipliers_ && InnerMultipliers::are_needed(step_->traits())) multipliers_->solve(node_);
  Outcome outcome;
  outcome.h_taken = h_;
  now_->move_to(node_, outcome);
  for (const Integrated& q : quantities_) try {
      if (!q.quantity.counted) q.quantity.evaluate(*now_, rates.data() + q.first);
    } catch (...) {
      rethrow_named("quantity \"" + q.quantity.name + '"');
    }
}

void StepIntegrals::look_inside(double t) const {
  const auto begin_anew = [&] {
    t_inside_ = t_;
    std::fill(sums_inside_.begin(), sums_inside_.end(), 0.0);
  };
  if (t < t_inside_) begin_anew();
  const double from = (t_inside_ - t_) / h_, length = (t - t_inside_) / h_;
  if (!(length > 0.0)) return;
  const std::array<double, most_nodes>& node = node_at(nodes_);
  try {
    for (std::size_t i = 0; i < nodes_; ++i) {
      rates_inside(from + length * node[i], rates_between_);
      const double weight = h_ * length * interpolating_weight(node, nodes_, i, 1.0);
      for (std::size_t k = 0; k < sums_inside_.size(); ++k) sums_inside_[k] += weight * rates_between_[k];
    }
  } catch (...) {  // half of a stretch is in the sums
    begin_anew();
    throw;
  }
  t_inside_ = t;
}

void StepIntegrals::values(double t, std::size_t first, std::size_t count, double* out) const {
  // Rates of multipliers that lie on a line between the ends of the step have no more than the polynomial.
  const bool inside = step_ && h_ > 0.0 && nodes_ == most_nodes && t > t_ && t < t_end_ &&
                      (!multipliers_ || InnerMultipliers::are_needed(step_->traits()));
  if (inside) look_inside(t);
  const std::array<double, most_nodes> part = inside ? std::array<double, most_nodes>{} : weights(t);
  for (std::size_t k = first; k < first + count; ++k) {
    double sum = inside ? sums_inside_[k] : 0.0;
    for (std::size_t i = 0; i < nodes_; ++i) sum += part[i] * rates_[i][k];
    out[k - first] = before_[k] + sum;
  }
}

void StepIntegrals::step(const AcceptedStep& step) {
  before_ = done_;
  const Traits& traits = step.traits();
  nodes_ = traits.chooses_step && std::max(traits.order_q, traits.order_v) > 4 ? most_nodes : few_nodes;
  t_ = t_inside_ = step.before().t;
  h_ = step.h();
  t_end_ = step.after().t;
  step_.emplace(step);
  sums_inside_.assign(before_.size(), 0.0);
  rates_between_.assign(before_.size(), 0.0);
  try {
    for (std::size_t i = 0; i < nodes_; ++i) rates_inside(node_at(nodes_)[i], rates_[i]);
  } catch (...) {  // nothing is known of this step
    for (std::vector<double>& rates : rates_) std::fill(rates.begin(), rates.end(), 0.0);
    h_ = 0.0;
    throw;
  }
}

bool StepIntegrals::observe(const State& state) {
  const double s = state.t - seen_;
  seen_ = state.t;
  if (integrates_) values(state.t, 0, done_.size(), done_.data());
  if (!counts_) return true;
  now_->move_to(state, {});
  for (const Integrated& q : quantities_) {
    if (!q.quantity.counted) continue;
    angles_.resize(q.count);
    q.quantity.complete(*now_, angles_.data());
    rates_of(q, *now_, rates_now_);
    for (std::size_t k = 0; k < q.count; ++k) {
      const std::size_t at = q.first + k;
      before_[at] = done_[at] = begun_ ? over_turns(at, angles_[k], rates_now_[k], s) : angles_[k];
      rate_before_[at] = rates_now_[k];
    }
  }
  begun_ = true;
  return true;
}

int StepIntegrals::find(const std::string& name) const {
  const auto at = std::find_if(quantities_.begin(), quantities_.end(),
                               [&](const Integrated& q) { return q.quantity.name == name; });
  return at == quantities_.end() ? -1 : static_cast<int>(at - quantities_.begin());
}

void StepIntegrals::value(int number, double t, double* out) const {
  const Integrated& q = quantities_[index(number)];
  values(t, q.first, q.count, out);
}

void StepIntegrals::count_turns(int number, const Instant& at, double* angles) const {
  const Integrated& q = quantities_[index(number)];
  if (!begun_) return;
  rates_of(q, at, rates_now_);
  for (std::size_t k = 0; k < q.count; ++k)
    angles[k] = over_turns(q.first + k, angles[k], rates_now_[k], at.t() - seen_);
}

std::vector<double> StepIntegrals::memory() const { return done_; }

bool StepIntegrals::remember(const std::vector<double>& memory) {
  if (memory.size() != before_.size()) return false;
  before_ = done_ = memory;
  begun_ = true;
  return true;
}

}  // namespace catena
