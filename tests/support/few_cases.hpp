// Sanitized code takes ten to forty times as long: where tests are built for it alone (CATENA_TESTS is not "all"),
// they take fewer cases, but of every kind one. The whole suite runs in the optimised builds and by .ci/nightly.
#pragma once

namespace catena_test {

#ifdef CATENA_FEW_CASES
inline constexpr bool few_cases = true;
#else
inline constexpr bool few_cases = false;
#endif

}  // namespace catena_test
