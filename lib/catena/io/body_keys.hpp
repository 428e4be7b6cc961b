// A body in a model file.
#pragma once
#include <catena/io/fields.hpp>
#include <catena/io/key_info.hpp>
#include <catena/model/body.hpp>

#include <optional>
#include <vector>

namespace catena {

const std::vector<KeyInfo>& body_keys();

// Nothing where it complained; the name is in `name` all the same where the file gives one. The body is not
// checked as a model checks it.
std::optional<Body> read_body(const FileNode& node, FileErrors& errors, std::string& name);

}  // namespace catena
