#include "studies/audit_groups.hpp"

TEST_CASE("the audit of chains: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("chains", {.pairs = 170,
                                     .of_ida = 15,
                                     .checks_left_out = 23,
                                     .chooses_steps = 20,
                                     .at_roundoff = 0,
                                     .few_steps = 3,
                                     .order_not_unique = 0,
                                     .lambda_not_unique = 0,
                                     .not_measured = 0});
}
