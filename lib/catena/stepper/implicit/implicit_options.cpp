// The options that all implicit methods share, and their guards.
#include <catena/stepper/detail/error_options.hpp>
#include <catena/stepper/detail/newton_options.hpp>
#include <catena/stepper/guards/detail/dependent_rows.hpp>
#include <catena/stepper/guards/detail/forbidden_velocities.hpp>
#include <catena/stepper/guards/detail/gaps.hpp>
#include <catena/stepper/guards/detail/pole.hpp>
#include <catena/stepper/guards/detail/resolution.hpp>
#include <catena/stepper/guards/detail/velocity_level.hpp>
#include <catena/stepper/implicit/parts/implicit_method.hpp>

#include <algorithm>

namespace catena {
using namespace detail;

const GuardSet& implicit_guards() {
  static const GuardSet all{&dependent_rows_guard, &pole_guard, &resolution_guard,
                            &velocity_level_guard, &gap_guard,  &forbidden_velocity_guard};
  return all;
}

GuardSet usual_guards(int index, int order) {
  GuardSet set{&dependent_rows_guard, &pole_guard};
  if (index == 3) set.push_back(&resolution_guard);
  if (index == 3 && order > 1) set.push_back(&velocity_level_guard);
  if (index < 3) set.push_back(&gap_guard);
  if (index == 1) set.push_back(&forbidden_velocity_guard);
  return set;
}

GuardSet with_own_guards(const GuardSet& of_method) {
  GuardSet all = implicit_guards();
  for (const GuardType* type : of_method)
    if (std::find(all.begin(), all.end(), type) == all.end()) all.push_back(type);
  return all;
}

ImplicitSettings EngineOptions::settings() const {
  ImplicitSettings s;
  s.jacobian = jacobian;
  s.newton_tolerance = newton_tolerance;
  s.max_newton_iterations = max_newton_iterations;
  s.proximal = proximal;
  s.tolerance = tolerance;
  s.max_step = max_step;
  s.kinds = kinds;
  s.guards = guards;
  return s;
}

ImplicitSettings ImplicitOptions::settings() const {
  ImplicitSettings s = engine.settings();
  s.exact = s.whole_matrix = exact_newton;
  return s;
}

void visit_jacobian(OptionVisitor& visitor, EngineOptions& o) {
  visit_choice(visitor, {"jacobian", "", "when the matrix is made anew"}, o.jacobian,
               {"every_iteration", "every_step", "when_slow"});
}

void visit_engine(OptionVisitor& visitor, EngineOptions& o, const GuardSet& guards) {
  visit_proximal(visitor, o.proximal);
  visit_tolerance(visitor, o);
  visit_guards(visitor, o.guards, guards);
}

void visit_implicit(OptionVisitor& visitor, ImplicitOptions& o, const GuardSet& guards) {
  visit_choice(visitor, {"index", "", "constraints at position (3), velocity (2) or acceleration level (1)"},
               o.index, {"3", "2", "1"});
  visitor.flag({"exact_newton", "", "LDU of the whole linearisation; else LDLT of the symmetric part"},
               o.exact_newton);
  visit_jacobian(visitor, o.engine);
  visit_newton(visitor, o.engine.newton_tolerance, o.engine.max_newton_iterations);
  visit_engine(visitor, o.engine, guards);
}

}  // namespace catena
