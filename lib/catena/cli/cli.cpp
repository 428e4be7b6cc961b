#include <catena/cli/cli.hpp>
#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/list_command.hpp>
#include <catena/driver/sink.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/io/yaml_models.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/output/detail/version.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

namespace catena {
using namespace detail;
namespace {

const char* const examples = R"(Examples:
  catena run box_chain --step 0.002 --end 100 --every 10 --output out
  catena run helix_chain --set n=1000 --set joint=revolute --option rho_inf=0.9 --threads 2
  catena run heavy_top --json - > top.json
  catena run helix_chain --end 100 --output out --checkpoint 10s
  catena resume out
  catena run chain.yaml --end 2
  catena write four_bar --output four_bar.yaml
  catena list steppers
  catena reproduce C --output out
  catena audit generalized_alpha four_bar

Exit codes:
  0    the run reached its end
  1    the run ended early with a numerical status; the result so far is written
  2    the request makes no sense: usage, parameters or model
  3    output could not be written
  130  interrupted (Ctrl-C); the result so far is written; likewise 143 by SIGTERM, 129 by SIGHUP,
       152 by SIGXCPU, 138 by SIGUSR1
)";

// The grammar of the command line and what was typed.
class Grammar {
 public:
  explicit Grammar(const Catalog& catalog) : app_("Catena: constrained multibody dynamics", "catena") {
    app_.set_version_flag("--version", std::string("catena ") + version(), "print the version");
    app_.require_subcommand(1);
    app_.footer(examples);

    run_ = app_.add_subcommand("run", "run a problem and report");
    run_->footer(examples);
    std::string names;
    for (const ProblemEntry& p : catalog.problems()) names += (names.empty() ? "" : ", ") + p.name;
    run_->add_option("PROBLEM", request.problem, "a model file, or one of " + names)->required();
    several(*run_, "--set", request.parameters, "KEY=VALUE",
            "a parameter of the problem (catena list problems)");
    several(*run_, "--option", request.options, "KEY=VALUE",
            "an option of the stepper (catena list steppers)");
    each_member([&](const ScenarioMember& member, auto) {
      if (*member.argument != '\0')
        one(*run_, "--" + std::string(member.name), request.members[member.name], member.argument,
            member.meaning);
    });
    one(*run_, "--threads", request.threads, "N",
        "default 1; 0: all processors; the bits do not depend on it");
    one(*run_, "--output", request.settings.output, "DIR", "write results and report.json to this folder");
    run_->add_flag("--overwrite", request.settings.overwrite,
                   "replace the results of an earlier run in DIR; without it such a folder is refused");
    one(*run_, "--format", request.settings.format, "LIST",
        "of the results: csv, scalars (a part of csv), hdf5, vtk, with commas between; default csv,hdf5, of "
        "more than 100 bodies scalars,hdf5, csv where HDF5 was left out");
    one(*run_, "--interval", request.interval, "S",
        "an instant is in results.h5 so long after it at the latest, by the clock [s]; default 2");
    one(*run_, "--checkpoint", request.checkpoint, "TIME",
        "write a checkpoint to DIR so often, by the clock: 10s, 5min, 1h; default 0: at the end alone");
    one(*run_, "--json", request.json, "FILE",
        "write the report as JSON; -: to stdout, and nothing else there");
    run_->add_flag("--strict", request.strict, "remarks on the result end the program with exit code 4");

    check_ = app_.add_subcommand(
        "check", "look a problem over without running it: sizes, derivatives, scales, parts, initial values");
    check_->add_option("PROBLEM", check.problem, "a model file, or one of " + names)->required();
    several(*check_, "--set", check.parameters, "KEY=VALUE", "a parameter of the problem");
    one(*check_, "--json", check.json, "FILE",
        "write the findings as JSON; -: to stdout, and nothing else there");

    write_ = app_.add_subcommand("write", "write the model of a problem, or of a file, as one model file");
    write_->add_option("PROBLEM", write.problem, "a model file, or one of " + names)->required();
    several(*write_, "--set", write.parameters, "KEY=VALUE", "a parameter of the problem");
    one(*write_, "--output", write.output, "FILE", "default: stdout");

    resume_ = app_.add_subcommand("resume", "continue a run that was killed, interrupted or finished");
    resume_->add_option("DIR", resume.folder, "the folder that run --output has written to")->required();
    one(*resume_, "--threads", resume.threads, "N", "default: as before; the bits do not depend on it");
    one(*resume_, "--end", resume.end, "T", "end of the run [s]; default: as before");
    one(*resume_, "--checkpoint", resume.checkpoint, "TIME", "as for run; default: as before");
    one(*resume_, "--json", resume.json, "FILE",
        "write the report as JSON; -: to stdout, and nothing else there");
    resume_->add_flag("--strict", resume.strict, "remarks on the result end the program with exit code 4");

    list_ = app_.add_subcommand("list", "list what can be run, with options, defaults, units and ranges");
    std::string studies;
    for (const StudyEntry& s : catalog.studies()) studies += "\n  " + s.name + ": " + s.summary;
    reproduce_ =
        app_.add_subcommand("reproduce", "run the examples of a published source: tables, figures, errors");
    reproduce_->add_option("STUDY", reproduce.study, "all, or one of" + studies)->required();
    one(*reproduce_, "--output", reproduce.output, "DIR", "write figures and report.md to DIR/STUDY");
    reproduce_->add_flag("--quick", reproduce.quick, "leave the long runs out");
    audit_ = app_.add_subcommand(
        "audit",
        "hold steppers to what their traits promise: orders, residuals, invariants, symmetries, memory");
    audit_->add_option("STEPPER", audit.stepper, "default: all, with variants of their options");
    audit_->add_option("PROBLEM", audit.problem, "a problem that the audit has cases of; default: all");
    several(*audit_, "--option", audit.options, "KEY=VALUE", "an option of the stepper");
    audit_->add_flag("--all", audit.all, "print every check and what was left out, not only what failed");
    std::string subjects;
    for (const std::string& name : list_subjects()) subjects += (subjects.empty() ? "" : ", ") + name;
    list_->add_option("SUBJECT", subject, "one of " + subjects)->required();
    list_->add_flag("--markdown", markdown, "as a page of Markdown, like those of docs/reference");
  }

