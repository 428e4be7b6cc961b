#include "studies/audit_groups.hpp"

TEST_CASE("the audit of arms: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("arms", {.pairs = 194,
                                   .of_ida = 18,
                                   .checks_left_out = 33,
                                   .chooses_steps = 23,
                                   .at_roundoff = 0,
                                   .few_steps = 9,
                                   .order_not_unique = 0,
                                   .lambda_not_unique = 0,
                                   .not_measured = 1});
}
