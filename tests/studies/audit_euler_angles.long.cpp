#include "studies/audit_groups.hpp"

TEST_CASE("the audit of Euler angles: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("Euler angles", {.pairs = 127,
                                           .of_ida = 3,
                                           .checks_left_out = 45,
                                           .chooses_steps = 16,
                                           .at_roundoff = 8,
                                           .few_steps = 21,
                                           .order_not_unique = 0,
                                           .lambda_not_unique = 0,
                                           .not_measured = 0});
}
