// Time series as CSV files in a folder, with units in the headers:
//
//   scalars.csv      energies, momenta, residuals: one row an instant
//   points.csv       observed points: one row a point and instant
//   bodies.csv       pose and velocities: one row a body and instant
//   multipliers.csv  one row a constraint row and instant
//   coordinates.csv  of systems in their own coordinates: one row a coordinate or velocity and instant
//
// Frames: positions, velocities, momenta in the world frame, angular velocity in the body frame; quaternions
// body -> world, scalar first.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/measure/monitor.hpp>
#include <catena/measure/tracked_point.hpp>
#include <catena/model/model.hpp>
#include <catena/output/csv_table.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace catena {

enum class CsvTables { scalars, all };  // scalars: the first two, whose rows do not grow with the system

class CsvSink : public Sink {
 public:
  // model: for the momenta and bodies; null for systems in their own coordinates, whose scalars and multipliers
  // are written alone, and q and v in coordinates.csv. monitor: an observer of the run, saves a second look at energy
  // and residuals; may be null. Both outlive the sink.
  CsvSink(std::filesystem::path folder, const Model* model, std::vector<TrackedPoint> points = {},
          CsvTables tables = CsvTables::all, const Monitor* monitor = nullptr);

  // Creates the folder and the files; throws SinkError, as do the others.
  void begin(const System& system) override;
  void accept(const State& state, const Outcome& outcome) override;
  // Goes on with the files of an earlier run.
  void resume(const System& system, const State& state, double last) override;
  void flush() override;
  void end() override;

  std::vector<std::filesystem::path> files() const;

 private:
  void open(const System& system, const double* last);
  std::unique_ptr<CsvTable> table(const char* name, const std::string& header, const double* last);
  void write_scalars(const State& state, const std::vector<RigidBodyState>& bodies, double step);
  void write_bodies(double t, const std::vector<RigidBodyState>& bodies);
  void write_points(double t, const std::vector<RigidBodyState>& bodies);
  void write_multipliers(const State& state);
  void write_coordinates(const State& state);

  std::filesystem::path folder_;
  const Model* model_;
  std::vector<TrackedPoint> points_;
  CsvTables which_;
  const Monitor* monitor_;
  const System* system_ = nullptr;
  std::unique_ptr<ResidualMeter> meter_;
  double energy_initial_ = 0.0;
  bool first_ = true;
  std::vector<std::string> body_names_, constraint_names_;
  std::vector<std::filesystem::path> files_;
  std::unique_ptr<CsvTable> scalars_, bodies_, points_table_, multipliers_, coordinates_;
};

}  // namespace catena
