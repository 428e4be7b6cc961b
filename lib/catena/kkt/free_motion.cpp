#include <catena/kkt/detail/factored_rows.hpp>
#include <catena/math/detail/scattered.hpp>
#include <catena/system/detail/evaluations.hpp>
#include <catena/system/detail/scaled.hpp>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

// The largest entry of a balance of forces, as work along the layout's scale.
double largest_work(const SystemLayout& layout, const double* balance) {
  double largest = 0.0;
  for (int k = 0; k < layout.v_size(); ++k)
    largest = std::max(largest, std::abs(balance[k]) * layout.scale[static_cast<std::size_t>(k)]);
  return largest;
}

class Instants {
 public:
  Instants(const System& system, const State& state, double end)
      : system_(system),
        at_(point_of(state)),
        rest_(state.v.size(), 0.0),
        begin_(state.t),
        end_(std::max(end, state.t)) {
    at_.v = rest_.data();
  }

  // Weights without a pattern times g_t of all instants, so that none cancels another.
  std::vector<double> drift() {
    std::vector<double> sum(static_cast<std::size_t>(system_.layout().lambda_size()), 0.0), rate(sum);
    Evaluation wanted;
    wanted.velocity = rate.data();
    for (int k = 0; k < count; ++k) {
      system_.evaluate(instant(k), wanted);
      for (std::size_t r = 0; r < sum.size(); ++r)
        sum[r] += (0.5 + scattered(static_cast<std::size_t>(k))) * rate[r];
    }
    return sum;
  }

  // Whether all accelerations from rest vanish: M a against the forces. 1e-10 is a thousand times the roundoff of a solve with
  // ordinary masses.
  bool without_acceleration(KktSolver& kkt) {
    constexpr double none = 1e-10;
    const int n = system_.layout().v_size();
    std::vector<double> x(static_cast<std::size_t>(kkt.dimension())), inertia(static_cast<std::size_t>(n));
    Evaluation wanted;
    wanted.balance = x.data();
    wanted.acceleration = x.data() + n;
    for (int k = 0; k < count; ++k) {
      const Point at = instant(k);
      system_.evaluate(at, wanted);
      for (double& value : x) value = -value;
      const double forces = largest_work(system_.layout(), x.data());
      kkt.solve_refined(x.data());
      evaluate_inertia(system_, at, x.data(), inertia.data());
      const double moving = largest_work(system_.layout(), inertia.data());
      if (!(moving <= none * forces)) return false;
    }
    return true;
  }

 private:
  static constexpr int count = 17;
  Point instant(int k) const {
    Point at = at_;
    at.t = begin_ + (end_ - begin_) * (k == 0 ? 0.0 : k == 1 ? 1.0 : scattered(static_cast<std::size_t>(k)));
    return at;
  }

  const System& system_;
  Point at_;
  std::vector<double> rest_;
  double begin_, end_;
};

}  // namespace

bool allowed_motion(const System& system, KktSolver& kkt, const double* drift, std::vector<double>& v) {
  constexpr double none = 1e-6;  // of the motion before it was projected
  const SystemLayout& layout = system.layout();
  const int n = layout.v_size(), rows = layout.lambda_size();
  std::vector<double> x(static_cast<std::size_t>(n + rows), 0.0), weighed(x);
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    x[i] = layout.scale[i] * (2.0 * scattered(i) - 1.0);
  }
  kkt.matrix().multiply(x.data(), weighed.data());
  for (int r = 0; r < rows; ++r) weighed[static_cast<std::size_t>(n + r)] = drift == nullptr ? 0.0 : drift[r];
  kkt.solve_refined(weighed.data());
  const double largest = largest_scaled(layout, weighed.data());
  if (!(largest > none) || !std::isfinite(largest)) return false;
  v.assign(weighed.begin(), weighed.begin() + n);
  for (double& component : v) component /= largest;
  return true;
}

FreeMotion find_free_motion(const System& system, const State& state, double end) {
  FactoredRows rows(system, state);
  return find_free_motion(rows, end);
}

FreeMotion find_free_motion(FactoredRows& rows, double end) {
  const System& system = rows.system();
  const State& state = rows.state();
  constexpr double held = 1e-9;  // of the largest velocity; levers of a thousandth of a thousandth move more
  FreeMotion found;
  KktSolver* const kkt = rows.solver();
  if (kkt == nullptr) return found;
  found.known = true;
  Instants instants(system, state, end);
  std::vector<double> drift = instants.drift(), v;
  for (double& rate : drift) rate = -rate;
  found.driven = std::any_of(drift.begin(), drift.end(), [](double rate) { return rate != 0.0; });
  found.any = allowed_motion(system, *kkt, drift.data(), v);
  const SystemLayout& layout = system.layout();
  const BlockPattern& pattern = *layout.pattern;
  for (int p = 0; found.any && p < pattern.primal_count(); ++p) {
    double largest = 0.0;
    for (int c = 0; c < pattern.primal_size[static_cast<std::size_t>(p)]; ++c) {
      const auto k = static_cast<std::size_t>(pattern.primal_offset[static_cast<std::size_t>(p)] + c);
      largest = std::max(largest, std::abs(v[k]) / layout.scale[k]);
    }
    if (largest < held) found.held.push_back(p);
  }
  found.at_rest = std::all_of(state.v.begin(), state.v.end(), [](double x) { return x == 0.0; }) &&
                  !found.driven && instants.without_acceleration(*kkt);
  return found;
}

}  // namespace catena::detail
