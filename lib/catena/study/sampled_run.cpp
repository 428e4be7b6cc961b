#include <catena/assembly/parts/body_system.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/study/detail/sampled_run.hpp>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace catena::detail {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// [bytes] nan: not known, as under a sanitizer with a heap of its own.
double heap_in_use() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const auto heap = ::mallinfo2();
  const std::size_t bytes = heap.uordblks + heap.hblkhd;
  return bytes == 0 ? unknown : static_cast<double>(bytes);
#else
  return unknown;
#endif
}

// Shows every accepted state to the sampler, and follows momentum and the use of the heap.
class EveryState : public Observer {
 public:
  EveryState(MotionSampler& sampler, const KeptMomentum& kept) : sampler_(sampler), kept_(kept) {}

  void begin(const System& system) override {
    system_ = &system;
    bodies_ = bodies_of(system);
  }
  bool observe(const State& state) override {
    sampler_.see(state);
    if (++seen_ == look_at_) {
      look_at_ *= 2;
      const double heap = heap_in_use() - heap_before_;
      if (!(heap_ > heap)) heap_ = heap;
    }
    if (bodies_ == nullptr || (kept_.about.empty() && kept_.along.empty())) return true;
    const Momentum now = momentum(bodies_->model(), system_->bodies(state));
    if (!start_) start_ = now;
    follow(kept_.about, now.angular, start_->angular, angular_drift_);
    follow(kept_.along, now.linear, start_->linear, linear_drift_);
    return true;
  }
  double angular_drift() const { return angular_drift_; }
  double linear_drift() const { return linear_drift_; }
  double heap() const { return heap_; }

 private:
  static void follow(const std::vector<int>& axes, const Vec3& now, const Vec3& start, double& drift) {
    for (const int axis : axes) {
      const double off = std::abs(now[axis] - start[axis]);
      if (!(drift >= off)) drift = off;
    }
  }

  MotionSampler& sampler_;
  const KeptMomentum& kept_;
  const System* system_ = nullptr;
  const BodySystem* bodies_ = nullptr;
  std::optional<Momentum> start_;
  double angular_drift_ = unknown, linear_drift_ = unknown;
  long seen_ = 0, look_at_ = 1;
  double heap_ = unknown;
  const double heap_before_ = heap_in_use();
};

Traits traits_of(const Scenario& scenario, const Catalog& catalog) {
  Complaints complaints;
  const Setup setup = set_up(scenario, {}, catalog, complaints);
  return setup.stepper ? setup.stepper->traits() : Traits{};
}

}  // namespace

SampledRun sampled_run(const Scenario& scenario, const Catalog& catalog, const std::vector<double>& instants,
                       const KeptMomentum& kept, const std::atomic<bool>* stop) {
  SampledRun done{{}, SampledMotion(instants), 0.0, 0.0, 0.0};
  MotionSampler sampler(done.motion, traits_of(scenario, catalog));
  EveryState every(sampler, kept);
  RunContext context;
  context.listeners.stop = stop;
  context.listeners.sinks.push_back(&sampler);
  context.listeners.observers.push_back(&every);
  done.record = try_run(scenario, catalog, context);
  done.angular_drift = every.angular_drift();
  done.linear_drift = every.linear_drift();
  done.heap = every.heap();
  return done;
}

std::vector<double> common_instants(double begin, double end, const std::vector<long>& steps) {
  constexpr long most = 100;
  long count = steps.empty() ? most : 0;
  for (const long n : steps) count = std::gcd(count, n);
  long parts = std::min(count, most);
  while (count % parts != 0) --parts;
  std::vector<double> instants;
  for (long k = 1; k <= parts; ++k)
    instants.push_back(
        k == parts ? end : begin + (end - begin) * static_cast<double>(k) / static_cast<double>(parts));
  return instants;
}

}  // namespace catena::detail
