// A visitor of options that passes over what a class derived from it does not look at.
#pragma once
#include <catena/math/option.hpp>

#include <string>
#include <vector>

namespace catena::detail {

template <class Visitor = OptionVisitor>
class PassingOver : public Visitor {
 public:
  void real(const OptionInfo&, double&) override {}
  void integer(const OptionInfo&, int&) override {}
  void flag(const OptionInfo&, bool&) override {}
  void text(const OptionInfo&, std::string&) override {}
  void choice(const OptionInfo&, int&, const std::vector<std::string>&) override {}
};

}  // namespace catena::detail
