#include <catena/math/detail/index.hpp>
#include <catena/output/detail/vtk_sink.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

const std::string list_begin =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
const std::string list_closing = "</Collection>\n</VTKFile>\n";

std::string bodies_name(long instant) { return fmt::format("vtk/bodies_{:06}.vtu", instant); }
std::string joints_name(long instant) { return fmt::format("vtk/joints_{:06}.vtp", instant); }
std::string lines_name(long instant) { return fmt::format("vtk/lines_{:06}.vtp", instant); }

std::vector<int> opposite_bodies(const MeasuredSystem& measured) {
  const std::vector<ReactionSide>& sides = measured.sides();
  std::vector<int> bodies(sides.size(), -1);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const auto of_same = [&](const ReactionSide& other) { return other.constraint == sides[s].constraint; };
    if ((s > 0 && of_same(sides[s - 1])) || (s + 1 < sides.size() && of_same(sides[s + 1]))) continue;
    const Model& model = measured.model_system()->model();
    const Model::ElementRef& joint = model.constraints()[index(sides[s].constraint)];
    const ElementPool& pool = *model.pools()[index(joint.pool)];
    for (int i = 0; i < pool.bodies(); ++i)
      if (const BodyId id = pool.body(joint.element, i); id != ground && id != sides[s].body)
        bodies[s] = measured.rows().block_of_body(static_cast<int>(id));
  }
  return bodies;
}

}  // namespace

Selection besides_motion(const Selection& selection) {
  Selection kept;
  for (const ChosenQuantity& chosen : selection) {
    const std::string& name = chosen.quantity.name;
    if (name == "time" || name.starts_with("bodies/") || name.starts_with("reactions/")) continue;
    const Items items = chosen.quantity.items;
    const bool shown = items == Items::one || items == Items::body || items == Items::side;
    if (shown || chosen.word != "standard") kept.push_back(chosen);
  }
  return kept;
}

VtkSink::VtkSink(std::filesystem::path folder, Recording recording)
    : folder_(std::move(folder)), recording_(std::move(recording)) {}

VtkSink::~VtkSink() {
  if (list_ >= 0) close(list_);
}

std::vector<std::filesystem::path> VtkSink::files() const {
  return is_there_ ? std::vector<std::filesystem::path>{folder_ / "motion.pvd"}
                   : std::vector<std::filesystem::path>{};
}

void VtkSink::fail(const char* doing, const std::filesystem::path& file) const {
  throw SinkError(fmt::format("cannot {} {}: {}; {} instants are in {} and can be looked at", doing,
                              file.string(), std::generic_category().message(errno), instants_,
                              (folder_ / "motion.pvd").string()));
}

void VtkSink::set_up(const System& system) {
  const bool model = bodies_of(system) != nullptr;
  Selection motion = standard_selection(builtin_quantities());
  const auto is_other = [&](const ChosenQuantity& chosen) {
    const std::string& name = chosen.quantity.name;
    return !(name.starts_with("bodies/") || (model && name.starts_with("reactions/")));
  };
  motion.erase(std::remove_if(motion.begin(), motion.end(), is_other), motion.end());
  motion_ = std::make_unique<Measurements>(system, motion, recording_.sources);
  recorded_ =
      std::make_unique<Measurements>(system, besides_motion(recording_.selection), recording_.sources);
  row_.assign(static_cast<std::size_t>(motion_->width()), 0.0);
  recorded_row_.assign(static_cast<std::size_t>(recorded_->width()), 0.0);
  if (motion_->find("bodies/position") == nullptr)
    throw SinkError("the format vtk shows bodies, and this system has coordinates alone: choose csv or hdf5");
  opposite_ = opposite_bodies(motion_->measured());
  shapes_.clear();
  lines_.clear();
  if (const auto* bodies = bodies_of(system)) {
    for (const Body& b : bodies->model().bodies())
      if (!b.fixed) shapes_.push_back(vtk_shape(b));
    lines_ = vtk_lines(bodies->model());
  }
  shapes_.resize(static_cast<std::size_t>(motion_->measured().body_count()), vtk_shape());
  std::error_code error;
  std::filesystem::create_directories(folder_ / "vtk", error);
  if (error)
    throw SinkError("cannot create the folder " + (folder_ / "vtk").string() + ": " + error.message());
}

void VtkSink::begin(const System& system) {
  set_up(system);
  instants_ = 0;
  start_list(list_begin);
}

