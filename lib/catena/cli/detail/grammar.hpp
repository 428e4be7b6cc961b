// The grammar of the command line, and what was typed. Help, the reference page, the manual page and the completion of a
// shell derive from it.
#pragma once
#include <catena/cli/cli.hpp>
#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/report_command.hpp>

#include <CLI/App.hpp>

#include <map>
#include <string>
#include <vector>

namespace catena::detail {

class Grammar {
 public:
  explicit Grammar(const Catalog& catalog);

  // Throws CLI::ParseError, UsageError.
  void parse(const std::vector<std::string>& typed);
  // After such an error, --help and --version among them.
  ExitCode exit(const CLI::ParseError& error, const Console& console);
  // The name of the command.
  std::string command() const { return app_.get_subcommands().front()->get_name(); }

  const CLI::App& app() const { return app_; }
  // Of a command, or of the program (""), before anything is parsed. Throws UsageError for an unknown command.
  std::string help(const std::string& command) const;
  // What may be given for a positional argument ("PROBLEM") or behind an option ("--stepper"), where that is known.
  const std::map<std::string, std::vector<std::string>>& words() const { return words_; }

  RunRequest run;
  ResumeRequest resume;
  ReplayRequest replay;
  CheckRequest check;
  WriteRequest write;
  LinearRequest linear;  // of three commands
  ReproduceRequest reproduce;
  AuditRequest audit;
  CompareCommand compare;
  ScaleCommand scale;
  SweepRequest sweep;
  StudyRequest study;
  ReportRequest report;
  ViewRequest view;
  std::string subject;  // of list
  bool markdown = false;
  std::string help_on;             // command, "" for the program
  std::string shell;               // of completion
  std::string program = "catena";  // that is completed

 private:
  void add_run();
  void add_resume();
  void add_replay();
  void add_sweep();
  void add_study();
  void add_check();
  void add_write();
  void add_linear();
  void add_list();
  void add_reproduce(const Catalog& catalog);
  void add_audit();
  void add_compare();
  void add_scale();
  void add_pages();
  void add_help();
  std::string problems() const;
  std::vector<std::string> commands() const;
  const CLI::App* find(const std::string& command) const;  // null: there is none
  void check_names(const std::vector<std::string>& arguments) const;

  CLI::App app_;
  std::map<std::string, std::vector<std::string>> words_;
};

// All names of an option, "-o,--output", or that of a positional argument.
std::string names_of(const CLI::Option& option);
// The names, and the value that it takes: "--step,--dt H", "PROBLEM", "--strict".
std::string usage_of(const CLI::Option& option);

// Examples and exit codes, as the help shows them.
extern const char* const command_examples;
extern const char* const command_exit_codes;

// The page of the program for man, in roff.
std::string man_page(const CLI::App& app);
// A script that completes the words of the program's command line in bash.
std::string bash_completion(const Grammar& grammar, const std::string& program);

}  // namespace catena::detail
