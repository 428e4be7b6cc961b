// Runs of lie_dae for its tests.
#pragma once
#include <catena/assembly/multibody_system.hpp>
#include <catena/problems/two_link_manipulator.hpp>
#include <catena/solvers/lie_dae.hpp>

#include "support/started_run.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace catena_test::lie {

using namespace catena;
using namespace catena::detail;
using Options = LieDaeOptions;
using Index = Options::Index;
using Newton = Options::Newton;
using Vector = std::vector<double>;

constexpr std::array<Index, 4> forms = {Index::one, Index::two, Index::three, Index::stabilized};
inline const char* name(Index index) {
  return index == Index::one     ? "DAE1"
         : index == Index::two   ? "DAE2"
         : index == Index::three ? "DAE3"
                                 : "DAES";
}

using catena_test::coordinates;
using catena_test::distance;
using catena_test::largest;

using Run = StartedRun<LieDae, Options>;

// As the source iterates: Newton's method from V_n and lambda_n, stopped at |dV| < 1e-11, which is a move of
// 1e-11 h; velocities of t_0 as they are.
inline Options as_in_the_source(Index index, double h) {
  Options o;
  o.index = index;
  o.order = 1;
  o.newton = Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.guess = Options::Guess::last;
  o.engine.newton_tolerance = std::max(1e-16, 1e-11 * h);
  o.perturbed_start = false;
  return o;
}

// What the tables of the source list: largest relative energy error, residuals of the three levels.
struct Errors {
  double energy = 0.0, position = 0.0, velocity = 0.0, acceleration = 0.0, orthogonality = 0.0;
  double iterations = 0.0;
};
inline Errors errors_of(const Options& options, double end, double h) {
  const MultibodySystem system(TwoLinkManipulator().model());
  Run run(system, h, options);
  const double initial = run.energy();
  Errors e;
  const int count = static_cast<int>(std::lround(end / h));
  Vector g(6), rate(6), acceleration(6);
  for (int k = 0; k < count; ++k) {
    run.step();
    Point at;
    at.q = run.state.q.data();
    at.v = run.state.v.data();
    at.a = run.state.a.data();
    Evaluation wanted;
    wanted.position = g.data();
    wanted.velocity = rate.data();
    wanted.acceleration = acceleration.data();
    system.evaluate(at, wanted);
    e.energy = std::max(e.energy, std::abs(run.energy() - initial) / initial);
    e.position = std::max(e.position, largest(g));
    e.velocity = std::max(e.velocity, largest(rate));
    if (k > 0) e.acceleration = std::max(e.acceleration, largest(acceleration));
    for (const RigidBodyState& b : system.bodies(run.state)) {
      const Mat3 R = rotation_matrix(b.orientation), defect = R.transpose() * R - Mat3::Identity();
      for (const double x : defect.e) e.orthogonality = std::max(e.orthogonality, std::abs(x));
    }
  }
  e.iterations = run.iterations_per_step();
  return e;
}

struct Orders {
  double q, v, lambda_end, lambda_all, lambda_late;  // late: after the first eight instants
};
// log2 of the ratio of the distances of three runs at h, h/2, h/4. alternating: steps of 4/3 and 2/3 of that.
inline Orders measured_orders(const System& system, double end, double h, const Options& options,
                              bool alternating = false) {
  std::array<Vector, 3> q, v;
  std::array<std::vector<Vector>, 3> lambda;
  for (std::size_t k = 0; k < 3; ++k) {
    const int finer = 1 << k, every = alternating ? 2 * finer : finer;
    const double size = h / finer;
    const int count = static_cast<int>(std::lround(end / size));
    Run run(system, alternating ? size * 4.0 / 3.0 : size, options);
    for (int j = 1; j <= count; ++j) {
      run.step(!alternating ? size : j % 2 == 1 ? size * 4.0 / 3.0 : size * 2.0 / 3.0);
      if (j % every == 0) lambda[k].push_back(run.state.lambda);
    }
    q[k] = coordinates(system, run.state);
    v[k] = run.state.v;
  }
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  const auto worst = [&](std::size_t a, std::size_t b, std::size_t from) {
    double m = 0.0;
    for (std::size_t j = from; j < lambda[a].size(); ++j)
      m = std::max(m, distance(lambda[a][j], lambda[b][j]));
    return m;
  };
  const std::size_t last = lambda[0].size() - 1;
  return {order(distance(q[0], q[1]), distance(q[1], q[2])),
          order(distance(v[0], v[1]), distance(v[1], v[2])), order(worst(0, 1, last), worst(1, 2, last)),
          order(worst(0, 1, 0), worst(1, 2, 0)), order(worst(0, 1, 8), worst(1, 2, 8))};
}

}  // namespace catena_test::lie
