#include <catena/driver/detail/each_state.hpp>
#include <catena/driver/run.hpp>
#include <catena/measure/parts/momentum.hpp>
#include <catena/problems/box_chain.hpp>
#include <catena/studies/detail/discrete_action_runs.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace catena::detail::box_chain_study {
namespace {

constexpr int boxes = 4;

}  // namespace

Model chain(double gravity) {
  BoxChainParameters parameters;
  parameters.gravity = gravity;
  return BoxChain(parameters).model();
}

Model chain_in_coordinate_plane() {
  Model model = chain();
  // About the vertical by -pi/4: Rz(-pi/4) Rz(pi/4) Rx(theta) = Rx(theta), whose zeros are exact.
  double height = 0.0, across = 0.0;
  for (int k = 0; k < boxes; ++k) {
    Body& box = model.body(BodyId{k});
    const double angle = (k < 2 ? 1.0 : 3.0) * std::numbers::pi / 4.0;
    box.orientation = {std::cos(0.5 * angle), std::sin(0.5 * angle), 0.0, 0.0};
    const Vec3 down = rotation_matrix(box.orientation) * Vec3{{0.0, 0.0, -1.5}};
    box.position = {{0.0, across + down[1], height + down[2]}};
    across += 2.0 * down[1];
    height += 2.0 * down[2];
  }
  return model;
}

Model spinning(Model model, const Vec3& W) {
  for (int k = 0; k < boxes; ++k) {
    Body& box = model.body(BodyId{k});
    box.velocity = cross(W, box.position);
    box.angular_velocity = transpose_times(rotation_matrix(box.orientation), W);
  }
  return model;
}

Model turned(Model model, double angle) {
  Body& box = model.body(BodyId{0});
  box.orientation = box.orientation * exponential(Vec3{{0.0, 0.0, angle}});
  return model;
}

ChainRun::ChainRun(Model model, double h)
    : system_(std::move(model)), state_(system_.initial_state()), h_(h) {
  advance(0);
}

void ChainRun::advance(long steps, const std::function<void()>& each) {
  std::vector<double> now;
  EachState look([&](const State& s) {
    if (!now.empty()) {
      before_ = now;
      if (each) each();
    }
    now = s.q;
  });
  const RunResult result = run(system_, stepper_, state_,
                               {.step = h_,
                                .end = state_.t + h_ * static_cast<double>(steps),
                                .max_cuts = 0,
                                .resume = !state_.memory.empty(),
                                .attached = attached_,
                                .verdict = false},
                               Listeners{.observers = {&look}});
  attached_ = true;
  if (result.status != Status::ok)
    throw std::runtime_error(std::string("the discrete action failed: ") + to_string(result.reason()) + ", " +
                             result.culprit.name + " " + result.culprit.quantity);
}

void ChainRun::turn_back() {
  for (double& v : state_.v) v = -v;
  state_.memory.clear();
}

double ChainRun::energy() const { return system_.energy(point_of(state_)).total(); }

Vec3 ChainRun::angular_momentum() const { return momentum(system_.model(), system_.bodies(state_)).angular; }

double ChainRun::residual(bool norms) const {
  std::vector<double> g(state_.lambda.size());
  Point at;
  at.t = state_.t;
  at.q = state_.q.data();
  Evaluation wanted;
  wanted.position = g.data();
  system_.evaluate(at, wanted);
  const auto first_norm = g.end() - boxes;
  double worst = 0.0;
  for (auto x = norms ? first_norm : g.begin(); x != (norms ? g.end() : first_norm); ++x)
    worst = std::max(worst, std::abs(*x));
  return worst;
}
double ChainRun::joint_residual() const { return residual(false); }
double ChainRun::norm_residual() const { return residual(true); }

std::array<double, 2> ChainRun::centre(int box) const {
  const double* q = state_.q.data() + system_.offset(BodyId{box});
  return {(q[1] - q[0]) / std::numbers::sqrt2, q[2]};
}

double ChainRun::out_of_plane() const {
  double worst = 0.0;
  for (int k = 0; k < boxes; ++k) {
    const double* q = state_.q.data() + system_.offset(BodyId{k});
    worst = std::max(worst, std::abs(q[0] + q[1]) / std::numbers::sqrt2);
  }
  return worst;
}

std::vector<std::array<double, 2>> ChainRun::joints() const {
  std::vector<std::array<double, 2>> points{{0.0, 0.0}};
  for (const RigidBodyState& box : system_.bodies(state_)) {
    const Vec3 p = point_position(box, {{0.0, 0.0, -1.5}});
    points.push_back({(p[1] - p[0]) / std::numbers::sqrt2, p[2]});
  }
  return points;
}

double newton_matrix_asymmetry(const QuaternionSystem& system, const std::vector<double>& before,
                               const std::vector<double>& after, double h) {
  std::vector<double> middle(before.size()), rate(before.size());
  for (std::size_t k = 0; k < before.size(); ++k) {
    middle[k] = 0.5 * (before[k] + after[k]);
    rate[k] = (after[k] - before[k]) / h;
  }
  BlockMatrix matrix(system.layout().pattern, Border::separate);
  LagrangianTerms terms;
  terms.matrix = &matrix;
  terms.qq = 0.25 * h;
  terms.qv = 0.5;
  terms.vq = -0.5;
  terms.vv = -1.0 / h;
  system.evaluate_lagrangian(0.0, middle.data(), rate.data(), terms);
  Linearization lin;
  lin.matrix = &matrix;
  lin.rows_only = true;
  Evaluation wanted;
  wanted.linearization = &lin;
  Point at;
  at.q = before.data();
  system.evaluate(at, wanted);  // Bt: C_k
  lin.keep_Bt = true;
  at.q = after.data();
  system.evaluate(at, wanted);  // C_k+1
  double difference = 0.0, size = 0.0;
  const BlockPattern& pattern = matrix.pattern();
  for (int k = 0; k < pattern.primal_count(); ++k) {
    const BlockRef H = matrix.H(k);
    for (int i = 0; i < H.rows; ++i)
      for (int j = 0; j < H.cols; ++j) {
        difference += (H(i, j) - H(j, i)) * (H(i, j) - H(j, i));
        size += H(i, j) * H(i, j);
      }
  }
  for (int k = 0; k < static_cast<int>(pattern.incidences.size()); ++k) {
    const BlockRef C = matrix.C(k), Bt = matrix.Bt(k);
    for (int i = 0; i < C.rows; ++i)
      for (int j = 0; j < C.cols; ++j) {
        difference += 2.0 * (C(i, j) - Bt(i, j)) * (C(i, j) - Bt(i, j));
        size += C(i, j) * C(i, j) + Bt(i, j) * Bt(i, j);
      }
  }
  return std::sqrt(difference / size);
}

double ChainRun::matrix_asymmetry() const { return newton_matrix_asymmetry(system_, before_, state_.q, h_); }

double reference_error(const ChainRun& run) {
  constexpr double reference[boxes][2] = {{0.3433760289, -1.4601687926},
                                          {1.6715346532, -4.0517982516},
                                          {3.7669461444, -6.1914768786},
                                          {6.3271489944, -6.8140326150}};
  double error = 0.0;
  for (int k = 0; k < boxes; ++k) {
    const std::array<double, 2> at = run.centre(k);
    error = std::max({error, std::abs(at[0] - reference[k][0]), std::abs(at[1] - reference[k][1])});
  }
  return error;
}

}  // namespace catena::detail::box_chain_study
