// Elements of one law, which are evaluated in one call for all of them: what forces and joints have in common
// (forces_at_once.hpp, joints_at_once.hpp). All of one law are a pool, which lies in the border
// (assembly/detail/element_groups.hpp): the call is made once an evaluation, by the thread that has begun it, with the elements
// in the order in which they were added.
#pragma once
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/detail/lane_io.hpp>

#include <cstddef>
#include <vector>

namespace catena::detail {

// Some of the elements of a law, on N bodies each.
struct ElementsOfLaw {
  std::size_t count = 0;
  const int* number = nullptr;                // of each, among those of the law
  const BodyFrame<double>* frames = nullptr;  // N each
  double t = 0.0;
};

// Pools of such elements.
class AtOnce {
 public:
  virtual ~AtOnce() = default;
  virtual void evaluate_all(const KernelArgs& args, const ElementGroup* groups, std::size_t count) const = 0;
};

// What Stage::function is of such pools.
inline constexpr int all_at_once = -2;
inline bool is_at_once(const Stage& stage) { return stage.function == all_at_once; }

// What groups of a pool hold, one behind the other.
struct TakenElements {
  std::vector<int> elements, numbers;  // in the pool, in the law
  std::vector<BodyFrame<double>> frames;

  template <class Pool>
  TakenElements(const Pool& pool, const KernelArgs& args, const ElementGroup* groups, std::size_t count) {
    for (const ElementGroup* g = groups; g != groups + count; ++g)
      for (int l = 0; l < g->count; ++l) {
        elements.push_back(g->first + l);
        numbers.push_back(pool.at(g->first + l).number);
        for (int i = 0; i < pool.bodies(); ++i) frames.push_back(read_frame(LaneIo<double>{l}, args, *g, i));
      }
  }
  ElementsOfLaw rows(double t) const { return {numbers.size(), numbers.data(), frames.data(), t}; }
};

// Calls what(rows). Where it throws: rethrow(k), in the handler, k being the first of them that throws by itself too, else 0.
template <class Call, class Rethrow>
void call_for_all(const ElementsOfLaw& rows, std::size_t bodies, Call&& what, Rethrow&& rethrow) {
  try {
    what(rows);
  } catch (...) {
    for (std::size_t k = 0; k < rows.count; ++k) try {
        what(ElementsOfLaw{1, rows.number + k, rows.frames + bodies * k, rows.t});
      } catch (...) {
        rethrow(k);
      }
    rethrow(std::size_t{0});
  }
}

}  // namespace catena::detail
