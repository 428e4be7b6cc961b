// What a run is, as its checkpoints and its results keep it.
#pragma once
#include <catena/driver/checkpoint.hpp>
#include <catena/experiment/detail/setup.hpp>
#include <catena/output/parts/manifest.hpp>

namespace catena::detail {

// What a checkpoint belongs to.
Identity identity_of(const Setup& setup, const System& system);

// Without the commit.
Manifest manifest_of(Setup& setup);

}  // namespace catena::detail
