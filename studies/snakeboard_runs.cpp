#include <catena/experiment/parts/options.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/steppers.hpp>
#include <catena/studies/detail/scenarios.hpp>
#include <catena/studies/detail/snakeboard_runs.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace catena::detail {
namespace {

using Vector6 = Vec<double, 6>;

// |sin| of the angle of two rows, measured by M^-1, as the multipliers see them.
double sine_of_rows(const SnakeboardDefinition& board, const Vector6& q) {
  const auto rows = board.velocity_rows(q, 0.0);
  Vector6 a, b;
  for (int j = 0; j < 6; ++j) {
    a[j] = rows(0, j);
    b[j] = rows(1, j);
  }
  const Vector6 wa = coordinate_detail::solve_spd(board.mass(q), a),
                wb = coordinate_detail::solve_spd(board.mass(q), b);
  const double aa = dot(a, wa), ab = dot(a, wb), bb = dot(b, wb);
  return std::sqrt(std::max(0.0, 1.0 - ab * ab / (aa * bb)));
}

class Recorder : public Observer {
 public:
  explicit Recorder(SnakeboardRun& run) : run_(run) {}

  void begin(const System& system) override {
    system_ = &system;
    board_ = &static_cast<const CoordinateSystem<SnakeboardDefinition>&>(system).definition();
  }
  bool observe(const State& s) override {
    double rows[2];
    const Point at = point_of(s);
    Evaluation wanted;
    wanted.velocity = rows;
    system_->evaluate(at, wanted);
    run_.t.push_back(s.t);
    run_.x.push_back(s.q[0]);
    run_.y.push_back(s.q[1]);
    run_.theta.push_back(s.q[2]);
    run_.back_row.push_back(rows[0]);
    run_.front_row.push_back(rows[1]);
    run_.energy.push_back(system_->energy(point_of(s)).total());
    run_.lambda.push_back(s.lambda);
    for (const double l : s.lambda) run_.largest_lambda = std::max(run_.largest_lambda, std::abs(l));
    Vector6 q;
    std::copy(s.q.begin(), s.q.end(), q.e);
    const double sine = sine_of_rows(*board_, q);
    if (sine < run_.weakest_sine) {
      run_.weakest_sine = sine;
      run_.weakest_at = s.t;
    }
    return true;
  }

 private:
  const System* system_ = nullptr;
  const SnakeboardDefinition* board_ = nullptr;
  SnakeboardRun& run_;
};

}  // namespace

bool SnakeboardMethod::built() const {
  const std::vector<StepperEntry>& all = study_catalog().steppers();
  return std::any_of(all.begin(), all.end(),
                     [&](const StepperEntry& entry) { return entry.name == stepper; });
}

SnakeboardMethod snakeboard_generalized_alpha(double rho_inf) {
  // Exact Newton at every iterate leaves roundoff in the rows.
  GeneralizedAlphaOptions o;
  o.rho_inf = rho_inf;
  // That of the source; with rho_inf = 0 it leaves a_0 open.
  o.start =
      rho_inf < 0.01 ? GeneralizedAlphaOptions::Start::perturbed : GeneralizedAlphaOptions::Start::source;
  o.index = GeneralizedAlphaOptions::Index::two;
  o.newton = GeneralizedAlphaOptions::Newton::exact;
  o.engine.jacobian = JacobianUpdate::every_iteration;
  o.engine.newton_tolerance = 1e-12;
  return {"generalized-alpha", "generalized_alpha", settings_of(o)};
}

SnakeboardMethod snakeboard_alpha_rattle(double rho_inf) {
  AlphaRattleOptions o;
  o.rho_inf = rho_inf;
  o.index = AlphaRattleOptions::Index::two;
  o.start = rho_inf < 0.01 ? AlphaRattleOptions::Start::consistent : AlphaRattleOptions::Start::source;
  o.jacobian = AlphaRattleOptions::Jacobian::every_iteration;
  o.newton_tolerance = 1e-12;
  return {"alpha-RATTLE", "alpha_rattle", settings_of(o)};
}

SnakeboardMethod snakeboard_ida(double tolerance) {
  Scenario scenario;
  scenario.option("form", "index1").option("rtol", tolerance).option("atol", tolerance);
  return {printed("IDA, rtol %.0e", tolerance), "ida", scenario.options};
}

std::string SnakeboardRun::ending() const {
  if (result.status == Status::ok) return printed("ran to %.6g s", result.t_end);
  return printed("%s at %.4f s: %s, %s %.6g", to_string(result.status), result.t_end,
                 result.culprit.name.c_str(), result.culprit.quantity.c_str(), result.culprit.value);
}

SnakeboardRun run_snakeboard(const SnakeboardParameters& parameters, const SnakeboardMethod& method,
                             double step, double end) {
  SnakeboardRun run;
  Recorder recorder(run);
  const Scenario scenario{.problem = "snakeboard",
                          .parameters = settings_of(parameters),
                          .stepper = method.stepper,
                          .options = method.options,
                          .step = step,
                          .end = end};
  Record record = catena::run(scenario, study_catalog(), {.listeners = {.observers = {&recorder}}});
  run.result = std::move(record.report.run);
  run.end = std::move(record.state);
  return run;
}

Curve snakeboard_curve(const std::string& label, const std::vector<double>& x, const std::vector<double>& y) {
  Curve c{.label = label};
  const std::size_t stride = std::max<std::size_t>(1, x.size() / 1500);
  for (std::size_t k = 0; k < x.size(); k += stride) {
    c.x.push_back(x[k]);
    c.y.push_back(y[k]);
  }
  return c;
}

}  // namespace catena::detail
