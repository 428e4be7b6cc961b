#include <catena/math/detail/index.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/measure/detail/choices.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const char* const standard_word = "standard";
const char* const all_word = "all";

std::string group_of(const std::string& name) { return name.substr(0, name.find('/')); }

bool names(const Choice& choice, const Quantity& quantity) {
  if (choice.word == all_word) return true;
  if (choice.word == standard_word) return quantity.standard;
  return choice.word == quantity.name || choice.word == group_of(quantity.name);
}

}  // namespace

QuantityCatalog& QuantityCatalog::add(Quantity quantity) {
  if (const std::string why = defect(quantity); !why.empty()) throw std::invalid_argument(why);
  if (find(quantity.name) != nullptr || quantity.name == standard_word || quantity.name == all_word)
    throw std::invalid_argument("the name \"" + quantity.name + "\" of a quantity is taken");
  for (const Quantity& other : quantities_)  // a dataset cannot hold datasets
    if (other.name.starts_with(quantity.name + '/') || quantity.name.starts_with(other.name + '/'))
      throw std::invalid_argument("the quantity \"" + quantity.name + "\" cannot be added beside \"" +
                                  other.name + "\": one would be a group and a member at once");
  quantities_.push_back(std::move(quantity));
  return *this;
}

const Quantity* QuantityCatalog::find(const std::string& name) const {
  const auto at =
      std::find_if(quantities_.begin(), quantities_.end(), [&](const Quantity& q) { return q.name == name; });
  return at == quantities_.end() ? nullptr : &*at;
}

std::vector<std::string> QuantityCatalog::words() const {
  std::vector<std::string> words{standard_word, all_word};
  const auto add = [&](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  };
  for (const Quantity& q : quantities_) add(group_of(q.name));
  for (const Quantity& q : quantities_) add(q.name);
  return words;
}

Selection standard_selection(const QuantityCatalog& catalog) { return select(catalog, standard_word); }

Selection select(const QuantityCatalog& catalog, const std::string& text) {
  const bool nothing = text.find_first_not_of(' ') == std::string::npos;
  const std::vector<Choice> choices = parse_choices(nothing ? standard_word : text);
  struct Found {
    bool chosen = false, all_items = false;
    std::vector<std::string> items;
    std::string word;
  };
  std::vector<Found> found(catalog.all().size());
  for (const Choice& choice : choices) {
    bool any = false, any_with_items = false;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Quantity& quantity = catalog.all()[k];
      if (!names(choice, quantity)) continue;
      any = true;
      if (!choice.items.empty() && quantity.items == Items::one) continue;
      any_with_items = true;
      Found& f = found[k];
      // A word that names it says more than "standard", whichever comes first.
      if (!f.chosen || f.word == standard_word) f.word = choice.word;
      f.chosen = true;
      f.all_items = f.all_items || choice.items.empty();
      for (const std::string& item : choice.items)
        if (std::find(f.items.begin(), f.items.end(), item) == f.items.end()) f.items.push_back(item);
    }
    if (!any) {
      const std::vector<std::string> words = catalog.words();
      std::string hint = nearest_hint(choice.word, words);
      if (hint.empty()) {
        hint = "there are";
        for (const std::string& word : words)
          if (word.find('/') == std::string::npos) hint += (hint.size() > 9 ? ", " : " ") + word;
      }
      throw SelectionError("there is no quantity \"" + choice.word + "\": " + hint);
    }
    if (!any_with_items)
      throw SelectionError("\"" + choice.word + "\" belongs to the whole system and has no items: leave \":" +
                           choice.items.front() + "\" out");
  }
  Selection selection;
  for (std::size_t k = 0; k < found.size(); ++k)
    if (found[k].chosen)
      selection.push_back({catalog.all()[k],
                           found[k].all_items ? std::vector<std::string>{} : std::move(found[k].items),
                           std::move(found[k].word)});
  return selection;
}

}  // namespace catena
