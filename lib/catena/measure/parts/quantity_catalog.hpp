// The list of all that can be measured, and choices from it.
#pragma once
#include <catena/measure/quantity.hpp>

#include <stdexcept>
#include <string>
#include <vector>

namespace catena {

class QuantityCatalog {
 public:
  // Throws std::invalid_argument where the name is taken, or the quantity has a defect (quantity.hpp).
  QuantityCatalog& add(Quantity quantity);

  const std::vector<Quantity>& all() const { return quantities_; }
  const Quantity* find(const std::string& name) const;  // null: there is none
  // What a choice may name: quantities, groups of them ("energy"), "standard" and "all".
  std::vector<std::string> words() const;

 private:
  std::vector<Quantity> quantities_;
};

// A choice that names what is not there, with the nearest names.
class SelectionError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct ChosenQuantity {
  Quantity quantity;
  std::vector<std::string> items = {};  // names of its items (MeasuredSystem::item_key); empty: all
  std::string word = {};                // that chose it: its name, a group, "standard" or "all"
};
// In the order of the catalog, whatever the order of the words, none twice.
using Selection = std::vector<ChosenQuantity>;

// The standard quantities of the catalog.
Selection standard_selection(const QuantityCatalog& catalog);

// Words with commas between; each a quantity, a group, "standard" or "all", with the items that are wanted behind colons:
//
//   energy,reactions:hip,bodies/position:link 3:link 4,standard
//
// A name that holds a comma or a colon is written in quotation marks. An empty text chooses the standard quantities. Throws
// SelectionError for words that the catalog does not have, and for items of what has none.
Selection select(const QuantityCatalog& catalog, const std::string& text);

}  // namespace catena
