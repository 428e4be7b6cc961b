#include <catena/measure/momentum.hpp>
#include <catena/output/csv_sink.hpp>

#include <initializer_list>
#include <system_error>
#include <utility>

namespace catena {
namespace {

void numbers(CsvTable& table, std::initializer_list<double> values) {
  for (const double value : values) table.number(value);
}

void numbers(CsvTable& table, const Vec3& v) { numbers(table, {v[0], v[1], v[2]}); }

}  // namespace

CsvSink::CsvSink(std::filesystem::path folder, const Model* model, std::vector<TrackedPoint> points,
                 CsvTables tables, const Monitor* monitor)
    : folder_(std::move(folder)),
      model_(model),
      points_(std::move(points)),
      which_(tables),
      monitor_(monitor) {}

std::unique_ptr<CsvTable> CsvSink::table(const char* name, const std::string& header, const double* last) {
  files_.push_back(folder_ / name);
  if (last != nullptr) return std::make_unique<CsvTable>(files_.back(), header, *last);
  return std::make_unique<CsvTable>(files_.back(), header);
}

std::vector<std::filesystem::path> CsvSink::files() const { return files_; }

void CsvSink::begin(const System& system) { open(system, nullptr); }

void CsvSink::resume(const System& system, const State&, double last) {
  open(system, &last);
  constexpr std::size_t energy_column = 4;
  energy_initial_ = scalars_->first_row_number(energy_column);
  first_ = false;
}

// last: of the rows to keep; null: new files.
void CsvSink::open(const System& system, const double* last) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw SinkError("cannot create the folder " + folder_.string() + ": " + error.message());
  system_ = &system;
  meter_ = std::make_unique<ResidualMeter>(system);
  first_ = true;
  files_.clear();
  body_names_ = system.body_names();
  constraint_names_.clear();
  for (int k = 0; k < system.layout().pattern->dual_count(); ++k)
    constraint_names_.push_back(system.constraint_name(k));

  std::string header =
      "time [s],step [s],kinetic energy [J],potential energy [J],energy [J],energy error [J],";
  if (model_ != nullptr)
    header +=
        "linear momentum x [kg m/s],linear momentum y [kg m/s],linear momentum z [kg m/s],"
        "angular momentum x [kg m^2/s],angular momentum y [kg m^2/s],angular momentum z [kg m^2/s],";
  header +=
      "position residual [m or rad],velocity residual [m/s or rad/s],acceleration residual [m/s^2 or "
      "rad/s^2]";
  scalars_ = table("scalars.csv", header, last);
  if (model_ != nullptr && !points_.empty())
    points_table_ = table("points.csv", "time [s],point,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s]", last);
  if (which_ == CsvTables::scalars) return;
  if (model_ != nullptr)
    bodies_ =
        table("bodies.csv",
              "time [s],body,x [m],y [m],z [m],quaternion w [1],quaternion x [1],quaternion y [1],"
              "quaternion z [1],vx [m/s],vy [m/s],vz [m/s],omega x (body) [rad/s],omega y (body) [rad/s],"
              "omega z (body) [rad/s]",
              last);
  else
    coordinates_ = table("coordinates.csv", "time [s],kind,index,value", last);
  if (!constraint_names_.empty())
    multipliers_ = table("multipliers.csv", "time [s],constraint,row,multiplier [N or N m]", last);
}

void CsvSink::accept(const State& state, const Outcome& outcome) {
  const std::vector<RigidBodyState> bodies =
      model_ != nullptr ? system_->bodies(state) : std::vector<RigidBodyState>{};
  write_scalars(state, bodies, outcome.h_taken);
  if (bodies_) write_bodies(state.t, bodies);
  if (points_table_) write_points(state.t, bodies);
  if (coordinates_) write_coordinates(state);
  if (multipliers_) write_multipliers(state);
}

void CsvSink::write_scalars(const State& state, const std::vector<RigidBodyState>& bodies, double step) {
  const bool seen = monitor_ != nullptr && monitor_->looked_at(state);
  const Energy energy = seen ? monitor_->energy() : system_->energy(state.t, state.q.data(), state.v.data());
  const Residuals residuals = seen ? monitor_->residuals() : (*meter_)(state);
  if (std::exchange(first_, false)) energy_initial_ = energy.total();
  numbers(*scalars_, {state.t, step, energy.kinetic, energy.potential, energy.total(),
                      energy.total() - energy_initial_});
  if (model_ != nullptr) {
    const Momentum p = momentum(*model_, bodies);
    numbers(*scalars_, p.linear);
    numbers(*scalars_, p.angular);
  }
  numbers(*scalars_, {residuals.position.value, residuals.velocity.value, residuals.acceleration.value});
  scalars_->end_row();
}

void CsvSink::write_bodies(double t, const std::vector<RigidBodyState>& bodies) {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const RigidBodyState& b = bodies[k];
    bodies_->number(t);
    bodies_->text(body_names_[k]);
    numbers(*bodies_, b.position);
    numbers(*bodies_, {b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z});
    numbers(*bodies_, b.velocity);
    numbers(*bodies_, b.angular_velocity);
    bodies_->end_row();
  }
}

void CsvSink::write_points(double t, const std::vector<RigidBodyState>& bodies) {
  for (const TrackedPoint& p : points_) {
    const RigidBodyState& body = bodies[static_cast<std::size_t>(p.body)];
    points_table_->number(t);
    points_table_->text(p.name);
    numbers(*points_table_, point_position(body, p.point));
    numbers(*points_table_, point_velocity(body, p.point));
    points_table_->end_row();
  }
}

void CsvSink::write_multipliers(const State& state) {
  const BlockPattern& pattern = *system_->layout().pattern;
  for (std::size_t block = 0; block < constraint_names_.size(); ++block) {
    const int begin = pattern.dual_offset[block] - pattern.primal_dimension;
    for (int row = 0; row < pattern.dual_size[block]; ++row) {
      multipliers_->number(state.t);
      multipliers_->text(constraint_names_[block]);
      multipliers_->number(static_cast<long>(row));
      multipliers_->number(state.lambda[static_cast<std::size_t>(begin + row)]);
      multipliers_->end_row();
    }
  }
}

void CsvSink::write_coordinates(const State& state) {
  for (const bool velocity : {false, true}) {
    const std::vector<double>& values = velocity ? state.v : state.q;
    for (std::size_t k = 0; k < values.size(); ++k) {
      coordinates_->number(state.t);
      coordinates_->text(velocity ? "v" : "q");
      coordinates_->number(static_cast<long>(k));
      coordinates_->number(values[k]);
      coordinates_->end_row();
    }
  }
}

void CsvSink::flush() {
  for (CsvTable* t :
       {scalars_.get(), bodies_.get(), points_table_.get(), multipliers_.get(), coordinates_.get()})
    if (t != nullptr) t->sync();
}

void CsvSink::end() {
  for (CsvTable* t :
       {scalars_.get(), bodies_.get(), points_table_.get(), multipliers_.get(), coordinates_.get()})
    if (t != nullptr) t->close();
}

}  // namespace catena
