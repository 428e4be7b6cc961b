#include <catena/io/parts/write_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

namespace catena {
using namespace detail;
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same_bits(const Vec3& a, const Vec3& b) {
  return same_bits(a[0], b[0]) && same_bits(a[1], b[1]) && same_bits(a[2], b[2]);
}

using Out = std::back_insert_iterator<std::string>;

class Writer {
 public:
  Writer(const Model& model, const ElementTypes& types) : model_(model), types_(types) {}

  std::string operator()(const FileNotes& notes) {
    put("catena: 1\n");
    if (!notes.title.empty()) put("title: {}\n", text(notes.title, "the title"));
    if (!same_bits(model_.gravity, Vec3::Zero())) put("gravity: {}\n", vector(model_.gravity));
    write_bodies();
    find_types();
    write_elements();
    write_points(notes);
    write_run(notes);
    if (refused_ > 0)
      throw ModelError("this model has no form in a file: " + refusals_ +
                       (refused_ > most_named ? fmt::format(" and {} more", refused_ - most_named) : ""));
    return std::move(out_);
  }

 private:
  static constexpr int most_named = 10;

  template <class... A>
  void put(fmt::format_string<A...> form, A&&... values) {
    fmt::format_to(Out(out_), form, std::forward<A>(values)...);
  }
  void refuse(const std::string& why) {
    if (refused_++ < most_named) refusals_ += (refusals_.empty() ? "" : "; ") + why;
  }
  std::string text(const std::string& value, const std::string& whose) {
    try {
      return yaml_text(value);
    } catch (const ModelError& error) {
      refuse(whose + ": " + error.what());
      return "\"\"";
    }
  }
  static std::string vector(const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

  void write_bodies() {
    if (model_.body_count() > 0) put("bodies:\n");
    for (const Body& b : model_.bodies()) {
      const std::string whose = "body \"" + b.name + '"';
      if (b.name == "ground") refuse(whose + ": the name is that of the inertial frame");
      put("  - name: {}\n    mass: {}\n", text(b.name, whose), b.mass);
      if (b.motion != BodyMotion::point) put("    inertia: {}\n", inertia(b.inertia));
      if (b.motion == BodyMotion::point) put("    motion: point\n");
      if (b.motion == BodyMotion::planar) put("    motion: planar\n    normal: {}\n", vector(b.normal));
      if (!same_bits(b.position, Vec3::Zero())) put("    position: {}\n", vector(b.position));
      const Quat& q = b.orientation;
      if (!(same_bits(q.w, 1.0) && same_bits(q.vec(), Vec3::Zero())))
        put("    orientation: [{}, {}, {}, {}]\n", q.w, q.x, q.y, q.z);
      if (!same_bits(b.velocity, Vec3::Zero())) put("    velocity: {}\n", vector(b.velocity));
      if (!same_bits(b.angular_velocity, Vec3::Zero()))
        put("    angular_velocity: {}\n", vector(b.angular_velocity));
      if (b.fixed) put("    fixed: true\n");
      if (b.shape.kind != BodyShape::Kind::none) put("    shape: {{{}}}\n", shape(b.shape));
    }
  }
  static std::string shape(const BodyShape& s) {
    if (s.kind == BodyShape::Kind::box) return "box: " + vector(s.edges);
    if (s.kind == BodyShape::Kind::sphere) return fmt::format("sphere: {}", s.radius);
    const char* const word = s.kind == BodyShape::Kind::cylinder ? "cylinder" : "capsule";
    return fmt::format("{}: {}, radius: {}, axis: {}", word, s.length, s.radius, "xyz"[s.axis]);
  }
  static std::string inertia(const Mat3& J) {
    const Vec3 moments{{J(0, 0), J(1, 1), J(2, 2)}};
    bool diagonal = true;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) diagonal = diagonal && (i == j || same_bits(J(i, j), 0.0));
    if (diagonal) return vector(moments);
    const auto row = [&](int i) { return vector(Vec3{{J(i, 0), J(i, 1), J(i, 2)}}); };
    return fmt::format("[{}, {}, {}]", row(0), row(1), row(2));
  }

  // The file's type of each pool, or null.
  void find_types() {
    for (const auto& owned : model_.pools()) {
      const ElementPool& pool = *owned;
      const std::type_index cpp = typeid(pool);
      const auto found = std::find_if(types_.begin(), types_.end(),
                                      [&](const ElementType& t) { return t.pool == cpp && t.make; });
      type_of_pool_.push_back(found == types_.end() ? nullptr : &*found);
    }
  }

  // A model makes its pools in the order in which types first appear, and the last bits of a run depend on that order.
  // Joints are written before forces where that keeps the order, else all in one list.
  void write_elements() {
    const auto &joints = model_.constraints(), &forces = model_.forces();
    int pools = 0;
    bool simple = true;
    for (const auto* list : {&joints, &forces})
      for (const Model::ElementRef& r : *list)
        if (r.pool >= pools) simple = simple && r.pool == pools++;
    std::size_t c = 0, f = 0;
    if (simple) {
      if (!joints.empty()) put("joints:\n");
      for (; c < joints.size(); ++c)
        write(joints[c], model_.constraint_label(ConstraintId{static_cast<int>(c)}));
      if (!forces.empty()) put("forces:\n");
      for (; f < forces.size(); ++f) write(forces[f], model_.force_label(ForceId{static_cast<int>(f)}));
      return;
    }
    put("elements:\n");
    for (pools = 0; c < joints.size() || f < forces.size();) {
      const bool joint = c < joints.size() && (joints[c].pool <= pools || f == forces.size());
      const Model::ElementRef& next = joint ? joints[c] : forces[f];
      if (next.pool >= pools) pools = next.pool + 1;
      write(next, joint ? model_.constraint_label(ConstraintId{static_cast<int>(c)})
                        : model_.force_label(ForceId{static_cast<int>(f)}));
      ++(joint ? c : f);
    }
  }

