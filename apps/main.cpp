// The program `catena`. A program with steppers, joints or problems of its own looks the same, with
// catalog.add<...>("name") before the last line.
#include <catena/cli/cli.hpp>

int main(int argc, char** argv) {
  auto catalog = catena::builtin();
  return catena::cli(argc, argv, catalog);
}
