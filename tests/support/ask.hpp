// What the command line answers, without a process of its own.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/cli/cli.hpp>

#include <atomic>
#include <sstream>
#include <string>
#include <vector>

namespace catena_test {

struct Answer {
  int code;
  std::string out, err;
};

inline Answer ask(const std::vector<std::string>& arguments, const catena::Catalog& catalog,
                  const std::atomic<bool>* stop = nullptr) {
  std::ostringstream out, err;
  const int code = catena::cli(arguments, catalog, catena::Console{out, err, false, stop});
  return {code, out.str(), err.str()};
}
inline Answer ask(const std::vector<std::string>& arguments) {
  static const catena::Catalog catalog = catena::builtin();
  return ask(arguments, catalog);
}

}  // namespace catena_test
