#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/detail/alpha_table.hpp>
#include <catena/solvers/newmark.hpp>

#include <utility>

namespace catena {
using namespace detail;
namespace {

ImplicitMethod newmark_method(const NewmarkOptions& o) {
  AlphaCoefficients c;
  c.gamma = o.gamma;
  c.beta = 0.25 * (o.gamma + 0.5) * (o.gamma + 0.5);
  const int index = o.implicit.index_number();
  return alpha_method(implicit_traits("newmark", "Newmark's method on the Lie group, index 3, 2 or 1",
                                      o.gamma == 0.5 ? 2 : 1, index),
                      index, c);
}

}  // namespace

void visit(OptionVisitor& visitor, NewmarkOptions& o) {
  visitor.real({"gamma", "1", "1/2: order 2, no damping; above: order 1, damps high frequencies", 0.5, 1.0},
               o.gamma);
  visit(visitor, o.implicit);
}

Newmark::Newmark(const NewmarkOptions& options, LinearSolverFactory backend, LinearSolverFactory fallback)
    : ImplicitStepper(newmark_method(options), options.implicit.settings(), std::move(backend),
                      std::move(fallback)),
      options_(options) {}

std::string Newmark::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  if (options_.gamma > 0.5 && options_.implicit.engine.tolerance > 0.0)
    return "newmark with gamma above 1/2 is of order 1 by its velocities, whose error the estimate of its "
           "increments does not "
           "see: take gamma = 0.5 with index = 2, or no tolerance";
  return ImplicitStepper::refuses(system);
}

}  // namespace catena
