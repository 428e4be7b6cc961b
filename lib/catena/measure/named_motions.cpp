#include <catena/math/detail/index.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/joint_stiffness.hpp>
#include <catena/measure/detail/named_motions.hpp>
#include <catena/measure/parts/joint_coordinates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

// Of the largest velocity of the motions; below it is what a projection with a proximal term of 1e-12 leaves.
constexpr double still = 1e-6;

std::string quoted(const std::string& label) {
  const std::string name = plain_name(label);
  return name == label ? label : "\"" + name + "\"";
}

// 'z', or '(0, 0.6, 0.8)'.
std::string in_words(Vec3 d) {
  for (int k = 0; k < 3; ++k) {
    if (std::abs(d[k]) > 1.0 - 1e-9) return std::string(1, static_cast<char>('x' + k));
    if (std::abs(d[k]) < 5e-4) d[k] = 0.0;
  }
  return printed("(%.3g, %.3g, %.3g)", d[0], d[1], d[2]);
}

std::string place(Vec3 p, double length) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(p[k]) < 1e-6 * length) p[k] = 0.0;
  return printed("(%.3g, %.3g, %.3g)", p[0], p[1], p[2]);
}

class Naming {
 public:
  Naming(const MultibodySystem& system, const State& state, std::vector<std::vector<double>> motions)
      : system_(system), state_(state), motions_(std::move(motions)) {
    for (const double s : system.layout().scale) length_ = std::max(length_, s);
    for (int c = 0; c < static_cast<int>(system.model().constraints().size()); ++c)
      if (const std::optional<MarkedJoint> joint = marked_joint(system.model(), ConstraintId{c}))
        joints_.push_back(*joint);
    for (const MarkedJoint& joint : joints_) find_coordinates(joint);
  }

  std::vector<NamedMotion> operator()() {
    reduce();
    std::vector<NamedMotion> named;
    for (std::size_t k = 0; k < motions_.size(); ++k) named.push_back(in_names(k));
    return named;
  }

 private:
  // An angle or a displacement that a joint leaves free: a linear function of velocities.
  struct Coordinate {
    MarkedJoint joint;
    bool turns = false;
  };
  struct Twist {
    Vec3 at_point, spin;  // of the second body against the first, in axes of the first marker
  };

  RigidBodyState moving(BodyId body, const std::vector<double>& v) const {
    RigidBodyState b = system_.body_state(state_, body);
    const std::array<double, 6> six = system_.six(body, v.data());
    for (int k = 0; k < 3; ++k) {
      b.velocity[k] = six[index(k)];
      b.angular_velocity[k] = six[index(3 + k)];
    }
    return b;
  }

  Twist twist(const MarkedJoint& joint, const std::vector<double>& v) const {
    const RigidBodyState a = moving(joint.body_a, v), b = moving(joint.body_b, v);
    const Mat3 A = rotation_matrix(a.orientation), B = rotation_matrix(b.orientation);
    const Vec3 W_a = A * a.angular_velocity, W_b = B * b.angular_velocity, arm = B * joint.point_b;
    const Vec3 relative =
        b.velocity + cross(W_b, arm) - a.velocity - cross(W_a, b.position + arm - a.position);
    const Mat3 triad = A * joint.triad_a;
    return {transpose_times(triad, relative), transpose_times(triad, W_b - W_a)};
  }

  // Those about or along the axis alone, in all motions.
  void find_coordinates(const MarkedJoint& joint) {
    double across_turn = 0.0, across_slide = 0.0, turn = 0.0, slide = 0.0;
    for (const std::vector<double>& v : motions_) {
      const Twist t = twist(joint, v);
      across_turn = std::max({across_turn, std::abs(t.spin[0]), std::abs(t.spin[1])});
      across_slide = std::max({across_slide, std::abs(t.at_point[0]), std::abs(t.at_point[1])});
      turn = std::max(turn, std::abs(t.spin[2]));
      slide = std::max(slide, std::abs(t.at_point[2]));
    }
    if (across_turn > still || across_slide > still * length_) return;
    if (turn > still) coordinates_.push_back({joint, true});
    if (slide > still * length_) coordinates_.push_back({joint, false});
  }

  double rate(const Coordinate& c, const std::vector<double>& v) const {
    const Twist t = twist(c.joint, v);
    return c.turns ? t.spin[2] : t.at_point[2];
  }

