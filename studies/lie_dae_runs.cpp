#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/detail/each_state.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/largest.hpp>
#include <catena/studies/detail/lie_dae_runs.hpp>
#include <catena/studies/detail/scenarios.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace catena::detail::lie_dae_study {

std::string name(LieDaeOptions::Index form) {
  switch (form) {
    case LieDaeOptions::Index::one:
      return "DAE1";
    case LieDaeOptions::Index::two:
      return "DAE2";
    case LieDaeOptions::Index::three:
      return "DAE3";
    case LieDaeOptions::Index::stabilized:
      return "DAES";
  }
  return {};
}

LieDaeOptions as_in_the_source(LieDaeOptions::Index form, double h) {
  LieDaeOptions o;
  o.index = form;
  o.order = 1;
  o.newton = LieDaeOptions::Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.guess = LieDaeOptions::Guess::last;
  o.engine.newton_tolerance = std::max(1e-14, 1e-11 * h);
  o.perturbed_start = false;
  return o;
}

namespace {

// Residuals of the three levels and the energy at a state.
struct Measures {
  std::vector<double> gap, rate, acceleration;
  explicit Measures(const System& system) : system_(system) {
    for (auto* x : {&gap, &rate, &acceleration})
      x->resize(static_cast<std::size_t>(system.layout().lambda_size()));
  }
  void take(const State& s) {
    Point at = point_of(s);
    at.a = s.a.data();
    Evaluation wanted;
    wanted.position = gap.data();
    wanted.velocity = rate.data();
    wanted.acceleration = acceleration.data();
    system_.evaluate(at, wanted);
  }
  double energy(const State& s) const { return system_.energy(point_of(s)).total(); }

 private:
  const System& system_;
};

double orthogonality_defect(const std::vector<RigidBodyState>& bodies) {
  double worst = 0.0;
  for (const RigidBodyState& b : bodies) {
    const Mat3 R = rotation_matrix(b.orientation);
    const Mat3 defect = R.transpose() * R - Mat3::Identity();
    for (const double x : defect.e) worst = std::max(worst, std::abs(x));
  }
  return worst;
}

void sample(const System& system, const State& state, const Measures& m,
            const std::vector<RigidBodyState>& bodies, Samples& out) {
  const Energy e = system.energy(point_of(state));
  out.t.push_back(state.t);
  out.energy.push_back(e.total());
  out.kinetic.push_back(e.kinetic);
  out.potential.push_back(e.potential);
  out.gap.push_back(largest_of(m.gap));
  out.rate.push_back(largest_of(m.rate));
  out.acceleration.push_back(largest_of(m.acceleration));
  out.orthogonality.push_back(orthogonality_defect(bodies));
  const Vec3 to_end{{0.5, 0.0, 0.0}};
  for (std::size_t b = 0; b < 2; ++b) {
    const Mat3 R = rotation_matrix(bodies[b].orientation);
    const Vec3 end = bodies[b].position + R * to_end;
    for (std::size_t i = 0; i < 3; ++i) {
      const int k = static_cast<int>(i);
      out.position[3 * b + i].push_back(bodies[b].position[k]);
      (b == 0 ? out.elbow : out.tip)[i].push_back(end[k]);
    }
    for (std::size_t i = 0; i < 9; ++i) out.rotation[9 * b + i].push_back(R.e[i]);
  }
  for (std::size_t k = 0; k < 6; ++k) out.lambda[k].push_back(state.lambda[k]);
}

Model manipulator(const Vec3* inertia) {
  Model model = TwoLinkManipulator().model();
  if (inertia != nullptr)
    for (int b = 0; b < model.body_count(); ++b) model.body(BodyId{b}).inertia = diagonal(*inertia);
  return model;
}

Scenario of_the_source(const Vec3* inertia, const LieDaeOptions& options, double end, double h) {
  return {.model = std::make_shared<Model>(manipulator(inertia)),
          .stepper = "lie_dae",
          .options = settings_of(options),
          .step = h,
          .end = end,
          .max_cuts = 0,
          .gaps = "remark"};  // of index 1 and 2 they are measured
}

}  // namespace

