#include <catena/output/detail/vtk_sink.hpp>
#include <catena/output/detail/vtk_xml.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

const std::string list_begin =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
const std::string list_closing = "</Collection>\n</VTKFile>\n";

// The box of uniform density with this mass and these moments of inertia about the body's axes.
Vec3 half_sides(const Body& b) {
  Vec3 half;
  const double trace = b.inertia(0, 0) + b.inertia(1, 1) + b.inertia(2, 2);
  for (int k = 0; k < 3; ++k) {
    const double square = 6.0 * (trace - 2.0 * b.inertia(k, k)) / b.mass;
    half[k] = 0.5 * std::sqrt(std::max(0.0, square));
  }
  return half;
}

// A width of 2 % of the length where a side vanishes, so that a thin rod is seen.
Vec3 visible(Vec3 half) {
  const double longest = std::max({half[0], half[1], half[2]});
  for (int k = 0; k < 3; ++k) half[k] = std::max(half[k], longest > 0.0 ? 0.02 * longest : 0.05);
  return half;
}

std::string bodies_name(long instant) { return fmt::format("vtk/bodies_{:06}.vtu", instant); }
std::string joints_name(long instant) { return fmt::format("vtk/joints_{:06}.vtp", instant); }

void put(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), {v[0], v[1], v[2]}); }

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
  half_sides_.clear();
  if (const auto* bodies = bodies_of(system))
    for (const Body& b : bodies->model().bodies())
      if (!b.fixed) half_sides_.push_back(visible(half_sides(b)));
  half_sides_.resize(static_cast<std::size_t>(motion_->measured().body_count()), visible(Vec3::Zero()));
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
  return frames;
}

