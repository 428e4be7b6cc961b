#include <catena/cli/detail/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace catena::detail {
namespace {

constexpr auto pause = std::chrono::milliseconds(100);

}  // namespace

std::string clock_text(double seconds) {
  const long s = std::lround(seconds);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::function<void(int done, int of)> counter_of_runs(std::ostream& out) {
  return [&out](int done, int of) {
    out << fmt::format("\r{} of {} runs", done, of) << (done == of ? "\r                    \r" : "")
        << std::flush;
  };
}

ProgressBar::ProgressBar(std::ostream& out) : out_(out) {}

ProgressBar::~ProgressBar() {
  if (width_ > 0) out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
}

std::string ProgressBar::line(double fraction, double t, double seconds_elapsed) {
  constexpr int cells = 30;
  const double done = std::clamp(fraction, 0.0, 1.0);
  const int full = static_cast<int>(done * cells);
  std::string text =
      fmt::format("[{:#<{}}{:-<{}}] {:3.0f} %   t = {:.4g} s", "", full, "", cells - full, 100 * done, t);
  if (done > 0.0) text += fmt::format("   {} left", clock_text(seconds_elapsed * (1.0 - done) / done));
  return text;
}

bool ProgressBar::observe(const State& state) {
  const Clock::time_point now = Clock::now();
  if (!begun_to_observe_) {
    begun_to_observe_ = true;
    t_begin_ = state.t;
    begun_ = now;
    next_ = now + pause;
  }
  if (now < next_) return true;
  next_ = now + pause;
  const double elapsed = std::chrono::duration<double>(now - begun_).count();
  std::string text = line((state.t - t_begin_) / (t_end_ - t_begin_), state.t, elapsed);
  const std::size_t width = text.size();
  text.resize(std::max(width, width_), ' ');  // covers the line before
  out_ << '\r' << text << std::flush;
  width_ = std::max(width, width_);
  return true;
}

}  // namespace catena::detail
