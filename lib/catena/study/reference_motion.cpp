#include <catena/experiment/detail/redundant_rows.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/measure/detail/inner_multipliers.hpp>
#include <catena/study/detail/reference_motion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace catena::detail {
namespace {

struct Method {
  const char* stepper;
  double tolerance;  // 0: fixed steps
};
constexpr Method methods[] = {{"dormand_prince", 1e-12},
                              {"dormand_prince", 1e-10},
                              {"radau", 1e-12},
                              {"radau", 1e-10},
                              {"ida", 1e-12},
                              {"ida", 1e-10},
                              {"runge_kutta_4", 0.0},
                              {"generalized_alpha", 0.0},
                              {"alpha_rattle", 0.0}};
constexpr double step_ratio = 8.0;
constexpr double largest_share = 0.01;  // of an estimate in what it measures

bool has_stepper(const Catalog& catalog, const std::string& name) {
  return std::any_of(catalog.steppers().begin(), catalog.steppers().end(),
                     [&](const StepperEntry& entry) { return entry.name == name; });
}

// Multipliers follow from the motion.
bool fill_exactly(ReferenceMotion& reference, const Problem& problem, const System& system) {
  const State start = system.initial_state();
  InnerMultipliers multipliers(system);
  const BodySystem* const of_bodies = bodies_of(system);
  for (std::size_t k = 0; k < reference.motion.instants.size(); ++k) {
    const double t = reference.motion.instants[k];
    const std::optional<std::vector<RigidBodyState>> bodies = problem.exact_bodies(t);
    if (!bodies) return false;
    State state = start;
    state.t = t;
    std::fill(state.q.begin(), state.q.end(), 0.0);
    for (std::size_t b = 0; b < bodies->size(); ++b) {
      const RigidBodyState& body = (*bodies)[b];
      const Quat& e = body.orientation;
      const double pose[] = {body.position[0], body.position[1], body.position[2], e.w, e.x, e.y, e.z};
      std::copy_n(pose, 7, state.q.begin() + static_cast<std::ptrdiff_t>(7 * b));
      const Vec3 &v = body.velocity, &omega = body.angular_velocity;
      const double six[] = {v[0], v[1], v[2], omega[0], omega[1], omega[2]};
      if (of_bodies != nullptr)
        of_bodies->freedoms().reduce(static_cast<int>(b), six, state.v.data());
      else
        std::copy_n(six, 6, state.v.begin() + static_cast<std::ptrdiff_t>(6 * b));
    }
    multipliers.solve(state);
    reference.motion.samples[k] = sample_of(system, state);
  }
  for (const Part part : all_parts) reference.estimate[part] = reference.estimate_at_end[part] = 0.0;
  reference.method = "exact solution";
  reference.known = true;
  return true;
}

std::string described(const Method& method, const Scenario& scenario) {
  return method.tolerance > 0.0 ? fmt::format("{} with tolerances of {:g}", method.stepper, method.tolerance)
                                : fmt::format("{} with h = {:g} s", method.stepper, *scenario.step);
}

Scenario scenario_of(const Method& method, const Scenario& base, const std::vector<double>& instants,
                     double begin, double finest_step) {
  Scenario scenario = base;
  scenario.stepper = method.stepper;
  const double between = (instants.back() - begin) / static_cast<double>(instants.size());
  scenario.step = between;
  scenario.every = 1;
  if (method.tolerance > 0.0) {
    scenario.tolerance = method.tolerance;
  } else {
    scenario.every = static_cast<int>(std::ceil(between / finest_step * step_ratio));
    scenario.step = between / *scenario.every;
  }
  return scenario;
}

// Two methods that reach the end.
void converge(ReferenceMotion& reference, const Scenario& base, const Catalog& catalog, double begin,
              double finest_step, const std::atomic<bool>* stop) {
  std::string taken;
  for (const Method& method : methods) {
    if (!has_stepper(catalog, method.stepper) || method.stepper == taken) continue;
    const Scenario scenario = scenario_of(method, base, reference.motion.instants, begin, finest_step);
    const SampledRun run = sampled_run(scenario, catalog, reference.motion.instants, {}, stop);
    if (run.record.report.run.interrupted) return;
    if (!run.record.ok()) {
      if (run.record.report.error.empty() && run.record.report.run.status != Status::unsupported)
        reference.notes.push_back(described(method, scenario) + ": " + termination(run.record.report));
      continue;
    }
    if (!reference.known) {
      reference.motion = run.motion;
      reference.method = described(method, scenario);
      reference.known = true;
      taken = method.stepper;
      continue;
    }
    reference.checked = described(method, scenario);
    reference.estimate = largest_distance(reference.motion, run.motion);
    reference.estimate_at_end = distance(reference.motion.samples.back(), run.motion.samples.back());
    return;
  }
}

// Of positions and coordinates at instants of the comparison.
void compare_with_published(ReferenceMotion& reference, const Problem& problem, const System& system) {
  const std::vector<std::string> names = system.body_names();
  for (const Reference& known : problem.references()) {
    const int k = reference.motion.find(known.t);
    if (k < 0) continue;
    const MotionSample& sample = reference.motion.samples[index(k)];
    std::vector<double> is;
    if (known.subject == "coordinates" && known.quantity == "q") is = sample.q;
    const auto body = std::find(names.begin(), names.end(), known.subject);
    if (body != names.end() && known.quantity == "position [m]" && !sample.bodies.empty()) {
      const Vec3& x = sample.bodies[static_cast<std::size_t>(body - names.begin())].position;
      is.assign(x.e, x.e + 3);
    }
    for (std::size_t i = 0; i < std::min(is.size(), known.value.size()); ++i) {
      const double off = std::abs(is[i] - known.value[i]);
      if (off <= reference.published) continue;
      reference.published = off;
      reference.published_source = known.source;
    }
  }
}

double largest_body(const System& system) {
  if (bodies_of(system) == nullptr) return std::numeric_limits<double>::quiet_NaN();
  const SystemLayout& layout = system.layout();
  double largest = 0.0;
  for (const int first : layout.pattern->primal_offset)  // a length of a body, whatever its freedoms
    largest = std::max(largest, layout.scale[index(first)]);
  return largest;
}

void refuse_parts(ReferenceMotion& reference, const System& system, const State& start) {
  const bool own = reference.motion.own();
  const Errors size = reference.extent = extent(reference.motion, sample_of(system, start));
  for (const Part part : all_parts) {
    std::string& why = reference.refused[static_cast<std::size_t>(part)];
    if (!(reference.estimate[part] > largest_share * size[part])) continue;
    // Rates that agree are those of one motion, which coordinates of its own may describe in another chart for some steps.
    const bool one_motion = own && part == Part::position &&
                            reference.estimate[Part::velocity] <= largest_share * size[Part::velocity];
    why = fmt::format("{}: {} and {} are {:.1e}{}{} apart, of {:.1e} in all: {}", name_of(part, own),
                      reference.method, reference.checked, reference.estimate[part],
                      *unit_of(part, own) == '\0' ? "" : " ", unit_of(part, own), size[part],
                      one_motion
                          ? "their rates agree, so it is one motion, which the two have in other charts at "
                            "some instants"
                          : "chaotic, or not resolved");
  }
  const Redundancy redundancy = redundant_rows(system, start);
  if (redundancy.proven())
    reference.refused[static_cast<std::size_t>(Part::multipliers)] =
        fmt::format("multipliers: not unique, {}", to_text(redundancy));
}

}  // namespace

ReferenceMotion reference_motion(const Scenario& base, const Catalog& catalog,
                                 const std::vector<double>& instants, double finest_step,
                                 const std::atomic<bool>* stop) {
  Complaints complaints;
  const Setup setup = set_up(base, {}, catalog, complaints);
  complaints.throw_if_any();
  const std::unique_ptr<System> system = make_system(*setup.problem, Coordinates::any);
  const State start = system->initial_state();
  ReferenceMotion reference;
  reference.length = largest_body(*system);
  reference.motion = SampledMotion(instants);
  if (!fill_exactly(reference, *setup.problem, *system)) {
    reference.motion = SampledMotion(instants);
    converge(reference, base, catalog, start.t, finest_step, stop);
  }
  if (!reference.known) return reference;
  compare_with_published(reference, *setup.problem, *system);
  refuse_parts(reference, *system, start);
  return reference;
}

}  // namespace catena::detail