void VtkSink::resume(const System& system, const State&, double last) {
  set_up(system);
  const std::filesystem::path file = folder_ / "motion.pvd";
  const int parts = motion_->measured().sides().empty() ? 1 : 2;  // files an instant
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

Vec3 VtkSink::vector(const char* name, int number) const {
  const double* at = row_.data() + motion_->find(name)->column(number);
  return {{at[0], at[1], at[2]}};
}

std::string VtkSink::array(const std::string& name, int components, const std::vector<double>& values) const {
  return vtk_array(name, components, values, recording_.precision);
}

// Numbers of joints at the points of their sides; nan for a joint that was not chosen. Joints and sides are in the order
// of their constraints.
std::string VtkSink::arrays_of_joints() const {
  const MeasuredSystem& measured = recorded_->measured();
  std::string text;
  for (const MeasuredColumns& c : recorded_->columns()) {
    if (c.quantity.items != Items::joint) continue;
    const auto constraint = [&](int k) {
      const int item = c.items.empty() ? k : c.items[static_cast<std::size_t>(k)];
      return measured.joints()[static_cast<std::size_t>(item)].constraint;
    };
    std::vector<double> values;
    int k = 0;
    for (const ReactionSide& side : measured.sides()) {
      while (k < c.count && constraint(k) < side.constraint) ++k;
      const bool chosen = k < c.count && constraint(k) == side.constraint;
      for (int i = 0; i < c.block; ++i)
        values.push_back(chosen ? recorded_row_[static_cast<std::size_t>(c.column(k, i))]
                                : std::numeric_limits<double>::quiet_NaN());
    }
    text += array(c.quantity.name + " [" + c.quantity.unit + "]", c.block, values);
  }
  return text;
}

std::string VtkSink::recorded_arrays(Items items) const {
  std::string text;
  for (const MeasuredColumns& c : recorded_->columns()) {
    const Items of = c.quantity.items;
    const bool whole_system = of != Items::body && of != Items::side && of != Items::joint;
    if (c.count == 0 || (items == Items::one ? !whole_system : of != items)) continue;
    std::vector<double> values;
    if (items != Items::one)  // of items that were not chosen there is no number
      values.resize(static_cast<std::size_t>(recorded_->measured().count(items) * c.block),
                    std::numeric_limits<double>::quiet_NaN());
    for (int k = 0; k < c.count; ++k)
      for (int i = 0; i < c.block; ++i) {
        const double value = recorded_row_[static_cast<std::size_t>(c.column(k, i))];
        if (items == Items::one)
          values.push_back(value);
        else
          values[static_cast<std::size_t>(
              (c.items.empty() ? k : c.items[static_cast<std::size_t>(k)]) * c.block + i)] = value;
      }
    text += array(c.quantity.name + " [" + c.quantity.unit + "]", c.block, values);
  }
  return text;
}

std::string VtkSink::bodies() const {
  const MeasuredColumns& turns = *motion_->find("bodies/orientation");
  const int count = turns.count;
  std::vector<double> points, position, quaternion, velocity, angular,
      reaction(static_cast<std::size_t>(count), 0.0);
  std::vector<long long> number, corners, ends;
  for (int b = 0; b < count; ++b) {
    const double* e = row_.data() + turns.column(b);
    const Vec3 x = vector("bodies/position", b), half = half_sides_[static_cast<std::size_t>(b)];
    const Mat3 R = rotation_matrix(Quat{e[0], e[1], e[2], e[3]});
    for (unsigned c = 0; c < 8; ++c) {  // in the order of a hexahedron
      const unsigned around = c & 3U;
      const Vec3 corner{{around == 1 || around == 2 ? half[0] : -half[0], around >= 2 ? half[1] : -half[1],
                         c >= 4 ? half[2] : -half[2]}};
      put(points, x + R * corner);
      corners.push_back(static_cast<long long>(8 * b) + c);
    }
    ends.push_back(8LL * (b + 1));
    number.push_back(b);
    put(position, x);
    quaternion.insert(quaternion.end(), e, e + 4);
    put(velocity, vector("bodies/velocity", b));
    put(angular, R * vector("bodies/angular_velocity", b));
  }
  const std::vector<ReactionSide>& sides = motion_->measured().sides();
  for (std::size_t s = 0; s < sides.size(); ++s) {
    double& most = reaction[static_cast<std::size_t>(sides[s].block)];
    most = std::max(most, norm(vector("reactions/force", static_cast<int>(s))));
  }
  const std::string whole = recorded_arrays(Items::one);
  return vtk_file("UnstructuredGrid",
                  (whole.empty() ? "" : "<FieldData>\n" + whole + "</FieldData>\n") +
                      fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", 8 * count, count) +
                      "<Points>\n" + array("Points", 3, points) + "</Points>\n<Cells>\n" +
                      vtk_array("connectivity", 1, corners) + vtk_array("offsets", 1, ends) +
                      vtk_types(static_cast<std::size_t>(count), 12) + "</Cells>\n<CellData>\n" +
                      vtk_array("body", 1, number) + array("position [m]", 3, position) +
                      array("quaternion wxyz", 4, quaternion) + array("velocity [m/s]", 3, velocity) +
                      array("angular velocity, world [rad/s]", 3, angular) +
                      array("largest joint force [N]", 1, reaction) + recorded_arrays(Items::body) +
                      "</CellData>\n</Piece>\n");
}

std::string VtkSink::joints() const {
  const MeasuredColumns& turns = *motion_->find("bodies/orientation");
  const std::vector<ReactionSide>& sides = motion_->measured().sides();
  std::vector<double> points, force, torque;
  std::vector<long long> constraint, body, vertices, ends;
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const double* e = row_.data() + turns.column(sides[s].block);
    put(points, vector("bodies/position", sides[s].block) +
                    rotation_matrix(Quat{e[0], e[1], e[2], e[3]}) * sides[s].point);
    put(force, vector("reactions/force", static_cast<int>(s)));
    put(torque, vector("reactions/torque", static_cast<int>(s)));
    constraint.push_back(sides[s].constraint);
    body.push_back(sides[s].block);
    vertices.push_back(static_cast<long long>(s));
    ends.push_back(static_cast<long long>(s) + 1);
  }
  return vtk_file("PolyData",
                  fmt::format("<Piece NumberOfPoints=\"{0}\" NumberOfVerts=\"{0}\">\n", sides.size()) +
                      "<Points>\n" + array("Points", 3, points) + "</Points>\n<Verts>\n" +
                      vtk_array("connectivity", 1, vertices) + vtk_array("offsets", 1, ends) +
                      "</Verts>\n<PointData>\n" + vtk_array("constraint", 1, constraint) +
                      vtk_array("body", 1, body) + array("force on the body [N]", 3, force) +
                      array("torque on the body [N m]", 3, torque) + recorded_arrays(Items::side) +
                      arrays_of_joints() + "</PointData>\n</Piece>\n");
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
  if (pwrite(list_, text.data(), text.size(), static_cast<off_t>(list_end_)) !=
      static_cast<ssize_t>(text.size())) {
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
  const auto line = [&](int part, const std::string& name) {
    write_file(name, part == 0 ? bodies() : joints());
    return fmt::format("<DataSet timestep=\"{:.17g}\" part=\"{}\" file=\"{}\"/>\n", state.t, part, name);
  };
  std::string lines = line(0, bodies_name(instants_));
  if (!motion_->measured().sides().empty()) lines += line(1, joints_name(instants_));
  append_to_list(lines);
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
