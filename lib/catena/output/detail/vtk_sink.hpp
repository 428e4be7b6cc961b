// The motion of bodies for ParaView: DIR/motion.pvd lists one file of bodies, one of joints and one of lines (springs,
// rods) an instant, those that there are, in DIR/vtk. The list is valid XML at every moment, and names files only that are complete. Every file of bodies has
// the poses, the velocities and the largest joint force, every file of joints the reactions; what else is recorded of bodies
// and joints is written beside them, and what is recorded of the whole system as field data of the bodies.
#pragma once
#include <catena/output/detail/vtk_lines.hpp>
#include <catena/output/detail/vtk_shapes.hpp>
#include <catena/output/parts/recording.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

// What of a selection the arrays of the motion do not show already. The standard numbers of the state say the same.
Selection besides_motion(const Selection& selection);

class VtkSink : public Sink {
 public:
  explicit VtkSink(std::filesystem::path folder, Recording recording = {});
  ~VtkSink() override;

  // Replaces an earlier list. Throws SinkError, as the others do; also for a system without bodies.
  void begin(const System& system) override;
  void resume(const System& system, const State& state, double last) override;
  void accept(const State& state, const Outcome& outcome) override;
  void flush() override;
  void end() override;

  // What it may write in the folder of the results; `*` means digits.
  static std::vector<std::string> names() { return {"motion.pvd", "motion.pvd.new"}; }
  static std::vector<std::string> names_of_frames() {
    return {"vtk/bodies_*.vtu", "vtk/joints_*.vtp", "vtk/lines_*.vtp"};
  }
  // The frames that motion.pvd lists, and those of the instant behind them, which a killed run may have begun.
  static std::vector<std::string> frames(const std::filesystem::path& folder);

  // The list; empty before it is there.
  std::vector<std::filesystem::path> files() const;

 private:
  struct Entry {
    double t;
    std::string line, file;
  };
  void set_up(const System& system);
  Vec3 vector(const char* name, int number) const;
  Mat3 turn(int body) const;
  std::string bodies() const;
  std::string joints() const;
  std::string lines() const;
  std::string array(const std::string& name, int components, const std::vector<double>& values) const;
  // Of what is recorded besides poses and reactions.
  std::string recorded_arrays(Items items) const;
  std::string arrays_of_joints() const;
  void write_file(const std::string& name, const std::string& text);
  void start_list(const std::string& lines);
  void append_to_list(const std::string& lines);
  static std::vector<Entry> read_list(const std::filesystem::path& folder);
  [[noreturn]] void fail(const char* doing, const std::filesystem::path& file) const;

  std::filesystem::path folder_;
  Recording recording_;
  std::unique_ptr<Measurements> motion_;    // poses, velocities, reactions
  std::unique_ptr<Measurements> recorded_;  // what is recorded besides
  std::vector<double> row_, recorded_row_;  // of these two
  std::vector<VtkShape> shapes_;            // of every body
  std::vector<VtkLine> lines_;
  // Of every side of a reaction, the moving body that feels the opposite force; -1: none, or it has a side of its own.
  std::vector<int> opposite_;
  long instants_ = 0;
  int list_ = -1;                   // the file of the list
  std::uint64_t list_end_ = 0;      // bytes before its last lines
  std::vector<std::string> fresh_;  // files that may not be on disk yet
  bool is_there_ = false;
};

}  // namespace catena::detail
