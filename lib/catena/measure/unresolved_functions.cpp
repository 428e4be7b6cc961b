#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/printed.hpp>
#include <catena/measure/detail/unresolved_functions.hpp>
#include <catena/model/detail/break_points.hpp>

namespace catena::detail {

std::optional<Remark> on_functions(const System& system, const RunResult& result) {
  // Of a period. Methods of order 2 are off by (2 pi / 4)^2 / 12, a fifth, of what the function does with four steps in each.
  // A method that chooses its steps has looked at the error, within steps below a period at several places.
  constexpr double resolved = 0.25, passed_over = 1.0;
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr || result.steps == 0) return {};
  const FastestFunction fastest = fastest_function(bodies->model(), result.t_begin, result.t_end);
  const double periods = fastest.frequency * result.largest_step;
  if (periods > (result.chosen_steps ? passed_over : resolved))
    return Remark{
        RemarkKey::coarse_steps,
        {fastest.name, "periods of its function within a step", periods},
        fastest.name + ": its " + fastest.member +
            printed(
                " repeats at %.3g Hz, and a step of %.2g s is %.2g of its periods: what it does between "
                "the instants that the method looks at is not in the motion shown; take steps below %.2g s",
                fastest.frequency, result.largest_step, periods, resolved / fastest.frequency) +
            (result.chosen_steps ? ", by max_step" : "")};
  if (result.chosen_steps) return {};  // they end at break points
  const ShortBump bump = short_bump(bodies->model(), result.t_begin, result.t_end, result.largest_step);
  if (bump.name.empty()) return {};
  return Remark{
      RemarkKey::coarse_steps,
      {bump.name, "value of its function within a step", bump.value},
      bump.name + ": its " + bump.member +
          printed(
              " is %.3g at t = %.6g s, and a step of %.2g s passes over that: it is not, or not as it is, in "
              "the motion shown; take steps below %.2g s, or a method with a tolerance, whose steps end "
              "there",
              bump.value, bump.at, result.largest_step, bump.longest_step)};
}

}  // namespace catena::detail
