// Models out of texts, and models compared bit by bit.
#pragma once
#include <catena/builtin/builtin.hpp>
#include <catena/io/read_model.hpp>

#include <bit>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace catena::detail;

namespace catena_test {

inline const catena::ElementTypes& builtin_types() {
  static const catena::ElementTypes types = catena::builtin().element_types();
  return types;
}

// main.yaml and the files that it includes.
inline catena::ModelFile read_texts(const std::map<std::string, std::string>& texts,
                                    const catena::ElementTypes& types = builtin_types(),
                                    const catena::ReadLimits& limits = {}) {
  return catena::read_model_file(
      "main.yaml", types,
      [&](const std::string& path) {
        const auto found = texts.find(path);
        if (found == texts.end()) throw std::runtime_error("there is no such file");
        return found->second;
      },
      limits);
}
inline catena::ModelFile read_text(const std::string& text,
                                   const catena::ElementTypes& types = builtin_types()) {
  return read_texts({{"main.yaml", text}}, types);
}

// All complaints about a text, "" where there are none.
inline std::string complaints(const std::string& text) {
  try {
    read_text(text);
    return "";
  } catch (const catena::detail::ModelFileError& error) {
    return error.what();
  }
}

// Members of an element: names, and values to the bit.
class MemberBits final : public catena::ElementVisitor {
 public:
  std::vector<std::string> values;
  void bodies(const catena::OptionInfo& i, catena::BodyId* bodies, int count) override {
    for (int k = 0; k < count; ++k) add(i, std::to_string(static_cast<int>(bodies[k])));
  }
  void real(const catena::OptionInfo& i, double& v) override {
    add(i, std::to_string(std::bit_cast<std::uint64_t>(v)));
  }
  void integer(const catena::OptionInfo& i, int& v) override { add(i, std::to_string(v)); }
  void vector(const catena::OptionInfo& i, catena::Vec3& v) override {
    for (int k = 0; k < 3; ++k) real(i, v[k]);
  }
  void direction(const catena::OptionInfo& i, catena::Vec3& v) override { vector(i, v); }
  void flag(const catena::OptionInfo& i, bool& v) override { add(i, v ? "true" : "false"); }
  void text(const catena::OptionInfo& i, std::string& v) override { add(i, v); }
  void choice(const catena::OptionInfo& i, int& v, const std::vector<std::string>&) override {
    add(i, std::to_string(v));
  }

 private:
  void add(const catena::OptionInfo& i, const std::string& text) { values.push_back(i.name + ("=" + text)); }
};

// Everything that a model holds, to the bit.
inline std::vector<std::string> bits_of(const catena::Model& model) {
  MemberBits b;
  const auto put = [&](const char* name, double x) { b.real({name, "", ""}, x); };
  for (int k = 0; k < 3; ++k) put("gravity", model.gravity[k]);
  for (const catena::Body& body : model.bodies()) {
    b.values.push_back("body " + body.name + (body.fixed ? " fixed" : ""));
    put("mass", body.mass);
    for (int k = 0; k < 9; ++k) put("inertia", body.inertia[k]);
    const catena::Quat& q = body.orientation;
    for (const double x : {q.w, q.x, q.y, q.z}) put("orientation", x);
    for (int k = 0; k < 3; ++k) {
      put("position", body.position[k]);
      put("velocity", body.velocity[k]);
      put("angular_velocity", body.angular_velocity[k]);
    }
  }
  for (const auto* list : {&model.constraints(), &model.forces()})
    for (const catena::Model::ElementRef& r : *list) {
      const catena::detail::ElementPool& pool = *model.pools()[static_cast<std::size_t>(r.pool)];
      b.values.push_back(std::string(pool.type_name()) + " " + pool.name(r.element) + " in pool " +
                         std::to_string(r.pool) + " as " + std::to_string(r.element));
      if (!pool.list_members(r.element, b)) b.values.emplace_back("no listing");
      std::vector<double> parameters(static_cast<std::size_t>(pool.plan().parameters));
      pool.parameters(r.element, parameters.data());
      for (const double p : parameters) put("parameter", p);
    }
  return b.values;
}

}  // namespace catena_test
