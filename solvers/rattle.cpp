#include <catena/kkt/detail/hamiltonian.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/option_range.hpp>
#include <catena/solvers/detail/compositions.hpp>
#include <catena/solvers/rattle.hpp>
#include <catena/stepper/guards/detail/pole.hpp>
#include <catena/stepper/guards/detail/velocity_jump.hpp>

#include <algorithm>
#include <utility>

namespace catena {
using namespace detail;
namespace {

const GuardSet& rattle_guards() {
  static const GuardSet set{&dependent_rows_guard, &pole_guard, &velocity_jump_guard};
  return set;
}

struct Composition {
  int order;
  std::vector<double> gamma;
};

Composition composition_of(RattleOptions::Order order) {
  switch (order) {
    case RattleOptions::Order::four:
      return {4, composition_of_order_4()};
    case RattleOptions::Order::six:
      return {6, composition_of_order_6()};
    case RattleOptions::Order::eight:
      return {8, composition_of_order_8()};
    case RattleOptions::Order::eight_short:
      return {8, short_composition_of_order_8()};
    case RattleOptions::Order::two:
      break;
  }
  return {2, {1.0}};
}

}  // namespace

void visit(OptionVisitor& visitor, RattleOptions& o) {
  visit_choice(
      visitor,
      {"order", "", "2, 4, 6, 8: compositions of 1, 5, 9, 17 substeps; 8_short: of 15, less accurate"},
      o.order, {"2", "4", "6", "8", "8_short"});
  visit_choice(
      visitor,
      {"newton", "",
       "automatic: the whole Jacobian where the factor of the node contracts slowly; or one of them"},
      o.newton, {"automatic", "simplified", "whole"});
  visitor.integer({"max_newton_iterations", "1", "a substep that needs more is refused and cut", 1, 1000},
                  o.max_newton_iterations);
  visitor.real(
      {"proximal", "1", "dual proximal term that bounds the multipliers of redundant constraints", 0.0, 1e-6},
      o.proximal);
  visit_guards(visitor, o.guards, rattle_guards());
}

Rattle::Rattle(RattleOptions options, LinearSolverFactory backend)
    : HistoryStepper({.proximal = options.proximal, .compliant = false}),
      options_(std::move(options)),
      backend_(std::move(backend)) {
  Composition composition = composition_of(options_.order);
  gamma_ = std::move(composition.gamma);
  traits_.name = "rattle";
  traits_.summary = "RATTLE on the Lie group and its compositions of order 4, 6, 8: symplectic, reversible";
  traits_.order_q = traits_.order_v = traits_.order_lambda = composition.order;
  traits_.position_residual = traits_.velocity_residual = traits_.acceleration_residual = true;
  traits_.symmetric = traits_.reversible = traits_.symplectic = true;
  traits_.variable_step = true;
}

std::string Rattle::refuses(const System& system) const {
  if (std::string wrong = out_of_range(options_); !wrong.empty()) return wrong;
  return not_hamiltonian(system, traits_.name, gamma_.size() > 1);
}

Outcome Rattle::set_up(const System& system) {
  KktOptions kkt;
  kkt.proximal = options_.proximal;
  kkt.backend = backend_;
  const SystemLayout& layout = system.layout();
  Outcome outcome =
      attach_iteration(system, kkt, std::vector<RowKind>(layout.level.size(), RowKind::position), false);
  if (outcome.status != Status::ok) return outcome;
  KktOptions whole;
  whole.factorization = Factorization::ldu;
  whole.border = Border::separate;
  whole.proximal = options_.proximal;
  if (std::string refusal = whole_.attach(system, whole); !refusal.empty())
    return failure(Status::unsupported, {std::move(refusal), "analysis", 0.0});
  n_ = layout.v_size();
  m_ = layout.lambda_size();
  node_is_known_ = false;
  lambda_before_ = memory_.add("multipliers before", m_);
  guards_.attach({system, statistics_, traits_.order_lambda}, rattle_guards(), options_.guards, memory_);
  return outcome;
}

void Rattle::make_work_arrays(const State& state) {
  node_is_known_ = counts_node_ = false;
  for (std::vector<double>* x : {&q_, &end_q_, &node_q_}) x->assign(state.q.size(), 0.0);
  for (std::vector<double>* x :
       {&v_, &p_, &force_, &held_, &xi_, &mass_xi_, &reaction_, &turned_, &a_, &change_})
    x->assign(index(n_), 0.0);
  for (std::vector<double>* x : {&lambda_, &velocities_}) x->assign(index(m_), 0.0);
  x_.assign(index(n_ + m_), 0.0);
  mass_.assign(index(6 * n_), 0.0);
}

Linearization Rattle::mass_and_rows(double) const {
  Linearization lin;
  lin.mass = 1.0;
  return lin;
}

Outcome Rattle::attempt(const State& state, double h) {
  Outcome outcome = leave(state);
  double t = state.t;
  contraction_now_ = contraction_.value(state);
  for (std::size_t k = 0; k < gamma_.size() && outcome.status == Status::ok; ++k) {
    // Sums of the substeps differ from the end by roundoff.
    const double to = k + 1 == gamma_.size() ? state.t + h : t + gamma_[k] * h;
    outcome = substep(t, to, gamma_[k] * h, k == 0 ? state.a.data() : nullptr);
    t = to;
  }
  if (outcome.status == Status::ok) outcome = accelerate(state.t + h);
  return assess(state, h, std::move(outcome));
}

Outcome Rattle::assess(const State& state, double h, Outcome outcome) {
  Point end;
  end.t = state.t + h;
  end.q = q_.data();
  end.v = v_.data();
  end.a = a_.data();
  end.lambda = lambda_.data();
  end.discrete = discrete_;
  GuardWorkspace workspace{x_.data(), turned_.data(), reaction_.data(), end_q_.data(), newton_.kkt(),
                           {},        statistics_};
  workspace.weights = mass_and_rows(h);
  outcome =
      guards_.assess(std::move(outcome), attempt_of(state, end, h, lambda_before_.of(state)), workspace);
  if (workspace.matrix_used) node_is_known_ = false;
  return outcome;
}

void Rattle::accept(State& state, double h) {
  std::copy(state.lambda.begin(), state.lambda.end(), lambda_before_.of(state));
  std::copy(lambda_.begin(), lambda_.end(), state.lambda.begin());
  system_->difference(state.q.data(), q_.data(), change_.data());
  take_end(state, h, {q_, change_, v_, a_});
  contraction_.value(state) = contraction_now_;
  q_.resize(state.q.size());
}

}  // namespace catena
