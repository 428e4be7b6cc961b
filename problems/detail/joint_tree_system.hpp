// A JointTree behind the System contract, without constraints: q and v hold, link by link,
//
//   floating   q = (theta, x), v = (omega, V)         V of the centre of mass, both in the frame of the body;
//              plain: v = (theta', x')
//   ball       q = theta,      v = omega against the parent, frame of the body;  plain, replaced: v = theta'
//   hinge      q = angle,      v = its rate
//
// The mixed form is a Lie group that happens to be written down in angles: retract, difference, inverse_tangent and
// bracket are those of SO(3) and SE(3) and never meet the pole, so every implicit stepper of the library passes it
// unharmed. Explicit steppers integrate theta' = E^-1 omega (rate()), and there the pole is met as in the source.
#pragma once
#include <catena/problems/detail/joint_tree.hpp>
#include <catena/system/system.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace catena::detail {

// When an equation is exchanged near the pole. A condition is that of the joint's 3 x 3 block in 1-norm, divided by
// that of the same block for angular velocities: how much worse the angles make it, about 4 / sin^2 theta3.
struct PoleRule {
  enum class Test {
    sine,      // |sin theta3| <= epsilon, the source's test
    condition  // condition estimate >= limit
  };
  Test test = Test::condition;
  double epsilon = 1e-4;
  double limit_mass = 1e5;   // plain, replaced: of A = E^T J E, all bodies beyond the joint included
  double limit_rates = 1e7;  // mixed: of E^T E, which is what the kinematic equation inverts
  // Hysteresis, and memory in State::discrete. A joint that was near the pole at the end of the last step stays there
  // until the condition has fallen below release * limit. A replaced joint enters at the end of a step and is then
  // aimed at the pole (euler::aim_at_pole); before that only stages a hundred times beyond the limit are exchanged.
  // 1: no memory, the test is made at every stage by itself as in the source.
  double release = 0.5;
  // Plain form: a joint near the pole (a hundred times beyond the limit, or within epsilon) is reported as a singular
  // pivot under its name, instead of being integrated on with whatever the elimination leaves.
  bool refuse_plain = true;
};

class JointTreeSystem : public System {
 public:
  // Throws ModelError for a tree that makes no mechanism.
  JointTreeSystem(JointTree tree, PoleRule rule);

  const JointTree& tree() const { return tree_; }
  // Index of link i in State::q and State::v.
  int offset(int link) const { return offset_[static_cast<std::size_t>(link)]; }
  // The mass matrix of angles or rates in use, v_size x v_size, row by row.
  void mass_matrix(const Point& at, double* out) const;
  // What the rule compares with its limit: infinity where the block is singular, 1 for a hinge.
  double condition_estimate(const Point& at, int link) const;
  // Accelerations of the bodies for v' = at.a: of the centres of mass in the world frame [m/s^2], angular ones in the
  // frame of the body [rad/s^2]; one each per link.
  void body_accelerations(const Point& at, Vec3* linear, Vec3* angular) const;
  // Whether the equations of this joint at this point are those near the pole.
  bool near_pole(const Point& at, int link) const { return near_pole(at, link, false); }

  const SystemLayout& layout() const override { return layout_; }
  State initial_state() const override;
  void retract(const double* q, const double* delta, double* out) const override;
  void difference(const double* from, const double* to, double* out) const override;
  void inverse_tangent(const double* increment, const double* delta, double* out) const override;
  void bracket(const double* v, const double* w, double* out) const override;
  void evaluate(const Point& at, const Evaluation& wanted) const override;
  bool has_rate() const override { return has_rate_; }
  void rate(const Point& at, double* qdot) const override;
  bool update_discrete(State& state) const override;
  Energy energy(const Point& at) const override;
  std::optional<double> power(const Point& at) const override;  // of the motors
  std::string velocity_block_name(int primal) const override;
  std::string constraint_name(int dual) const override;
  std::vector<RigidBodyState> bodies(const State& state) const override;
  std::vector<std::string> body_names() const override;

  static constexpr int max_velocities = 6 + 3 * (JointTree::max_links - 1);

 private:
  using Flags = std::array<bool, JointTree::max_links>;
  template <class S>
  using Joints = std::array<JointPoint<S>, JointTree::max_links>;
  template <class S>
  using Links = std::array<LinkPoint<S>, JointTree::max_links>;

  int link_count() const { return static_cast<int>(tree_.links.size()); }
  const TreeLink& link(int i) const { return tree_.links[static_cast<std::size_t>(i)]; }
  bool remembers(int link) const;
  bool near_pole(const Point& at, int link, bool end_of_step) const;
  // Joints whose dynamics see the pole: plain and replaced ones near it.
  Flags poles(const Point& at) const;
  template <class S>
  JointPoint<S> joint_point(int i, const S* q, const S* v, const S* turn, bool held) const;
  Joints<double> joints(const Point& at, const Flags& held) const;
  void mass_matrix(const Joints<double>& joints, const Flags& poles, double* out) const;
  void balance(const Point& at, const Joints<double>& joints, const Flags& poles, double* out) const;
  void linearize(const Point& at, const Joints<double>& joints, const Flags& poles,
                 const Linearization& lin) const;
  void derivative_column(const Point& at, const Flags& poles, int column, bool by_q, double* out) const;
  void times_inverse_tangent(const double* increment, double* matrix) const;
  void empty_refused(const Flags& near, double* matrix) const;
  // (12) is in force.
  bool printed_equations(const Flags& poles) const;

  JointTree tree_;
  PoleRule rule_;
  SystemLayout layout_;
  std::vector<int> offset_, discrete_at_;
  std::vector<Quat> mount_;
  bool has_rate_ = false;
};

// The same mechanism in maximal coordinates is model_of() in joint_tree_model.hpp.

}  // namespace catena::detail
