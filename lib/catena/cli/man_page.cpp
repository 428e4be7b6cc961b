#include <catena/cli/detail/grammar.hpp>
#include <catena/output/detail/version.hpp>

#include <string_view>

namespace catena::detail {
namespace {

// Text that roff leaves as it is.
std::string roff(std::string_view text) {
  std::string out;
  bool begins = true;  // a line: a dot or an apostrophe there would be a request
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

std::string heading(std::string_view title) { return ".SH " + roff(title) + '\n'; }

// "Examples:" and its lines become a section.
std::string listing(std::string_view text) {
  const std::size_t end = text.find(":\n");
  std::string title;
  for (const char c : text.substr(0, end))
    title += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return heading(title) + ".nf\n" + roff(text.substr(end + 2)) + ".fi\n";
}

std::string section_of(const CLI::App& c) {
  std::string title = c.get_name(), entries;
  for (const CLI::Option* option : c.get_options()) {
    if (names_of(*option) == "-h,--help") continue;
    if (option->get_positional()) {
      const std::string name = names_of(*option);
      title += option->get_required() ? ' ' + name : " [" + name + ']';
    }
    entries += ".TP\n.B " + roff(usage_of(*option)) + '\n' + roff(option->get_description()) + '\n';
  }
  return ".SS " + roff(title) + '\n' + roff(c.get_description()) + '\n' + entries;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  const std::string& name = app.get_name();
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  std::string page = ".TH " + upper + " 1 \"\" \"" + name + ' ' + version() + "\"\n" + heading("NAME") +
                     roff(name) + " \\- constrained multibody dynamics\n" + heading("SYNOPSIS") + ".B " +
                     roff(name) + "\nCOMMAND [ARGUMENT]...\n" + heading("COMMANDS");
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) page += section_of(*c);
  return page + listing(command_examples) + listing(command_exit_codes);
}

}  // namespace catena::detail
