// How far a command is, for terminals: a bar with the time left, or a count of runs.
#pragma once
#include <catena/driver/sink.hpp>

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>

namespace catena::detail {

// "1:05:00", "0:12".
std::string clock_text(double seconds);

// "3 of 12 runs", which the last of them takes away.
std::function<void(int done, int of)> counter_of_runs(std::ostream& out);

class ProgressBar : public Observer {
 public:
  explicit ProgressBar(std::ostream& out);
  ~ProgressBar() override;  // leaves an empty line behind

  void set_end(double t_end) { t_end_ = t_end; }  // [s] before the run
  bool observe(const State& state) override;      // draws at most ten times a second

  // "[#####-----]  50 %   t = 1 s   0:03 left"
  static std::string line(double fraction, double t, double seconds_elapsed);

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  double t_begin_ = 0.0, t_end_ = 1.0;  // [s] from the first state that it sees
  bool begun_to_observe_ = false;
  Clock::time_point begun_, next_;
  std::size_t width_ = 0;  // of what was drawn
};

}  // namespace catena::detail
