#include <catena/math/detail/crc64.hpp>
#include <catena/model/detail/element_digest.hpp>
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/element_listing.hpp>

#include <string>
#include <type_traits>
#include <vector>

namespace catena::detail {
namespace {

// Every value with the name of its member; numbers as their bits.
class MemberDigest final : public ElementVisitor {
 public:
  explicit MemberDigest(Crc64& crc) : crc_(crc) {}
  void real(const OptionInfo& info, double& value) override { put(info, value); }
  void integer(const OptionInfo& info, int& value) override { put(info, value); }
  void flag(const OptionInfo& info, bool& value) override { put(info, value); }
  void text(const OptionInfo& info, std::string& value) override { put(info, value); }
  void choice(const OptionInfo& info, int& value, const std::vector<std::string>&) override {
    put(info, value);
  }
  void bodies(const OptionInfo& info, BodyId* bodies, int count) override {
    for (int k = 0; k < count; ++k) put(info, static_cast<int>(bodies[k]));
  }
  void vector(const OptionInfo& info, Vec3& value) override {
    for (const double x : value.e) put(info, x);
  }
  void direction(const OptionInfo& info, Vec3& value) override { vector(info, value); }
  void square(const OptionInfo& info, double* value, int size) override {
    for (int k = 0; k < size * size; ++k) put(info, value[k]);
  }
  void numbers(const OptionInfo& info, std::vector<double>& values) override {
    for (const double x : values) put(info, x);
  }
  void words(const OptionInfo& info, std::vector<std::string>& value,
             const std::vector<std::string>&) override {
    for (const std::string& word : value) put(info, word);
  }
  void joint_terms(const OptionInfo& info, std::vector<JointTerm>& value) override {
    for (const JointTerm& term : value) {
      put(info, static_cast<int>(term.joint));
      put(info, static_cast<int>(term.coordinate));
      put(info, term.coefficient);
    }
  }
  void joint(const OptionInfo& info, ConstraintId& value) override { put(info, static_cast<int>(value)); }
  void function(const OptionInfo& info, Function& value, const FunctionUnits&) override {
    put(info, std::string(value.kind()));
    if (*value.kind() != '\0') {
      value.visited(*this, {});
      return;
    }
    // Of a function made in C++ nothing is known but its values.
    for (const double x : {0.0, 1e-3, 0.0317, 0.1, 0.3141, 0.7071, 1.0, 2.7182, 10.1, 99.3}) {
      const FunctionValue u = value.at(x);
      for (double y : {u.value, u.slope, u.curvature}) put(info, y);
    }
  }

 private:
  template <class T>
  void put(const OptionInfo& info, const T& value) {
    crc_.add(info.name + std::string("="));
    if constexpr (std::is_same_v<T, std::string>)
      crc_.add(value + '\n');
    else
      crc_.add(&value, sizeof value);
  }
  Crc64& crc_;
};

}  // namespace

std::uint64_t element_digest(const Model& model) {
  Crc64 crc;
  std::vector<double> parameters;
  for (const std::vector<Model::ElementRef>* elements : {&model.constraints(), &model.forces()})
    for (const Model::ElementRef& at : *elements) {
      const ElementPool& pool = *model.pools()[static_cast<std::size_t>(at.pool)];
      crc.add(pool.type_name() + (' ' + pool.name(at.element)) + '\n');
      for (int i = 0; i < pool.bodies(); ++i) {
        const int body = static_cast<int>(pool.body(at.element, i));
        crc.add(&body, sizeof body);
      }
      parameters.assign(static_cast<std::size_t>(pool.plan().parameters), 0.0);
      pool.parameters(at.element, parameters.data());
      crc.add(parameters.data(), parameters.size() * sizeof(double));
      MemberDigest members(crc);
      pool.list_members(at.element, members);
    }
  return crc.value();
}

}  // namespace catena::detail
