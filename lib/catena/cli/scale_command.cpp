#include <catena/cli/detail/commands.hpp>
#include <catena/cli/detail/console_text.hpp>
#include <catena/cli/detail/interrupt.hpp>
#include <catena/cli/detail/progress.hpp>
#include <catena/cli/detail/report_command.hpp>
#include <catena/cli/detail/scale_text.hpp>
#include <catena/cli/detail/typed_number.hpp>
#include <catena/experiment/detail/number.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/detail/split.hpp>
#include <catena/experiment/parts/options.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/study/detail/scaling_files.hpp>
#include <catena/study/detail/text_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace catena::detail {
namespace {

void refuse_twice(const std::string& flag, const std::vector<std::string>& parts) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].empty()) throw UsageError(flag + ": there is nothing between two commas");
    if (std::find(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(k), parts[k]) !=
        parts.begin() + static_cast<std::ptrdiff_t>(k))
      throw UsageError(flag + ": " + parts[k] + " is there twice");
  }
}

ScaleRequest read_scale(const ScaleCommand& typed) {
  ScaleRequest request;
  Complaints complaints;
  request.problem = typed.problem;
  if (!typed.by.empty()) request.by = typed.by;
  complaints.attempt([&] { request.parameters = parse_settings(typed.parameters, "--set"); });
  if (request.parameters.count(request.by) > 0)
    complaints.add(fmt::format("--set {}: --bodies sets it", request.by));
  complaints.attempt([&] {
    request.sizes = split(typed.bodies, ',');
    refuse_twice("--bodies", request.sizes);
    for (const std::string& size : request.sizes) whole_number("--bodies", size, 1);
    std::sort(request.sizes.begin(), request.sizes.end(), [](const std::string& a, const std::string& b) {
      return whole_number("", a, 1) < whole_number("", b, 1);
    });
  });
  complaints.attempt([&] {
    if (!typed.steppers.empty())
      for (const std::string& text : split(typed.steppers, ','))
        request.steppers.push_back(compared_stepper(text));
    std::vector<std::string> labels;
    for (const ComparedStepper& stepper : request.steppers) labels.push_back(stepper.label());
    refuse_twice("--steppers", labels);
  });
  complaints.attempt([&] {
    if (typed.backends.empty()) return;
    request.backends = split(typed.backends, ',');
    refuse_twice("--backends", request.backends);
  });
  const auto counts = [&](const char* flag, const std::string& text, std::vector<int>& into) {
    if (text.empty()) return;
    into.clear();
    const std::vector<std::string> parts = split(text, ',');
    refuse_twice(flag, parts);
    for (const std::string& part : parts) into.push_back(whole_number(flag, part, 1));
  };
  complaints.attempt([&] { counts("--threads", typed.threads, request.threads); });
  complaints.attempt([&] {
    counts("--ranks", typed.ranks, request.ranks);
    if (!request.ranks.empty() && typed.scenarios.empty())
      throw UsageError("--ranks " + typed.ranks + " needs --scenarios N, the rows that they run");
  });
  complaints.attempt([&] {
    if (typed.step.empty()) return;
    request.step = parse_real(typed.step);
    if (!request.step || !(*request.step > 0.0))
      throw UsageError("--step " + typed.step + ": a positive number of seconds is needed");
  });
  complaints.attempt([&] {
    if (!typed.steps.empty()) request.steps = whole_number("--steps", typed.steps, 1);
  });
  complaints.attempt([&] {
    if (!typed.repeat.empty()) request.repeat = whole_number("--repeat", typed.repeat, 1);
  });
  complaints.attempt([&] {
    if (!typed.scenarios.empty()) request.scenarios = whole_number("--scenarios", typed.scenarios, 1);
  });
  complaints.throw_if_any();
  return request;
}

}  // namespace

ExitCode scale_command(const ScaleCommand& typed, const Catalog& of_program, const Console& console) {
  try {
    const Catalog catalog = of_program.reading_once();  // all runs are of the files as they are at the start
    const ScaleRequest request = read_scale(typed);
    check_report(typed.report, typed.output);
    if (typed.overwrite && typed.output.empty())
      throw UsageError("--overwrite needs --output DIR, the folder whose study is to be replaced");
    RunFolder held(typed.output);
    if (!typed.output.empty()) {
      refuse_foreign(typed.output, scaling_names());
      refuse_other_scaling(typed.output, request, typed.overwrite);
      refuse_unwritable(typed.output, scaling_names().front());
      held.lock();
      refuse_other_scaling(typed.output, request, typed.overwrite);  // written until then
    }
    const ListenToSignals listen;
    ScaleContext context{.stop = console.stop};
    if (console.progress) context.progress = counter_of_runs(console.err);
    const Scaling done = scale(request, catalog, context);
    console.out << to_text(done) << std::flush;
    if (!typed.output.empty())
      if (const std::string not_drawn = write_scaling(typed.output, done, catalog.commit());
          !not_drawn.empty())
        console.err << "catena: " << not_drawn << '\n';
    if (done.interrupted) {
      console.err << "catena: interrupted; there are no exponents, and rows may lack repetitions\n";
      return exit_code_of_signal(console);
    }
    return write_report(typed.report, typed.output, catalog, console, exit_ok);
  } catch (...) {
    return refused(console);
  }
}

}  // namespace catena::detail
