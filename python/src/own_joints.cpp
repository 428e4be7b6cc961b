// Joints whose gap or rate is a function of Python, with derivatives by dual numbers; and joints whose rows are one function over
// arrays.
#include <catena/model/detail/joints_at_once.hpp>

#include "frames.hpp"

#include <array>
#include <utility>

namespace catena::python {
namespace {
using Frame = BodyFrame<double>;
using detail::most_rows_by_derivatives;

// Evaluations are kept as long as one element is evaluated: a gap without derivatives, or all of them.
template <class D>
struct Evaluated final : detail::RowNumbers {
  const py::object& function;
  int bodies, rows;
  mutable bool known = false;
  mutable std::array<D, most_rows_by_derivatives> full = {};

  Evaluated(const py::object& f, int body_count, int row_count)
      : function(f), bodies(body_count), rows(row_count) {}
  template <class S>
  void take(const Frame* f, double t, S* out) const {
    in_python([&] { read<S>(call<S>(function, f, bodies, t, std::is_same_v<D, RateDual>), rows, out); });
  }
  void values(const Frame* f, double t, double* out) const override {
    if (!known) return take(f, t, out);
    for (int r = 0; r < rows; ++r) out[r] = full[static_cast<std::size_t>(r)].value;
  }
  const void* derivatives(const Frame* f, double t) const override {
    if (!std::exchange(known, true)) take(f, t, full.data());
    return full.data();
  }
};

struct PythonJoint {
  static constexpr const char* type_name = "python";
  std::vector<BodyId> bodies;
  int rows = 1;
  Level level = Level::position;
  Kept function;
  std::string name;

  catena::rows::Shape shape() const { return detail::shape_by_derivatives(bodies, rows, level); }
  void save(double*) const {}
  void evaluate(const detail::LaneIo<double>& io, const detail::KernelArgs& args,
                const detail::ElementGroup& group) const {
    level == Level::position ? evaluate_with<GapDual>(io, args, group)
                             : evaluate_with<RateDual>(io, args, group);
  }
  template <class D>
  void evaluate_with(const detail::LaneIo<double>& io, const detail::KernelArgs& args,
                     const detail::ElementGroup& group) const {
    const int count = static_cast<int>(bodies.size());
    detail::evaluate_by_derivatives(Evaluated<D>(*function, count, rows), count, rows, level, io, args,
                                    group);
  }
};

// A catena.elements.JointLaw.
class PythonJointLaw final : public detail::JointLawAtOnce {
 public:
  PythonJointLaw(Kept law, int bodies, int rows) : law_(std::move(law)), bodies_(bodies), rows_(rows) {}
  detail::NumbersOfRows rows(const detail::ElementsOfLaw& joints, int order) const override {
    return in_python([&] {
      const py::tuple result = asked(*law_, "rows", joints, bodies_, order);
      auto places = result[0].cast<std::vector<int>>();
      const std::size_t size = joints.count * static_cast<std::size_t>(rows_) * places.size();
      return detail::NumbersOfRows{std::move(places), numbers(result[1], size, "rows")};
    });
  }

 private:
  Kept law_;
  int bodies_, rows_;
};

struct JointOfLaw : detail::JointAtOnce {
  static constexpr const char* type_name = "python";
};

Level level_of(const std::string& level, int rows) {
  if (rows < 1 || rows > most_rows_by_derivatives)
    throw ModelError("rows must lie between 1 and 6, is " + std::to_string(rows));
  if (level != "position" && level != "velocity") throw ModelError("level is \"position\" or \"velocity\"");
  return level == "velocity" ? Level::velocity : Level::position;
}

}  // namespace

void bind_own_joints(py::module_& m) {
  m.def("add_joint", [](Model& model, const std::vector<std::string>& bodies, const py::object& function,
                        int rows, const std::string& level, const std::string& name) {
    model.add(PythonJoint{bodies_of(model, bodies), rows, level_of(level, rows), keep(function), name});
  });
  m.def("add_joints", [](Model& model, const NamedBodies& named, const py::object& law, int rows,
                         const std::string& level) {
    const auto bodies = named.front().second.size();
    JointOfLaw joint;
    joint.rows = rows;
    joint.level = level_of(level, rows);
    joint.law = std::make_shared<PythonJointLaw>(keep(law), static_cast<int>(bodies), rows);
    add_all(model, named, bodies, joint, [&](const detail::ElementsOfLaw& all) {
      for (const int order : {0, 2}) joint.law->rows(all, order);
    });
  });
}

}  // namespace catena::python
