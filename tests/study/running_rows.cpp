// The file of the rows that run: what a process that is killed leaves in it.
#include <catena/study/detail/running_rows.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

using catena::detail::RunningRows;

namespace {

using Rows = std::vector<std::size_t>;

}  // namespace

TEST_CASE("rows that have begun and not ended are left by a process that is killed, and no others") {
  const catena_test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "running";
  {
    RunningRows killed(file);
    CHECK(killed.left().empty());
    killed.begin(0);
    killed.begin(7);
    killed.begin(9);
    killed.end(7);
    CHECK(RunningRows(file).left() == Rows{0, 9});
    // The destructor of this reader has removed the file: the killed process wrote to it all the same.
  }
  {
    RunningRows killed(file);
    killed.begin(3);
    killed.begin(4);
    killed.end(3);
    killed.begin(5);  // in the place of 3
    killed.leave();
  }
  RunningRows next(file);
  CHECK(next.left() == Rows{5, 4});
  next.forget_left();
  CHECK(next.left().empty());
}

TEST_CASE("rows of a process that ends are not left") {
  const catena_test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "running";
  {
    RunningRows ended(file);
    ended.begin(1);
  }
  CHECK(!std::filesystem::exists(file));
  {
    RunningRows interrupted(file);
    interrupted.begin(1);
    interrupted.forget_running();
    interrupted.leave();
  }
  CHECK(RunningRows(file).left().empty());
}
