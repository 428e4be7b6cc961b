#include <catena/kkt/detail/redundancy.hpp>
#include <catena/output/detail/hdf5_sink.hpp>
#include <catena/output/detail/packed_results.hpp>
#include <catena/output/detail/result_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace catena::detail {
namespace {

void put(std::vector<double>& out, const Vec3& v) { out.insert(out.end(), {v[0], v[1], v[2]}); }

// Tables of what does not change.
void describe_bodies(const System& system, const Model* model, ResultsContent& content) {
  std::vector<std::string> moving, fixed;
  std::vector<double> mass, inertia, position, orientation;
  if (model == nullptr) {
    moving = system.body_names();
    if (moving.empty()) return;
    content.names.push_back({"/bodies/name", moving});
    return;
  }
  for (const Body& b : model->bodies()) {
    if (b.fixed) {
      fixed.push_back(b.name);
      put(position, b.position);
      const Quat& e = b.orientation;
      orientation.insert(orientation.end(), {e.w, e.x, e.y, e.z});
      continue;
    }
    moving.push_back(b.name);
    mass.push_back(b.mass);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) inertia.push_back(b.inertia(i, j));
  }
  const std::uint64_t n = moving.size(), m = fixed.size();
  content.names.push_back({"/bodies/name", moving});
  content.numbers.push_back({"/bodies/mass", {n}, mass, false});
  content.numbers.push_back({"/bodies/inertia", {n, 3, 3}, inertia, false});
  content.names.push_back({"/fixed_bodies/name", fixed});
  content.numbers.push_back({"/fixed_bodies/position", {m, 3}, position, false});
  content.numbers.push_back({"/fixed_bodies/orientation", {m, 4}, orientation, false});
}

void describe_constraints(const System& system, ResultsContent& content) {
  const SystemLayout& layout = system.layout();
  const BlockPattern& pattern = *layout.pattern;
  std::vector<std::string> names;
  std::vector<double> first, rows, level;
  for (std::size_t k = 0; k < pattern.dual_size.size(); ++k) {
    names.push_back(system.constraint_name(static_cast<int>(k)));
    first.push_back(pattern.dual_offset[k] - pattern.primal_dimension);
    rows.push_back(pattern.dual_size[k]);
    // Rows that the system has added itself, unit quaternions, are of the position level.
    level.push_back(k < layout.level.size() && layout.level[k] == Level::velocity ? 1.0 : 0.0);
  }
  const std::uint64_t n = names.size();
  content.names.push_back({"/constraints/name", std::move(names)});
  content.numbers.push_back({"/constraints/first_row", {n}, std::move(first), true});
  content.numbers.push_back({"/constraints/rows", {n}, std::move(rows), true});
  content.numbers.push_back({"/constraints/level", {n}, std::move(level), true});
}

void describe_sides(const MeasuredSystem& measured, ResultsContent& content) {
  const std::vector<ReactionSide>& sides = measured.sides();
  if (sides.empty()) return;
  const Redundancy* const redundancy = measured.sources().redundancy;
  std::vector<double> constraint, body, point, open;
  for (const ReactionSide& s : sides) {
    constraint.push_back(s.constraint);
    body.push_back(s.block);
    put(point, s.point);
    for (const bool is_open : open_components(redundancy, s.constraint))
      open.push_back(redundancy == nullptr ? -1.0 : is_open ? 1.0 : 0.0);
  }
  const std::uint64_t n = sides.size();
  content.numbers.push_back({"/reactions/constraint", {n}, std::move(constraint), true});
  content.numbers.push_back({"/reactions/body", {n}, std::move(body), true});
  content.numbers.push_back({"/reactions/point", {n, 3}, std::move(point), false});
  content.numbers.push_back({"/reactions/open", {n, 6}, std::move(open), true});
}

void describe_joints(const std::vector<MarkedJoint>& joints, ResultsContent& content) {
  if (joints.empty()) return;
  std::vector<double> constraint;
  for (const MarkedJoint& joint : joints) constraint.push_back(joint.constraint);
  const std::uint64_t n = joints.size();
  content.numbers.push_back({"/joints/constraint", {n}, std::move(constraint), true});
}

void describe_forces(const MeasuredSystem& measured, ResultsContent& content) {
  std::vector<std::string> names;
  for (int k = 0; k < measured.count(Items::force); ++k) names.push_back(measured.item_name(Items::force, k));
  if (!names.empty()) content.names.push_back({"/forces/name", std::move(names)});
}

void describe_points(const std::vector<TrackedPoint>& points, ResultsContent& content) {
  if (points.empty()) return;
  std::vector<std::string> names;
  std::vector<double> body, place;
  for (const TrackedPoint& p : points) {
    names.push_back(p.name);
    body.push_back(p.body);
    put(place, p.point);
  }
  const std::uint64_t n = points.size();
  content.names.push_back({"/points/name", std::move(names)});
  content.numbers.push_back({"/points/body", {n}, std::move(body), true});
  content.numbers.push_back({"/points/point", {n, 3}, std::move(place), false});
}

}  // namespace

