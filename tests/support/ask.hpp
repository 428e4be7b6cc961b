// What the command line answers, without a process of its own.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace catena_test {

struct Answer {
  int code;
  std::string out, err;
};

inline Answer ask(const std::vector<std::string>& arguments) {
  static const catena::Catalog catalog = catena::builtin();
  std::ostringstream out, err;
  const int code = catena::cli(arguments, catalog, catena::Console{out, err});
  return {code, out.str(), err.str()};
}

}  // namespace catena_test
