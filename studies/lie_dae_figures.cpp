#include <catena/studies/detail/lie_dae_figures.hpp>

namespace catena::detail::lie_dae_study {
namespace {

const char* const axis[3] = {"x", "y", "z"};

Figure over_time(const char* name, const char* caption, const char* y_label) {
  Figure f;
  f.name = name;
  f.caption = caption;
  f.x_label = "time [s]";
  f.y_label = y_label;
  return f;
}

}  // namespace

void draw_lie_dae_figures(StudyReport& report, const std::vector<Result>& results) {
  const Samples& s = results[3].samples;

  Figure path;
  path.name = "lie_dae_paths";
  path.caption = "Figure 2 of the source: paths of the ends of the two links seen along y, stabilized form.";
  path.x_label = "x [m]";
  path.y_label = "z [m]";
  path.curves = {{"end of link 1", s.elbow[0], s.elbow[2]}, {"end of link 2", s.tip[0], s.tip[2]}};
  path.equal_axes = true;
  report.figure(path);

  Figure centres = over_time("lie_dae_centres", "Figure 3 of the source: centres of mass of the two links.",
                             "position [m]");
  for (std::size_t k = 0; k < 6; ++k)
    centres.curves.push_back({axis[k % 3] + std::to_string(k / 3 + 1), s.t, s.position[k]});
  report.figure(centres);

  Figure multipliers =
      over_time("lie_dae_multipliers", "Figure 3 of the source: multipliers of the two joints.", "force [N]");
  for (std::size_t k = 0; k < 6; ++k)
    multipliers.curves.push_back({(k < 3 ? "base " : "elbow ") + std::string(axis[k % 3]), s.t, s.lambda[k]});
  report.figure(multipliers);

  Figure energies =
      over_time("lie_dae_energies", "Figure 4 of the source: energies of the stabilized form.", "energy [J]");
  energies.curves = {{"kinetic", s.t, s.kinetic}, {"potential", s.t, s.potential}, {"total", s.t, s.energy}};
  report.figure(energies);

  Figure constraints = over_time(
      "lie_dae_constraints",
      "Figure 5 of the source: largest residual of the constraints on the three levels, stabilized form.",
      "residual [m], [m/s], [m/s^2]");
  constraints.curves = {
      {"position", s.t, s.gap}, {"velocity", s.t, s.rate}, {"acceleration", s.t, s.acceleration}};
  constraints.log_y = true;
  report.figure(constraints);

  Figure rotations =
      over_time("lie_dae_rotations", "Figure 6 of the source: components of R of link 2.", "1");
  for (std::size_t k = 9; k < 18; ++k)
    rotations.curves.push_back(
        {"R" + std::to_string((k - 9) / 3 + 1) + std::to_string((k - 9) % 3 + 1), s.t, s.rotation[k]});
  report.figure(rotations);

  Figure orthogonality =
      over_time("lie_dae_orthogonality", "Figure 7 of the source: largest entry of R^T R - I.", "1");
  orthogonality.curves = {{"", s.t, s.orthogonality}};
  report.figure(orthogonality);

  Figure total = over_time("lie_dae_total_energy", "Figure 8 of the source: total energy of the four forms.",
                           "energy [J]");
  for (std::size_t k = 0; k < 4; ++k)
    total.curves.push_back({name(forms[k]), results[k].samples.t, results[k].samples.energy});
  report.figure(total);
}

}  // namespace catena::detail::lie_dae_study
