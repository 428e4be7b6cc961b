// What is wrong with a request, as sentences that say what would be right.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace catena {

// A request that makes no sense; the message has one line a complaint.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Mistakes inside of a model file: every line begins with file, line and column.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Collects complaints, so that all mistakes of a request are reported at once.
class Complaints {
 public:
  // False: the work threw a UsageError or a FileError.
  template <class Work>
  bool attempt(const Work& work) {
    try {
      work();
      return true;
    } catch (const UsageError& error) {
      add(error.what());
    } catch (const FileError& error) {
      in_file_ = error.what();
    }
    return false;
  }
  void add(const std::string& text) { text_ += (text_.empty() ? "" : "\n") + text; }
  void add(const Complaints& more) {
    if (!more.text_.empty()) add(more.text_);
  }
  bool any() const { return !text_.empty() || !in_file_.empty(); }
  const std::string& text() const { return text_; }        // without those of a file
  const std::string& in_file() const { return in_file_; }  // the lines of the last FileError
  bool file_is_good() const { return in_file_.empty(); }
  // Throws ScenarioError with all of them.
  void throw_if_any() const;

 private:
  std::string text_, in_file_;
};

// All complaints about a scenario; those of its model file come first.
class ScenarioError : public UsageError {
 public:
  explicit ScenarioError(const Complaints& all);
  const std::string& in_file() const { return in_file_; }
  const std::string& others() const { return others_; }

 private:
  std::string in_file_, others_;
};

// 'no stepper "gneralized_alpha": did you mean "generalized_alpha"?', or all names when none is near.
std::string unknown_name(const std::string& kind, const std::string& typed,
                         const std::vector<std::string>& names);

}  // namespace catena
