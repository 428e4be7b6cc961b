#include <catena/driver/sink.hpp>

#include <cstddef>

namespace catena {
namespace {

void line_between(double theta, const std::vector<double>& a, const std::vector<double>& b,
                  std::vector<double>& out) {
  if (a.size() != b.size()) return out.clear();
  out.resize(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) out[k] = a[k] + theta * (b[k] - a[k]);
}

}  // namespace

void AcceptedStep::at(double theta, State& out) const {
  out.t = before_.t + theta * h();
  out.q.resize(after_.q.size());
  out.v.resize(after_.v.size());
  stepper_.interpolate(theta, out.q.data(), out.v.data());
  line_between(theta, before_.a, after_.a, out.a);
  line_between(theta + 1.0 - stepper_.traits().lambda_at, before_.lambda, after_.lambda, out.lambda);
  out.discrete = before_.discrete;
  out.memory.clear();
}

}  // namespace catena
