#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace catena {

// What the user typed makes no sense; the message says what would, one line a complaint.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Collects complaints, so that all mistakes of a command line are told at once.
class Complaints {
 public:
  // False: the work threw a UsageError.
  template <class Work>
  bool attempt(const Work& work) {
    try {
      work();
      return true;
    } catch (const UsageError& error) {
      add(error.what());
      return false;
    }
  }
  void add(const std::string& text) { text_ += (text_.empty() ? "" : "\n") + text; }
  bool any() const { return !text_.empty(); }
  const std::string& text() const { return text_; }
  // Throws UsageError with all of them.
  void throw_if_any() const {
    if (any()) throw UsageError(text_);
  }

 private:
  std::string text_;
};

// The complaints as they are printed, each behind "catena: ".
std::string signed_lines(const std::string& complaints);

// 'no stepper "gneralized_alpha": did you mean "generalized_alpha"?', or all names when none is near.
std::string unknown_name(const std::string& kind, const std::string& typed,
                         const std::vector<std::string>& names);

}  // namespace catena
