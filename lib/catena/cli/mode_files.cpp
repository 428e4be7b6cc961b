#include <catena/assembly/multibody_system.hpp>
#include <catena/cli/detail/mode_files.hpp>
#include <catena/experiment/detail/run_folder.hpp>
#include <catena/experiment/parts/usage_error.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/output/detail/csv_table.hpp>
#include <catena/output/detail/file_list.hpp>
#include <catena/output/detail/vtk_sink.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

using Path = std::filesystem::path;

constexpr const char* table_name = "modes.csv";
constexpr const char* folder_stem = "mode_";

std::string folder_of(std::size_t mode) { return folder_stem + std::to_string(mode + 1); }

std::vector<std::string> names_of_modes(const System& system, std::size_t count) {
  std::vector<std::string> names = parts_of_list(), motion = VtkSink::names();
  names.emplace_back(table_name);
  if (bodies_of(system) == nullptr) return names;
  for (std::string& frame : VtkSink::names_of_frames()) motion.push_back(std::move(frame));
  for (std::size_t k = 0; k < count; ++k)
    for (const std::string& name : motion) names.push_back(folder_of(k) + '/' + name);
  return names;
}

bool is_of_modes(const std::string& name) { return name == table_name || name.starts_with(folder_stem); }

// "along x", "about (0.6, 0, 0.8)"
std::string named(const char* how, const Vec3& direction) {
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(direction[k]) > std::abs(direction[axis])) axis = k;
  constexpr double roundoff = 1e-12;  // of a normal in body axes
  if (direction[axis] > 0.0 && norm(direction - Vec3::Unit(axis)) < roundoff)
    return std::string(how) + " " + "xyz"[axis];
  return how + printed(" (%.6g, %.6g, %.6g)", direction[0], direction[1], direction[2]);
}

void write_table(const System& system, const Modes& modes, const Path& file) {
  CsvTable table(
      file,
      "mode,real [1/s],imaginary [1/s],frequency [Hz],damping ratio,of,component,shape real,shape imaginary,"
      "motion");
  const BlockPattern& p = *system.layout().pattern;
  const std::vector<std::string> motions = component_names(system);
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    for (int b = 0; b < p.primal_count(); ++b)
      for (int c = 0; c < p.primal_size[index(b)]; ++c) {
        const std::size_t at = index(p.primal_offset[index(b)] + c);
        table.cells(std::to_string(k + 1));
        for (const double number :
             {mode.eigenvalue.real(), mode.eigenvalue.imag(), mode.frequency, mode.damping_ratio})
          table.number(number, Precision::float64);
        table.cells("," + csv_cell(system.velocity_block_name(b)) + "," + std::to_string(c + 1));
        table.number(mode.shape[at].real(), Precision::float64);
        table.number(mode.shape[at].imag(), Precision::float64);
        table.cells("," + csv_cell(motions[at]));
        table.end_row();
      }
  }
  table.close();
}

// One period, or for real eigenvalues a swing to both sides, at a tenth of the size of a body.
void animate(const System& system, const LinearMotion& motion, const Mode& mode, const Path& folder) {
  constexpr int frames = 24;
  constexpr double amplitude = 0.2, turn = 6.283185307179586;
  VtkSink sink(folder);
  sink.begin(system);
  std::vector<double> delta(mode.shape.size());
  State state = motion.state;
  const double period = mode.frequency > 0.0 ? 1.0 / mode.frequency : 1.0;
  for (int k = 0; k <= frames; ++k) {
    const std::complex<double> phase = std::polar(amplitude, turn * k / frames);
    for (std::size_t i = 0; i < delta.size(); ++i) delta[i] = (mode.shape[i] * phase).real();
    system.retract(motion.state.q.data(), delta.data(), state.q.data());
    state.t = motion.state.t + period * k / frames;
    sink.accept(state, {});
  }
  sink.end();
}

}  // namespace

std::vector<std::string> component_names(const System& system) {
  const BlockPattern& p = *system.layout().pattern;
  std::vector<std::string> names(index(system.layout().v_size()), "coordinate");
  const auto* const bodies = dynamic_cast<const MultibodySystem*>(&system);
  if (bodies == nullptr) return names;
  std::vector<double> v(names.size(), 0.0);
  for (std::size_t k = 0; k < names.size(); ++k) {
    double six[6];
    v[k] = 1.0;
    bodies->freedoms().expand(p.block_of(static_cast<int>(k)), v.data(), six);
    v[k] = 0.0;
    const Vec3 shift{{six[0], six[1], six[2]}}, turn{{six[3], six[4], six[5]}};
    names[k] = norm(shift) > 0.0 ? named("along", shift) : named("about", turn);
  }
  return names;
}

void refuse_foreign_modes(const Path& folder, const System& system, int count) {
  const int most = std::min(count, 2 * system.layout().v_size());  // there are no more eigenvalues
  if (const auto others = foreign_names(folder, names_of_modes(system, index(most))); !others.empty())
    throw UsageError("--output " + folder.string() + ": " + foreign_sentence(folder, others));
}

void write_modes(const System& system, const LinearMotion& motion, const Modes& modes, const Path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw SinkError("cannot create the folder " + folder.string() + ": " + error.message());
  RunFolder run(folder);
  run.lock();
  std::vector<std::string> names = names_of_modes(system, modes.modes.size());
  if (const auto others = foreign_names(folder, names); !others.empty())
    throw SinkError(foreign_sentence(folder, others));
  FileList list(folder);
  std::vector<std::string> earlier = list.present();
  std::erase_if(earlier, [](const std::string& name) { return !is_of_modes(name); });
  remove_files(folder, std::move(earlier));
  for (const std::string& name : list.names())
    if (!is_of_modes(name) && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  list.replace(names);
  write_table(system, modes, folder / table_name);
  if (bodies_of(system) != nullptr)
    for (std::size_t k = 0; k < modes.modes.size(); ++k)
      animate(system, motion, modes.modes[k], folder / folder_of(k));
  FileList(folder).leave_out_missing();
}

}  // namespace catena::detail
