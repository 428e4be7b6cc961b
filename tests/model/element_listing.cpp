// The listings of constraints and forces: complete, and what the checks of the numbers follow.
#include <catena/model/joints.hpp>
#include <catena/model/model.hpp>
#include <catena/model/parts/point_force.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/model/parts/torque.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

using namespace catena;
using namespace catena::detail;

// Converts to whatever a member wants: as many of them as an aggregate takes is how many members it has.
struct Anything {
  template <class T>
  operator T() const;
};
template <class E, class... Values>
constexpr int member_count() {
  if constexpr (requires { E{Values{}..., Anything{}}; })
    return member_count<E, Values..., Anything>();
  else
    return static_cast<int>(sizeof...(Values));
}

// Of a joint between markers: directions that its rows do not read are members without a value.
template <class E>
constexpr int absent_members() {
  if constexpr (requires { E::reads; })
    return (E::reads.axis_a ? 0 : 1) + (E::reads.axis_b ? 0 : 1) + (E::reads.sides ? 0 : 2);
  else
    return 0;
}

// Changes every listed member, and remembers the names.
class Changer final : public ElementVisitor {
 public:
  std::set<std::string> names;
  std::set<const void*> places;
  void bodies(const OptionInfo& i, BodyId* b, int count) override {
    see(i, b);
    for (int k = 0; k < count; ++k) b[k] = BodyId{7 + k};
  }
  void vector(const OptionInfo& i, Vec3& x) override { see(i, &x), x = {{1.5, 2.5, 3.5}}; }
  void direction(const OptionInfo& i, Vec3& x) override { see(i, &x), x = {{0.5, 0.25, 4.0}}; }
  void real(const OptionInfo& i, double& x) override {
    see(i, &x), x += 17.0;
    CHECK(i.holds(x));
  }
  void integer(const OptionInfo& i, int& x) override { see(i, &x), x += 1; }
  void flag(const OptionInfo& i, bool& x) override { see(i, &x), x = !x; }
  void text(const OptionInfo& i, std::string& x) override { see(i, &x), x = "changed"; }
  void choice(const OptionInfo& i, int& x, const std::vector<std::string>& all) override {
    see(i, nullptr);
    REQUIRE(all.size() > 1);
    x = (x + 1) % static_cast<int>(all.size());
  }

 private:
  void see(const OptionInfo& i, const void* place) {
    CHECK(names.insert(i.name).second);
    if (place != nullptr) CHECK(places.insert(place).second);
    CHECK(std::string(i.meaning) != "");
  }
};

template <class E>
void check_listing() {
  CAPTURE(E::type_name);
  E element{};
  Changer changer;
  visit(changer, element);
  CHECK(static_cast<int>(changer.names.size()) == member_count<E>() - absent_members<E>());
  for (const void* place : changer.places) {
    const auto* at = static_cast<const char*>(place);
    const auto* begin = reinterpret_cast<const char*>(&element);
    CHECK((at >= begin && at < begin + sizeof(E)));
  }
  CHECK(element.name == "changed");
  CHECK(element.bodies.front() == BodyId{7});
  CHECK(element_defect(element).empty());
}

// Two parameters of a user's own, one of them listed with a range that zero is not in.
struct Muscle {
  std::array<BodyId, 1> bodies;
  double strength = 0.0;
  int fibres = 4;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    return S(strength) * Vec<S, 6>::Unit(0);
  }
  std::string defect() const { return fibres == 13 ? "thirteen fibres" : ""; }
};
void visit(ElementVisitor& v, Muscle& m) {
  v.real({"strength", "N", "at rest", -2.0, 5.0, true}, m.strength);
  v.integer({"fibres", "1", "how many", 1, 100}, m.fibres);
}

}  // namespace

TEST_CASE("counting members of an aggregate counts every one, arrays as one") {
  struct Three {
    std::array<BodyId, 2> bodies;
    double x = 0.0;
    std::string name;
  };
  CHECK(member_count<Three>() == 3);
}

TEST_CASE("listings of constraints and forces have every member of the struct, each once") {
  check_listing<SphericalJoint>();
  check_listing<RevoluteJoint>();
  check_listing<PointOnLineJoint>();
  check_listing<DistanceConstraint>();
  check_listing<KnifeEdge>();
  check_listing<DiscContact>();
  check_listing<RollingDisc>();
  check_listing<SpringDamper>();
  check_listing<PointForce>();
  check_listing<Torque>();
}

TEST_CASE("a user's element is refused by its listing first, then by its own defect()") {
  Model model;
  const BodyId body = model.add(Body{});
  const auto add = [&](double strength, int fibres) { model.add(Muscle{{body}, strength, fibres}); };
  add(-1.9, 1);
  CHECK_THROWS_WITH_AS(add(-2.0, 1), R"(force "force 1" (force): strength must be above -2, is -2)",
                       ModelError);
  CHECK_THROWS_WITH_AS(add(6.0, 1), R"(force "force 1" (force): strength must be at most 5, is 6)",
                       ModelError);
  CHECK_THROWS_WITH_AS(add(1.0, 0), R"(force "force 1" (force): fibres must be at least 1, is 0)",
                       ModelError);
  CHECK_THROWS_WITH_AS(add(1.0, 13), R"(force "force 1" (force): thirteen fibres)", ModelError);
}