  // Each motion gets a coordinate, or a component of a velocity, that is 1 in it and 0 in all others.
  void reduce() {
    const std::vector<double>& scale = system_.layout().scale;
    const std::size_t count = motions_.size(), coordinates = coordinates_.size();
    lead_.assign(count, -1);
    const auto value = [&](std::size_t c, const std::vector<double>& v) {
      return c < coordinates ? rate(coordinates_[c], v) : v[c - coordinates];
    };
    const auto size = [&](std::size_t c, const std::vector<double>& v) {
      const double unit = c >= coordinates ? scale[c - coordinates] : coordinates_[c].turns ? 1.0 : length_;
      return std::abs(value(c, v)) / unit;
    };
    constexpr double enough = 0.1;  // of the largest: a pivot as good as any, so that the first joints lead
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t lead = 0, row = k;
      for (const bool joints : {true, false}) {
        const std::size_t begin = joints ? 0 : coordinates,
                          end = joints ? coordinates : coordinates + scale.size();
        double most = 0.0;
        for (std::size_t c = begin; c < end; ++c)
          for (std::size_t r = k; r < count; ++r) most = std::max(most, size(c, motions_[r]));
        if (joints && !(most > still)) continue;
        double best = 0.0;
        for (std::size_t c = begin; c < end && best < enough * most; ++c) {
          best = 0.0;
          for (std::size_t r = k; r < count; ++r)
            if (const double s = size(c, motions_[r]); s > best) best = s, row = r, lead = c;
        }
        break;
      }
      std::swap(motions_[k], motions_[row]);
      lead_[k] = lead < coordinates ? static_cast<int>(lead) : -1;
      const double by = value(lead, motions_[k]);
      for (double& x : motions_[k]) x /= by;
      for (std::size_t r = 0; r < count; ++r) {
        if (r == k) continue;
        const double part = value(lead, motions_[r]);
        for (std::size_t i = 0; i < motions_[r].size(); ++i) motions_[r][i] -= part * motions_[k][i];
      }
    }
  }

  NamedMotion in_names(std::size_t k) const {
    NamedMotion motion;
    const std::vector<double>& v = motions_[k];
    double largest = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i)
      largest = std::max(largest, std::abs(v[i]) / system_.layout().scale[i]);
    for (std::size_t c = 0; c < coordinates_.size(); ++c) {
      const double r = rate(coordinates_[c], v);
      if (std::abs(r) <= still * largest * (coordinates_[c].turns ? 1.0 : length_)) continue;
      NamedMotion::Joint joint{quoted(system_.constraint_name(coordinates_[c].joint.constraint)),
                               coordinates_[c].turns, r};
      const bool leads = static_cast<int>(c) == lead_[k];
      motion.joints.insert(leads ? motion.joints.begin() : motion.joints.end(), std::move(joint));
    }
    for (int b = 0; b < system_.model().body_count(); ++b) {
      const std::string how = movement(BodyId{b}, v, still * largest);
      if (!how.empty()) motion.bodies.push_back({"\"" + system_.model().body(BodyId{b}).name + "\"", how});
    }
    return motion;
  }

  // Empty: it is at rest.
  std::string movement(BodyId body, const std::vector<double>& v, double none) const {
    const int o = system_.v_offset(body);
    if (o < 0) return {};
    const RigidBodyState b = moving(body, v);
    const double size = system_.layout().scale[index(o)];
    const Vec3 spin = rotation_matrix(b.orientation) * b.angular_velocity;
    const double turn = norm(spin), speed = norm(b.velocity);
    if (turn <= none && speed <= none * size) return {};
    const bool shift = turn * size <= still * speed;
    Vec3 d = shift ? (1.0 / speed) * b.velocity : (1.0 / turn) * spin;
    int largest = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(d[k]) > 1.001 * std::abs(d[largest])) largest = k;
    const double sign = std::copysign(1.0, d[largest]);
    d = sign * d;
    if (shift) return "moves along " + in_words(d) + printed(", %.3g m/s", sign * speed);
    const Vec3 axis = b.position + (sign / turn) * cross(d, b.velocity);
    const double along = dot(d, b.velocity);
    std::string text =
        "turns about " + in_words(d) + where(body, axis, d) + printed(", %.3g rad/s", sign * turn);
    if (std::abs(along) > still * std::max(speed, turn * size))
      text += printed(", and moves %.3g m/s along it", along);
    return text;
  }

  // By a joint on the axis, else by a point of it.
  std::string where(BodyId body, const Vec3& axis, const Vec3& d) const {
    for (const MarkedJoint& joint : joints_) {
      if (joint.body_a != body && joint.body_b != body) continue;
      const RigidBodyState b = system_.body_state(state_, joint.body_b);
      const Vec3 point = b.position + rotation_matrix(b.orientation) * joint.point_b;
      if (norm(cross(point - axis, d)) < still * length_)
        return " at " + quoted(system_.constraint_name(joint.constraint));
    }
    return " through " + place(axis, length_);
  }

  const MultibodySystem& system_;
  const State& state_;
  std::vector<std::vector<double>> motions_;
  std::vector<MarkedJoint> joints_;
  std::vector<Coordinate> coordinates_;
  std::vector<int> lead_;  // of coordinates_; -1: a component of a velocity
  double length_ = 0.0;
};

std::string more(std::size_t all, std::size_t shown) {
  return all > shown ? printed(" and %zu more", all - shown) : "";
}

}  // namespace

std::vector<NamedMotion> named_motions(const MultibodySystem& system, FactoredRows& rows, int count) {
  return Naming(system, rows.state(), allowed_motions(rows, count))();
}

std::string joints_in_words(const NamedMotion& motion, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, motion.joints.size()); ++k) {
    const NamedMotion::Joint& joint = motion.joints[k];
    text += (k == 0 ? "" : ", ") + joint.name +
            printed(joint.turns ? " turns %.3g rad/s" : " slides %.3g m/s", joint.rate);
  }
  return text + more(motion.joints.size(), most);
}

std::string bodies_in_words(const NamedMotion& motion, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, motion.bodies.size()); ++k)
    text += (k == 0 ? "" : "; ") + motion.bodies[k].name + " " + motion.bodies[k].how;
  return text + (text.empty() ? "" : more(motion.bodies.size(), most));
}

}  // namespace catena::detail
