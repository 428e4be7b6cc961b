#include <catena/math/option_range.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/stepper/newton_options.hpp>

#include <algorithm>

namespace catena {

void visit(OptionVisitor& visitor, GeneralizedAlphaOptions& o) {
  visitor.real({"rho_inf", "1", "spectral radius at infinite frequency: 1 keeps energy (index 2), less damps",
                0.0, 1.0},
               o.rho_inf);
  visit_choice(visitor, {"index", "", "constraints enforced at position (3) or velocity level (2)"}, o.index,
               {"3", "2"});
  visit_choice(visitor, {"newton", "", "quasi: LDLT of the symmetric part; exact: LDU of the whole matrix"},
               o.newton, {"quasi", "exact"});
  visit_choice(visitor, {"jacobian", "", "when the matrix is made anew"}, o.jacobian,
               {"every_iteration", "every_step", "when_slow"});
  visit_newton(visitor, o.newton_tolerance, o.max_newton_iterations);
  visit_choice(
      visitor,
      {"start", "",
       "perturbed: a_0 and v_0 so that lambda is of order 2 from the first step; source: M a_0 = (1 - "
       "alpha) F_0 + alpha F_1, solved with the first step; consistent: a_0 = v'_0"},
      o.start, {"perturbed", "source", "consistent"});
  visit_scaling(visitor, o.scaling);
  visit_mass_jacobian(visitor, o.mass_jacobian);
  visit_proximal(visitor, o.proximal);
}

GeneralizedAlpha::GeneralizedAlpha(GeneralizedAlphaOptions options, LinearSolverFactory backend,
                                   LinearSolverFactory fallback)
    : options_(options),
      backend_(std::move(backend)),
      fallback_(std::move(fallback)),
      c_(AlphaCoefficients::of(options.rho_inf)) {}

const Traits& GeneralizedAlpha::traits() const {
  static const Traits index_3 = [] {
    Traits t;
    t.name = "generalized_alpha";
    t.summary = "generalized-alpha on the Lie group, index 3 or 2, with 1/h scaling";
    t.order_q = t.order_v = t.order_lambda = 2;
    t.position_residual = true;
    t.variable_step = true;
    t.velocity_constraints = true;
    return t;
  }();
  static const Traits index_2 = [] {
    Traits t = index_3;
    t.position_residual = false;
    t.velocity_residual = true;
    return t;
  }();
  // Without damping what a change of h does to the multipliers stays: order 1 with steps that are longer and shorter
  // in turn (studies/audit.long).
  const auto undamped = [](Traits t) {
    t.variable_step = false;
    return t;
  };
  static const Traits undamped_3 = undamped(index_3), undamped_2 = undamped(index_2);
  // Multipliers are of order 2 from the first step on only where a_0 and, at index 3, v_0 are right for it; index 3
  // without that finds no v_n for another step size either (studies/audit.long).
  const auto unperturbed = [](Traits t, bool changes_step) {
    t.order_lambda = 1;
    t.variable_step = t.variable_step && changes_step;
    return t;
  };
  static const Traits plain_3 = unperturbed(index_3, false), plain_2 = unperturbed(index_2, true),
                      plain_undamped_3 = unperturbed(undamped_3, false),
                      plain_undamped_2 = unperturbed(undamped_2, true);
  const bool undamped_now = options_.rho_inf == 1.0;
  if (index_three() && !perturbed()) return undamped_now ? plain_undamped_3 : plain_3;
  if (options_.start == GeneralizedAlphaOptions::Start::consistent)
    return undamped_now ? plain_undamped_2 : plain_2;
  if (options_.rho_inf == 1.0) return index_three() ? undamped_3 : undamped_2;
  return index_three() ? index_3 : index_2;
}
std::string GeneralizedAlpha::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  const auto& level = system.layout().level;
  if (index_three() && options_.rho_inf == 1.0 &&
      std::find(level.begin(), level.end(), Level::position) != level.end())
    return "with rho_inf = 1 and index = 3 the multipliers grow without bound: take rho_inf of 0.95 at most, "
           "or "
           "index = 2";
  if (options_.rho_inf < 0.01 && options_.start == GeneralizedAlphaOptions::Start::source)
    return "with rho_inf = 0 the first step does not determine a_0 of start = source: take start = perturbed";
  return {};
}

}  // namespace catena
