// Any bytes as the content of a checkpoint, sealed with the right length and checksum: a checkpoint that can be written again,
// or a CheckpointError; and a run that continues from it ends. .ci/nightly runs it; tests/fuzz/CMakeLists.txt says how.
#include <catena/assembly/multibody_system.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/driver/run.hpp>
#include <catena/math/detail/crc64.hpp>
#include <catena/model/joints.hpp>
#include <catena/solvers/generalized_alpha.hpp>

#include "broken.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

using namespace catena;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

constexpr std::size_t head = 24, tail = 8;  // of the file, around the content

const MultibodySystem& pendulum() {
  static const std::unique_ptr<const MultibodySystem> system = [] {
    Model model;
    model.gravity = {{0.0, 0.0, -9.81}};
    const BodyId rod = model.add(
        Body{.name = "rod", .mass = 1.0, .inertia = 0.1 * Mat3::Identity(), .position = {{0.5, 0.0, 0.0}}});
    model.add(RevoluteJoint{.bodies = {ground, rod},
                            .point_b = {{-0.5, 0.0, 0.0}},
                            .axis_a = Vec3::Unit(1),
                            .axis_b = Vec3::Unit(1)});
    return std::make_unique<const MultibodySystem>(std::move(model));
  }();
  return *system;
}

struct Keeper : CheckpointKeeper {
  Checkpoint last;
  bool due() override { return true; }
  void save(const State& state, const RunState& run) override {
    last.state = state;
    last.run = run;
  }
};

// A run of any bytes may have any number of steps: it is stopped after a few.
struct Few : Observer {
  int left = 4;
  bool observe(const State&) override { return --left > 0; }
};

const std::string& valid() {
  static const std::string bytes = [] {
    GeneralizedAlpha stepper;
    State state = pendulum().initial_state();
    Keeper keeper;
    Listeners listeners;
    listeners.checkpoints = &keeper;
    if (run(pendulum(), stepper, state, {.step = 1e-3, .end = 5e-3}, listeners).status != Status::ok)
      broken("the run that the inputs come from fails");
    keeper.last.identity = {{"stepper", "generalized_alpha"}};
    keeper.last.observed = {1.0, 2.0};
    return to_bytes(keeper.last);
  }();
  return bytes;
}

std::string sealed(const std::uint8_t* content, std::size_t size) {
  std::string bytes = valid().substr(0, head);
  const std::uint64_t length = size;
  std::memcpy(bytes.data() + head - sizeof length, &length, sizeof length);
  bytes.append(reinterpret_cast<const char*>(content), size);
  const std::uint64_t sum = detail::crc64(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

bool fits(const State& state) {
  const State like = pendulum().initial_state();
  return state.q.size() == like.q.size() && state.v.size() == like.v.size() &&
         state.a.size() == like.a.size() && state.lambda.size() == like.lambda.size() &&
         state.discrete.size() == like.discrete.size();
}

void continue_from(const Checkpoint& checkpoint) {
  GeneralizedAlpha stepper;
  State state = checkpoint.state;
  Few few;
  RunOptions options{.step = checkpoint.run.wanted_step, .end = checkpoint.run.grid_end};
  try {
    const RunResult result =
        run(pendulum(), stepper, state, options, Listeners{.observers = {&few}}, checkpoint.run);
    if (to_text(result).empty()) broken("a run that ends without a sentence");
  } catch (const std::invalid_argument&) {  // a step or an end out of range
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned int) {
  const std::size_t content = valid().size() - head - tail;
  if (size < 2 && content <= most) {
    std::copy_n(valid().begin() + head, content, data);
    return content;
  }
  return LLVMFuzzerMutate(data, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = sealed(data, size);
  try {
    const Checkpoint checkpoint = checkpoint_from(bytes);
    if (to_bytes(checkpoint) != bytes) broken("a checkpoint is not written as it was read");
    if (fits(checkpoint.state)) continue_from(checkpoint);
  } catch (const CheckpointError& error) {
    if (std::string(error.what()).empty()) broken("an error without a word");
  }
  return 0;
}
