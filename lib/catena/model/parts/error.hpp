// What a model refuses, with the name of the culprit in the message.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace catena {

// A model that makes no sense: 'body "link 12": mass must be positive, is -1'.
class ModelError : public std::runtime_error {
 public:
  explicit ModelError(const std::string& why, std::string member = {})
      : std::runtime_error(why), member_(std::move(member)) {}
  // The member of the body or element that is the cause: "mass"; empty: several, or none.
  const std::string& member() const { return member_; }

 private:
  std::string member_;
};

// A number as messages show it: up to six significant digits.
std::string message_number(double x);

}  // namespace catena