void visit(OptionVisitor& visitor, Hdf5Options& o) {
  visitor.real(
      {"interval", "s", "an instant is in the file so long after it at the latest, on the wall's clock", 0.01,
       3600.0},
      o.interval);
  visitor.integer({"compress", "1", "of the finished file: 0 none, 1 quick to 9 small", 0, 9}, o.compress);
}

Hdf5Sink::Hdf5Sink(std::filesystem::path folder, Manifest manifest, Recording recording, Hdf5Options options)
    : folder_(std::move(folder)),
      manifest_(std::move(manifest)),
      recording_(std::move(recording)),
      options_(options) {}

Hdf5Sink::~Hdf5Sink() = default;

ResultsContent Hdf5Sink::content(const System& system) const {
  const auto* bodies = bodies_of(system);
  ResultsContent content;
  content.add_columns_of(*measurements_);
  content.groups.push_back({"/",
                            {{"format", "catena results"},
                             {"schema", std::to_string(result_schema)},
                             {"units", "SI; every dataset has the attributes unit, frame and axes"}}});
  Manifest::Entries run = machine_entries(manifest_.commit);
  run.insert(run.end(), manifest_.run.begin(), manifest_.run.end());
  for (auto& [name, value] : run)
    if (name == "end") value.resize(manifest_end_length, '\0');  // another end may follow: resume()
  content.groups.emplace_back("/manifest", std::move(run));
  content.groups.emplace_back("/manifest/parameters", manifest_.parameters);
  content.groups.emplace_back("/manifest/options", manifest_.options);
  describe_bodies(system, bodies == nullptr ? nullptr : &bodies->model(), content);
  describe_constraints(system, content);
  describe_sides(measurements_->measured(), content);
  describe_joints(measurements_->measured().joints(), content);
  describe_forces(measurements_->measured(), content);
  if (bodies != nullptr) describe_points(recording_.sources.points, content);
  return content;
}

void Hdf5Sink::begin(const System& system) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw SinkError("cannot create the folder " + folder_.string() + ": " + error.message());
  writer_.reset();
  system_ = &system;
  measurements_ = std::make_unique<Measurements>(system, recording_.selection, recording_.sources);
  file_ =
      std::make_unique<GrowingFile>(file(), create_results(file(), content(system)), measurements_->width());
  start_writer();
}

void Hdf5Sink::resume(const System& system, const State& state, double last) {
  writer_.reset();
  system_ = &system;
  measurements_ = std::make_unique<Measurements>(system, recording_.selection, recording_.sources);
  const ResultsContent described = content(system);
  unpack_results(file(), described);
  file_ = std::make_unique<GrowingFile>(file(), find_results(file(), described), described.width);
  std::uint64_t low = 0, high = file_->rows();  // the first row of an instant after `last`
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (file_->time(middle) <= last)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || file_->time(low - 1) != last)
    throw SinkError(fmt::format("cannot resume {}: it {} t = {} s, where the checkpoint continues",
                                file().string(), low == 0 ? "holds nothing up to" : "lacks the instant",
                                last));
  if (const MeasuredColumns* energy = measurements_->find("energy/total"); energy != nullptr) {
    std::vector<double> first(static_cast<std::size_t>(described.width));
    file_->read_rows(0, 1, first.data());
    measurements_->set_energy_initial(first[static_cast<std::size_t>(energy->start)]);
  }
  file_->cut_back(low, state.t);
  file_->set_ended({});
  for (const auto& [name, value] : manifest_.run)
    if (name == "end") file_->set_end(value);
  start_writer();
}

std::vector<std::filesystem::path> Hdf5Sink::files() const {
  return is_there_ ? std::vector<std::filesystem::path>{file()} : std::vector<std::filesystem::path>{};
}

void Hdf5Sink::start_writer() {
  is_there_ = true;
  writer_ = std::make_unique<RecordWriter>(*file_, measurements_->width(), options_.interval,
                                           [this](double* row) { measurements_->complete(row); });
}

void Hdf5Sink::accept(const State& state, const Outcome& outcome) {
  if (!writer_) return;
  measurements_->take(state, outcome, writer_->next());
  writer_->push();
}

void Hdf5Sink::event(const EventRecord& event, const State&) {
  if (!writer_) return;
  writer_->drain();  // one thread at a time in the file
  file_->append_event(event.t, event.name, event.rising);
}

void Hdf5Sink::flush() {
  if (!writer_) return;
  writer_->drain();
  file_->sync();
}

void Hdf5Sink::resume_events(long count) {
  if (!writer_) return;
  writer_->drain();
  const auto reported = static_cast<std::uint64_t>(count);
  if (reported > file_->events()) file_->set_lost_events(reported - file_->events());
}

void Hdf5Sink::end() {
  if (!writer_) return;
  kept_events_ = file_->events();
  lost_events_ = file_->lost_events();
  writer_->drain();
  writer_.reset();
  file_->set_ended(date_now());
  file_.reset();
  if (is_packed()) pack_results(file(), content(*system_), {recording_.precision, options_.compress});
}

std::string Hdf5Sink::remark() const {
  if (lost_events_ == 0) return {};
  return fmt::format("{} holds at most {} events: the {} behind them are not in it", file().string(),
                     kept_events_, lost_events_);
}

}  // namespace catena::detail
