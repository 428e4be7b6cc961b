// The keys of the top level of a model file.
#pragma once
#include <catena/io/detail/key_info.hpp>

#include <vector>

namespace catena::detail {

// In the order of model_top_keys(); ModelReader::read_top assigns their readers.
enum TopKey {
  catena_key,
  title_key,
  parameters_key,
  include_key,
  gravity_key,
  bodies_key,
  repeat_key,
  grid_key,
  joints_key,
  forces_key,
  elements_key,
  points_key,
  assemble_key,
  project_key,
  initial_key,
  problem_key,
  set_key,
  run_key
};

const std::vector<KeyInfo>& model_top_keys();

}  // namespace catena::detail
