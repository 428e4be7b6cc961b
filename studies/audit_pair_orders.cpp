// The promised orders: in the step, or of the error over the tolerance.
#include <catena/studies/detail/audit_pair_checks.hpp>

namespace catena::detail::audit_detail {
namespace {

// Roundoff of positions over h^2 in multipliers: what alternates from step to step, and grows as steps become shorter.
// An error of the method shrinks. Of each order of q, v and lambda with equal steps.
double noise_of_lambda(const Levels& traces) {
  const double coarse = traces[1].alternating_lambda, fine = traces[2].alternating_lambda;
  return fine > 2.0 * coarse ? fine : 0.0;
}

}  // namespace

// Whether the pair has multipliers to measure; says why not.
bool PairChecks::has_multipliers(const std::string& check) {
  if (subject_.system().layout().lambda_size() == 0) return false;
  if (case_.redundant)
    leave_out(check, "rows depend on each other: their multipliers are not unique");
  else if (traits().order_lambda == 0)
    leave_out(check, "no order is promised");
  else
    return true;
  return false;
}

void PairChecks::check_orders(const Levels& traces, double uneven, double slack) {
  const std::string how = uneven > 0.0 ? ", uneven steps" : "";
  coarser_.clear();
  check_order(traces, "order of q" + how, traits().order_q, &Sample::q, uneven, slack);
  check_order(traces, "order of v" + how, traits().order_v, &Sample::v, uneven, slack);
  // M v' - f = -G^T lambda: an error of v over a step is one of v'.
  if (has_multipliers("order of lambda" + how))
    check_order(traces, "order of lambda" + how, traits().order_lambda, &Sample::lambda, uneven, slack);
}

void PairChecks::check_order(const Levels& traces, const std::string& what, int promised,
                             Vector Sample::*part, double uneven, double slack) {
  const Levels* shown = &traces;
  // Noise of a tenth of the difference, a quarter of that with twice the step, changes the order by 0.16 at most.
  const bool of_lambda = part == &Sample::lambda && uneven == 0.0;
  const auto hidden = [&] {
    const double noise = of_lambda ? 10.0 * noise_of_lambda(*shown) : 0.0;
    return apart((*shown)[1], (*shown)[2], part) <= std::max(floor() * size(part), noise);
  };
  // Longer steps, until there is more to see than roundoff.
  std::size_t halvings = 0;
  for (int count = steps() / 2; hidden() && count >= fewest_steps; count /= 2, ++halvings) {
    const int whole = count / fewest_steps * fewest_steps;
    if (halvings == coarser_.size()) {
      coarser_.emplace_back();
      if (!run_levels(coarser_.back(), whole, uneven)) return;
    }
    shown = &coarser_[halvings];
  }
  if (hidden()) {
    add(what, apart((*shown)[1], (*shown)[2], part), floor() * size(part)).remark = "at roundoff";
    leave_out(what, "nothing is left but roundoff, even in " + std::to_string(fewest_steps) + " steps");
    return;
  }
  add(what, std::log2(apart((*shown)[0], (*shown)[1], part) / apart((*shown)[1], (*shown)[2], part)),
      promised - slack)
      .at_least = true;
  if (halvings > 0)
    result_.checks.back().remark = "with " + std::to_string(1 << halvings) + " times the step";
}

// Error control: errors in proportion to the tolerance.
void PairChecks::check_proportions() {
  leave_out("order in h",
            "it chooses its steps: the exponent of the error over the tolerance is listed instead");
  check_proportion("q", &Sample::q);
  check_proportion("v", &Sample::v);
  if (has_multipliers("order of lambda")) check_proportion("lambda", &Sample::lambda);
}

void PairChecks::check_proportion(const std::string& of, Vector Sample::*part) {
  const Proportion found = proportion(by_tolerance_, part, floor() * size(part));
  const std::string what = "exponent of the error of " + of + " over the tolerance";
  if (found.long_runs < 3) {
    leave_out(what, "it goes there in less than " + std::to_string(fewest_steps) + " steps");
    return;
  }
  if (found.runs < 3) {
    add(what, 0.0, least_exponent).at_least = true;
    result_.checks.back().remark = "the tolerance changes nothing";
    return;
  }
  add(what, found.exponent, least_exponent).at_least = true;
  add(what, found.exponent, largest_exponent);
}

}  // namespace catena::detail::audit_detail
