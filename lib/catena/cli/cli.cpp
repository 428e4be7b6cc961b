#include <catena/cli/cli.hpp>
#include <catena/cli/detail/grammar.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/list_command.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/parts/yaml_models.hpp>
#include <catena/output/detail/version.hpp>

#include <CLI/App.hpp>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

namespace catena {
using namespace detail;
namespace {

void list(const Grammar& grammar, const Catalog& catalog, std::ostream& out) {
  const std::unique_ptr<Listing> listing = grammar.markdown ? Listing::markdown(out) : Listing::text(out);
  if (grammar.subject == "options")
    list_options(grammar.app(), *listing);
  else
    list_command(grammar.subject, catalog, *listing);
}

std::string completion(const Grammar& grammar) {
  if (grammar.shell != "bash") throw UsageError(unknown_name("shell", grammar.shell, {"bash"}));
  return bash_completion(grammar, grammar.program);
}

}  // namespace

int cli(const std::vector<std::string>& arguments, const Catalog& catalog, const Console& console) {
  if (!catalog.has_model_format()) {
    Catalog with_files = catalog;
    with_files.add(yaml_models());
    return cli(arguments, with_files, console);
  }
  Grammar grammar(catalog);
  try {
    grammar.parse(arguments);
    const std::string command = grammar.command();
    if (command == "run") return run_command(grammar.run, catalog, console);
    if (command == "sweep") return sweep_command(grammar.sweep, catalog, console);
    if (command == "study") return study_command(grammar.study, console);
    if (command == "check") return check_command(grammar.check, catalog, console);
    if (command == "write") return write_command(grammar.write, catalog, console);
    if (command == "equilibrium") return equilibrium_command(grammar.linear, catalog, console);
    if (command == "linearize") return linearize_command(grammar.linear, catalog, console);
    if (command == "modes") return modes_command(grammar.linear, catalog, console);
    if (command == "resume") return resume_command(grammar.resume, catalog, console);
    if (command == "replay") return replay_command(grammar.replay, catalog, console);
    if (command == "compare") return compare_command(grammar.compare, catalog, console);
    if (command == "scale") return scale_command(grammar.scale, catalog, console);
    if (command == "report") return report_command(grammar.report, catalog, console);
    if (command == "view") return view_command(grammar.view, catalog, console);
    if (command == "audit") return audit_command(grammar.audit, catalog, console);
    if (command == "reproduce") return reproduce_command(grammar.reproduce, catalog, console);
    if (command == "list") list(grammar, catalog, console.out);
    if (command == "help") console.out << Grammar(catalog).help(grammar.help_on);
    if (command == "version") console.out << "catena " << version() << '\n';
    if (command == "completion") console.out << completion(grammar);
    if (command == "man") console.out << man_page(grammar.app());
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    return grammar.exit(error, console);
  } catch (const UsageError& error) {
    console.err << "catena: " << error.what() << '\n';
    return exit_bad_input;
  } catch (const FileError& error) {
    console.err << error.what() << '\n';
    return exit_bad_input;
  } catch (const SinkError& error) {
    console.err << "catena: " << error.what() << '\n';
    return exit_cannot_write;
  } catch (const std::bad_alloc&) {
    console.err << "catena: not enough memory\n";
    return exit_bad_input;
  } catch (const std::exception& error) {  // of a folder without permission, or of a user's own code
    console.err << "catena: " << error.what() << '\n';
    return exit_bad_input;
  }
}

int cli(int argc, char** argv, const Catalog& catalog) {
  const InterruptFlag interrupt;
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  const Console console{std::cout, std::cerr, isatty(STDERR_FILENO) == 1, &InterruptFlag::flag(),
                        &InterruptFlag::signal()};
  const int code = cli(arguments, catalog, console);
  std::cout.flush();
  return std::cout || code != exit_ok ? code : exit_cannot_write;
}

}  // namespace catena
