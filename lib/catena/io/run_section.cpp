#include <catena/io/detail/run_section.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string_view>

namespace catena::detail {
namespace {

// Passes on what the command line offers as well.
class Offered final : public OptionVisitor {
 public:
  explicit Offered(OptionVisitor& to) : to_(to) {}
  void real(const OptionInfo& i, double& value) override { to_.real(i, value); }
  void integer(const OptionInfo& i, int& value) override {
    if (i.name != std::string_view("max_cuts")) to_.integer(i, value);
  }
  void flag(const OptionInfo& i, bool& value) override { to_.flag(i, value); }
  void text(const OptionInfo& i, std::string& value) override { to_.text(i, value); }
  void choice(const OptionInfo& i, int& value, const std::vector<std::string>& names) override {
    to_.choice(i, value, names);
  }

 private:
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
  visitor.text({"stepper", "",
                "method (catena list steppers); a catalog problem has its own, a model generalized_alpha"},
               r.stepper);
  Offered offered(visitor);
  visit(offered, r.run);
  visitor.text({"backend", "", "linear solver (catena list backends)"}, r.backend);
  visit(visitor, r.machine);
  visitor.text({"output", "", "folder for results, from where catena runs"}, r.output);
  visit(visitor, r.results);
  visitor.text({"record", "", "quantities of the results, \"energy,reactions:hip\" (catena list quantities)"},
               r.record);
  visitor.text({"precision", "", "of the numbers in the results: float64 or float32"}, r.precision);
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
