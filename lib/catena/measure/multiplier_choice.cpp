#include <catena/measure/parts/multiplier_choice.hpp>

#include <algorithm>
#include <utility>

namespace catena {

MultiplierChoice multiplier_choice(const std::string& text) {
  if (text.empty() || text == "method") return MultiplierChoice::method;
  if (text == "recomputed") return MultiplierChoice::recomputed;
  throw SelectionError("there are no \"" + text + "\" multipliers: method, or recomputed");
}

Selection select(const QuantityCatalog& catalog, const std::string& text, MultiplierChoice multipliers) {
  Selection selection = select(catalog, text);
  if (multipliers == MultiplierChoice::method) return selection;
  const auto chosen = [&](const std::string& name) {
    return std::find_if(selection.begin(), selection.end(),
                        [&](const ChosenQuantity& one) { return one.quantity.name == name; });
  };
  constexpr std::pair<const char*, const char*> bars[] = {{"lambda", "lambda_bar/row"},
                                                          {"reactions/force", "lambda_bar/force"},
                                                          {"reactions/torque", "lambda_bar/torque"}};
  for (const auto& [name, bar] : bars) {
    const auto at = chosen(name);
    const Quantity* const quantity = catalog.find(bar);
    if (at == selection.end() || quantity == nullptr || chosen(bar) != selection.end()) continue;
    selection.push_back({*quantity, at->items, at->word});
  }
  const auto place = [&](const ChosenQuantity& one) { return catalog.find(one.quantity.name); };
  std::stable_sort(selection.begin(), selection.end(),
                   [&](const ChosenQuantity& a, const ChosenQuantity& b) { return place(a) < place(b); });
  return selection;
}

}  // namespace catena
