// A problem of the audit alone: all that come with the library are autonomous, and a method that evaluates a force or a
// joint at the wrong instant would keep its order on them.
#include <catena/model/model.hpp>
#include <catena/problems/problems.hpp>
#include <catena/studies/audit.hpp>

#include <array>
#include <cmath>

namespace catena {
namespace {

// A force along x at the centre of mass: 20 N cos(9 t).
struct Push {
  static constexpr const char* type_name = "push";
  std::array<BodyId, 1> bodies;
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S& t) const {
    using std::cos;
    Vec<S, 6> w = Vec<S, 6>::Zero();
    w[0] = S(20.0) * cos(S(9.0) * t);
    return w;
  }
};

// A ball joint whose centre moves along x and z, at rest at t = 0.
struct MovedPivot {
  static constexpr int rows = 3;
  static constexpr const char* type_name = "moved_pivot";
  std::array<BodyId, 1> bodies;
  Vec3 point;  // body frame
  double amplitude = 0.0;
  template <class S>
  Vec<S, 3> gap(const BodyFrame<S>& A, const S& t) const {
    using std::cos;
    const S moved = S(amplitude) * (S(1.0) - cos(S(7.0) * t));
    const Vec<S, 3> at = A.point(point);
    return {{at[0] - moved, at[1], at[2] - S(0.5) * moved}};
  }
};

class DrivenArm : public Problem {
 public:
  std::string summary() const override { return "an arm on a ball joint, driven by a force or by its pivot"; }
  void visit(OptionVisitor& visitor) override {
    visitor.choice({"by", "", "what follows the time"}, by_, {"force", "pivot", "both"});
  }
  Model model() const override {
    Model model;
    model.gravity = {{0.0, -9.81, 0.0}};
    const BodyId arm = model.add(Body{.name = "arm",
                                      .mass = 1.5,
                                      .inertia = diagonal(Vec3{{0.05, 0.13, 0.11}}),
                                      .position = {{0.5, 0.0, 0.0}},
                                      .angular_velocity = Vec3::Zero()});
    model.add(MovedPivot{.bodies = {arm}, .point = {{-0.5, 0.0, 0.0}}, .amplitude = by_ == 0 ? 0.0 : 0.15});
    if (by_ != 1) model.add(Push{{arm}});
    return model;
  }
  ProblemDefaults defaults() const override { return {"generalized_alpha", 1e-3, 1.0}; }

 private:
  int by_ = 0;
};

}  // namespace

std::vector<ProblemEntry> audit_problems() {
  std::vector<ProblemEntry> all = builtin_problems();
  all.push_back({"driven_arm", [] { return std::make_unique<DrivenArm>(); }});
  return all;
}

}  // namespace catena
