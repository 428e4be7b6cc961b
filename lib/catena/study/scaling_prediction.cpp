#include <catena/experiment/catalog.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/study/detail/own_process.hpp>
#include <catena/study/detail/scaled_run.hpp>
#include <catena/study/detail/scaling_prediction.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// A run of so many bodies takes a tenth of a second.
constexpr int enough_bodies = 3000;
// A run of a fortieth of the largest size, which memory holds as it holds that one: larger ones would cost what they are
// to predict.
constexpr double enough_share = 1.0 / 40.0;
// More steps would cost what they are to predict; with fewer the first one, which begins the history, counts too much.
constexpr int most_steps = 20;
// The least time of several, so that another program on the same core does not count: more of them where they are short.
constexpr int least_repetitions = 3, most_repetitions = 10;
constexpr double enough_seconds = 0.5;

// In a process of its own, whose memory goes with it; none where it could not be measured.
std::vector<MemoryPrice> prices_of_machine() {
  const OwnProcess process = in_own_process([] {
    nlohmann::json json = nlohmann::json::array();
    for (const MemoryPrice& price : memory_prices()) json.push_back({price.bytes, price.seconds_per_byte});
    return json.dump();
  });
  std::vector<MemoryPrice> prices;
  if (process.ended())
    for (const auto& price : nlohmann::json::parse(process.answer))
      prices.push_back({price.at(0).get<double>(), price.at(1).get<double>()});
  return prices;
}

// Whether a run of this size is large enough to predict the largest; of sizes that are no numbers each is.
bool enough_for(const std::vector<std::string>& sizes, const std::string& size) {
  double largest = 0.0;
  for (const std::string& one : sizes) largest = std::max(largest, parse_real(one).value_or(0.0));
  return parse_real(size).value_or(0.0) >= enough_share * largest;
}

struct Calibrated {
  CostModel model;
  ScaledRun smallest = {};  // of the calibrations
};

Calibrated calibrated(const Scaling& scaling, const ScaledSeries& series, const Catalog& catalog,
                      double base_bytes, const std::atomic<bool>* stop) {
  ScaleRequest request = scaling.request;
  request.steps = std::min(request.steps, most_steps);
  std::vector<Calibration> calibrations;
  ScaledRun smallest;
  for (const std::string& size : calibration_sizes(request.sizes)) {
    ScaledRun run{series.stepper, series.backend, 1, size};
    double slowest = 0.0;
    const auto begun = std::chrono::steady_clock::now();
    const auto enough = [&](int turn) {
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begun;
      return turn >= most_repetitions || (turn >= least_repetitions && used.count() > enough_seconds);
    };
    for (int turn = 0; !enough(turn) && run.ok() && (stop == nullptr || !*stop); ++turn)
      repeat(run, request, scaling.step, catalog, stop, base_bytes, slowest);
    if (!run.ok() || run.of(Phase::step) == 0.0) continue;
    if (calibrations.empty()) smallest = run;
    calibrations.push_back({size_work(scenario_of(request, run), catalog), run.seconds, run.iterations,
                            run.factorizations, run.peak_bytes});
    if (enough_for(request.sizes, size) && run.bodies >= enough_bodies && calibrations.size() > 1) break;
  }
  return {CostModel(scaling.memory_prices, std::move(calibrations)), smallest};
}

// What several threads take more than one, whatever the size: stacks, and the allocator's share of each.
double bytes_of_threads(const Scaling& scaling, ScaledRun run, int threads, const Catalog& catalog,
                        double base_bytes, const std::atomic<bool>* stop) {
  if (threads == 1 || !run.ok() || run.size.empty()) return 0.0;
  ScaleRequest request = scaling.request;
  request.steps = std::min(request.steps, most_steps);
  const double one = run.peak_bytes;
  run = ScaledRun{run.stepper, run.backend, threads, run.size};
  double slowest = 0.0;
  repeat(run, request, scaling.step, catalog, stop, base_bytes, slowest);
  return run.ok() ? std::max(0.0, run.peak_bytes - one) : 0.0;
}

bool same_method(const ScaledSeries& a, const ScaledSeries& b) {
  return a.stepper == b.stepper && a.backend == b.backend;
}

}  // namespace

std::vector<std::string> calibration_sizes(const std::vector<std::string>& sizes) {
  std::vector<double> numbers;
  for (const std::string& size : sizes) {
    const std::optional<double> number = parse_real(size);
    if (!number || !(*number >= 1.0)) return {sizes.front()};
    numbers.push_back(*number);
  }
  const auto whole = [](double x) { return std::to_string(std::lround(x)); };
  std::vector<std::string> chosen;
  const auto choose = [&](const std::string& size) {
    if (chosen.empty() || chosen.back() != size) chosen.push_back(size);
  };
  if (numbers.size() == 1) {
    choose(whole(std::ceil(numbers.front() / 32.0)));
    choose(whole(std::ceil(numbers.front() / 8.0)));
    return chosen;
  }
  choose(sizes.front());
  for (std::size_t k = 1; k < numbers.size(); ++k) choose(whole(std::sqrt(numbers[k - 1] * numbers[k])));
  return chosen;
}

void predict(Scaling& scaling, const Catalog& catalog, double base_bytes, const std::atomic<bool>* stop) {
  scaling.memory_prices = prices_of_machine();
  for (std::size_t k = 0; k < scaling.series.size(); ++k) {
    ScaledSeries& first = scaling.series[k];
    const auto begin = scaling.series.begin();
    if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(k),
                    [&](const ScaledSeries& other) { return same_method(other, first); }))
      continue;
    const auto [model, smallest] = calibrated(scaling, first, catalog, base_bytes, stop);
    std::vector<double> more;  // bytes, of the threads of each series of this method
    for (const ScaledSeries& series : scaling.series)
      more.push_back(same_method(series, first)
                         ? bytes_of_threads(scaling, smallest, series.threads, catalog, base_bytes, stop)
                         : 0.0);
    for (std::size_t r = 0; r < first.runs.size(); ++r) {
      if (stop != nullptr && *stop) return;
      const SizeWork work = size_work(scenario_of(scaling.request, first.runs[r]), catalog);
      for (std::size_t i = 0; i < scaling.series.size(); ++i) {
        ScaledSeries& series = scaling.series[i];
        if (!same_method(series, first)) continue;
        series.runs[r].work = work;
        series.runs[r].predicted = model.predict(work, series.threads);
        series.runs[r].predicted.peak_bytes += more[i];
      }
    }
  }
}

}  // namespace catena::detail
