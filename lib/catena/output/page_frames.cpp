#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/output/detail/page_frames.hpp>
#include <catena/output/detail/page_numbers.hpp>
#include <catena/output/detail/page_scene.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace catena::detail {
namespace {

constexpr double body_frames = 300e3;  // see PageFrames::most
// Numbers of joints over all frames that are kept beside the picture of the reactions; beyond, curves of single joints are
// left to results.h5.
constexpr std::size_t joint_numbers = 400'000;
// [m] Displacements below it are what joints that do not slide let through; run.js lists no joint below it either.
constexpr double displacement_shown = 1e-9;
// Operations that the pivots of rows may take over all frames, some seconds: nets of thousands of bodies have none.
constexpr double pivot_operations = 2e9;

Selection selection_of_frames() {
  Selection chosen;
  const QuantityCatalog catalog = builtin_quantities();
  for (const Quantity& quantity : catalog.all())
    for (const char* name :
         {"bodies/position", "bodies/orientation", "bodies/velocity", "bodies/angular_velocity",
          "reactions/force", "reactions/torque", "joints/angle", "joints/displacement", "energy/kinetic"})
      if (quantity.name == name) chosen.push_back({quantity, {}, "standard"});
  return chosen;
}

double square(const double* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

}  // namespace

std::size_t PageFrames::most(int bodies) {
  return static_cast<std::size_t>(std::clamp(body_frames / std::max(bodies, 1), 40.0, 2000.0));
}

PageFrames::PageFrames(const System& system)
    : system_(system),
      measure_(system, selection_of_frames()),
      row_pivots_(system),
      row_(static_cast<std::size_t>(measure_.width())),
      position_rows_(static_cast<std::size_t>(system.layout().lambda_size())),
      velocity_rows_(position_rows_.size()) {}

bool PageFrames::shows_bodies() const { return measure_.find("bodies/position") != nullptr; }

void PageFrames::append(const MeasuredColumns* columns, std::vector<double>& to) const {
  if (columns == nullptr) return;
  for (int k = 0; k < columns->count; ++k)
    for (int c = 0; c < columns->block; ++c)
      to.push_back(row_[static_cast<std::size_t>(columns->column(k, c))]);
}

// The largest row of each constraint, of the level that it holds.
void PageFrames::add_residuals(const State& state) {
  if (position_rows_.empty()) return;
  Evaluation wanted;
  wanted.position = position_rows_.data();
  wanted.velocity = velocity_rows_.data();
  system_.evaluate(point_of(state), wanted);
  const BlockPattern& pattern = *system_.layout().pattern;
  for (int block = 0; block < pattern.dual_count(); ++block) {
    const auto b = static_cast<std::size_t>(block);
    const int begin = pattern.dual_offset[b] - pattern.primal_dimension;
    double position = 0.0, velocity = 0.0;
    for (int k = begin; k < begin + pattern.dual_size[b]; ++k) {
      position = std::max(position, std::abs(position_rows_[static_cast<std::size_t>(k)]));
      velocity = std::max(velocity, std::abs(velocity_rows_[static_cast<std::size_t>(k)]));
    }
    residuals_.push_back(position > 0.0 ? position : velocity);
  }
}

void PageFrames::add(const State& state) {
  measure_(state, {}, row_.data());
  times_.push_back(state.t);
  append(measure_.find("bodies/position"), positions_);
  append(measure_.find("bodies/orientation"), quaternions_);
  append(measure_.find("reactions/force"), forces_);
  append(measure_.find("reactions/torque"), torques_);
  append(measure_.find("joints/angle"), angles_);
  append(measure_.find("joints/displacement"), displacements_);
  const MeasuredColumns* v = measure_.find("bodies/velocity");
  const MeasuredColumns* w = measure_.find("bodies/angular_velocity");
  const auto& inertia = measure_.measured().inertia();
  if (v != nullptr && w != nullptr)
    for (std::size_t k = 0; k < inertia.size(); ++k) {
      const double* velocity = row_.data() + v->column(static_cast<int>(k));
      const double* omega = row_.data() + w->column(static_cast<int>(k));
      const Vec3 turn{{omega[0], omega[1], omega[2]}};
      const Vec3 momentum = inertia[k].inertia * turn;
      energies_.push_back(0.5 * (inertia[k].mass * square(velocity) + dot(turn, momentum)));
    }
  add_residuals(state);
  if (without_pivots_) return;
  const auto frames = static_cast<double>(most(measure_.measured().body_count()));
  const std::vector<double> pivots = row_pivots_(state, pivot_operations / frames);
  without_pivots_ = pivots.empty();
  pivots_.insert(pivots_.end(), pivots.begin(), pivots.end());
}

std::string PageFrames::json() const {
  const MeasuredSystem& measured = measure_.measured();
  const auto bodies = static_cast<std::size_t>(measured.body_count());
  const std::size_t sides = measured.sides().size(), joints = measured.joints().size();
  const std::size_t frames = times_.size();
  std::string text =
      fmt::format(R"("scene":{},"frames":{{"count":{},"times":{},"position":{})", page_scene(measured),
                  frames, page_doubles(times_), page_positions(positions_, bodies));
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format(R"(,"{}":{})", key, value);
  };
  const auto first = [](std::size_t numbers, const std::vector<double>& of) {
    return std::vector<double>(of.begin(),
                               of.begin() + static_cast<std::ptrdiff_t>(std::min(numbers, of.size())));
  };
  add("first_position", page_floats(first(3 * bodies, positions_)));
  if (!quaternions_.empty()) add("first_rotation", page_floats(first(4 * bodies, quaternions_)));
  if (!quaternions_.empty()) add("rotation", page_quaternions(quaternions_, bodies));
  if (!energies_.empty()) add("energy", page_logarithms(energies_, bodies));
  if (!residuals_.empty()) add("residual", page_logarithms(residuals_, residuals_.size() / frames));
  if (!without_pivots_) add("pivot", page_logarithms(pivots_, pivots_.size() / frames));
  if (!forces_.empty()) add("force", page_vectors(forces_, sides));
  if (!torques_.empty() && torques_.size() <= joint_numbers) add("torque", page_vectors(torques_, sides));
  if (!angles_.empty() && frames * joints <= joint_numbers) add("angle", page_floats(angles_));
  const bool slides = std::any_of(displacements_.begin(), displacements_.end(),
                                  [](double d) { return std::abs(d) > displacement_shown; });
  if (slides && frames * joints <= joint_numbers) add("displacement", page_floats(displacements_));
  return text + '}';
}

}  // namespace catena::detail
