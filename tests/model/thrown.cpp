// What a member of a user's constraint or force throws while it is added has the name of the element.
#include <catena/model/model.hpp>

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <string>

namespace thrown_tests {

using namespace catena;

namespace {

struct Table {
  std::array<BodyId, 1> bodies;
  std::string name = {};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    throw std::out_of_range("beyond the table");
  }
};
struct Curve {
  static constexpr int rows = 1;
  static constexpr const char* type_name = "curve";
  std::array<BodyId, 1> bodies;
  bool refuses = false;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[0]}};
  }
  void placed(const BodyFrame<double>*) {
    if (refuses) throw ModelError("curve: no such point");
    throw 1;
  }
};

template <class E>
std::string thrown(const E& element) {
  Model model;
  model.add(Body{});
  std::string text;
  try {
    model.add(element);
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  CHECK(model.forces().empty());
  CHECK(model.constraints().empty());
  return text;
}

}  // namespace

TEST_CASE("what a member throws while its constraint or force is added has the name of that") {
  CHECK(thrown(Table{{BodyId{0}}, "drag"}) == "force \"drag\" (force) threw an exception: beyond the table");
  CHECK(thrown(Curve{{BodyId{0}}}) ==
        "joint \"curve 0\" (curve) threw an exception: an exception without a text");
  CHECK(thrown(Curve{{BodyId{0}}, true}) == "curve: no such point");
}

}  // namespace thrown_tests
