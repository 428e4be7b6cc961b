#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/detail/lie_dae_stabilized.hpp>
#include <catena/solvers/lie_dae.hpp>
#include <catena/stepper/detail/newton_options.hpp>
#include <catena/stepper/guards/detail/velocity_level.hpp>

#include <utility>

namespace catena {
using namespace detail;
namespace {

using DaeIndex = LieDaeOptions::Index;

bool stabilized(const LieDaeOptions& o) { return o.index == DaeIndex::stabilized; }
bool exact(const LieDaeOptions& o) { return o.newton == LieDaeOptions::Newton::exact; }

GuardSet dae_guards(const LieDaeOptions& o) {
  switch (o.index) {
    case DaeIndex::two:
      return usual_guards(2, o.order);
    case DaeIndex::one:
      return usual_guards(1, o.order);
    default:
      return usual_guards(3, 1);  // without that of the velocity level
  }
}

// u = a: rows hold no differences of velocities over h, whose roundoff would be in the balance.
StepTable dae_table(int order, bool with_u, const StepSizes& s) {
  const double r = s.h / s.h_before, sigma = order == 1 ? 1.0 : (1.0 + 2.0 * r) / (1.0 + r), ht = s.h / sigma;
  const TableRow &v = last_velocity, &u = unknown, eta = slot(0), alpha = slot(1);
  StepTable t;
  t.acceleration = u;
  t.velocity = v + ht * (u + (sigma - 1.0) * alpha);
  t.increment = ht * (t.velocity + (sigma - 1.0) * eta);
  t.next = {(1.0 / s.h) * t.increment, (1.0 / s.h) * (t.velocity - v), u};
  if (with_u) {
    t.guess = slot(2) + r * (last_acceleration - acceleration_before_last);
    t.has_guess = true;
  }
  return t;
}

StartRows dae_start(double h) {
  return {{{1.0, -0.5 * h, h * h / 6.0, h * h / 12.0}, {0.0, 1.0, -0.5 * h, 0.0}, {0.0, 1.0, 0.0, 0.0}}};
}

ImplicitMethod dae_method(const LieDaeOptions& o) {
  ImplicitMethod m;
  m.index = o.index == DaeIndex::one ? 1 : o.index == DaeIndex::two ? 2 : 3;
  m.traits = implicit_traits(
      "lie_dae", "backward Euler or BDF2 in the Lie algebra, index 1, 2, 3 or stabilized", o.order, m.index);
  if (stabilized(o)) m.traits.velocity_residual = m.traits.acceleration_residual = true;
  m.slots = {"increment rate", "velocity rate"};
  if (stabilized(o)) m.slots.emplace_back("rate before mu");
  m.table = [order = o.order, with_u = stabilized(o)](const StepSizes& s) {
    return dae_table(order, with_u, s);
  };
  m.start = dae_start;
  m.guards = dae_guards(o);
  return m;
}

ImplicitSettings dae_settings(const LieDaeOptions& o) {
  ImplicitSettings s = o.engine.settings();
  s.exact = exact(o);
  s.whole_matrix = exact(o) || (o.newton == LieDaeOptions::Newton::automatic &&
                                (o.index == DaeIndex::two || o.index == DaeIndex::one));
  s.jerk_at_start = o.order == 2;
  s.offset_at_start = o.perturbed_start;
  s.offset_follows_step = !stabilized(o);
  s.guess_is_last = o.guess == LieDaeOptions::Guess::last;
  return s;
}

std::unique_ptr<StepExtension> dae_extension(const LieDaeOptions& o) {
  if (!stabilized(o)) return nullptr;
  return std::make_unique<Stabilization>(exact(o), o.engine.proximal);
}

}  // namespace

void visit(OptionVisitor& visitor, LieDaeOptions& o) {
  visit_choice(
      visitor,
      {"index", "", "constraints at position (3), velocity (2), acceleration level (1), or all three"},
      o.index, {"3", "2", "1", "stabilized"});
  visitor.integer({"order", "1", "1: backward Euler, as in the source; 2: BDF2 in the Lie algebra", 1, 2},
                  o.order);
  visit_choice(
      visitor,
      {"newton", "",
       "quasi: LDLT of the symmetric part; exact: the whole linearisation; automatic: quasi at index 3 and "
       "stabilized, else LDU"},
      o.newton, {"automatic", "quasi", "exact"});
  visit_jacobian(visitor, o.engine);
  visit_choice(visitor, {"guess", "", "where Newton begins: extrapolated, or V_n and lambda_n (last)"},
               o.guess, {"extrapolated", "last"});
  visit_newton(visitor, o.engine.newton_tolerance, o.engine.max_newton_iterations);
  visitor.flag(
      {"perturbed_start", "",
       "index 3: begin with the velocities that the method has later on, so that lambda is right at once"},
      o.perturbed_start);
  GuardSet guards = implicit_guards();
  std::erase(guards, &velocity_level_guard);
  visit_engine(visitor, o.engine, guards);
}

LieDae::LieDae(const LieDaeOptions& options, LinearSolverFactory backend, LinearSolverFactory fallback)
    : ImplicitStepper(dae_method(options), dae_settings(options), std::move(backend), std::move(fallback),
                      dae_extension(options)),
      options_(options) {}

std::string LieDae::refuses(const System&) const { return out_of_range(options_); }

const std::vector<double>& LieDae::mu() const {
  static const std::vector<double> nothing;
  return extension() == nullptr ? nothing : static_cast<const Stabilization*>(extension())->mu();
}

const std::vector<double>& LieDae::omega() const {
  static const std::vector<double> nothing;
  return extension() == nullptr ? nothing : static_cast<const Stabilization*>(extension())->omega();
}

}  // namespace catena
