// CRC-64/XZ: detects every change of up to 64 neighbouring bits, and all others except one in 2^64.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace catena::detail {

class Crc64 {
 public:
  void add(const void* bytes, std::size_t count);
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::uint64_t value() const { return ~register_; }  // of "123456789": 0x995dc9bbdf1939fa

 private:
  std::uint64_t register_ = ~std::uint64_t{0};
};

inline std::uint64_t crc64(std::string_view bytes) {
  Crc64 crc;
  crc.add(bytes);
  return crc.value();
}

}  // namespace catena::detail
