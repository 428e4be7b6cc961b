// Any bytes as a model file: a model or a ModelFileError, and nothing else. Built with -DCATENA_BUILD_FUZZERS=ON by clang;
// .ci/nightly runs it.
#include <catena/builtin/builtin.hpp>
#include <catena/io/read_model.hpp>

#include "broken.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const catena::ElementTypes types = catena::builtin().element_types();
  const std::string text(reinterpret_cast<const char*>(data), size);
  // As `catena run` reads and, half of the time, as `catena check` does.
  const catena::ReadLimits limits{
      .bodies = 200, .bytes = 1U << 16U, .files = 5, .open_joints = size % 2 == 1};
  const catena::LoadFile load = [&](const std::string& path) -> std::string {
    if (path == "fuzz.yaml" || path.ends_with("again.yaml")) return text;  // the latter includes itself
    if (path.ends_with("part.yaml")) return "bodies: [{name: part, mass: 1, inertia: [1, 1, 1]}]\n";
    throw std::runtime_error("there is no such file");
  };
  try {
    const catena::ModelFile file = catena::read_model_file("fuzz.yaml", types, load, limits);
    if (!file.problem && file.model.body_count() == 0) broken("a model without bodies");
    if (file.constraint_nodes.size() != file.model.constraints().size()) broken("a joint without a place");
    for (const catena::detail::FileNode& node : file.constraint_nodes)
      if (catena::detail::place(node).empty()) broken("a place without a name");
  } catch (const catena::detail::ModelFileError& error) {
    if (std::string(error.what()).empty()) broken("an error without a word");
  }
  return 0;
}
