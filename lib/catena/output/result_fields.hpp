// The schema of results: every dataset that results.h5 may hold, with shape, unit, frame and meaning. The file, the
// page docs/reference/results.md and the tests derive from this one table.
#pragma once
#include <string>
#include <vector>

namespace catena {

// Changes with every change that a reader may notice.
inline constexpr int result_schema = 2;

struct ResultField {
  const char* path;     // "/bodies/position"
  const char* shape;    // names of the axes, "instant, body, 3"; the first is "instant" for what grows
  const char* unit;     // "m"; "1" for counts and names
  const char* frame;    // "world", "body", or "" where there is none
  const char* where;    // which systems have it
  const char* meaning;  // one line
};

const std::vector<ResultField>& result_fields();
// The row of that path; one that is not in the table is a bug.
const ResultField& result_field(const std::string& path);

// The table as Markdown, one row a dataset.
std::string result_fields_markdown();

}  // namespace catena
