// The page of `catena report` and `catena view`: one HTML file with everything in it. apps/page has its sources.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

// Empty, or the sentence that says why this build has no page.
std::string why_no_page();

// Empty, or why no page is written there: the file is there and is no page of Catena's, or it is a link.
std::string why_not_replaced(const std::filesystem::path& file);

// Cards are JSON objects, a run or a table each, in the order in which the page shows them. Throws SinkError where this
// build has no page, why_not_replaced(), or the file cannot be written.
void write_page(const std::filesystem::path& file, const std::string& title,
                const std::vector<std::string>& cards);

}  // namespace catena::detail
