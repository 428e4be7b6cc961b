// A program of a user's own: their stepper, joint, force and problem take part in every command.
#include <catena/cli/cli.hpp>
#include <catena/model/body.hpp>
#include <catena/stepper/simple_stepper.hpp>

using namespace catena;

// Semi-implicit Euler, projected.
class ProjectedEuler : public SimpleStepper {
  const Traits& traits() const override {
    static const Traits promises = [] {
      Traits t{.name = "projected_euler", .summary = "semi-implicit Euler, projected on all rows"};
      t.order_q = t.order_v = t.order_lambda = 1;
      t.position_residual = t.velocity_residual = t.acceleration_residual = true;
      t.velocity_constraints = true;
      return t;
    }();
    return promises;
  }
  KktReport advance(State& s, double h) override {
    for (std::size_t k = 0; k < s.v.size(); ++k) s.v[k] += h * s.a[k];
    move(s, s.v, h);
    s.t += h;
    return close(s);
  }
};

// A point of the second body stays on a line of the first, along its x axis.
struct BeadOnWire {
  static constexpr int rows = 2;
  static constexpr const char* type_name = "bead_on_wire";
  std::array<BodyId, 2> bodies;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  std::string name = {};
  template <class S>
  Vec<S, 2> gap(const BodyFrame<S>& A, const BodyFrame<S>& B, const S&) const {
    const Vec<S, 3> d = transpose_times(A.R, B.point(point_b) - A.point(point_a));
    return {{d[1], d[2]}};
  }
};
// The listing of its members: for catena list, and for model files.
void visit(ElementVisitor& v, BeadOnWire& e) {
  v.bodies({"bodies", "", "the body with the line, and the body with the point"}, e.bodies.data(), 2);
  v.vector({"point_a", "m", "a point of the line, frame of the first body"}, e.point_a);
  v.vector({"point_b", "m", "the point, frame of the second body"}, e.point_b);
  v.text({"name", "", "for messages and results"}, e.name);
}

// Drag in proportion to the velocity of the centre of mass.
struct Drag {
  static constexpr const char* type_name = "drag";
  std::array<BodyId, 1> bodies;
  double coefficient = 0.0;  // [N s/m]
  std::string name = {};
  template <class S>
  Vec<S, 6> wrench(const BodyFrame<S>& A, const S&) const {
    const Vec<S, 3> f = S(-coefficient) * A.v;
    return {{f[0], f[1], f[2], S(0.0), S(0.0), S(0.0)}};
  }
};
void visit(ElementVisitor& v, Drag& e) {
  v.bodies({"bodies", "", "the body that is held back"}, e.bodies.data(), 1);
  v.real({"coefficient", "N s/m", "force by velocity", 0.0}, e.coefficient);
  v.text({"name", "", "for messages and results"}, e.name);
}

// A bar slides down a wire by its end.
class Zipline : public Problem {
 public:
  std::string summary() const override { return "a bar that hangs on a wire and slides"; }
  void visit(OptionVisitor& v) override { v.real({"drag", "N s/m", "of the bar", 0.0, 100.0}, drag_); }
  Model model() const override {
    Model m;
    m.gravity = {{0.6, 0.0, -9.81}};  // the wire falls by 6 cm a metre, and x is along it
    const BodyId bar = m.add(Body{.name = "bar",
                                  .mass = 2.0,
                                  .inertia = box_inertia(2.0, {{0.05, 0.05, 1.0}}),
                                  .position = {{0.0, 0.0, -0.5}}});
    m.add(BeadOnWire{.bodies = {ground, bar}, .point_b = {{0.0, 0.0, 0.5}}, .name = "pulley"});
    m.add(Drag{.bodies = {bar}, .coefficient = drag_, .name = "air"});
    return m;
  }
  ProblemDefaults defaults() const override { return {"projected_euler", 1e-3, 1.0}; }

 private:
  double drag_ = 0.5;
};

int main(int argc, char** argv) {
  auto catalog = builtin();
  catalog.add<ProjectedEuler>("projected_euler");
  catalog.add<BeadOnWire>("bead_on_wire");
  catalog.add<Drag>("drag");
  catalog.add<Zipline>("zipline");
  return cli(argc, argv, catalog);
}
