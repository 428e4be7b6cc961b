// The program `catena`. A program with steppers, joints or problems of its own looks the same, with
// catalog.add<...>("name") before the last line.
#include <catena/cli/cli.hpp>

#include "commit.hpp"
#include "start_environment.hpp"

int main(int argc, char** argv) {
  start_with_environment(argv);
  auto catalog = catena::builtin();
  catalog.built_from(CATENA_COMMIT);
  return catena::cli(argc, argv, catalog);
}
