// Newton's iteration inside a step of generalized_alpha: its matrix, its contraction, and what it ends with.
#include <catena/model/joints.hpp>
#include <catena/model/parts/spring_damper.hpp>
#include <catena/problems/heavy_top.hpp>
#include <catena/problems/helix_chain.hpp>
#include <catena/problems/straight_box_chain.hpp>
#include <catena/sparse/detail/block_ldl.hpp>

#include "solvers/generalized_alpha_support.hpp"
#include "support/fixture_joints.hpp"
#include "support/system_check.hpp"

namespace generalized_alpha_newton_tests {

using namespace catena::detail;

namespace {

using namespace catena_test::alpha;

Options exact(Index index, double tolerance = 1e-13) {
  Options o;
  o.index = index;
  o.newton = Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.engine.newton_tolerance = tolerance;
  return o;
}

HelixChain helix(int n) {
  HelixChainParameters p;
  p.n = n;
  return HelixChain(p);
}
StraightBoxChain boxes(int n) {
  StraightBoxChainParameters p;
  p.n = n;
  return StraightBoxChain(p);
}

// Ball joint, hinge and spring, everything turning.
Model pendulum_with_spring(bool skate) {
  Model model;
  model.gravity = {{0.0, 0.0, -9.81}};
  const Mat3 J = diagonal(Vec3{{0.1, 0.2, 0.25}});
  const BodyId a = model.add(Body{.mass = 1.5,
                                  .inertia = J,
                                  .position = {{0.5, 0.0, 0.0}},
                                  .velocity = {{0.0, 0.4, -0.3}},
                                  .angular_velocity = {{0.5, 0.6, 0.8}}});
  const BodyId b = model.add(
      Body{.mass = 0.7, .inertia = J, .position = {{1.5, 0.0, 0.0}}, .angular_velocity = {{0.2, 3.0, 0.8}}});
  model.add(SphericalJoint{.bodies = {ground, a}, .point_b = {{-0.5, 0.0, 0.0}}});
  model.add(RevoluteJoint{.bodies = {a, b},
                          .point_a = {{0.5, 0.0, 0.0}},
                          .point_b = {{-0.5, 0.0, 0.0}},
                          .axis_a = Vec3::Unit(1),
                          .axis_b = Vec3::Unit(1)});
  model.add(SpringDamper{.bodies = {ground, b},
                         .point_a = {{0.0, 1.0, 0.0}},
                         .point_b = {{0.2, 0.1, 0.0}},
                         .stiffness = 60.0,
                         .damping = 2.0,
                         .rest_length = 1.0});
  if (skate) {
    const BodyId c = model.add(Body{.mass = 0.9,
                                    .inertia = J,
                                    .position = {{0.0, 0.0, 2.0}},
                                    .velocity = {{1.0, 0.0, 0.0}},
                                    .angular_velocity = {{0.1, 0.2, 2.0}}});
    model.add(catena::fixture::KnifeEdge{.bodies = {c}, .point = {{0.1, 0.0, 0.0}}});
  }
  return model;
}

// The residual of the first step, written down once more from the formulas of the header, as a function of the
// unknowns of Newton: the perturbation of q at the predicted iterate over beta h^2, and lambda.
class StepResidual {
 public:
  // started: with start = consistent, so that a_0 = v'_0 and v_0 has no offset.
  StepResidual(const MultibodySystem& system, const State& started, double h, const Options& o)
      : system_(system), s_(started), h_(h), index_(o.index) {
    const double rho = o.rho_inf;
    alpha_m_ = (2 * rho - 1) / (1 + rho);
    alpha_f_ = rho / (1 + rho);
    beta_ = 0.25 * std::pow(1 - alpha_m_ + alpha_f_, 2);
    gamma_ = 0.5 - alpha_m_ + alpha_f_;
    const std::size_t n = s_.v.size();
    v_n_ = s_.v;
    a_n_ = s_.a;
    // Newton's unknown is a change of v', of which a changes by (1 - alpha_f) / (1 - alpha_m).
    unit_ = beta_ * h * h * (1 - alpha_f_) / (1 - alpha_m_);
    damping_ = gamma_ * h * (1 - alpha_f_) / (1 - alpha_m_);
    Vector xi(n);
    for (std::size_t k = 0; k < n; ++k) xi[k] = h * (v_n_[k] + 0.5 * h * a_n_[k]);
    predicted_ = s_.q;
    system.retract(s_.q.data(), xi.data(), predicted_.data());
  }
  double unit() const { return unit_; }

