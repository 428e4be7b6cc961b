// Checkpoints as files: what is damaged or belongs to something else is refused.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/detail/cell.hpp>
#include <catena/driver/sink.hpp>
#include <catena/math/detail/crc64.hpp>
#include <catena/model/parts/spring_damper.hpp>

#include "support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>

using namespace catena;
using namespace catena::detail;

namespace {

Checkpoint sample() {
  Checkpoint c;
  c.identity = {{"problem", "toy"}, {"stepper", "none"}};
  c.state.t = 0.5;
  c.state.q = {1.0, -0.0, 5e-324};
  c.state.v = {2.0};
  c.state.memory = {3.0, 4.0};
  c.run.grid_end = 1.0;
  c.run.wanted_step = 0.1;
  c.run.max_cuts = 10;
  c.run.cuts = 3;
  c.run.cell = {.open = true, .to_instant = false, .target = 0.6, .length = 0.1, .done = 128};
  c.run.event_values = {0.25};
  c.run.result.events = {{1, "touch", 0.25, false}};
  c.run.result.message = "a sentence";
  c.run.result.steps = 7;
  c.observed = {9.0};
  return c;
}

std::string reason(const std::string& bytes) {
  try {
    checkpoint_from(bytes);
    return {};
  } catch (const CheckpointError& error) {
    return error.what();
  }
}

// A new checksum over what was changed, so that the reader behind it is met.
std::string sealed(std::string bytes) {
  const std::uint64_t sum = crc64({bytes.data(), bytes.size() - 8});
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

}  // namespace

TEST_CASE("CRC-64/XZ has its published check value") {
  CHECK(crc64("123456789") == 0x995dc9bbdf1939fa);
  CHECK(crc64("") == 0);
  Crc64 parts;
  parts.add("1234");
  parts.add("56789");
  CHECK(parts.value() == crc64("123456789"));
}

TEST_CASE("what is written is read to the same bytes") {
  const std::string bytes = to_bytes(sample());
  const Checkpoint back = checkpoint_from(bytes);
  CHECK(to_bytes(back) == bytes);
  CHECK(back.state.q == sample().state.q);
  CHECK(std::signbit(back.state.q[1]));
  CHECK(back.run.result.events[0].name == "touch");
  CHECK(back.run.cell.done == 128);
  CHECK(back.identity == sample().identity);
}

TEST_CASE("every byte may be flipped, in any bit, and the file is refused with a reason") {
  const std::string bytes = to_bytes(sample());
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[k] = static_cast<char>(damaged[k] ^ (1 << bit));
      REQUIRE(!reason(damaged).empty());
    }
}

TEST_CASE("a file cut off anywhere is refused, and one with something behind") {
  const std::string bytes = to_bytes(sample());
  for (std::size_t k = 0; k < bytes.size(); ++k) REQUIRE(reason(bytes.substr(0, k)) != "");
  CHECK(reason(bytes.substr(0, bytes.size() - 1)) == "it ends too early");
  CHECK(reason(bytes + "x") == "it is too long");
  CHECK(reason("") == "it ends too early");
  CHECK(reason(std::string(4096, '\0')) == "it is no checkpoint");
}

TEST_CASE("lengths and flags that lie behind a right checksum are refused or read, and never followed") {
  const std::string bytes = to_bytes(sample());
  constexpr std::size_t head = 24, tail = 8;
  int refused = 0;
  for (std::size_t k = head; k + tail < bytes.size(); ++k)
    for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
      std::string changed = bytes;
      changed[k] = value;
      changed = sealed(changed);
      const std::string why = reason(changed);
      if (!why.empty())
        ++refused;
      else
        REQUIRE(to_bytes(checkpoint_from(changed)) == changed);
    }
  CHECK(refused > 100);
}

TEST_CASE("a length is compared with what its numbers take, not with the bytes that are left") {
  Checkpoint c = sample();
  c.state.q.assign(777, 1.0);
  const std::string bytes = to_bytes(c);
  const std::uint64_t length = 777;
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&length), 8));
  REQUIRE(at != std::string::npos);
  const std::uint64_t left = bytes.size() - 8 - (at + 8);  // behind the length, but for the checksum
  for (const std::uint64_t n : {left / 8 + 1, left}) {
    CAPTURE(n);
    std::string changed = bytes;
    std::memcpy(changed.data() + at, &n, 8);
    CHECK(reason(sealed(changed)) == "a length in it points behind its end");
  }
}

TEST_CASE("counts that no run reaches are refused, so that their sums stay in range") {
  for (const long count : {-1L, (1L << 53) + 1, std::numeric_limits<long>::max()}) {
    CAPTURE(count);
    Checkpoint c = sample();
    c.run.result.earlier.newton_iterations = count;
    CHECK(reason(to_bytes(c)) == "a count in it is negative, or above 2^53");
  }
  Checkpoint c = sample();
  c.run.result.earlier.newton_iterations = 1L << 53;
  CHECK(reason(to_bytes(c)).empty());
}

