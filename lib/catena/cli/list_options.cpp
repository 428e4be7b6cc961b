#include <catena/cli/list_options.hpp>

#include <CLI/App.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace catena {

void list_options(const CLI::App& app, Listing& listing) {
  listing.page("Options of the command line",
               "Commands and their options, as `catena COMMAND --help` lists them. [The command "
               "line](command_line.md) "
               "explains them.");
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    listing.entry(app.get_name() + " " + command->get_name(), command->get_description());
    std::vector<Listing::Cells> rows{{"argument", "meaning"}};
    for (const CLI::Option* option : command->get_options()) {
      std::string name = option->get_name(), meaning = option->get_description();
      if (name == "--help") continue;
      if (name.starts_with("--") && option->get_expected_max() > 0) name += " " + option->get_type_name();
      std::replace(meaning.begin(), meaning.end(), '\n', ' ');
      rows.push_back({name, meaning});
    }
    listing.table(rows);
    listing.end_entry();
  }
}

}  // namespace catena
