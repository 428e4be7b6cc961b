#include <catena/cli/detail/grammar.hpp>
#include <catena/cli/detail/joined_units.hpp>
#include <catena/cli/detail/list_command.hpp>
#include <catena/cli/detail/text_option.hpp>
#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/output/detail/version.hpp>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <ostream>

namespace catena::detail {

const char* const command_examples = R"(Examples:
  catena run box_chain --step 0.002 --end 100 --every 10 --output out
  catena run helix_chain --set n=1000 --set joint=revolute --option rho_inf=0.9 --threads 2
  catena run heavy_top --json - > top.json
  catena run helix_chain --end 100 --output out --checkpoint 10s
  catena resume out
  catena replay out/failure.json --step 1e-4
  catena run chain.yaml --set k=40 kN/m --end 2
  catena sweep helix_chain --vary n=10,20,40 --keep "max energy/kinetic" --output sweep
  catena write four_bar --output four_bar.yaml
  catena list steppers
  catena reproduce C --output out
  catena audit generalized_alpha four_bar
  catena compare heavy_top --steppers generalized_alpha,dormand_prince --steps 4e-3,2e-3,1e-3 --output out
  catena scale helix_chain --bodies 100,1000,10000 --threads 1,2
  catena report out --output out.html
  catena view four_bar
)";

const char* const command_exit_codes = R"(Exit codes:
  0    the run reached its end
  1    the run ended early with a numerical status; the result so far is written
  2    the request makes no sense: usage, parameters or model
  3    output could not be written
  4    with --strict: the run reached its end, with remarks on its result
  5    the run reached its end, with fewer digits than --digits asks for
  75   --time-limit of a sweep is over, and rows are left: the same command continues
  130  interrupted (Ctrl-C); the result so far is written; likewise 143 by SIGTERM, 129 by SIGHUP,
       152 by SIGXCPU, 138 by SIGUSR1
)";

