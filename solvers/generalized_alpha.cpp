#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/detail/alpha_table.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/stepper/detail/newton_options.hpp>
#include <catena/stepper/guards/detail/pole.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;
namespace {

using AlphaIndex = GeneralizedAlphaOptions::Index;
using AlphaStart = GeneralizedAlphaOptions::Start;

// With index 2 gaps are left to the remark at the end of the run.
GuardSet alpha_guards(int index) {
  if (index == 3) return usual_guards(3, 2);
  return {&dependent_rows_guard, &pole_guard};
}

Traits alpha_traits(const GeneralizedAlphaOptions& o) {
  const bool index_three = o.index == AlphaIndex::three;
  Traits t = implicit_traits("generalized_alpha",
                             "generalized-alpha on the Lie group, index 3 or 2, with 1/h scaling", 2,
                             index_three ? 3 : 2);
  // Without damping what a change of h does to the multipliers stays: order 1 with steps that are longer and shorter
  // in turn (tests/studies/audit_*).
  t.variable_step = o.rho_inf != 1.0;
  // Multipliers are of order 2 from the first step on only where a_0 and, at index 3, v_0 are right for it; index 3
  // without that finds no v_n for another step size either (tests/studies/audit_*).
  const bool right_start = index_three ? o.start == AlphaStart::perturbed : o.start != AlphaStart::consistent;
  if (!right_start) t.order_lambda = 1;
  if (!right_start && index_three) t.variable_step = false;
  return t;
}

ImplicitMethod generalized_alpha_method(const GeneralizedAlphaOptions& o) {
  const AlphaCoefficients c = AlphaCoefficients::of(o.rho_inf);
  const int index = o.index == AlphaIndex::three ? 3 : 2;
  ImplicitMethod m =
      alpha_method(alpha_traits(o), index, c, o.start == AlphaStart::source ? c.theta_of_start() : 0.0);
  m.guards = alpha_guards(index);
  return m;
}

ImplicitSettings alpha_settings(const GeneralizedAlphaOptions& o) {
  ImplicitSettings s = o.engine.settings();
  s.exact = s.whole_matrix = o.newton == GeneralizedAlphaOptions::Newton::exact;
  s.scaling = o.scaling;
  s.mass_jacobian = o.mass_jacobian;
  s.jerk_at_start = s.offset_at_start = s.offset_follows_step = o.start == AlphaStart::perturbed;
  return s;
}

}  // namespace

void visit(OptionVisitor& visitor, GeneralizedAlphaOptions& o) {
  visitor.real({"rho_inf", "1", "spectral radius at infinite frequency: 1 keeps energy (index 2), less damps",
                0.0, 1.0},
               o.rho_inf);
  visit_choice(visitor, {"index", "", "constraints enforced at position (3) or velocity level (2)"}, o.index,
               {"3", "2"});
  visit_choice(visitor, {"newton", "", "quasi: LDLT of the symmetric part; exact: LDU of the whole matrix"},
               o.newton, {"quasi", "exact"});
  visit_jacobian(visitor, o.engine);
  visit_newton(visitor, o.engine.newton_tolerance, o.engine.max_newton_iterations);
  visit_choice(
      visitor,
      {"start", "",
       "perturbed: a_0 and v_0 so that lambda is of order 2 from the first step; source: M a_0 = (1 - "
       "alpha) F_0 + alpha F_1, solved with the first step; consistent: a_0 = v'_0"},
      o.start, {"perturbed", "source", "consistent"});
  visit_scaling(visitor, o.scaling);
  visit_mass_jacobian(visitor, o.mass_jacobian);
  visit_engine(visitor, o.engine, alpha_guards(3));
}

GeneralizedAlpha::GeneralizedAlpha(const GeneralizedAlphaOptions& options, LinearSolverFactory backend,
                                   LinearSolverFactory fallback)
    : ImplicitStepper(generalized_alpha_method(options), alpha_settings(options), std::move(backend),
                      std::move(fallback)),
      options_(options) {}

std::string GeneralizedAlpha::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  const auto& level = system.layout().level;
  if (options_.index == AlphaIndex::three && options_.rho_inf == 1.0 &&
      std::find(level.begin(), level.end(), Level::position) != level.end())
    return "with rho_inf = 1 and index = 3 the multipliers grow without bound: take rho_inf of 0.95 at most, "
           "or index = 2";
  if (options_.rho_inf < 0.01 && options_.start == AlphaStart::source)
    return "with rho_inf = 0 the first step does not determine a_0 of start = source: take start = perturbed";
  return {};
}

}  // namespace catena