TEST_CASE("a progress that no run has left is refused with what is wrong") {
  RunState good = sample().run;
  good.instants = 3;
  CHECK(defect_of(good).empty());
  const auto defect = [&](const auto& change) {
    RunState run = good;
    change(run);
    return defect_of(run);
  };
  const double nan = std::nan("");
  CHECK(defect([](RunState& r) { r.grid_end = 1e300; }) == "a grid from 0 s to 1e+300 s in steps of 0.1 s");
  CHECK(defect([&](RunState& r) { r.grid_begin = nan; }).starts_with("a grid from nan s"));
  CHECK(defect([](RunState& r) { r.wanted_step = 0.0; }).ends_with("in steps of 0 s"));
  CHECK(defect([](RunState& r) { r.max_cuts = 31; }) == "3 cuts of at most 31");
  CHECK(defect([](RunState& r) { r.cuts = 11; }) == "11 cuts of at most 10");
  CHECK(defect([](RunState& r) { r.cuts = -1; }) == "-1 cuts of at most 10");
  CHECK(defect([](RunState& r) { r.instants = 11; }) == "11 instants of 10");
  CHECK(defect([](RunState& r) { r.instants = -1; }) == "-1 instants of 10");
  CHECK(defect([](RunState& r) { r.cell.done = 1025; }).starts_with("1025 parts of a step"));
  CHECK(defect([](RunState& r) { r.cell.length = -1.0; }).starts_with("128 parts of a step of -1 s"));
  CHECK(defect([&](RunState& r) { r.cell.target = nan; }).ends_with("to nan s"));
}

TEST_CASE("a version or a byte order of others is named") {
  std::string other = to_bytes(sample());
  other[8] = 9;
  CHECK(reason(other) == "its format has version 9, this program reads version 6");
  other = to_bytes(sample());
  std::swap(other[12], other[15]);
  std::swap(other[13], other[14]);
  CHECK(reason(other) == "it was written on a machine of the other byte order");
}

TEST_CASE("the first difference of two identities is named") {
  CHECK(difference({{"stepper", "ida"}}, {{"stepper", "ida"}}) == "");
  CHECK(difference({{"stepper", "ida"}}, {{"stepper", "lie_dae"}}) ==
        "stepper is \"ida\" there and \"lie_dae\" here");
  CHECK(difference({}, {{"stepper", "ida"}}) == "stepper is \"ida\" here and absent there");
  CHECK(difference({{"stepper", "ida"}}, {}) == "stepper is \"ida\" there and absent here");
  CHECK(difference({{"a", "1"}}, {{"b", "1"}}) == "a is there in place of b here");
}

TEST_CASE("models differ by any parameter, name or order of bodies, and not by the run of time") {
  const auto identity = [](double mass, const std::string& name, double stiffness, double offset) {
    Model model;
    const BodyId a = model.add(Body{.name = "a", .mass = mass, .position = {{offset, 0.0, 0.0}}});
    const BodyId b = model.add(Body{.name = name, .position = {{1.0, 0.0, 0.0}}});
    model.add(SpringDamper{.bodies = {a, b}, .stiffness = stiffness});
    Identity made;
    identify(made, MultibodySystem(std::move(model)));
    return made;
  };
  const Identity base = identity(1.0, "b", 5.0, 0.0);
  CHECK(base == identity(1.0, "b", 5.0, 0.0));
  const double next = std::nextafter(1.0, 2.0);
  CHECK(base != identity(next, "b", 5.0, 0.0));
  CHECK(base != identity(1.0, "c", 5.0, 0.0));
  CHECK(base != identity(1.0, "b", 5.0 * next, 0.0));
  CHECK(base != identity(1.0, "b", 5.0, 1e-12));
  CHECK(base.size() == 5);
}

TEST_CASE("a file is replaced as a whole or not at all") {
  const catena_test::TemporaryFolder folder;
  const auto file = folder.path() / "checkpoint";
  write_durably(file, "first");
  CHECK(read_whole(file) == "first");
  write_durably(file, "second, longer");
  CHECK(read_whole(file) == "second, longer");
  // What others have begun there, under the name of a part, stays.
  { std::ofstream(folder.path() / "checkpoint.part") << "of others"; }
  write_durably(file, "third");
  CHECK(read_whole(file) == "third");
  CHECK(read_whole(folder.path() / "checkpoint.part") == "of others");
  std::filesystem::remove(folder.path() / "checkpoint.part");
  CHECK_THROWS_AS(write_durably(folder.path() / "nowhere" / "checkpoint", "x"), SinkError);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  CHECK_THROWS_WITH_AS(read_whole(folder.path() / "none"), "it cannot be read", CheckpointError);
  // /dev/zero has no end; it is tried where a device is refused at all.
  REQUIRE_THROWS_WITH_AS(read_whole("/dev/null"), "it is a device, not a file", CheckpointError);
  std::filesystem::create_symlink("/dev/zero", folder.path() / "endless");
  CHECK_THROWS_WITH_AS(read_whole(folder.path() / "endless"), "it is a device, not a file", CheckpointError);
}
