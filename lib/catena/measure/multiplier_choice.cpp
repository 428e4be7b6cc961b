#include <catena/measure/parts/multiplier_choice.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>

namespace catena {

MultiplierChoice multiplier_choice(const std::string& text) {
  if (text.empty() || text == "method") return MultiplierChoice::method;
  if (text == "recomputed") return MultiplierChoice::recomputed;
  throw SelectionError("there are no \"" + text + "\" multipliers: method, or recomputed");
}

}  // namespace catena
