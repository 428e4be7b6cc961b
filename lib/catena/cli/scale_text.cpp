#include <catena/cli/detail/scale_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace catena::detail {
namespace {

std::string of_step_and_body(const ScaledRun& run, Phase phase) {
  return fmt::format("{:.1f}", run.of(phase) / std::max(1, run.bodies) * 1e9);
}

std::string table(const ScaledSeries& series) {
  const auto line = [&](const std::string& steps, const auto&... cells) {
    return fmt::format("  {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>11}", cells...) +
           (series.chooses_step ? fmt::format(" {:>8}\n", steps) : "\n");
  };
  std::string text =
      line("steps", "bodies", "rows", "evaluate", "factorise", "solve", "rest", "step", "spread",
           "iterations", "set-up", "memory") +
      line("a run", "", "", "[ns]", "[ns]", "[ns]", "[ns]", "[ns]", "", "a step", "[us/body]", "[B/body]");
  for (const ScaledRun& run : series.runs) {
    if (!run.ok()) {
      text +=
          fmt::format("  {:>9} {}\n", run.bodies > 0 ? std::to_string(run.bodies) : run.size, run.failure);
      continue;
    }
    const double bodies = std::max(1, run.bodies);
    text += line(std::to_string(run.steps), run.bodies, run.rows, of_step_and_body(run, Phase::evaluate),
                 of_step_and_body(run, Phase::factorize), of_step_and_body(run, Phase::solve),
                 of_step_and_body(run, Phase::rest), of_step_and_body(run, Phase::step),
                 fmt::format("{:.0f} %", 100.0 * run.spread), fmt::format("{:.2f}", run.iterations),
                 fmt::format("{:.2f}", run.of(Phase::setup) / bodies * 1e6),
                 fmt::format("{:.0f}", run.peak_bytes / bodies));
  }
  return text;
}

// "+12 %": by how much a prediction is above what was measured.
std::string above(double predicted, double measured) {
  return fmt::format("{:+.0f} %", 100.0 * (predicted / measured - 1.0));
}

// What was predicted, beside what came.
std::string predictions(const ScaledSeries& series) {
  const auto line = [](const auto&... cells) {
    return fmt::format("  {:>9} {:>11} {:>9} {:>9} {:>7} {:>11} {:>11} {:>7}\n", cells...);
  };
  std::string text, missing;
  for (const ScaledRun& run : series.runs) {
    const Prediction& p = run.predicted;
    if (!p.known()) {
      missing += fmt::format("  No prediction for {}: {}\n", run.size, p.why_not);
      continue;
    }
    const double bodies = std::max(1, run.work.bodies);
    const bool ok = run.ok() && run.of(Phase::step) > 0.0;
    text += line(
        run.work.bodies, run.work.flops > 0.0 ? fmt::format("{:.0f}", run.work.flops / bodies) : "",
        fmt::format("{:.1f}", p.of(Phase::step) / bodies * 1e9), ok ? of_step_and_body(run, Phase::step) : "",
        ok ? above(p.of(Phase::step), run.of(Phase::step)) : "", fmt::format("{:.0f}", p.peak_bytes / bodies),
        ok ? fmt::format("{:.0f}", run.peak_bytes / bodies) : "",
        ok ? above(p.peak_bytes, run.peak_bytes) : "");
  }
  if (!text.empty())
    text = "  Predicted before the runs:\n" +
           line("bodies", "factor", "step", "measured", "off", "memory", "measured", "off") +
           line("", "[flop/body]", "[ns]", "[ns]", "", "[B/body]", "[B/body]", "") + text;
  return text + missing;
}

// Of each size, against one core.
std::string speed_ups(const ScaledSeries& series) {
  std::string text;
  for (const ScaledRun& run : series.runs) {
    if (!run.predicted.known()) continue;
    std::string line = fmt::format("  {:>9}", run.work.bodies);
    for (const SpeedUp& s : run.predicted.speed_ups)
      line += fmt::format(" {:>12}", fmt::format("{:.2f} ({:.2f})", s.step, s.elimination));
    text += line + '\n';
  }
  if (text.empty()) return text;
  std::string head = fmt::format("  {:>9}", "bodies");
  for (const int cores : predicted_cores) head += fmt::format(" {:>12}", fmt::format("{} cores", cores));
  return "  Predicted speed-up of a step (of the elimination):\n" + head + '\n' + text;
}

std::string why_no_exponents(const ScaledSeries& series, const std::string& by, bool interrupted) {
  if (interrupted) return "the study was interrupted";
  std::set<int> bodies;
  int ended = 0;
  for (const ScaledRun& run : series.runs) {
    if (!run.ok()) continue;
    ++ended;
    bodies.insert(run.bodies);
  }
  if (ended < 3 || bodies.size() > 1) return "three sizes that reach their end are needed";
  return fmt::format("{} does not change the number of bodies, which is {}", by, *bodies.begin());
}

std::string exponents(const ScaledSeries& series, const std::string& by, bool interrupted) {
  std::string text;
  const auto add = [&](const char* name, const ScalingExponent& e) {
    if (!e.known()) return;
    text += fmt::format("{}{} {:.2f} +- {:.2f}", text.empty() ? "" : ", ", name, e.exponent, e.uncertainty);
  };
  for (const Phase phase : all_phases) add(name_of(phase), series.exponents[static_cast<std::size_t>(phase)]);
  add("memory", series.memory);
  if (text.empty()) return fmt::format("  No exponents: {}.\n", why_no_exponents(series, by, interrupted));
  const int points = series.exponents[static_cast<std::size_t>(Phase::step)].points;
  text = fmt::format("  Exponents of the number of bodies, of the {} largest sizes: {}\n", points, text);
  std::string more;
  for (const Phase phase : series.more_than_linear())
    more += fmt::format("{}{}", more.empty() ? "" : ", ", name_of(phase));
  return text + (more.empty() ? "" : "  Grows more than linearly: " + more + "\n");
}

// How many times faster than the series with the first number of threads.
std::string speed_up(const ScaledSeries& series, const ScaledSeries& first) {
  std::string text;
  for (std::size_t k = 0; k < series.runs.size(); ++k) {
    const ScaledRun &run = series.runs[k], &before = first.runs[k];
    if (!run.ok() || !before.ok()) continue;
    text += fmt::format("{}{:.2f} ({} bodies)", text.empty() ? "" : ", ",
                        before.of(Phase::step) / run.of(Phase::step), run.bodies);
  }
  if (text.empty()) return "";
  return fmt::format("  Times as fast as with {} {}: {}\n", first.threads,
                     first.threads == 1 ? "thread" : "threads", text);
}

std::string table(const EnsembleSeries& series, int scenarios) {
  std::string text = fmt::format("Ensembles of {} scenarios of {} bodies: {}, {}\n", scenarios, series.bodies,
                                 series.stepper.label(), series.backend);
  if (!series.failure.empty()) return text + "  " + series.failure + '\n';
  const auto line = [](const auto&... cells) {
    return fmt::format("  {:<9} {:>7} {:>11} {:>10} {:>11} {:>10}\n", cells...);
  };
  text += line("over", "workers", "strong [s]", "efficiency", "weak [s]", "efficiency");
  const auto percent = [](double efficiency) { return fmt::format("{:.0f} %", 100.0 * efficiency); };
  for (const EnsembleRun& run : series.runs)
    text +=
        line(name_of(run.kind), run.workers, fmt::format("{:.3f}", run.strong),
             percent(run.strong_efficiency), fmt::format("{:.3f}", run.weak), percent(run.weak_efficiency));
  if (!series.no_ranks.empty()) text += "  no ranks: " + series.no_ranks + '\n';
  return text;
}

// "50 steps of 0.001 s"
std::string what_is_run(const Scaling& scaling) {
  const std::string steps = fmt::format("{} steps of {:g} s", scaling.request.steps, scaling.step);
  if (!scaling.any_chooses_step()) return steps;
  const bool some_do_not = std::any_of(scaling.series.begin(), scaling.series.end(),
                                       [](const ScaledSeries& s) { return !s.chooses_step; });
  return fmt::format("runs of {:g} s{}", scaling.time_of_run(),
                     some_do_not ? ", " + steps + " where the stepper does not choose them" : "");
}

}  // namespace

std::string to_text(const Scaling& scaling) {
  const ScaleRequest& r = scaling.request;
  std::string text = fmt::format("{} by {}: {}, least time of {} {}; times a step and body\n\n", r.problem,
                                 r.by, what_is_run(scaling), r.repeat, r.repeat == 1 ? "run" : "runs");
  for (const ScaledSeries& series : scaling.series) {
    text += fmt::format("{}, {}{} {}{}\n", series.stepper.label(),
                        series.backend.empty() ? "" : series.backend + ", ", series.threads,
                        series.threads == 1 ? "thread" : "threads",
                        series.chooses_step ? ", steps chosen by the stepper" : "");
    text += table(series) + exponents(series, r.by, scaling.interrupted) + predictions(series);
    if (series.threads == r.threads.front()) text += speed_ups(series);
    for (const ScaledSeries& first : scaling.series)
      if (first.stepper == series.stepper && first.backend == series.backend) {
        if (&first != &series) text += speed_up(series, first);
        break;
      }
    text += '\n';
  }
  for (const EnsembleSeries& series : scaling.ensembles) text += table(series, r.scenarios) + '\n';
  return text;
}

}  // namespace catena::detail