  Vector operator()(const Vector& unknown) const {
    const std::size_t n = s_.v.size(), m = s_.lambda.size();
    Vector delta(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(n)), lambda = s_.lambda;
    for (double& x : delta) x *= unit_;
    for (std::size_t k = 0; k < m; ++k) lambda[k] += unknown[n + k];
    Vector q = predicted_, xi(n), v(n), rate(n);
    system_.retract(predicted_.data(), delta.data(), q.data());
    system_.difference(s_.q.data(), q.data(), xi.data());
    for (std::size_t k = 0; k < n; ++k) {
      const double a = ((xi[k] / h_ - v_n_[k]) / h_ - (0.5 - beta_) * a_n_[k]) / beta_;
      v[k] = v_n_[k] + h_ * ((1 - gamma_) * a_n_[k] + gamma_ * a);
      rate[k] = ((1 - alpha_m_) * a + alpha_m_ * a_n_[k] - alpha_f_ * s_.a[k]) / (1 - alpha_f_);
    }
    Vector balance(n), position(m), velocity(m);
    Point at;
    at.t = s_.t + h_;
    at.q = q.data();
    at.v = v.data();
    at.a = rate.data();
    at.lambda = lambda.data();
    Evaluation wanted;
    wanted.balance = balance.data();
    wanted.position = position.data();
    wanted.velocity = velocity.data();
    system_.evaluate(at, wanted);
    const BlockPattern& p = *system_.layout().pattern;
    for (int d = 0; d < p.dual_count(); ++d) {
      const auto i = static_cast<std::size_t>(d);
      const bool of_position = index_ == Index::three && system_.layout().level[i] == Level::position;
      for (int r = 0; r < p.dual_size[i]; ++r) {
        const auto k = static_cast<std::size_t>(p.dual_offset[i] - p.primal_dimension + r);
        balance.push_back(of_position ? position[k] / unit_ : velocity[k] / damping_);
      }
    }
    return balance;
  }

 private:
  const MultibodySystem& system_;
  State s_;
  double h_, alpha_m_, alpha_f_, beta_, gamma_, unit_, damping_;
  Index index_;
  Vector v_n_, a_n_, predicted_;
};

// Keeps the matrix that it factorised and solved with last: Newton's. What looks at the step behind it only factorises.
class Keeping final : public LinearSolver {
 public:
  explicit Keeping(support::Dense& kept) : kept_(&kept) {}
  const char* name() const override { return "keeping"; }
  std::string analyze(std::shared_ptr<const BlockPattern> pattern, Border border,
                      const SolverOptions& options) override {
    return inner_->analyze(std::move(pattern), border, options);
  }
  std::unique_ptr<LinearSolver> clone_analysis() const override {
    auto other = std::make_unique<Keeping>(*kept_);
    other->inner_ = inner_->clone_analysis();
    return other;
  }
  FactorReport factorize(const BlockMatrix& matrix) override { return inner_->factorize(matrix); }
  void solve(double* x) override { inner_->solve(x); }
  void solve_transposed(double* x) override { inner_->solve_transposed(x); }
  FactorReport factorize_and_solve(const BlockMatrix& matrix, double* x) override {
    *kept_ = support::dense(matrix);
    return inner_->factorize_and_solve(matrix, x);
  }
  double factor_flops() const override { return inner_->factor_flops(); }
  std::size_t bytes() const override { return inner_->bytes(); }

