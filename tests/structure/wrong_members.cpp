// Users' types with members that the library would ignore, and right ones beside them. wrong_members.py compiles this file and
// expects one error for each line "expected:", with its sentence, and no other.
#include <catena/model/model.hpp>
#include <catena/system/coordinate_system.hpp>

#include <array>
#include <string>

using namespace catena;

namespace {

using Frame = BodyFrame<double>;

struct Point {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S&) const {
    return {{A.x[0]}};
  }
};
struct Load {
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&) const {
    return Vec<S, 6>::Zero();
  }
};
struct Driven {
  static constexpr int discrete = 1;
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>&, const S&, const double*) const {
    return Vec<S, 6>::Zero();
  }
};

// expected: the signature of jacobian must be: void jacobian(const BodyFrame<S>* f, const S& t, Mat<S, rows, 6>* G) const
struct JacobianByReference : Point {
  void jacobian(const Frame*, double, Mat<double, 1, 6>&) const {}
};
// expected: the signature of drift must be: Vec<S, rows> drift(
struct DriftWithoutTime : Point {
  template <class S>
  Vec<S, 1> drift(const BodyFrame<S>*) const;
};
// expected: the signature of bias must be: Vec<S, rows> bias(
struct BiasOfFrame : Point {
  Vec<double, 1> bias(const Frame&, double) const;
};
// expected: the signature of rate_jacobian must be: void rate_jacobian(
struct RateJacobianNotConst : Point {
  void rate_jacobian(const Frame*, double, Mat<double, 1, 6>*);
};
// expected: the signature of geometric_stiffness must be: void geometric_stiffness(
struct StiffnessWithoutMultipliers : Point {
  void geometric_stiffness(const Frame*, double, Mat<double, 6, 6>*) const;
};
// expected: the signature of defect_at must be: std::string defect_at(
struct DefectAtOfFrame final : Point {
  std::string defect_at(const Frame&, double) const;
};
// expected: the signature of placed must be: void placed(
struct PlacedOfFrame : Point {
  void placed(const Frame&);
};
// expected: a type with initial_discrete or follow declares: static constexpr int discrete
struct FollowWithoutDiscrete : Point {
  void follow(const Frame*, double*) const;
};
// expected: joins is static constexpr std::array joins{
struct JoinsTwoOfOne : Point {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero();
  static constexpr std::array joins{&JoinsTwoOfOne::a, &JoinsTwoOfOne::b};
};
// expected: the signature of gap must be: template <class S> Vec<S, rows> gap(
struct GapWithoutTime {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>&) const;
};
// expected: a constraint with rate in place of gap declares: static constexpr Level level = Level::velocity
struct RateWithoutLevel {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 1> rate(const BodyFrame<S>&, const S&) const;
};
// expected: a constraint, which has gap or rate, declares: static constexpr int rows
struct WithoutRows {
  std::array<BodyId, 1> bodies{};
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>&, const S&) const;
};
// expected: the signature of wrench must be: template <class S> Vec<S, 6> wrench(
struct WrenchOfFrames {
  std::array<BodyId, 1> bodies{};
  Vec<double, 6> wrench(const Frame*, double) const;
};
// expected: neither a constraint (static constexpr int rows
struct Neither {
  std::array<BodyId, 1> bodies{};
};
// expected: a constraint or force needs the member std::array<BodyId, N> bodies
struct WithoutBodies {
  static constexpr int rows = 1;
};
// expected: the signature of potential must be: S potential(
struct PotentialOfFrames : Load {
  double potential(const Frame*, double) const;
};
// expected: the signature of derivatives must be: void derivatives(
struct DerivativesInOne : Load {
  void derivatives(const Frame*, double, Mat<double, 6, 6>*) const;
};
// expected: does_work is a function: bool does_work() const
struct WorkAsData : Load {
  static constexpr bool does_work = false;
};
// expected: the signature of potential must be: S potential(
struct PotentialWithoutDiscrete : Driven {
  double potential(const Frame&, double) const;
};
// expected: the signature of initial_discrete must be: std::array<double, discrete> initial_discrete() const
struct InitialNotConst : Driven {
  std::array<double, 1> initial_discrete();
};
// expected: the signature of follow must be: void follow(
struct FollowOfFrame : Driven {
  void follow(const Frame&, double*) const;
};

// Right ones.
struct Spring : Load {
  double potential(const Frame&, double) const { return 0.0; }
  double potential(const Frame*) const { return 0.0; }  // one of its own beside the one that is meant
};
struct Named : Load {
  double potential = 0.0;
  int derivatives : 3 = 0;
  static constexpr auto trouble_near = [](auto) { return 0; };
  struct jumped {};
};
class Hidden : public Load {
 public:
  Hidden() = default;

