#include <catena/studies/option_texts.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace catena {
namespace {

class Setter : public OptionVisitor {
 public:
  explicit Setter(const OptionText& text) : text_(text) {}
  bool found = false, fits = true;

  void real(const OptionInfo& info, double& value) override {
    if (!named(info)) return;
    value = number();
    fits = fits && info.holds(value);
  }
  void integer(const OptionInfo& info, int& value) override {
    if (!named(info)) return;
    const double x = number();
    fits = fits && info.holds(x);
    value = static_cast<int>(x);
  }
  void flag(const OptionInfo& info, bool& value) override {
    if (!named(info)) return;
    value = text_.value == "true";
    fits = value || text_.value == "false";
  }
  void text(const OptionInfo& info, std::string& value) override {
    if (named(info)) value = text_.value;
  }
  void choice(const OptionInfo& info, int& value, const std::vector<std::string>& names) override {
    if (!named(info)) return;
    const auto at = std::find(names.begin(), names.end(), text_.value);
    fits = at != names.end();
    if (fits) value = static_cast<int>(at - names.begin());
  }

 private:
  bool named(const OptionInfo& info) {
    if (text_.name != info.name) return false;
    return found = true;
  }
  double number() {
    char* end = nullptr;
    const double x = std::strtod(text_.value.c_str(), &end);
    fits = !text_.value.empty() && *end == '\0';
    return x;
  }

  const OptionText& text_;
};

}  // namespace

void set_options(const std::function<void(OptionVisitor&)>& options, const std::vector<OptionText>& texts,
                 const std::string& owner) {
  for (const OptionText& text : texts) {
    Setter setter(text);
    options(setter);
    if (!setter.found) throw std::invalid_argument(owner + " has no option \"" + text.name + "\"");
    if (!setter.fits)
      throw std::invalid_argument(owner + ": \"" + text.value + "\" does not fit option \"" + text.name +
                                  "\"");
  }
}

std::string to_text(const std::vector<OptionText>& texts) {
  std::string all;
  for (const OptionText& text : texts) all += (all.empty() ? "" : ", ") + text.name + " = " + text.value;
  return all;
}

}  // namespace catena
