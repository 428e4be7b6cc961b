// The results of a run as DIR/results.h5 (docs/reference/results.md): everything about every output instant, a file
// that can be read at every moment of the run and after whatever ended it. Where compression or float32 is asked for, the
// file is packed when the run has ended (packed_results.hpp); until then it holds all digits of every number.
#pragma once
#include <catena/driver/sink.hpp>
#include <catena/output/detail/record_writer.hpp>
#include <catena/output/parts/manifest.hpp>
#include <catena/output/parts/recording.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

struct Hdf5Options {
  double interval =
      2.0;           // [s] of the clock on the wall; an instant is in the file so long after it at the latest
  int compress = 0;  // of the finished file: 0 none, 1 quick to 9 small
};
void visit(OptionVisitor& visitor, Hdf5Options& options);

class Hdf5Sink : public Sink {
 public:
  // A results.h5 that is in the folder already is replaced by begin(), and continued by resume().
  Hdf5Sink(std::filesystem::path folder, Manifest manifest, Recording recording = {},
           Hdf5Options options = {});
  ~Hdf5Sink() override;

  void begin(const System& system) override;
  void resume(const System& system, const State& state, double last) override;
  void accept(const State& state, const Outcome& outcome) override;
  void event(const EventRecord& event, const State& state) override;
  void flush() override;
  void resume_events(long count) override;
  void end() override;
  std::string remark() const override;

  // All that it may write in the folder: while it begins, packs the file, and puts it back.
  static std::vector<std::string> names() {
    return {"results.h5", "results.h5.new", "results.h5.packed", "results.h5.growing"};
  }
  // Empty before the file was there.
  std::vector<std::filesystem::path> files() const;

 private:
  std::filesystem::path file() const { return folder_ / "results.h5"; }
  ResultsContent content(const System& system) const;
  bool is_packed() const { return options_.compress > 0 || recording_.precision == Precision::float32; }
  void start_writer();

  std::filesystem::path folder_;
  Manifest manifest_;
  Recording recording_;
  Hdf5Options options_;
  const System* system_ = nullptr;
  bool is_there_ = false;
  std::uint64_t kept_events_ = 0, lost_events_ = 0;  // when the file was closed
  std::unique_ptr<Measurements> measurements_;
  std::unique_ptr<GrowingFile> file_;
  std::unique_ptr<RecordWriter> writer_;
};

}  // namespace catena::detail