namespace {

const char* const json_meaning = "write the report as JSON; -: to stdout, and nothing else there";
const char* const strict_meaning = "remarks on the result end the program with exit code 4";

template <class Entry>
std::vector<std::string> names_in(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

// The argument before is an option that waits for its value.
bool takes_value(const CLI::App& command, const std::string& argument) {
  const CLI::Option* option = argument.starts_with("-") ? command.get_option_no_throw(argument) : nullptr;
  return option != nullptr && option->get_expected_max() > 0;
}

}  // namespace

Grammar::Grammar(const Catalog& catalog) : app_("Catena: constrained multibody dynamics", "catena") {
  app_.set_version_flag("--version", std::string("catena ") + version(), "print the version");
  app_.require_subcommand(1);
  app_.footer(std::string(command_examples) + '\n' + command_exit_codes);
  words_["PROBLEM"] = words_["WHAT"] = names_in(catalog.problems());
  words_["--stepper"] = words_["STEPPER"] = names_in(catalog.steppers());
  words_["--backend"] = names_in(catalog.backends());
  words_["--precision"] = {"float64", "float32"};
  words_["--sampling"] = {"random", "latin", "sobol", "saltelli"};
  words_["ACTION"] = {"collect"};
  words_["SUBJECT"] = list_subjects();
  words_["SHELL"] = {"bash"};
  words_["STUDY"] = names_in(catalog.studies());
  words_["STUDY"].emplace_back("all");
  add_run();
  add_sweep();
  add_study();
  add_check();
  add_write();
  add_linear();
  add_resume();
  add_replay();
  add_list();
  add_reproduce(catalog);
  add_audit();
  add_compare();
  add_scale();
  add_pages();
  add_help();
  words_["COMMAND"] = commands();
}

std::string Grammar::problems() const { return "a model file, or one of " + joined(words_.at("PROBLEM")); }

void Grammar::add_run() {
  CLI::App& c = *app_.add_subcommand("run", "run a problem and report");
  c.footer(app_.get_footer());
  c.add_option("PROBLEM", run.problem, problems())->required();
  several(
      c, "--set", run.parameters, "KEY=VALUE",
      "a parameter of the problem (catena list problems) or of the model file: k=40 kN/m; or a member of the "
      "file by its path: bodies.rod.mass=2 kg, joints.0.name=hip, gravity.z=-1.62");
  several(c, "--option", run.options, "KEY=VALUE", "an option of the stepper (catena list steppers)");
  each_member([&](const ScenarioMember& member, auto) {
    if (*member.argument == '\0') return;
    const std::string name = std::string("--") + member.name;
    text_option(c, name == "--step" ? "--step,--dt" : name, run.members[member.name], member.argument,
                member.meaning);
  });
  text_option(c, "--threads", run.threads, "N", "default 1; 0: all processors; the bits do not depend on it");
  text_option(c, "-o,--output", run.settings.output, "DIR", "write results and report.json to this folder");
  c.add_flag("--overwrite", run.settings.overwrite,
             "replace the results of an earlier run in DIR; without it such a folder is refused");
  text_option(
      c, "--format", run.settings.format, "LIST",
      "of the results: csv, scalars (a part of csv), hdf5, vtk, with commas between; default csv,hdf5, of "
      "more than 100 bodies scalars,hdf5, csv where HDF5 was left out");
  text_option(c, "--interval", run.interval, "S",
              "an instant is in results.h5 so long after it at the latest, by the clock [s]; default 2");
  text_option(c, "--checkpoint", run.checkpoint, "TIME",
              "write a checkpoint to DIR so often, by the clock: 10s, 5min, 1h; default 0: at the end alone");
  text_option(c, "--json", run.json, "FILE", json_meaning);
  text_option(c, "--report", run.report, "FILE", report_meaning);
  c.add_flag("--strict", run.strict, strict_meaning);
  text_option(
      c, "--digits", run.digits, "N",
      "choose the stepper, or the setting of the one that --stepper names, so that all quantities have "
      "N digits, 1 to 12, by their error bars; exit code 5 where they have fewer");
  c.add_flag("--error-bars", run.error_bars,
             "run it again with half of the step, or a tenth of the tolerances, and report how far each "
             "quantity may "
             "be off; with --output over time, in error_bars.csv and error_bars.h5");
}

void Grammar::add_sweep() {
  CLI::App& c = *app_.add_subcommand("sweep", "run a problem once for each value of what varies");
  c.add_option("PROBLEM", sweep.problem, "a file of a sweep, " + problems())->required();
  several(
      c, "--vary", sweep.vary, "KEY=VALUES",
      "n=10,20,40; k=1..10:4 and k=1..1000:4:log: so many values; drawn: k=uniform:0.9:1.1, loguniform:A:B, "
      "normal:MEAN:DEVIATION, lognormal:MEDIAN:DEVIATION; \"n=1,2 with step=1e-3,2e-3\": together; KEY: a "
      "parameter, a member of a model file by its path (bodies.rod.mass, forces.spring.stiffness, "
      "gravity.z), "
      "option.NAME of the stepper, or step, end, stepper, tolerance, backend, seed, every, threads, problem");
  several(
      c, "--keep", sweep.keep, "TEXT",
      "what is kept of each row: end, min, max, mean, rms, crossing=VALUE (the first time), at=TIME,TIME... "
      "or "
      "series (all instants), and a column of the results, \"max energy/kinetic\"; default: the end of all "
      "columns that --record names; the largest residuals are kept always");
  text_option(c, "--samples", sweep.samples, "N", "how often drawn variables are drawn");
  text_option(
      c, "--sampling", sweep.sampling, "NAME",
      "random (default), latin, sobol, or saltelli, which takes N times 2 + the number of drawn variables "
      "and gives "
      "Sobol indices");
  text_option(c, "--sample-seed", sweep.sample_seed, "N", "of what is drawn; default 0");
  several(c, "--set", sweep.parameters, "KEY=VALUE", "a parameter that does not vary, as for run");
  several(c, "--option", sweep.options, "KEY=VALUE", "an option of the stepper that does not vary");
  each_member([&](const ScenarioMember& member, auto) {
    const std::string name = std::string("--") + member.name;
    if (*member.argument == '\0' || name == "--precision") return;
    text_option(c, name == "--step" ? "--step,--dt" : name, sweep.members[member.name], member.argument,
                member.meaning);
  });
  text_option(
      c, "-o,--output", sweep.output, "DIR",
      "of the table, rows-1-of-1.sqlite; where it is there, what is missing is run; and of the pictures");
  text_option(c, "--threads", sweep.threads, "N", "over the rows; default 1; 0: all processors");
  text_option(c, "--threads-of-row", sweep.threads_of_row, "N", "of them inside of each row; default 1");
  text_option(c, "--shard", sweep.shard, "I/N",
              "every N-th row from the I-th: one of N processes, each with a table");
  text_option(c, "--row-limit", sweep.row_limit, "TIME",
              "a row that takes longer ends as stopped: 10s, 5min, 1h");
  text_option(c, "--time-limit", sweep.time_limit, "TIME",
              "end in time with exit code 75 where rows are left");
  several(c, "--retry", sweep.retry, "STATUS", "run such rows again: failed, crashed, refused, stopped, ...");
  text_option(c, "--report", sweep.report, "FILE", report_meaning);
  text_option(c, "--allow-failed", sweep.allow_failed, "N",
              "exit code 0 with so many failed rows; default 0");
}

void Grammar::add_study() {
  CLI::App& c = *app_.add_subcommand("study", "collect the tables of a sweep: summary, one table, CSV, HDF5");
  c.add_option("ACTION", study.action, "collect")->required();
  c.add_option("DIR", study.tables, "folders or files that sweep has written")->required();
  text_option(c, "-o,--output", study.output, "FILE", "write all rows to this new table (SQLite)");
  text_option(c, "--csv", study.csv, "FILE",
              "write all rows as CSV, and series beside it: all.csv, all.series.csv");
  text_option(c, "--hdf5", study.hdf5, "FILE", "write all rows and series as HDF5");
  text_option(c, "--pictures", study.pictures, "DIR", "draw each quantity over each key into this folder");
  text_option(c, "--allow-failed", study.allow_failed, "N",
              "exit code 0 with so many failed and missing rows; default 0");
}

void Grammar::add_check() {
  CLI::App& c = *app_.add_subcommand(
      "check", "look a problem over without running it: sizes, derivatives, scales, parts, initial values");
  c.add_option("PROBLEM", check.problem, problems())->required();
  several(c, "--set", check.parameters, "KEY=VALUE", "a parameter, as for run");
  text_option(c, "--json", check.json, "FILE",
              "write the findings as JSON; -: to stdout, and nothing else there");
}

void Grammar::add_write() {
  CLI::App& c =
      *app_.add_subcommand("write", "write the model of a problem, or of a file, as one model file");
  c.add_option("PROBLEM", write.problem, problems())->required();
  several(c, "--set", write.parameters, "KEY=VALUE", "a parameter, as for run");
  text_option(c, "-o,--output", write.output, "FILE", "default: stdout");
}

void Grammar::add_linear() {
  const auto command = [&](const char* name, const char* meaning) -> CLI::App& {
    CLI::App& c = *app_.add_subcommand(name, meaning);
    c.add_option("PROBLEM", linear.problem, problems())->required();
    several(c, "--set", linear.parameters, "KEY=VALUE", "a parameter, as for run");
    text_option(c, "--json", linear.json, "FILE",
                "write the findings as JSON; -: to stdout, and nothing else there");
    return c;
  };
  const auto about = [&](CLI::App& c) {
    c.add_flag("--equilibrium", linear.equilibrium, "about the equilibrium that the problem sinks to");
    text_option(c, "--steady", linear.steady, "TOL",
                "relative change of the motion that is taken as none; default 1e-6");
  };
  CLI::App& rest =
      command("equilibrium", "find where a mechanism rests, its reactions there and its stability");
  text_option(rest, "-o,--output", linear.output, "FILE", "write the model at rest as a model file");
  about(command("linearize", "linearize a mechanism about rest or a steady motion, as a state space"));
  CLI::App& modes =
      command("modes", "frequencies, damping, shapes and stability about rest or a steady motion");
  about(modes);
  text_option(modes, "--count", linear.count, "N", "of modes, the slowest; default 10");
  text_option(modes, "--shift", linear.shift, "S", "of those nearest to this real number instead [1/s]");
  text_option(modes, "-o,--output", linear.output, "DIR",
              "write modes.csv and one VTK animation a mode to this folder, in place of earlier ones");
}

void Grammar::add_resume() {
  CLI::App& c = *app_.add_subcommand("resume", "continue a run that was killed, interrupted or finished");
  c.add_option("DIR", resume.folder, "the folder that run --output has written to")->required();
  text_option(c, "--threads", resume.threads, "N", "default: as before; the bits do not depend on it");
  text_option(c, "--end", resume.end, "T", "end of the run [s]; default: as before");
  text_option(c, "--checkpoint", resume.checkpoint, "TIME", "as for run; default: as before");
  text_option(c, "--json", resume.json, "FILE", json_meaning);
  c.add_flag("--strict", resume.strict, strict_meaning);
}

void Grammar::add_replay() {
  CLI::App& c = *app_.add_subcommand("replay", "take a step that failed again, and show each iterate");
  c.add_option("FILE", replay.file, "failure.json, which a run that fails writes to the folder of its output")
      ->required();
  text_option(c, "--step,--dt", replay.step, "H", "another size [s]; default: as it failed");
  several(c, "--option", replay.options, "KEY=VALUE", "another option of the stepper");
  text_option(c, "--backend", replay.backend, "NAME", "another linear solver (catena list backends)");
  text_option(c, "--json", replay.json, "FILE",
              "write the step as JSON; -: to stdout, and nothing else there");
}

void Grammar::add_list() {
  CLI::App& c =
      *app_.add_subcommand("list", "list what can be run, with options, defaults, units and ranges");
  c.add_option("SUBJECT", subject, "one of " + joined(list_subjects()))->required();
  c.add_flag("--markdown", markdown, "as a page of Markdown, like those of docs/reference");
}

void Grammar::add_reproduce(const Catalog& catalog) {
  std::string studies;
  for (const StudyEntry& s : catalog.studies()) studies += "\n  " + s.name + ": " + s.summary;
  CLI::App& c =
      *app_.add_subcommand("reproduce", "run the examples of a published source: tables, figures, errors");
  c.add_option("STUDY", reproduce.study, "all, or one of" + studies)->required();
  text_option(c, "-o,--output", reproduce.output, "DIR", "write figures and report.md to DIR/STUDY");
  c.add_flag("--quick", reproduce.quick, "leave the long runs out");
}

void Grammar::add_audit() {
  CLI::App& c = *app_.add_subcommand(
      "audit",
      "hold steppers to what their traits promise: orders, residuals, invariants, symmetries, memory");
  c.add_option("STEPPER", audit.stepper, "default: all, with variants of their options");
  c.add_option("PROBLEM", audit.problem, "a problem that the audit has cases of; default: all");
  several(c, "--option", audit.options, "KEY=VALUE", "an option of the stepper");
  c.add_flag("--all", audit.all, "print every check and what was left out, not only what failed");
}

void Grammar::add_help() {
  app_.add_subcommand("help", "explain a command, or all of them in short")
      ->add_option("COMMAND", help_on, "default: the program");
  app_.add_subcommand("version", "print the version");
  CLI::App& c =
      *app_.add_subcommand("completion", "print a script that completes the command line in a shell");
  c.add_option("SHELL", shell, "bash")->required();
  c.add_option("PROGRAM", program, "the name of the program that is completed; default: catena");
  app_.add_subcommand("man", "print the manual page of the program, for man");
}

void Grammar::parse(const std::vector<std::string>& typed) {
  std::vector<std::string> arguments = join_units(typed, words_.at("PROBLEM"));
  check_names(arguments);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  app_.parse(arguments);
}

ExitCode Grammar::exit(const CLI::ParseError& error, const Console& console) {
  if (error.get_exit_code() != 0) {
    const std::vector<CLI::App*> parsed = app_.get_subcommands();
    console.err << "catena: " << error.what() << "\nSee catena "
                << (parsed.empty() ? "" : parsed.front()->get_name() + ' ') << "--help\n";
    return exit_bad_input;
  }
  app_.exit(error, console.out, console.err);  // --help, --version
  return exit_ok;
}

std::string Grammar::help(const std::string& command) const {
  if (command.empty()) return app_.help();
  const CLI::App* found = find(command);
  if (found == nullptr) throw UsageError(unknown_name("command", command, commands()));
  return found->help(app_.get_name());
}

const CLI::App* Grammar::find(const std::string& command) const {
  for (const CLI::App* c : app_.get_subcommands([](const CLI::App*) { return true; }))
    if (c->get_name() == command) return c;
  return nullptr;
}

std::vector<std::string> Grammar::commands() const {
  std::vector<std::string> names;
  for (const CLI::App* c : app_.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(c->get_name());
  return names;
}

// Unknown commands and options get the nearest ones suggested, which CLI11 does not do.
void Grammar::check_names(const std::vector<std::string>& arguments) const {
  if (arguments.empty()) return;
  const std::string& first = arguments.front();
  const CLI::App* const command = find(first);
  if (!first.starts_with("-") && command == nullptr)
    throw UsageError(unknown_name("command", first, commands()));
  std::vector<std::string> known;
  if (command == nullptr)
    known = {"--help", "--version"};
  else
    for (const CLI::Option* option : command->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string name = arguments[k].substr(0, arguments[k].find('='));
    if (!name.starts_with("--") || name == "--") continue;
    if (k > 0 && command != nullptr && takes_value(*command, arguments[k - 1])) continue;
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError(unknown_name("option", name, known));
  }
}

std::string names_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : option.get_name(false, true);
}

std::string usage_of(const CLI::Option& option) {
  const bool value = !option.get_positional() && option.get_expected_max() > 0;
  return names_of(option) + (value ? " " + option.get_type_name() : "");
}

}  // namespace catena::detail
