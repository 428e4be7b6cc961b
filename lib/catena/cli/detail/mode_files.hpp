// What `catena modes --output` writes: modes.csv, and mode_1/motion.pvd and so on, one animation a mode of a system of bodies.
#pragma once
#include <catena/linear/parts/linear_motion.hpp>
#include <catena/linear/parts/modes.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace catena::detail {

// Of every component of the velocities what it is: "along x" of displacements in world axes, "about z" of turns in body
// axes, "coordinate" of coordinates of their own.
std::vector<std::string> component_names(const System& system);

// Before the work. Throws UsageError where a file in the folder is not Catena's and has a name that so many modes would take.
void refuse_foreign_modes(const std::filesystem::path& folder, const System& system, int count);
// Replaces the modes of an earlier command in the folder. Throws SinkError.
void write_modes(const System& system, const LinearMotion& motion, const Modes& modes,
                 const std::filesystem::path& folder);

}  // namespace catena::detail