 private:
  support::Dense* kept_;
  std::unique_ptr<LinearSolver> inner_ = std::make_unique<BlockLdl>();
};

// Largest difference between the matrix of the first step and differences of the residual, relative to the
// largest entry.
double matrix_error(const Model& model, double h, Options o) {
  o.engine.newton_tolerance = 1e6;  // one iteration, so that the matrix stays that of the predicted iterate
  o.start = Options::Start::consistent;
  const MultibodySystem system(model);
  support::Dense matrix(0, 0);
  Run run(system, h, system.initial_state(), o, [&] { return std::make_unique<Keeping>(matrix); });
  const StepResidual residual(system, run.state, h, o);
  run.step();
  REQUIRE(run.stepper.statistics().newton_iterations == 1);
  const auto n = static_cast<int>(run.state.v.size());
  support::Dense differences(matrix.rows, matrix.cols);
  for (int j = 0; j < matrix.cols; ++j) {
    // A step of 1e-3 in q, of 1e-3 in lambda: error 1e-12 of the fifth derivative + 1e-13.
    const double unit = j < n ? 1.0 / residual.unit() : 1.0;
    support::set_column(differences, j, support::derivative([&](double s) {
                          Vector x(static_cast<std::size_t>(matrix.cols), 0.0);
                          x[static_cast<std::size_t>(j)] = s * unit;
                          Vector y = residual(x);
                          for (double& e : y) e /= unit;
                          return y;
                        }));
  }
  return support::distance(matrix, differences);
}

// Largest error of v after k = 1, 2, ... iterations of one step, from runs that stop there.
Vector errors_by_iteration(const System& system, double h, Options o) {
  o.engine.newton_tolerance = 1e-14;
  Run best(system, h, o);
  best.step();
  Vector errors;
  for (double tolerance = 1.0; tolerance > 1e-13; tolerance *= 0.1) {
    o.engine.newton_tolerance = tolerance;
    Run run(system, h, o);
    run.step();
    const auto iterations = static_cast<std::size_t>(run.stepper.statistics().newton_iterations);
    if (iterations > errors.size()) errors.push_back(distance(run.state.v, best.state.v));
    REQUIRE(iterations == errors.size());
  }
  return errors;
}

double end_difference(const Model& model, double h, int steps, const Options& a, const Options& b) {
  const MultibodySystem system(model);
  Run first(system, h, a), second(system, h, b);
  first.steps(steps);
  second.steps(steps);
  return std::max(distance(coordinates(system, first.state), coordinates(system, second.state)),
                  distance(first.state.v, second.state.v));
}

}  // namespace

TEST_CASE("the LDU matrix is the derivative of the residual, at index 3 and 2, with velocity rows too") {
  for (const Index index : {Index::three, Index::two})
    for (const bool skate : {false, true})
      for (const double h : {1e-1, 1e-2}) {
        CAPTURE(static_cast<int>(index));
        CAPTURE(skate);
        const double e = matrix_error(pendulum_with_spring(skate), h, exact(index));
        CHECK(e < 1e-9);
      }
}

TEST_CASE("exact Newton contracts quadratically") {
  const MultibodySystem system(pendulum_with_spring(true));
  for (const Index index : {Index::three, Index::two}) {
    const Vector e = errors_by_iteration(system, 0.1, exact(index));
    CAPTURE(static_cast<int>(index));
    REQUIRE(e.size() >= 3);
    // e_{k+1} = C e_k^2 gives log(e_3/e_2) / log(e_2/e_1) = 2; the second iterate already contracts so.
    CHECK(std::log(e[2] / e[1]) / std::log(e[1] / e[0]) > 1.6);
  }
}

TEST_CASE("quasi-Newton and exact Newton end in the same step") {
  for (const Index index : {Index::three, Index::two}) {
    Options quasi;
    quasi.index = index;
    quasi.engine.newton_tolerance = 1e-13;
    const double d = end_difference(helix(10).model(), 2e-3, 100, quasi, exact(index));
    CHECK(d < 1e-10);  // 100 steps of 1e-13 in positions of 4 m, over h in velocities
  }
}

TEST_CASE("chains of 100 with tolerance 1e-10 end within 1e-8 of exact Newton at 1e-13") {
  for (const Model& model : {boxes(100).model(), helix(100).model()})
    for (const Index index : {Index::three, Index::two}) {
      Options o;
      o.index = index;
      const double d = end_difference(model, 1e-3, 100, o, exact(index));
      CHECK(d < 1e-8);
    }
}

}  // namespace generalized_alpha_newton_tests
