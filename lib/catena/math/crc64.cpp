#include <catena/math/detail/crc64.hpp>

#include <array>

namespace catena::detail {
namespace {

constexpr std::array<std::uint64_t, 256> make_table() {
  constexpr std::uint64_t reflected_polynomial = 0xc96c5795d7870f42;  // ECMA-182
  std::array<std::uint64_t, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    std::uint64_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? reflected_polynomial : 0);
    table[byte] = rest;
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> table = make_table();

}  // namespace

void Crc64::add(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  for (std::size_t k = 0; k < count; ++k) register_ = table[(register_ ^ at[k]) & 0xff] ^ (register_ >> 8);
}

}  // namespace catena::detail
