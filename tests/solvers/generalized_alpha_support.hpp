// Runs of generalized_alpha for its tests.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/kkt/consistent.hpp>
#include <catena/problems/problem.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "support/started_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace catena_test::alpha {

using namespace catena;
using Options = GeneralizedAlphaOptions;
using Index = Options::Index;
using Newton = Options::Newton;
using Vector = std::vector<double>;

using catena_test::coordinates;
using catena_test::distance;
using catena_test::largest;

// Stops Newton's method after an iteration of the test's choice, by tolerances that no user may ask for.
class StoppedEarly : public GeneralizedAlpha {
 public:
  using GeneralizedAlpha::GeneralizedAlpha;
  std::string refuses(const System& s) const override {
    return options().engine.newton_tolerance > 1e-2 ? std::string() : GeneralizedAlpha::refuses(s);
  }
};

using Run = StartedRun<StoppedEarly, Options>;

struct Orders {
  double q, v;
};
// log2 of the ratio of the distances of three runs at h, h/2, h/4, at t = end.
inline Orders measured_orders(const MultibodySystem& system, double end, double h, const Options& options) {
  std::array<Vector, 3> q, v;
  for (std::size_t k = 0; k < 3; ++k) {
    Run run(system, h / std::pow(2.0, static_cast<double>(k)), options);
    run.until(end);
    q[k] = coordinates(system, run.state);
    v[k] = run.state.v;
  }
  return {std::log2(distance(q[0], q[1]) / distance(q[1], q[2])),
          std::log2(distance(v[0], v[1]) / distance(v[1], v[2]))};
}

// The exact multipliers at the instants k h: those of the index-1 system at the q and v of a run with h / finer.
class ExactMultipliers {
 public:
  ExactMultipliers(const MultibodySystem& system, double end, double h, int finer, const Options& options)
      : h_(h) {
    KktSolver kkt;
    REQUIRE(kkt.attach(system, {}).empty());
    ConsistentValues consistent(system, kkt);
    Run run(system, h / finer, options);
    Vector a(run.state.a.size());
    const int count = static_cast<int>(std::lround(end / h));
    for (int k = 0; k <= count; ++k) {
      if (k > 0) run.steps(finer);
      values_.push_back(run.state.lambda);
      REQUIRE(consistent
                  .accelerations(run.state.t, run.state.q.data(), run.state.v.data(), a.data(),
                                 values_.back().data())
                  .status == Status::ok);
    }
  }
  // The largest error of a run with step h over its steps from the one numbered `first` on. h: a multiple.
  double error(const MultibodySystem& system, double h, const Options& options, int first) const {
    const auto every = static_cast<std::size_t>(std::lround(h / h_));
    Run run(system, h, options);
    double worst = 0.0;
    for (std::size_t k = every; k < values_.size(); k += every) {
      run.step();
      if (static_cast<int>(k / every) >= first)
        worst = std::max(worst, distance(run.state.lambda, values_[k]));
    }
    return worst;
  }

 private:
  double h_;
  std::vector<Vector> values_;
};

}  // namespace catena_test::alpha
