// Options of the command line that take a text.
#pragma once
#include <catena/experiment/parts/usage_error.hpp>

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace catena::detail {

inline constexpr const char* report_meaning =
    "write the page of catena report to this file too; needs --output DIR";

// names: "--step" or "-o,--output".
template <class T>
void text_option(CLI::App& app, const std::string& names, T& value, const char* type, const char* meaning) {
  CLI::Option* option = app.add_option(names, value, meaning)->type_name(type);
  const std::string name = option->get_name();
  // As from an unset variable of a shell; for most of these an empty text means that the option was not given.
  option->each([name](const std::string& text) {
    if (text.empty()) throw UsageError(name + " has an empty value: give one, or leave it out");
  });
}

// One that may be given several times.
inline void several(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
                    const char* meaning) {
  app.add_option(name, values, meaning)->type_name(type)->allow_extra_args(false);
}

}  // namespace catena::detail
