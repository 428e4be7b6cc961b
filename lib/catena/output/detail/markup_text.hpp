// Text inside elements and attributes of XML and HTML.
#pragma once
#include <string>

namespace catena::detail {

// With entities for what would end a text or an attribute between quotation marks.
std::string markup_text(const std::string& text);

}  // namespace catena::detail
