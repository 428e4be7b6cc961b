#include "studies/audit_groups.hpp"

TEST_CASE("the audit of loops and rolling: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("loops and rolling", {.pairs = 185,
                                                .of_ida = 15,
                                                .checks_left_out = 120,
                                                .chooses_steps = 23,
                                                .at_roundoff = 0,
                                                .few_steps = 8,
                                                .order_not_unique = 57,
                                                .lambda_not_unique = 32,
                                                .not_measured = 0});
}