 private:
  double defect = 0.0;
  double potential(double) const;
};
struct Sealed final {
  static constexpr int rows = 1;
  std::array<BodyId, 1> bodies{};
  double rate = 1.0, drift = 2.0, follow = 3.0;
  template <class S>
  Vec<S, 1> gap(const BodyFrame<S>& A, const S& t) const {
    return {{A.x[0] - S(rate) * t}};
  }
  static Vec<double, 1> bias(const Frame*, double) { return Vec<double, 1>::Zero(); }
};
struct Any : Point {
  Vec<double, 1> bias(const auto*, auto) const { return Vec<double, 1>::Zero(); }
};

template <class... E>
void add(Model& model) {
  (model.add(E{}), ...);
}

struct Bead {
  static constexpr int coordinates = 2;
  template <class S>
  Mat<S, 2, 2> mass(const Vec<S, 2>&) const {
    return Mat<S, 2, 2>::Identity();
  }
  template <class S>
  Vec<S, 2> force(const Vec<S, 2>&, const Vec<S, 2>&, const S&) const {
    return Vec<S, 2>::Zero();
  }
};
// expected: the signature of gap must be: template <class S> Vec<S, R> gap(
struct BeadWithoutTime : Bead {
  template <class S>
  Vec<S, 1> gap(const Vec<S, 2>&) const;
};
// expected: the signature of gap must be: template <class S> Vec<S, R> gap(
struct BeadByScalar : Bead {
  template <class S>
  S gap(const Vec<S, 2>&, const S&) const;
};
// expected: the signature of velocity_rows must be: template <class S> Mat<S, R, n> velocity_rows(
struct VelocityRowsNotConst : Bead {
  template <class S>
  Mat<S, 1, 2> velocity_rows(const Vec<S, 2>&, const S&);
};
// expected: the signature of velocity_bias must be: template <class S> Vec<S, R> velocity_bias(
struct BiasOfDouble : Bead {
  template <class S>
  Mat<S, 1, 2> velocity_rows(const Vec<S, 2>&, const S&) const {
    return Mat<S, 1, 2>::Zero();
  }
  Vec<double, 1> velocity_bias(const Vec<double, 2>&, double) const { return {{1.0}}; }
};
// expected: the signature of potential must be: template <class S> S potential(const Vec<S, n>& q) const
struct PotentialOfTime : Bead {
  template <class S>
  S potential(const Vec<S, 2>&, const S&) const;
};
// expected: the signature of force_derivatives must be: void force_derivatives(
struct DerivativesWithoutTime : Bead {
  void force_derivatives(const Vec<double, 2>&, const Vec<double, 2>&, Mat<double, 2, 2>&,
                         Mat<double, 2, 2>&) const;
};
// expected: the signature of gap_jacobian must be: Mat<double, R, n> gap_jacobian(
struct JacobianWithoutTime : Bead {
  Mat<double, 1, 2> gap_jacobian(const Vec<double, 2>&) const;
};
// expected: the signature of bodies must be: std::vector<RigidBodyState> bodies(
struct BodiesWithoutVelocities : Bead {
  std::vector<RigidBodyState> bodies(const Vec<double, 2>&) const;
};
// expected: a type with initial_discrete declares: static constexpr int discrete
struct InitialWithoutDiscrete : Bead {
  Vec<double, 1> initial_discrete() const;
};
struct RightBead : Bead {
  double potential(const Vec<double, 2>&) const { return 0.0; }
  double bodies = 1.0, gap = 2.0;
};

template <class... D>
void make() {
  (static_cast<void>(CoordinateSystem<D>(D{})), ...);
}

}  // namespace

int main() {
  Model model;
  add<JacobianByReference, DriftWithoutTime, BiasOfFrame, RateJacobianNotConst, StiffnessWithoutMultipliers,
      DefectAtOfFrame, PlacedOfFrame, FollowWithoutDiscrete, JoinsTwoOfOne, GapWithoutTime, RateWithoutLevel,
      WithoutRows, WrenchOfFrames, Neither, WithoutBodies, PotentialOfFrames, DerivativesInOne, WorkAsData,
      PotentialWithoutDiscrete, InitialNotConst, FollowOfFrame>(model);
  add<Spring, Named, Hidden, Sealed, Any>(model);
  make<BeadWithoutTime, BeadByScalar, VelocityRowsNotConst, BiasOfDouble, PotentialOfTime,
       DerivativesWithoutTime, JacobianWithoutTime, BodiesWithoutVelocities, InitialWithoutDiscrete,
       RightBead>();
}
