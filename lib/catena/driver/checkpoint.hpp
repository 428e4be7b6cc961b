// A run as a file: what it needs to continue, what it belongs to, and a checksum.
//
// Layout, in the byte order of the machine: "CATENA\r\n", version (u32), 0x01020304 (u32), length of the payload
// (u64), payload, CRC-64/XZ of all before (u64). Doubles are stored bit for bit.
#pragma once
#include <catena/driver/parts/run_state.hpp>
#include <catena/system/system.hpp>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace catena {

// Why a file is no checkpoint, or not one of this run; a sentence.
class CheckpointError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a checkpoint belongs to: names and values, ("stepper", "generalized_alpha") say, in an order of its own.
using Identity = std::vector<std::pair<std::string, std::string>>;
// Empty, or 'stepper is "ida" there and "lie_dae" here' for the first entry that differs.
std::string difference(const Identity& there, const Identity& here);

// Adds sizes, names, a checksum over what the system evaluates to at a point near its initial state, `later` seconds behind
// it (an instant of the run: forces may have no value at others), and of systems of
// bodies one over what joints and forces state (model/detail/element_digest.hpp): a drive that differs from some later
// instant on differs there alone. A user's type without a listing is known by its values near the start.
void identify(Identity& identity, const System& system, double later = 0.0625);

struct Checkpoint {
  static constexpr std::uint32_t version = 6;
  Identity identity;
  State state;
  RunState run;
  std::vector<double> observed;  // what observers of the run remember, by the caller's convention
};

std::string to_bytes(const Checkpoint& checkpoint);
// Throws CheckpointError for anything but what to_bytes() made; allocates no more than the bytes can fill.
Checkpoint checkpoint_from(const std::string& bytes);

// Replaces the file as a whole or not at all, and returns when it is on disk: a temporary file beside it, fsync,
// rename, fsync of the folder. Throws SinkError.
void write_durably(const std::filesystem::path& file, const std::string& bytes);
// Throws CheckpointError.
std::string read_whole(const std::filesystem::path& file);

}  // namespace catena
