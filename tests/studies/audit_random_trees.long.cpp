#include "studies/audit_groups.hpp"

TEST_CASE("the audit of random trees: every stepper keeps its promises on joints of mixed kinds") {
  catena_test::hold_audit("random trees", {.pairs = 34,
                                           .of_ida = 3,
                                           .checks_left_out = 4,
                                           .chooses_steps = 4,
                                           .at_roundoff = 0,
                                           .few_steps = 0,
                                           .order_not_unique = 0,
                                           .lambda_not_unique = 0,
                                           .not_measured = 0});
}
