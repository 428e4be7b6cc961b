// The schema of results: every dataset that results.h5 may hold, with shape, unit, frame and meaning. What grows are
// the quantities of the run; the file, the page docs/reference/results.md and the tests derive from this one table.
#pragma once
#include <catena/measure/measurements.hpp>

#include <string>
#include <vector>

namespace catena::detail {

// Changes with every change that a reader may notice.
inline constexpr int result_schema = 6;

struct ResultField {
  std::string path;     // "/bodies/position"
  std::string shape;    // names of the axes, "instant, body, 3"; the first is "instant" for what grows
  std::string unit;     // "m"; "1" for counts and names
  std::string frame;    // "world", "body", or "" where there is none
  std::string where;    // which systems have it
  std::string meaning;  // one line
};

// Of the quantities of the library, and of what describes the system and the run.
const std::vector<ResultField>& result_fields();
// The row of that path; one that is not in the table is a bug.
const ResultField& result_field(const std::string& path);
// Of a quantity of a run. Axes of chosen items have a name of their own: "instant, chosen body, 3".
ResultField field_of(const Quantity& quantity, bool chosen_items = false);

}  // namespace catena::detail
