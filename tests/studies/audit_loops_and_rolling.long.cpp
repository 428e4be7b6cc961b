#include "studies/audit_groups.hpp"

TEST_CASE("the audit of loops and rolling: every stepper keeps its promises on every problem that it takes") {
  catena_test::hold_audit("loops and rolling", {.pairs = 179,
                                                .of_ida = 15,
                                                .checks_left_out = 112,
                                                .chooses_steps = 17,
                                                .at_roundoff = 0,
                                                .few_steps = 8,
                                                .order_not_unique = 56,
                                                .lambda_not_unique = 31,
                                                .not_measured = 0});
}
