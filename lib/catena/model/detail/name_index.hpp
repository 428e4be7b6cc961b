// From a name to a number in eight bytes an entry: the names themselves stay where they are, in bodies and
// elements, and are compared there.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace catena::detail {

class NameIndex {
 public:
  // The number that was inserted with this name, or -1. name_of(number) returns its name.
  template <class NameOf>
  int find(std::string_view name, NameOf&& name_of) const {
    if (slots_.empty()) return -1;
    const std::uint32_t hash = hash_of(name);
    for (std::size_t k = hash & mask();; k = (k + 1) & mask()) {
      const Slot& s = slots_[k];
      if (s.number < 0) return -1;
      if (s.hash == hash && name_of(s.number) == name) return s.number;
    }
  }
  // The name must not be in yet; number >= 0.
  void insert(std::string_view name, int number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    place({hash_of(name), number});
    ++count_;
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::int32_t number = -1;
  };
  static std::uint32_t hash_of(std::string_view name) {
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(name));
  }
  std::size_t mask() const { return slots_.size() - 1; }
  void place(const Slot& s) {
    std::size_t k = s.hash & mask();
    while (slots_[k].number >= 0) k = (k + 1) & mask();
    slots_[k] = s;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& s : old)
      if (s.number >= 0) place(s);
  }

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t count_ = 0;
};

}  // namespace catena::detail