Result run(const LieDaeOptions& options, double end, double h, const Vec3* inertia) {
  const MultibodySystem system(manipulator(inertia));
  Result r;
  Measures m(system);
  double initial = 0.0;
  long steps = -1;  // behind the start
  const long count = std::lround(end / h), every = std::max(1L, count / 1000);
  std::vector<RigidBodyState> bodies;
  EachState look([&](const State& s) {
    if (++steps == 0) {
      initial = m.energy(s);
      return;
    }
    m.take(s);
    r.energy = std::max(r.energy, std::abs(m.energy(s) - initial) / initial);
    r.position = std::max(r.position, largest_of(m.gap));
    r.velocity = std::max(r.velocity, largest_of(m.rate));
    if (steps > 1) r.acceleration = std::max(r.acceleration, largest_of(m.acceleration));
    if (steps % every != 0) return;
    bodies = system.bodies(s);
    r.orthogonality = std::max(r.orthogonality, orthogonality_defect(bodies));
    sample(system, s, m, bodies, r.samples);
  });
  Scenario scenario = of_the_source(inertia, options, end, h);
  scenario.record = "step/newton_iterations";
  scenario.every = 1;
  const Record record = catena::run(scenario, study_catalog(), {.listeners = {.observers = {&look}}});
  r.finished = record.ok();
  if (!r.finished) return r;
  const std::vector<double> iterations = record.table.column("step/newton_iterations");
  r.iterations = std::accumulate(iterations.begin() + 1, iterations.end(), 0.0) / static_cast<double>(count);
  for (const RigidBodyState& b : bodies) {
    r.q.insert(r.q.end(), b.position.e, b.position.e + 3);
    for (const double x : {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z})
      r.q.push_back(x);
  }
  r.v = record.state.v;
  r.lambda = record.state.lambda;
  return r;
}

Literal run_literally(double end, double h) {
  const MultibodySystem system(manipulator(nullptr));
  Literal r;
  KktSolver projector;  // [I B^T; B 0]
  if (!projector.attach(system, {}).empty()) return r;
  projector.matrix().set_zero();
  for (int k = 0; k < projector.matrix().pattern().primal_count(); ++k)
    for (int i = 0; i < 6; ++i) projector.matrix().H(k)(i, i) = 1.0;
  const auto n = static_cast<std::size_t>(system.layout().v_size());
  std::vector<double> x(static_cast<std::size_t>(projector.dimension()));
  Measures m(system);
  double initial = 0.0;
  EachState project([&](const State& s) {
    if (s.t == 0.0) {
      initial = m.energy(s);
      return true;
    }
    m.take(s);
    r.energy_of_primed = std::max(r.energy_of_primed, std::abs(m.energy(s) - initial) / initial);
    r.rate_of_primed = std::max(r.rate_of_primed, largest_of(m.rate));
    Linearization lin;
    lin.matrix = &projector.matrix();
    lin.rows_only = true;
    Evaluation wanted;
    wanted.linearization = &lin;
    Point at;
    at.q = s.q.data();
    system.evaluate(at, wanted);
    if (projector.factorize().status != Status::ok) return false;
    std::fill(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
    for (std::size_t j = 0; j < m.rate.size(); ++j) x[n + j] = -m.rate[j];
    projector.solve(x.data());
    State projected = s;
    for (std::size_t j = 0; j < n; ++j) projected.v[j] += x[j];
    m.take(projected);
    r.energy_of_projected =
        std::max(r.energy_of_projected, std::abs(m.energy(projected) - initial) / initial);
    r.rate_of_projected = std::max(r.rate_of_projected, largest_of(m.rate));
    return true;
  });
  const Scenario scenario = of_the_source(nullptr, as_in_the_source(LieDaeOptions::Index::three, h), end, h);
  return catena::run(scenario, study_catalog(), {.listeners = {.observers = {&project}}}).ok() ? r
                                                                                               : Literal{};
}

}  // namespace catena::detail::lie_dae_study
