// Exceptions of code that is not the library's, with the name of what threw them.
#pragma once
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace catena::detail {

class NamedError : public std::runtime_error {
 public:
  NamedError(std::string name, std::string text, bool lacks_memory = false)
      : std::runtime_error(name + " threw an exception: " + text),
        name_(std::move(name)),
        text_(std::move(text)),
        lacks_memory_(lacks_memory) {}
  const std::string& name() const { return name_; }    // 'force "wind" (drag)', 'quantity "tip/height"'
  const std::string& text() const { return text_; }    // of the exception
  bool lacks_memory() const { return lacks_memory_; }  // it was a std::bad_alloc

 private:
  std::string name_, text_;
  bool lacks_memory_;
};

inline constexpr const char* not_enough_memory = "not enough memory";

// In a handler: throws what is being handled again, with this name; what has a name already keeps it.
[[noreturn]] inline void rethrow_named(const std::string& name) {
  try {
    throw;
  } catch (const NamedError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw NamedError(name, not_enough_memory, true);
  } catch (const std::exception& error) {
    throw NamedError(name, error.what());
  } catch (...) {
    throw NamedError(name, "an exception without a text");
  }
}

}  // namespace catena::detail
