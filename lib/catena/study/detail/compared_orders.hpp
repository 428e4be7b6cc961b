// The orders that the errors of a comparison show.
#pragma once
#include <catena/stepper/stepper.hpp>
#include <catena/study/detail/method_comparison.hpp>

#include <map>
#include <string>
#include <vector>

namespace catena::detail {

// Of each stepper that has errors, in the order of the rows: over the mean steps that its runs took, or over the tolerances.
// traits: by ComparedStepper::label().
std::vector<ComparedOrders> compared_orders(const ProblemComparison& comparison,
                                            const std::map<std::string, Traits>& traits);

}  // namespace catena::detail
