// The motion of bodies for ParaView: DIR/motion.pvd lists one file of bodies and one of joints an instant, in
// DIR/vtk. The list is valid XML at every moment, and names files only that are complete.
#pragma once
#include <catena/output/record.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace catena {

class VtkSink : public Sink {
 public:
  VtkSink(std::filesystem::path folder, RecordSources sources);
  ~VtkSink() override;

  // Replaces an earlier list. Throws SinkError, as the others do; also for a system without bodies.
  void begin(const System& system) override;
  void resume(const System& system, const State& state, double last) override;
  void accept(const State& state, const Outcome& outcome) override;
  void flush() override;
  void end() override;

  // The list; empty before it is there.
  std::vector<std::filesystem::path> files() const;

 private:
  struct Entry {
    double t;
    std::string line;
  };
  void set_up(const System& system);
  const RecordWindow* window(const char* path) const;
  Vec3 vector(const char* path, int number) const;
  std::string bodies() const;
  std::string joints() const;
  void write_file(const std::string& name, const std::string& text);
  void start_list(const std::string& lines);
  void append_to_list(const std::string& lines);
  std::vector<Entry> read_list() const;
  [[noreturn]] void fail(const char* doing, const std::filesystem::path& file) const;

  std::filesystem::path folder_;
  RecordSources sources_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<double> row_;
  std::vector<Vec3> half_sides_;  // [m] of the box of every body
  long instants_ = 0;
  int list_ = -1;                   // the file of the list
  std::uint64_t list_end_ = 0;      // bytes before its last lines
  std::vector<std::string> fresh_;  // files that may not be on disk yet
  bool is_there_ = false;
};

}  // namespace catena
