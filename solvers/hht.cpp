#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/detail/alpha_table.hpp>
#include <catena/solvers/hht.hpp>

#include <utility>

namespace catena {
using namespace detail;
namespace {

ImplicitMethod hht_method(const HhtOptions& o) {
  AlphaCoefficients c;
  c.alpha_f = o.alpha;
  c.beta = 0.25 * (1.0 + o.alpha) * (1.0 + o.alpha);
  c.gamma = 0.5 + o.alpha;
  const int index = o.implicit.index_number();
  return alpha_method(
      implicit_traits("hht", "Hilber, Hughes and Taylor on the Lie group, index 3, 2 or 1", 2, index), index,
      c);
}

}  // namespace

void visit(OptionVisitor& visitor, HhtOptions& o) {
  visitor.real({"alpha", "1", "part of the old forces: damping of high frequencies", 0.0, 1.0 / 3.0},
               o.alpha);
  visit(visitor, o.implicit);
}

Hht::Hht(const HhtOptions& options, LinearSolverFactory backend, LinearSolverFactory fallback)
    : ImplicitStepper(hht_method(options), options.implicit.settings(), std::move(backend),
                      std::move(fallback)),
      options_(options) {}

std::string Hht::refuses(const System& system) const {
  std::string wrong = out_of_range(options_);
  return wrong.empty() ? ImplicitStepper::refuses(system) : wrong;
}

}  // namespace catena
