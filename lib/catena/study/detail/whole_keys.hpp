// Which keys of a sweep are whole numbers.
#pragma once
#include <catena/study/parts/sweep_rows.hpp>

namespace catena::detail {

// The sweep with whole numbers where the keys are such: values of ranges, and what is drawn. Throws UsageError for a range
// that has a whole number twice.
Sweep with_whole_numbers(Sweep sweep, const Catalog& catalog);

// The nearest whole number.
std::string whole_text(double number);

}  // namespace catena::detail