  // Throws CLI::ParseError, UsageError.
  void parse(std::vector<std::string> arguments) {
    check_names(arguments);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app_.parse(arguments);
  }

  int exit(const CLI::ParseError& error, const Console& console) {
    if (error.get_exit_code() != 0) {
      console.err << "catena: " << error.what() << "\nSee catena "
                  << (run_->parsed()         ? "run "
                      : resume_->parsed()    ? "resume "
                      : check_->parsed()     ? "check "
                      : write_->parsed()     ? "write "
                      : reproduce_->parsed() ? "reproduce "
                      : audit_->parsed()     ? "audit "
                                             : "")
                  << "--help\n";
      return exit_bad_input;
    }
    app_.exit(error, console.out, console.err);  // --help, --version
    return exit_ok;
  }

  bool is_run() const { return run_->parsed(); }
  bool is_check() const { return check_->parsed(); }
  bool is_resume() const { return resume_->parsed(); }
  bool is_write() const { return write_->parsed(); }
  bool is_reproduce() const { return reproduce_->parsed(); }
  bool is_audit() const { return audit_->parsed(); }

  RunRequest request;
  ResumeRequest resume;
  CheckRequest check;
  WriteRequest write;
  ReproduceRequest reproduce;
  AuditRequest audit;
  std::string subject;
  bool markdown = false;

  void list(const Catalog& catalog, std::ostream& out) const {
    const std::unique_ptr<Listing> listing = markdown ? Listing::markdown(out) : Listing::text(out);
    if (subject == "options")
      list_options(app_, *listing);
    else
      list_command(subject, catalog, *listing);
  }

 private:
  template <class T>
  static void one(CLI::App& app, const std::string& name, T& value, const char* type, const char* meaning) {
    CLI::Option* option = app.add_option(name, value, meaning)->type_name(type);
    // As from an unset variable of a shell; for most of these an empty text means that the option was not given.
    option->each([name](const std::string& text) {
      if (text.empty()) throw UsageError(name + " has an empty value: give one, or leave it out");
    });
  }
  static void several(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
                      const char* meaning) {
    app.add_option(name, values, meaning)->type_name(type)->allow_extra_args(false);
  }

  // Unknown commands and options get the nearest ones suggested, which CLI11 does not do.
  void check_names(const std::vector<std::string>& arguments) const {
    if (arguments.empty()) return;
    const std::string& first = arguments.front();
    const CLI::App* command = nullptr;
    std::vector<std::string> commands;
    for (const CLI::App* c : {run_, resume_, check_, write_, list_, reproduce_, audit_}) {
      commands.push_back(c->get_name());
      if (first == c->get_name()) command = c;
    }
    if (!first.starts_with("-") && command == nullptr)
      throw UsageError(unknown_name("command", first, commands));
    std::vector<std::string> known{"--help"};
    if (command == nullptr)
      known.emplace_back("--version");
    else
      for (const CLI::Option* option : command->get_options())
        if (option->get_name().starts_with("--")) known.push_back(option->get_name());
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const std::string name = arguments[k].substr(0, arguments[k].find('='));
      if (!name.starts_with("--") || name == "--") continue;
      if (k > 0 && command != nullptr && takes_value(*command, arguments[k - 1])) continue;
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw UsageError(unknown_name("option", name, known));
    }
  }

  // The argument before is an option that waits for its value.
  static bool takes_value(const CLI::App& command, const std::string& argument) {
    const CLI::Option* option = argument.starts_with("--") ? command.get_option_no_throw(argument) : nullptr;
    return option != nullptr && option->get_expected_max() > 0;
  }

  CLI::App app_;
  CLI::App* run_ = nullptr;
  CLI::App* resume_ = nullptr;
  CLI::App* list_ = nullptr;
  CLI::App* check_ = nullptr;
  CLI::App* write_ = nullptr;
  CLI::App* reproduce_ = nullptr;
  CLI::App* audit_ = nullptr;
};

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
    if (grammar.is_run()) return run_command(grammar.request, catalog, console);
    if (grammar.is_check()) return check_command(grammar.check, catalog, console);
    if (grammar.is_write()) return write_command(grammar.write, catalog, console);
    if (grammar.is_resume()) return resume_command(grammar.resume, catalog, console);
    if (grammar.is_audit()) return audit_command(grammar.audit, catalog, console);
    if (grammar.is_reproduce()) return reproduce_command(grammar.reproduce, catalog, console);
    grammar.list(catalog, console.out);
    return exit_ok;
  } catch (const CLI::ParseError& error) {
    return grammar.exit(error, console);
  } catch (const UsageError& error) {
    console.err << "catena: " << error.what() << '\n';
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