// The list that was there stays until this one is complete.
void VtkSink::start_list(const std::string& lines) {
  const std::filesystem::path file = folder_ / "motion.pvd", fresh = folder_ / "motion.pvd.new";
  if (list_ >= 0) close(list_);
  list_ = open(fresh.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (list_ < 0) fail("create", fresh);
  list_end_ = 0;
  append_to_list(lines);
  if (std::rename(fresh.c_str(), file.c_str()) != 0) fail("create", file);
  is_there_ = true;
}

std::vector<VtkSink::Entry> VtkSink::read_list(const std::filesystem::path& folder) {
  std::ifstream stream(folder / "motion.pvd", std::ios::binary);
  std::vector<Entry> entries;
  const std::string key = "timestep=\"", file = "file=\"";
  for (std::string line; std::getline(stream, line);) {
    const std::size_t at = line.find(key), from = line.find(file);
    if (at == std::string::npos || from == std::string::npos) continue;
    const std::size_t begin = from + file.size(), end = line.find('"', begin);
    if (end == std::string::npos) continue;
    entries.push_back(
        {std::strtod(line.c_str() + at + key.size(), nullptr), line + '\n', line.substr(begin, end - begin)});
  }
  return entries;
}

std::vector<std::string> VtkSink::frames(const std::filesystem::path& folder) {
  std::vector<std::string> frames;
  long last = -1;
  for (Entry& entry : read_list(folder)) {
    const std::size_t digits = entry.file.find_last_of('_');
    if (digits != std::string::npos)
      last = std::max(last, std::strtol(entry.file.c_str() + digits + 1, nullptr, 10));
    frames.push_back(std::move(entry.file));
  }
  frames.push_back(bodies_name(last + 1));
  frames.push_back(joints_name(last + 1));
  frames.push_back(lines_name(last + 1));
  return frames;
}

void VtkSink::resume(const System& system, const State&, double last) {
  set_up(system);
  const std::filesystem::path file = folder_ / "motion.pvd";
  const int parts = 1 + (motion_->measured().sides().empty() ? 0 : 1) + (lines_.empty() ? 0 : 1);
  std::string kept = list_begin;
  long lines = 0;
  double t = -1.0;
  std::vector<std::string> dropped = frames(folder_);
  for (const Entry& e : read_list(folder_)) {
    if (e.t > last) break;
    kept += e.line;
    t = e.t;
    ++lines;
  }
  if (t != last || lines % parts != 0)
    throw SinkError(
        fmt::format("cannot resume {}: it lacks the instant t = {} s, where the checkpoint continues",
                    file.string(), last));
  instants_ = lines / parts;
  // What the run before wrote behind the checkpoint; before the list, which says whose they are. A run that was killed
  // while it did this has left gaps.
  dropped.erase(dropped.begin(), dropped.begin() + lines);
  for (const std::string& name : dropped) {
    std::error_code ignored;
    std::filesystem::remove(folder_ / name, ignored);
  }
  start_list(kept);
}

void VtkSink::write_file(const std::string& name, const std::string& text) {
  const std::filesystem::path file = folder_ / name;
  std::ofstream stream(file, std::ios::binary);
  stream << text << std::flush;
  if (!stream) fail("write", file);
  fresh_.push_back(name);
}

// One write replaces the last lines by more lines and the last lines again.
void VtkSink::append_to_list(const std::string& lines) {
  const std::string text = lines + list_closing;
  // What was not written is tried again: the second attempt says why, as "File too large".
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t more =
        pwrite(list_, text.data() + written, text.size() - written, static_cast<off_t>(list_end_ + written));
    if (more <= 0) break;
    written += static_cast<std::size_t>(more);
  }
  if (written < text.size()) {
    const int reason = errno;  // back to the list of before
    if (pwrite(list_, list_closing.data(), list_closing.size(), static_cast<off_t>(list_end_)) > 0 &&
        ftruncate(list_, static_cast<off_t>(list_end_ + list_closing.size())) != 0)
      is_there_ = false;
    errno = reason;
    fail("write", folder_ / "motion.pvd");
  }
  list_end_ += lines.size();
}

void VtkSink::accept(const State& state, const Outcome& outcome) {
  if (list_ < 0) return;
  (*motion_)(state, outcome, row_.data());
  (*recorded_)(state, outcome, recorded_row_.data());
  std::string listed;
  int part = 0;
  const auto add = [&](const std::string& name, const std::string& text) {
    write_file(name, text);
    listed += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"{}\" file=\"{}\"/>\n", state.t, part++, name);
  };
  add(bodies_name(instants_), bodies());
  if (!motion_->measured().sides().empty()) add(joints_name(instants_), joints());
  if (!lines_.empty()) add(lines_name(instants_), lines());
  append_to_list(listed);
  ++instants_;
}

void VtkSink::flush() {
  if (list_ < 0) return;
  for (const std::string& name : fresh_) {
    const std::filesystem::path file = folder_ / name;
    const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = opened >= 0 && fsync(opened) == 0;
    if (opened >= 0) close(opened);
    if (!synced) fail("write", file);
  }
  fresh_.clear();
  if (fsync(list_) != 0) fail("write", folder_ / "motion.pvd");
}

void VtkSink::end() {
  if (list_ < 0) return;
  if (close(std::exchange(list_, -1)) != 0) fail("write", folder_ / "motion.pvd");
}

}  // namespace catena::detail