  // Writes the members of an element, one line each, and those of its functions in the same line.
  class Members final : public ElementVisitor {
   public:
    Members(Writer& writer, const std::string& label) : w_(writer), label_(label) {}
    void bodies(const OptionInfo& info, BodyId* bodies, int count) override {
      w_.put("    {}: [", info.name);
      for (int k = 0; k < count; ++k)
        w_.put("{}{}", k == 0 ? "" : ", ",
               bodies[k] == ground ? "ground" : w_.text(w_.model_.body(bodies[k]).name, label_));
      w_.put("]\n");
    }
    void real(const OptionInfo& info, double& value) override { put(info, value); }
    void integer(const OptionInfo& info, int& value) override { put(info, value); }
    void vector(const OptionInfo& info, Vec3& value) override { put(info, Writer::vector(value)); }
    void direction(const OptionInfo& info, Vec3& value) override { vector(info, value); }
    void flag(const OptionInfo& info, bool& value) override { put(info, value); }
    void text(const OptionInfo& info, std::string& value) override { put(info, w_.text(value, label_)); }
    void choice(const OptionInfo& info, int& value, const std::vector<std::string>& names) override {
      put(info, w_.text(names.at(static_cast<std::size_t>(value)), label_));
    }
    void square(const OptionInfo& info, double* value, int size) override {
      w_.put("    {}: [", info.name);
      for (int r = 0; r < size; ++r) {
        w_.put("{}[", r == 0 ? "" : ", ");
        for (int c = 0; c < size; ++c) w_.put("{}{}", c == 0 ? "" : ", ", value[r * size + c]);
        w_.put("]");
      }
      w_.put("]\n");
    }
    void numbers(const OptionInfo& info, std::vector<double>& values) override {
      std::string list;
      for (const double x : values) list += (list.empty() ? "" : ", ") + fmt::format("{}", x);
      put(info, '[' + list + ']');
    }
    void words(const OptionInfo& info, std::vector<std::string>& value,
               const std::vector<std::string>&) override {
      w_.put("    {}: [", info.name);
      for (std::size_t k = 0; k < value.size(); ++k)
        w_.put("{}{}", k == 0 ? "" : ", ", w_.text(value[k], label_));
      w_.put("]\n");
    }

    void joint_terms(const OptionInfo& info, std::vector<JointTerm>& value) override {
      w_.put("    {}: [", info.name);
      for (std::size_t k = 0; k < value.size(); ++k)
        w_.put("{}{{joint: {}, coordinate: {}, coefficient: {}}}", k == 0 ? "" : ", ",
               w_.text(w_.model_.constraint_name(value[k].joint), label_),
               value[k].coordinate == JointCoordinate::angle ? "angle" : "displacement",
               value[k].coefficient);
      w_.put("]\n");
    }

    void joint(const OptionInfo& info, ConstraintId& value) override {
      put(info, w_.text(w_.model_.constraint_name(value), label_));
    }
    void function(const OptionInfo& info, Function& value, const FunctionUnits& units) override {
      if (value.is_constant()) return put(info, value.at(0.0).value);
      if (*value.kind() == '\0') return w_.refuse(label_ + ": " + info.name + " is a function made in C++");
      w_.put("    {}: {{type: {}", info.name, value.kind());
      in_function_ = true;
      value.visited(*this, units);
      in_function_ = false;
      w_.put("}}\n");
    }

   private:
    template <class T>
    void put(const OptionInfo& info, const T& value) {
      if (in_function_)
        w_.put(", {}: {}", info.name, value);
      else
        w_.put("    {}: {}\n", info.name, value);
    }

    Writer& w_;
    const std::string& label_;
    bool in_function_ = false;
  };

  void write(const Model::ElementRef& r, const std::string& label) {
    const ElementType* type = type_of_pool_[static_cast<std::size_t>(r.pool)];
    const ElementPool& pool = *model_.pools()[static_cast<std::size_t>(r.pool)];
    if (type == nullptr)
      return refuse(label + ": the catalog has no such type with a listing of its members");
    put("  - type: {}\n", text(type->name, label));
    Members members(*this, label);
    pool.list_members(r.element, members);
  }

  void write_points(const FileNotes& notes) {
    if (!notes.points.empty()) put("points:\n");
    for (const FilePoint& p : notes.points)
      put("  - {{name: {}, body: {}, point: {}}}\n", text(p.name, "a point"),
          text(model_.body(BodyId{p.body}).name, "a point"), vector(p.point));
  }
  void write_run(const FileNotes& notes) {
    if (!notes.run.empty()) put("run:\n");
    for (const auto& [key, value] : notes.run) put("  {}: {}\n", key, value);
  }

  const Model& model_;
  const ElementTypes& types_;
  std::vector<const ElementType*> type_of_pool_;
  std::string out_, refusals_;
  int refused_ = 0;
};

}  // namespace

std::string write_model(const Model& model, const ElementTypes& types, const FileNotes& notes) {
  return Writer(model, types)(notes);
}

}  // namespace catena
