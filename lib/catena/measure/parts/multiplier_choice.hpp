// Which multipliers outputs show: those of the method, or those that belong to its positions and velocities.
#pragma once
#include <catena/measure/parts/quantity_catalog.hpp>

#include <cstdint>
#include <string>

namespace catena {

enum class MultiplierChoice : std::uint8_t {
  method,     // State::lambda
  recomputed  // Lambda(t, q, P v), stepper/detail/recomputed_multipliers.hpp
};

// "" (method), "method" or "recomputed". Throws SelectionError.
MultiplierChoice multiplier_choice(const std::string& text);

// As select(); where multipliers are recomputed, beside each of lambda, reactions/force and reactions/torque its error bar, of the
// same items, chosen by the same word.
Selection select(const QuantityCatalog& catalog, const std::string& text, MultiplierChoice multipliers);

}  // namespace catena
