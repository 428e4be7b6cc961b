// How the elements of a model become groups of eight that kernels evaluate, chunks that threads share, and
// the block pattern of the KKT system.
//
// Moving bodies are cut into chunks of consecutive numbers. An element whose moving bodies all lie in one
// chunk belongs to it; the others form the border, which is evaluated afterwards by one thread. The cut
// depends on the model alone, so every sum has one order for any number of threads.
#pragma once
#include <catena/model/model.hpp>
#include <catena/sparse/block_matrix.hpp>

#include <memory>
#include <vector>

namespace catena {

// The groups of one pool, those of chunk 0 first, then chunk 1, ..., then the border.
struct PoolGroups {
  PoolGroups() = default;
  PoolGroups(PoolGroups&&) = default;  // groups point into parameters: moved, never copied
  PoolGroups& operator=(PoolGroups&&) = default;

  const ElementPool* pool = nullptr;
  bool constraints = false;  // else forces
  std::vector<ElementGroup> groups;
  std::vector<int> chunk_begin;    // first group of chunk c; [chunks] the border, [chunks + 1] the end
  std::vector<double> parameters;  // lane-interleaved, of pools with a lane kernel
};

struct ElementLayout {
  std::vector<int> block_of_body;  // primal block of a model body, -1: fixed
  std::vector<int> body_of_block;
  std::vector<int> fixed_of_body;  // index among the fixed bodies, -1: moving; the ground is number 0
  int fixed_count = 1;
  // Seven coordinates each: of the fixed bodies, the ground first, then of the anchors (anchor.hpp) of their elements.
  std::vector<double> fixed_q;
  int chunk_size = 0, chunks = 0;
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<PoolGroups> pools;
  std::vector<int> discrete_begin;  // [pool] where its elements stand in State::discrete
  int discrete_size = 0;
};

// Position and unit quaternion, scalar first: the seven coordinates of a body.
void put_pose(const Body& body, double* q);

// Where an element stands in State::discrete; -1: it has no discrete values.
int discrete_offset(const ElementLayout& layout, const Model::ElementRef& element);
// The initial values of all elements.
std::vector<double> initial_discrete(const ElementLayout& layout);

// Primal blocks are the moving bodies in the order of the model, six unknowns each; dual blocks the
// constraints, likewise.
ElementLayout make_element_layout(const Model& model);

}  // namespace catena
