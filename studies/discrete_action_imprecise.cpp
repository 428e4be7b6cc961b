// What the source of the discrete action leaves open or explains otherwise: the matrix that is not symmetric, and the
// instability that takes the boxes out of their plane.
#include <catena/output/parts/study.hpp>
#include <catena/studies/detail/discrete_action_runs.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace catena::detail::box_chain_study {
using namespace detail;
namespace {

// How far boxes have left the plane at whole seconds, largest over the second before.
std::vector<double> departures(Model model, int seconds, bool coordinate_plane = false) {
  ChainRun run(std::move(model));
  std::vector<double> out;
  for (int s = 0; s < seconds; ++s) {
    double worst = 0.0;
    run.advance(500, [&] {
      if (coordinate_plane)
        for (std::size_t box = 0; box < 4; ++box) worst = std::max(worst, std::abs(run.state().q[7 * box]));
      else
        worst = std::max(worst, run.out_of_plane());
    });
    out.push_back(worst);
  }
  return out;
}

double growth(const std::vector<double>& d, std::size_t from, std::size_t to) {
  return std::log(d[to - 1] / d[from - 1]) / static_cast<double>(to - from);
}

void instability(StudyReport& report) {
  constexpr int seconds = 15;
  const std::vector<double> roundoff = departures(chain(), seconds),
                            tiny = departures(turned(chain(), 1e-10), seconds),
                            small = departures(turned(chain(), 1e-8), seconds);
  const int long_run = report.quick() ? 20 : 100;
  const std::vector<double> none = departures(chain_in_coordinate_plane(), long_run, true);
  Figure figure{.name = "out_of_plane",
                .caption = "Largest distance of a box from the plane, by what seeds it",
                .x_label = "time [s]",
                .y_label = "distance [m]",
                .log_y = true};
  const auto add = [&](const char* label, const std::vector<double>& d) {
    Curve c{.label = label, .x = {}, .y = d};
    for (std::size_t k = 1; k <= d.size(); ++k) c.x.push_back(static_cast<double>(k));
    figure.curves.push_back(std::move(c));
  };
  add("roundoff alone", roundoff);
  add("first box turned about its long axis by 1e-10 rad", tiny);
  add("by 1e-8 rad", small);
  report.figure(figure);
  const auto text = [](double x) { return study_number(x, 3); };
  const double ratio_5 = small[4] / tiny[4], ratio_10 = small[9] / tiny[9], ratio_13 = small[12] / tiny[12];
  const double rate = growth(roundoff, 5, seconds), rate_tiny = growth(tiny, 5, seconds);
  const double in_plane = *std::max_element(none.begin(), none.end());
  report.error({"section 5, discussion of figure 4",
                "after 10 s the boxes leave their plane, which is caused by the hinges",
                "the planar motion is unstable, and roundoff seeds what grows: ideal hinges keep an exactly "
                "planar motion planar",
                "without a seed (the plane turned into one of coordinates, so that nothing is ever rounded "
                "across it) the boxes "
                "are " +
                    text(in_plane) + " m out of plane after " + std::to_string(long_run) +
                    " s; a seed 100 times as large gives departures " + text(ratio_5) + ", " +
                    text(ratio_10) + ", " + text(ratio_13) +
                    " times as large at 5, 10, 13 s; between 5 and 15 s they grow like exp(" + text(rate) +
                    " t) from roundoff and exp(" + text(rate_tiny) + " t) from a seed of 1e-10 rad, from " +
                    text(roundoff[4]) + " to " + text(roundoff[seconds - 1]) + " m",
                in_plane == 0.0 && std::abs(ratio_5 / 100.0 - 1.0) < 0.01 &&
                    std::abs(ratio_10 / 100.0 - 1.0) < 0.05 && std::abs(ratio_13 / 100.0 - 1.0) < 0.05 &&
                    rate > 1.0 && rate_tiny > 1.0});
}

double asymmetry_at(double h) {
  ChainRun run(chain(), h);
  run.advance(std::lround(0.9 / h) + 1);
  return run.matrix_asymmetry();
}

}  // namespace

void what_is_imprecise(StudyReport& report) {
  const double coarse = asymmetry_at(step_size), fine = asymmetry_at(0.5 * step_size);
  report.error(
      {"section 4, equations (38) and (39)",
       "an action S_k is differentiated twice for the iteration; nothing is said of its matrix",
       "[h D2 D1 L, -C_k^T; -C_k+1, 0] couples two nodes and is symmetric only up to O(h): a symmetric "
       "factorisation changes the iteration",
       "||A - A^T||/||A|| at t = 0.9 s is " + study_number(coarse, 3) + " at h = 0.002 s and " +
           study_number(fine, 3) + " at half of it, ratio " + study_number(coarse / fine, 4),
       coarse > 1e-4 && std::abs(coarse / fine - 2.0) < 0.1});
  instability(report);
}

}  // namespace catena::detail::box_chain_study
