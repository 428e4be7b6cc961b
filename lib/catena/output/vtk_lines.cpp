#include <catena/math/detail/index.hpp>
#include <catena/model/detail/passing_visitor.hpp>
#include <catena/model/element_listing.hpp>
#include <catena/output/detail/vtk_lines.hpp>

#include <cstring>

namespace catena::detail {
namespace {

class TwoPoints final : public PassingVisitor {
 public:
  Vec3 points[2] = {};
  int found = 0;
  void vector(const OptionInfo& info, Vec3& value) override {
    for (int k = 0; k < 2; ++k)
      if (std::strcmp(info.name, k == 0 ? "point_a" : "point_b") == 0) points[k] = value, ++found;
  }
};

class LineFinder {
 public:
  explicit LineFinder(const Model& model) : model_(model) {
    int moving = 0;
    for (const Body& body : model.bodies()) block_.push_back(body.fixed ? -1 : moving++);
  }

  std::vector<VtkLine> operator()() {
    for (std::size_t k = 0; k < model_.constraints().size(); ++k)
      add_rod(static_cast<int>(k), model_.constraints()[k]);
    for (std::size_t k = 0; k < model_.forces().size(); ++k)
      add_force(static_cast<int>(k), model_.forces()[k]);
    return std::move(lines_);
  }

 private:
  const ElementPool& pool_of(const Model::ElementRef& r) const { return *model_.pools()[index(r.pool)]; }

  void add_rod(int number, const Model::ElementRef& r) {
    const ElementPool& pool = pool_of(r);
    if (pool.bodies() != 2) return;
    for (const RowGroup& rows : pool.plan().groups) {
      if (rows.meaning.length_parameter < 0 || rows.meaning.points != 2) continue;
      std::vector<double> p(index(pool.plan().parameters));
      pool.parameters(r.element, p.data());
      const double* at = p.data() + rows.parameter;
      return add(true, number, r, {{at[0], at[1], at[2]}}, {{at[3], at[4], at[5]}});
    }
  }

  void add_force(int number, const Model::ElementRef& r) {
    const ElementPool& pool = pool_of(r);
    TwoPoints read;
    if (pool.bodies() == 2 && pool.list_members(r.element, read) && read.found == 2)
      add(false, number, r, read.points[0], read.points[1]);
  }

  void add(bool joint, int number, const Model::ElementRef& r, const Vec3& a, const Vec3& b) {
    VtkLine line{joint, number};
    for (int k = 0; k < 2; ++k) {
      const BodyId id = pool_of(r).body(r.element, k);
      const Vec3& point = k == 0 ? a : b;
      const int block = id == ground ? -1 : block_[index(static_cast<int>(id))];
      line.ends[k] = {block, block < 0 ? model_.initial_frame(id).point(point) : point};
    }
    lines_.push_back(line);
  }

  const Model& model_;
  std::vector<int> block_;  // of each body among the moving ones
  std::vector<VtkLine> lines_;
};

}  // namespace

std::vector<VtkLine> vtk_lines(const Model& model) { return LineFinder(model)(); }

}  // namespace catena::detail
