#pragma once
#include <catena/model/model.hpp>

#include "plain_mechanism.hpp"

namespace catena_peer {

// Throws std::runtime_error for a force that is no spring, and for a type without listed members, by name.
PlainMechanism plain(const catena::Model& model);

}  // namespace catena_peer
