#include <catena/assembly/parts/body_system.hpp>
#include <catena/driver/checkpoint.hpp>
#include <catena/math/detail/crc64.hpp>
#include <catena/math/detail/named_error.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/model/detail/element_digest.hpp>

#include <cmath>
#include <limits>

namespace catena {
using namespace detail;
namespace {

void add(Crc64& crc, const std::vector<double>& values) {
  for (double value : values) {
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();  // of any sign
    crc.add(&value, sizeof value);
  }
}

// Numbers of order one without a pattern, the same on every machine.
class Scatter {
 public:
  double operator()() {
    seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(seed_ >> 11) * 0x1p-53 - 0.5;
  }
  void fill(std::vector<double>& values, double size) {
    for (double& value : values) value = size * (*this)();
  }

 private:
  std::uint64_t seed_ = 1;
};

std::string hex(std::uint64_t value) { return printed("%016llx", static_cast<unsigned long long>(value)); }

}  // namespace

void identify(Identity& identity, const System& system, double later) {
  const SystemLayout& layout = system.layout();
  const auto nv = static_cast<std::size_t>(layout.v_size()),
             m = static_cast<std::size_t>(layout.lambda_size());
  identity.emplace_back("number of velocities", std::to_string(nv));
  identity.emplace_back("number of constraint rows", std::to_string(m));

  Crc64 names;
  for (const std::string& name : system.body_names()) names.add(name + '\n');
  for (int k = 0; k < layout.pattern->primal_count(); ++k) names.add(system.velocity_block_name(k) + '\n');
  for (int k = 0; k < layout.pattern->dual_count(); ++k) names.add(system.constraint_name(k) + '\n');
  identity.emplace_back("checksum of the names in the model", hex(names.value()));

  Crc64 numbers;
  State state = system.initial_state();
  for (const auto& part : {state.q, state.v, state.discrete, layout.scale}) add(numbers, part);
  Scatter scatter;
  std::vector<double> delta(nv), v(nv), a(nv), lambda(m), balance(nv), g(m), gv(m), ga(m);
  constexpr double away =
      0.0625;  // [m, rad] far enough for springs and joints to pull, near enough for any model
  scatter.fill(delta, away);
  scatter.fill(v, 1.0);
  scatter.fill(a, 1.0);
  scatter.fill(lambda, 1.0);
  system.retract(state.q.data(), delta.data(), state.q.data());
  const Point at{.t = state.t + later,
                 .q = state.q.data(),
                 .v = v.data(),
                 .a = a.data(),
                 .lambda = lambda.data(),
                 .discrete = state.discrete.data()};
  try {
    system.evaluate(
        at,
        {.balance = balance.data(), .position = g.data(), .velocity = gv.data(), .acceleration = ga.data()});
    for (const auto& part : {balance, g, gv, ga}) add(numbers, part);
    const Energy energy = system.energy(at);
    add(numbers, {energy.kinetic, energy.potential});
  } catch (const detail::NamedError& error) {  // at this state: the run itself may never come there
    numbers.add(error.what());
  }
  identity.emplace_back("checksum of the numbers in the model", hex(numbers.value()));
  if (const BodySystem* bodies = bodies_of(system))
    identity.emplace_back("checksum of joints and forces", hex(element_digest(bodies->model())));
}

}  // namespace catena
