// A body in a model file.
#pragma once
#include <catena/io/detail/fields.hpp>
#include <catena/io/detail/key_info.hpp>
#include <catena/model/body.hpp>

#include <optional>
#include <vector>

namespace catena::detail {

const std::vector<KeyInfo>& body_keys();

// Nothing after an error; `name` is then set too where the file gives one. The checks of a model are not made.
std::optional<Body> read_body(const FileNode& node, FileErrors& errors, std::string& name);

}  // namespace catena::detail
