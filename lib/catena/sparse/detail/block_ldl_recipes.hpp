// Recipes of fronts, one for all fronts that are alike: a recipe lists the places in a front of the blocks of the matrix
// and of the records of children. The places from which they come differ from front to front.
#pragma once
#include <catena/sparse/detail/block_ldl_schedule.hpp>

#include <map>
#include <vector>

namespace catena::detail::ldl {

// The places of the fronts that are scheduled already, by their numbers.
struct Placement {
  std::vector<int> task_of;          // -1: not yet
  std::vector<std::int64_t> record;  // into the store of records
  std::vector<std::uint8_t> dense;
};

class RecipeBook {
 public:
  // Writes recipes, ops, blocks and maps of `out`, and at once its positions. All must outlive
  // the book.
  RecipeBook(const BlockPattern& pattern, const MatrixLayout& layout, const Fronts& fronts, Schedule& out);

  // Finds or makes the recipe of front f in `task`, whose children are placed. at: its index values.
  int recipe_of(int f, int task, const Placement& placed, std::vector<std::int32_t>& at);

 private:
  struct Source;
  int primal_count() const { return pattern_.primal_count(); }
  int node_size(int v) const;
  int node_offset(int v) const;
  void list_sources();
  bool is_split(int body) const;
  static void join_children(std::vector<Source>& sources);
  int matrix_sources(int v, std::vector<Source>& sources) const;
  void child_sources(int f, int task, const Placement& placed, std::vector<Source>& sources) const;

  const MatrixLayout& layout_;
  const BlockPattern& pattern_;
  const Fronts& fronts_;
  Schedule& out_;
  std::vector<std::vector<int>> children_, incidences_, couplings_;
  std::vector<int> local_, stamp_;
  std::map<std::vector<std::int32_t>, int> recipes_;
};

}  // namespace catena::detail::ldl
