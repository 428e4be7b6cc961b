// The parts of a step, each with its own time.
#pragma once
#include <array>
#include <cstddef>

namespace catena::detail {

// Of a step: evaluating and filling, factorising with the first solve, further solves, the rest, and the whole. Of a
// run: what is done once, model, system, analysis and start.
enum class Phase { evaluate, factorize, solve, rest, step, setup };
inline constexpr std::size_t phase_count = 6;
inline constexpr std::array<Phase, phase_count> all_phases = {
    Phase::evaluate, Phase::factorize, Phase::solve, Phase::rest, Phase::step, Phase::setup};
const char* name_of(Phase phase);

}  // namespace catena::detail
