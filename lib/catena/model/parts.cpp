#include <catena/model/detail/parts.hpp>

#include <numeric>

namespace catena::detail {
namespace {

// Disjoint sets with halved paths.
class Sets {
 public:
  explicit Sets(int count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int root(int k) {
    while (up(k) != k) k = up(k) = up(up(k));
    return k;
  }
  void join(int a, int b) { up(root(a)) = root(b); }

 private:
  int& up(int k) { return parent_[static_cast<std::size_t>(k)]; }
  std::vector<int> parent_;
};

// Calls what(bodies that move, whether one is fixed) for every element.
template <class F>
void for_each_element(const Model& model, const std::vector<Model::ElementRef>& elements, F&& what) {
  std::vector<int> moving;
  for (const Model::ElementRef& ref : elements) {
    const ElementPool& pool = *model.pools()[static_cast<std::size_t>(ref.pool)];
    bool one_fixed = false;
    moving.clear();
    for (int i = 0; i < pool.bodies(); ++i) {
      const BodyId id = pool.body(ref.element, i);
      if (id == ground || model.body(id).fixed)
        one_fixed = true;
      else
        moving.push_back(static_cast<int>(id));
    }
    what(moving, one_fixed);
  }
}

}  // namespace

std::vector<ModelPart> model_parts(const Model& model) {
  Sets sets(model.body_count());
  for_each_element(model, model.constraints(), [&](const std::vector<int>& moving, bool) {
    for (const int body : moving) sets.join(body, moving.front());
  });
  std::vector<ModelPart> parts;
  std::vector<int> part_of_root(static_cast<std::size_t>(model.body_count()), -1);
  const auto part_of = [&](int body) -> int& {
    return part_of_root[static_cast<std::size_t>(sets.root(body))];
  };
  for (int b = 0; b < model.body_count(); ++b) {
    if (model.body(BodyId{b}).fixed) continue;
    if (part_of(b) < 0) {
      part_of(b) = static_cast<int>(parts.size());
      parts.emplace_back();
    }
    parts[static_cast<std::size_t>(part_of(b))].bodies.push_back(BodyId{b});
  }
  const auto part = [&](int body) -> ModelPart& { return parts[static_cast<std::size_t>(part_of(body))]; };
  for_each_element(model, model.constraints(), [&](const std::vector<int>& moving, bool one_fixed) {
    if (one_fixed) part(moving.front()).on_ground = true;
  });
  for_each_element(model, model.forces(), [&](const std::vector<int>& moving, bool one_fixed) {
    for (const int body : moving) {
      if (one_fixed) part(body).forces_ground = true;
      if (part_of(body) != part_of(moving.front()))
        part(body).forces_others = part(moving.front()).forces_others = true;
    }
  });
  return parts;
}

}  // namespace catena::detail
