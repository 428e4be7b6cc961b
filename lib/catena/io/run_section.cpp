#include <catena/experiment/detail/scenario_members.hpp>
#include <catena/io/detail/run_section.hpp>
#include <catena/math/detail/passing_over.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

namespace catena::detail {
namespace {

// Passes on one number of a listing; a run has no other options.
class Only final : public PassingOver<> {
 public:
  Only(std::string_view name, OptionVisitor& to) : name_(name), to_(to) {}
  void real(const OptionInfo& i, double& value) override {
    if (i.name == name_) to_.real(i, value);
  }
  void integer(const OptionInfo& i, int& value) override {
    if (i.name == name_) to_.integer(i, value);
  }

 private:
  std::string_view name_;
  OptionVisitor& to_;
};

// The texts of a listing live as long as the program.
class Keys final : public OptionVisitor {
 public:
  std::vector<KeyInfo> rows;
  void real(const OptionInfo& i, double& value) override {
    const bool of_problem = i.name == std::string_view("step") || i.name == std::string_view("end");
    add(i, "number", (of_problem ? "the problem's, of bodies " : "") + fmt::format("{}", value));
  }
  void integer(const OptionInfo& i, int& value) override {
    add(i, "whole number",
        i.name == std::string_view("every") ? "about 1000 instants in all" : fmt::format("{}", value));
  }
  void flag(const OptionInfo& i, bool& value) override { add(i, "true or false", value ? "true" : "false"); }
  void text(const OptionInfo& i, std::string&) override { add(i, "text", "-"); }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    add(i, "word", names[static_cast<std::size_t>(value)]);
  }

 private:
  void add(const OptionInfo& i, const char* form, const std::string& standard) {
    rows.push_back({i.name, form, i.unit, standard, i.meaning});
  }
};

}  // namespace

void visit(OptionVisitor& visitor, ThreadOption& o) {
  visitor.integer(
      {"threads", "1", "threads of the run; 0: as many as the machine offers; same bits for any", 0, 1024},
      o.threads);
}

void visit(OptionVisitor& visitor, RunSection& r) {
  each_member([&](const ScenarioMember& member, auto at) {  // what the command line offers as well
    if (*member.argument == '\0') return;
    if constexpr (requires { visitor.text(OptionInfo{}, r.scenario.*at); }) {
      visitor.text({member.name, member.unit, member.meaning}, r.scenario.*at);
    } else {  // a number: with its range, where a run has it
      Only number(member.name, visitor);
      visit(number, r.run);
    }
  });
  visit(visitor, r.machine);
  visitor.text({"output", "", "folder for results, from where catena runs"}, r.output);
  visit(visitor, r.results);
  visitor.text({"checkpoint", "", "how often to write one, \"10s\"; needs output"}, r.checkpoint);
}

std::vector<KeyInfo> run_section_keys() {
  Keys keys;
  RunSection section;
  visit(keys, section);
  keys.rows.push_back(
      {options_key, "map", "", "-",
       "of the stepper (catena list steppers); dropped where the command line names another one"});
  return keys.rows;
}

}  // namespace catena::detail
