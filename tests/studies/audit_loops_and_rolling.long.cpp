#include "studies/audit_groups.hpp"

TEST_CASE("the audit of loops and rolling: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("loops and rolling", {.pairs = 174,
                                                .of_ida = 15,
                                                .checks_left_out = 105,
                                                .chooses_steps = 12,
                                                .at_roundoff = 0,
                                                .few_steps = 8,
                                                .order_not_unique = 55,
                                                .lambda_not_unique = 30,
                                                .not_measured = 0});
}
