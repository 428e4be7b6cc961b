#include "studies/audit_groups.hpp"

TEST_CASE("the audit of Euler angles: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("Euler angles", {.pairs = 112,
                                           .of_ida = 3,
                                           .checks_left_out = 18,
                                           .chooses_steps = 4,
                                           .at_roundoff = 8,
                                           .few_steps = 6,
                                           .order_not_unique = 0,
                                           .lambda_not_unique = 0,
                                           .not_measured = 0});
}
