// How the elements of a model become groups of eight that kernels evaluate, chunks that threads share, and
// the block pattern of the KKT system.
//
// Moving bodies are cut into chunks of consecutive numbers. An element whose moving bodies all lie in one
// chunk belongs to it; the others, and elements that are evaluated at once, form the border, which is evaluated afterwards
// by one thread. The cut depends on the model alone, so every sum has one order for any number of threads.
#pragma once
#include <catena/model/detail/lane_functions.hpp>
#include <catena/model/detail/stage_evaluation.hpp>
#include <catena/model/model.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

// The groups of one stage (model/rows/plan.hpp) of one pool, those of chunk 0 first, then chunk 1, ..., then the border.
struct PoolGroups {
  PoolGroups() = default;
  PoolGroups(PoolGroups&&) = default;  // groups point into parameters: moved, never copied
  PoolGroups& operator=(PoolGroups&&) = default;

  // function: of the stage (lane_functions.hpp), null where the pool evaluates its elements itself.
  void evaluate(GroupFunction function, const KernelArgs& args, const ElementGroup& group) const {
    if (function != nullptr)
      evaluate_stage(*pool, stage, function, args, group);
    else
      pool->evaluate(args, group);
  }

  const ElementPool* pool = nullptr;
  int number = 0;  // of the pool in the model
  Stage stage = {};
  bool constraints = false;  // else forces
  std::vector<ElementGroup> groups;
  std::vector<int> chunk_begin;          // first group of chunk c; [chunks] the border, [chunks + 1] the end
  std::vector<double> parameters;        // of the stage, lane-interleaved
  bool far = false;                      // is_far() of the system (math/detail/fetch.hpp)
  std::vector<ReactionSlots> reactions;  // [group] of forces that read multipliers; else empty
};

struct ElementLayout {
  std::vector<int> block_of_body;  // primal block of a model body, -1: fixed
  std::vector<int> body_of_block;
  std::vector<int> fixed_of_body;  // index among the fixed bodies, -1: moving; the ground is number 0
  int fixed_count = 1;
  // Seven coordinates each: of the fixed bodies, the ground first, then of the anchors (anchor.hpp) of their elements.
  std::vector<double> fixed_q;
  bool far = false;  // is_far() of the system (math/detail/fetch.hpp)
  int chunk_size = 0, chunks = 0;
  std::shared_ptr<const BlockPattern> pattern;
  // Stage by stage, in the order of the model's pools; those of forces that read multipliers last, since they add to what
  // joints set.
  std::vector<PoolGroups> pools;
  std::vector<int> discrete_begin;       // [pool of the model] where its elements are in State::discrete
  std::vector<int> discrete_of_element;  // [pool of the model] how many values each of them has
  int discrete_size = 0;
};

// The function of a stage among those of an instruction set, in eight lanes or lane by lane; null: there is none.
inline GroupFunction function_of(const Stage& stage, const LaneFunctions& functions, bool scalar = false) {
  if (stage.function < 0) return nullptr;
  return (scalar ? functions.scalar : functions.group)[stage.function];
}

// Where an element is in State::discrete; -1: it has no discrete values.
int discrete_offset(const ElementLayout& layout, const Model::ElementRef& element);
// The initial values of all elements.
std::vector<double> initial_discrete(const ElementLayout& layout);

// Primal blocks are the moving bodies in the order of the model, six unknowns each; dual blocks the
// constraints, likewise.
ElementLayout make_element_layout(const Model& model);

}  // namespace catena::detail
