#include <catena/math/detail/isa_copies.hpp>
#include <catena/model/detail/lane_functions.hpp>

namespace catena::detail {

CATENA_ISA_COPIES(lane_function_table, extern const LaneFunctions lane_function_table)

const LaneFunctions& lane_functions(int instruction_set_level) {
  return *lane_function_table_at(instruction_set_level);
}

const LaneFunctions& lane_functions() {
  static const LaneFunctions& functions = lane_functions(instruction_set());
  return functions;
}

}  // namespace catena::detail
