// Commands that compare and measure, and those that show what others have found.
#include <catena/cli/detail/grammar.hpp>
#include <catena/cli/detail/text_option.hpp>

namespace catena::detail {

void Grammar::add_compare() {
  CLI::App& c = *app_.add_subcommand(
      "compare", "compare methods on problems: errors, what is kept, work and time, and fitted orders");
  c.add_option("PROBLEM", compare.problems, "one or more: " + problems());
  several(c, "--set", compare.parameters, "KEY=VALUE", "a parameter, as for run");
  text_option(c, "--end", compare.end, "T", "end of the runs [s]; default: the problem's own");
  text_option(
      c, "--steppers", compare.steppers, "LIST",
      "methods with commas between, options behind colons: generalized_alpha:rho_inf=0.5,ida; default: all");
  text_option(c, "--steps", compare.steps, "LIST",
              "steps of methods with fixed ones [s]; default: 4, 2, 1, 1/2 and 1/4 of the problem's own");
  text_option(c, "--tolerances", compare.tolerances, "LIST",
              "of methods that control their error; default: 1e-4,1e-6,1e-8,1e-10");
  several(c, "--vary", compare.vary, "KEY=LIST",
          "an option of all methods that have it, with each of these values: rho_inf=0,0.5,0.8,1");
  c.add_flag("--plain", compare.plain, "each method with guards=off as well: the plain method of its paper");
  text_option(c, "--repeat", compare.repeat, "N",
              "runs of each row, for the least time and the spread; default 1");
  text_option(c, "--tables", compare.tables, "LIST",
              "some of errors,end,tolerances,kept,work,orders; default: all");
  c.add_flag("--markdown", compare.markdown, "the tables as Markdown");
  text_option(c, "-o,--output", compare.output, "DIR",
              "write compare.json, compare.csv and pictures to this folder");
  c.add_flag("--overwrite", compare.overwrite, "replace another comparison in the folder of --output");
  text_option(c, "--report", compare.report, "FILE", report_meaning);
  text_option(c, "--again", compare.again, "DIR",
              "repeat the comparison in this folder, and compare with it");
  several(c, "--add", compare.add, "FILE", "results of another code (docs/reference/compare.md)");
  text_option(
      c, "--peers", compare.peers, "LIST",
      "other programs that run the same problems, with commas between: simbody, where it was built, or a "
      "file of your own");
}

void Grammar::add_scale() {
  CLI::App& c = *app_.add_subcommand(
      "scale", "measure how time and memory grow with the number of bodies, by phase, with exponents");
  c.add_option("PROBLEM", scale.problem, problems())->required();
  text_option(c, "--bodies", scale.bodies, "LIST",
              "sizes, values of the parameter --by, with commas between");
  c.get_option("--bodies")->required();
  text_option(c, "--by", scale.by, "KEY", "the parameter of the problem that sets its size; default n");
  several(c, "--set", scale.parameters, "KEY=VALUE", "another parameter, as for run");
  text_option(
      c, "--steppers", scale.steppers, "LIST",
      "methods with commas between, options behind colons, as for compare; default: the problem's own");
  text_option(c, "--backends", scale.backends, "LIST",
              "linear solvers (catena list backends); default: the first");
  text_option(c, "--threads", scale.threads, "LIST", "numbers of threads; default 1");
  text_option(c, "--step,--dt", scale.step, "H", "step [s]; default: the problem's own");
  text_option(c, "--steps", scale.steps, "N", "of each run; default 50");
  text_option(c, "--repeat", scale.repeat, "N",
              "runs of each row, for the least time and the spread; default 3");
  text_option(c, "--scenarios", scale.scenarios, "N",
              "also measure ensembles of N equal scenarios, on --threads threads and on as many processes");
  text_option(c, "--ranks", scale.ranks, "LIST",
              "of mpirun, that run the rows of these ensembles as well; one more deals");
  text_option(c, "-o,--output", scale.output, "DIR",
              "write scale.json, scale.csv and pictures to this folder");
  c.add_flag("--overwrite", scale.overwrite, "replace another scaling study in the folder of --output");
  text_option(c, "--report", scale.report, "FILE", report_meaning);
}

void Grammar::add_pages() {
  CLI::App& r = *app_.add_subcommand(
      "report", "write what runs, sweeps, comparisons and scaling studies gave as one HTML file");
  r.add_option("DIR", report.folders, "folders that run, sweep, compare or scale have written with --output")
      ->required();
  text_option(r, "-o,--output", report.output, "FILE", "default: report.html in the first folder");
  CLI::App& v = *app_.add_subcommand(
      "view", "write a moving picture of a result, or one of a model at its start, as one HTML file");
  v.add_option("WHAT", view.what, "a folder of results, or " + problems())->required();
  v.add_option("--set", view.parameters, "a parameter of the problem or file, as for run")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  text_option(v, "-o,--output", view.output, "FILE", "default: report.html in the folder, or NAME.html here");
}

}  // namespace catena::detail
