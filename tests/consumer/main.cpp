// A program of a user's own with the library's command line.
#include <catena/cli/cli.hpp>

int main(int argc, char** argv) {
  auto catalog = catena::builtin();
  return catena::cli(argc, argv, catalog);
}
