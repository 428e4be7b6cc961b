#include <catena/cli/detail/grammar.hpp>
#include <catena/experiment/parts/usage_error.hpp>

#include <string_view>

namespace catena::detail {
namespace {

bool is_safe(std::string_view text) {
  for (const char c : text)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_' &&
        c != '-' && c != '.')
      return false;
  return !text.empty() && text.front() != '-' && text.front() != '.';
}

// Names of a catalog may be anything; those that a shell takes for something else are left out.
std::string safe_words(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    if (is_safe(name)) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::string option_words(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) text += (text.empty() ? "-" : " -") + name;
    for (const std::string& name : option->get_lnames()) text += (text.empty() ? "--" : " --") + name;
  }
  return text;
}

// The pattern of all options of all commands that take a value: what follows them is no argument of the command.
std::string with_values(const CLI::App& app) {
  std::string text;
  const auto add = [&](const std::string& name) {
    if (("|" + text + "|").find("|" + name + "|") == std::string::npos)
      text += (text.empty() ? "" : "|") + name;
  };
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; }))
    for (const CLI::Option* option : c->get_options()) {
      if (option->get_positional() || option->get_expected_max() == 0) continue;
      for (const std::string& name : option->get_snames()) add("-" + name);
      for (const std::string& name : option->get_lnames()) add("--" + name);
    }
  return text;
}

}  // namespace

std::string bash_completion(const Grammar& grammar, const std::string& program) {
  if (!is_safe(program))
    throw UsageError("the name of a program for a script has letters, digits, _, - and ., not \"" + program +
                     '"');
  std::string function = "_";
  for (const char c : program) function += c == '-' || c == '.' ? '_' : c;
  const CLI::App& app = grammar.app();
  std::vector<std::string> commands;
  std::string values, arguments;
  for (const auto& [name, known] : grammar.words())
    if (name.starts_with("--")) values += "    " + name + ") words=\"" + safe_words(known) + "\" ;;\n";
  for (const CLI::App* c : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(c->get_name());
    std::string positional;
    int place = 0;
    for (const CLI::Option* option : c->get_options()) {
      if (!option->get_positional()) continue;
      const auto known = grammar.words().find(names_of(*option));
      if (known != grammar.words().end())
        positional += " " + std::to_string(place) + ") words=\"" + safe_words(known->second) + "\" ;;";
      ++place;
    }
    arguments += "    " + c->get_name() + ")\n      if [[ $word == -* ]]; then words=\"" + option_words(*c) +
                 "\"; else case $place in" + positional + " esac; fi ;;\n";
  }
  return "# Completion of " + program + " in bash, written by `" + program + " completion bash`.\n" +
         function +
         R"(() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words="" place=0 k
  for ((k = 2; k < COMP_CWORD; ++k)); do
    case ${COMP_WORDS[k-1]} in )" +
         with_values(app) + R"() continue ;; esac
    [[ ${COMP_WORDS[k]} == -* ]] || place=$((place + 1))
  done
  if ((COMP_CWORD == 1)); then
    words=")" +
         safe_words(commands) + R"( --help --version"
  else
    case $before in
)" + values +
         "    " + with_values(app) + R"() COMPREPLY=(); return ;;  # anything: files
    *) case ${COMP_WORDS[1]} in
)" + arguments +
         R"(    esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F )" +
         function + ' ' + program + '\n';
}

}  // namespace catena::detail
