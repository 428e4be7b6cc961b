#include <catena/study/detail/cost_model.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

constexpr std::array<Phase, 4> parts = {Phase::evaluate, Phase::factorize, Phase::solve, Phase::rest};

constexpr std::size_t at(Phase phase) { return static_cast<std::size_t>(phase); }

double least_price(const std::vector<MemoryPrice>& prices) {
  double least = prices.empty() ? 0.0 : prices.front().seconds_per_byte;
  for (const MemoryPrice& price : prices) least = std::min(least, price.seconds_per_byte);
  return least;
}

double work_of(Phase phase, const SizeWork& work) {
  if (phase == Phase::factorize) return work.cost;
  if (phase == Phase::solve && work.factor_bytes > 0.0) return work.factor_bytes;
  return work.unknowns;
}

// Of a line of logarithms through two points, at x; constant beyond them.
double interpolated(double x, double x0, double y0, double x1, double y1) {
  if (!(x > x0) || !(x1 > x0)) return y0;
  if (x >= x1) return y1;
  return y0 + (y1 - y0) * (std::log(x / x0) / std::log(x1 / x0));
}

}  // namespace

std::vector<MemoryPrice> memory_prices() {
  using Clock = std::chrono::steady_clock;
  constexpr double kilobyte = 1024.0, largest = 256.0 * kilobyte * kilobyte;
  const auto most = static_cast<std::size_t>(largest / 16.0);
  std::vector<double> x(most, 1.0), y(most, 2.0);
  std::vector<MemoryPrice> prices;
  for (double bytes = 256.0 * kilobyte; bytes <= largest; bytes *= 4.0) {
    const auto count = static_cast<std::size_t>(bytes / 16.0);
    double least = std::numeric_limits<double>::infinity(), spent = 0.0;
    for (int turn = 0; turn < 3 || (spent < 5e-3 && turn < 1000); ++turn) {
      const Clock::time_point begun = Clock::now();
      for (std::size_t k = 0; k < count; ++k) y[k] += 0.5 * x[k];
      const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
      least = std::min(least, seconds);
      spent += seconds;
    }
    // x read, y read and written; the sum makes the loops count
    prices.push_back({bytes, y[count / 2] > 0.0 ? least / (24.0 * static_cast<double>(count)) : 0.0});
  }
  return prices;
}

double price_at(const std::vector<MemoryPrice>& prices, double bytes) {
  if (prices.empty()) return 0.0;
  std::size_t k = 0;
  while (k + 2 < prices.size() && prices[k + 1].bytes < bytes) ++k;
  const MemoryPrice &a = prices[k], &b = prices[std::min(k + 1, prices.size() - 1)];
  return interpolated(bytes, a.bytes, a.seconds_per_byte, b.bytes, b.seconds_per_byte);
}

CostModel::CostModel(std::vector<MemoryPrice> prices, std::vector<Calibration> calibrations)
    : prices_(std::move(prices)) {
  for (Calibration& one : calibrations)
    if (one.work.ok() && one.work.unknowns > 0.0) calibrations_.push_back(std::move(one));
  if (calibrations_.empty()) return;
  const Calibration &first = calibrations_.front(), &last = calibrations_.back();
  const auto own = [](const Calibration& c) { return std::max(0.0, c.peak_bytes - c.work.solver_bytes()); };
  if (last.work.unknowns > first.work.unknowns)
    bytes_of_unknown_ = std::max(0.0, (own(last) - own(first)) / (last.work.unknowns - first.work.unknowns));
  fixed_bytes_ = std::max(0.0, own(last) - bytes_of_unknown_ * last.work.unknowns);
  for (const Calibration& one : calibrations_) {
    std::array<double, phase_count> rates = {};
    for (const Phase phase : parts)
      rates[at(phase)] = std::max(0.0, one.seconds[at(phase)] - traffic(phase, one.work) * dearer(one.work)) /
                         work_of(phase, one.work);
    rates_.push_back(rates);
  }
}

double CostModel::own_bytes(double unknowns) const { return bytes_of_unknown_ * unknowns; }

double CostModel::dearer(const SizeWork& work) const {
  return price_at(prices_, own_bytes(work.unknowns) + work.solver_bytes()) - least_price(prices_);
}

double CostModel::between(double unknowns, double (*value)(const Calibration&)) const {
  std::size_t k = 0;
  while (k + 2 < calibrations_.size() && calibrations_[k + 1].work.unknowns < unknowns) ++k;
  const Calibration &a = calibrations_[k], &b = calibrations_[std::min(k + 1, calibrations_.size() - 1)];
  return interpolated(unknowns, a.work.unknowns, value(a), b.work.unknowns, value(b));
}

double CostModel::rate_of(Phase phase, double unknowns) const {
  std::size_t k = 0;
  while (k + 2 < calibrations_.size() && calibrations_[k + 1].work.unknowns < unknowns) ++k;
  const std::size_t next = std::min(k + 1, calibrations_.size() - 1);
  return interpolated(unknowns, calibrations_[k].work.unknowns, rates_[k][at(phase)],
                      calibrations_[next].work.unknowns, rates_[next][at(phase)]);
}

double CostModel::traffic(Phase phase, const SizeWork& work) const {
  const double factorizations = between(work.unknowns, [](const Calibration& c) { return c.factorizations; });
  const double iterations = between(work.unknowns, [](const Calibration& c) { return c.iterations; });
  switch (phase) {
    case Phase::evaluate:
      return factorizations * 2.0 * work.matrix_bytes + iterations * own_bytes(work.unknowns);
    case Phase::factorize:
      return factorizations * (work.matrix_bytes + work.analysis_bytes + 3.0 * work.factor_bytes);
    case Phase::solve:
      return std::max(0.0, iterations - factorizations) * (work.analysis_bytes + 2.0 * work.factor_bytes);
    case Phase::rest:
      return (iterations + 1.0) * own_bytes(work.unknowns);
    default:
      return 0.0;
  }
}

Prediction CostModel::predict(const SizeWork& work, int threads) const {
  Prediction p;
  if (!work.ok())
    p.why_not = work.failure;
  else if (calibrations_.empty())
    p.why_not = "no run of another size could be measured beforehand";
  if (!p.known()) return p;
  for (const Phase phase : parts)
    p.seconds[at(phase)] =
        rate_of(phase, work.unknowns) * work_of(phase, work) + traffic(phase, work) * dearer(work);
  const std::array<double, phase_count> one = p.seconds;
  // What threads share gets faster, the rest has one thread.
  const auto share = [&](int cores) {
    const double elimination = elimination_speed_up(work, cores);
    p.seconds = one;
    p.seconds[at(Phase::evaluate)] /= evaluation_speed_up(work, cores);
    p.seconds[at(Phase::factorize)] /= elimination;
    p.seconds[at(Phase::solve)] /= elimination;
    p.seconds[at(Phase::step)] = 0.0;
    for (const Phase phase : parts) p.seconds[at(Phase::step)] += p.of(phase);
    return elimination;
  };
  share(1);
  const double step = p.of(Phase::step);
  for (const int cores : predicted_cores) {
    const double elimination = share(cores);
    p.speed_ups.push_back({cores, elimination, step / p.of(Phase::step)});
  }
  share(threads);
  p.peak_bytes = fixed_bytes_ + own_bytes(work.unknowns) + work.solver_bytes();
  return p;
}

}  // namespace catena::detail
