// Options set by name, for tables of runs: {{"index", "two"}, {"rho_inf", "0.9"}}.
#pragma once
#include <catena/math/option.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace catena {

struct OptionText {
  std::string name, value;
};

// Sets options as the command line does. Throws std::invalid_argument for a name that is not listed and for a value
// that does not fit; owner is named in the sentence.
void set_options(const std::function<void(OptionVisitor&)>& options, const std::vector<OptionText>& texts,
                 const std::string& owner);

// "name = value, name = value"
std::string to_text(const std::vector<OptionText>& texts);

}  // namespace catena
