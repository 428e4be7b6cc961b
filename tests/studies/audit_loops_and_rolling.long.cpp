#include "studies/audit_groups.hpp"

TEST_CASE("the audit of loops and rolling: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("loops and rolling", {.pairs = 162,
                                                .of_ida = 15,
                                                .checks_left_out = 80,
                                                .chooses_steps = 6,
                                                .at_roundoff = 0,
                                                .few_steps = 0,
                                                .order_not_unique = 48,
                                                .lambda_not_unique = 26,
                                                .not_measured = 0});
}
