#include "studies/audit_groups.hpp"

TEST_CASE("the audit of space manipulator: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("space manipulator", {.pairs = 96,
                                                .of_ida = 3,
                                                .checks_left_out = 19,
                                                .chooses_steps = 12,
                                                .at_roundoff = 0,
                                                .few_steps = 7,
                                                .order_not_unique = 0,
                                                .lambda_not_unique = 0,
                                                .not_measured = 0});
}
