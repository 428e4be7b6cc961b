// What a model refuses, with the name of the culprit in the message.
#pragma once
#include <stdexcept>
#include <string>

namespace catena {

// A model that makes no sense: 'body "link 12": mass must be positive, is -1'.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A number as messages show it: up to six significant digits.
std::string message_number(double x);

}  // namespace catena
