// The program `catena`. A program with steppers, joints or problems of its own looks the same, with
// catalog.add<...>("name") before the last line.
#include <catena/cli/cli.hpp>
#include <catena/output/manifest.hpp>

#include "commit.hpp"

int main(int argc, char** argv) {
  catena::set_commit(CATENA_COMMIT);
  auto catalog = catena::builtin();
  return catena::cli(argc, argv, catalog);
}
