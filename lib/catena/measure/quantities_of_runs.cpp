// What a run has besides its motion: steps, energies, residuals.
#include <catena/measure/detail/quantity_groups.hpp>
#include <catena/measure/parts/builtin_quantities.hpp>
#include <catena/measure/parts/instant.hpp>

namespace catena::detail {

void add_step(QuantityCatalog& all) {
  all.add(time_quantity());
  all.add({.name = "step/size",
           .unit = "s",
           .meaning = "of the step that led here; 0 at the start",
           .titles = {"step"},
           .evaluate = [](const Instant& at, double* out) { *out = at.step(); }});
}

void add_work(QuantityCatalog& all) {
  const auto count = [&](const char* name, const char* meaning, long StepperStatistics::*member) {
    all.add({.name = name,
             .meaning = meaning,
             .whole = true,
             .needs = Needs::stepper,
             .evaluate = [member](const Instant& at, double* out) {
               *out = static_cast<double>(at.counts().*member);
             }});
  };
  count("step/newton_iterations", "of that step, failed attempts included",
        &StepperStatistics::newton_iterations);
  count("step/evaluations", "of the system in that step, failed attempts included",
        &StepperStatistics::evaluations);
  count("step/factorizations", "in that step, failed attempts included", &StepperStatistics::factorizations);
  count("step/solves", "of linear systems in that step, failed attempts included",
        &StepperStatistics::solves);
}

void add_energy(QuantityCatalog& all) {
  all.add({.name = "energy/kinetic",
           .unit = "J",
           .frame = "world",
           .meaning = "of the motion",
           .titles = {"kinetic energy"},
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().kinetic; }});
  all.add({.name = "energy/potential",
           .unit = "J",
           .frame = "world",
           .meaning = "potential energy of gravity and of forces that have one",
           .titles = {"potential energy"},
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().potential; }});
  all.add({.name = "energy/total",
           .unit = "J",
           .frame = "world",
           .meaning = "kinetic and potential",
           .titles = {"energy"},
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().total(); }});
  all.add(
      {.name = "energy/error",
       .unit = "J",
       .frame = "world",
       .meaning = "total energy minus that at the start and the work since then: what the balance is off by",
       .titles = {"energy error"},
       .evaluate = [](const Instant& at, double* out) {
         *out = at.energy().total() - at.energy_initial() - at.work().total();
       }});
  all.add({.name = "energy/work",
           .unit = "J",
           .frame = "world",
           .meaning = "since the start, by forces beside their potentials and by drives",
           .components = {"forces", "drives"},
           .titles = {"work of forces", "work of drives"},
           .standard = false,
           .evaluate = [](const Instant& at, double* out) {
             const Work work = at.work();
             out[0] = work.forces;
             out[1] = work.drives;
           }});
}

void add_energy_parts(QuantityCatalog& all) {
  all.add({.name = "energy/gravity",
           .unit = "J",
           .frame = "world",
           .meaning = "potential energy of gravity, zero at the origin",
           .needs = Needs::model,
           .complete = [](const Instant& at, double* out) { *out = at.sums().gravity; }});
  all.add({.name = "energy/forces",
           .unit = "J",
           .frame = "world",
           .meaning = "potential energy of springs and other forces that have one",
           .needs = Needs::model,
           .evaluate = [](const Instant& at, double* out) { *out = at.energy().potential; },
           .complete = [](const Instant& at, double* out) { *out -= at.sums().gravity; }});
}

void add_residuals(QuantityCatalog& all) {
  const auto residual = [&](const char* name, const char* unit, const char* meaning, const char* title,
                            WorstRow Residuals::*level) {
    all.add({.name = name,
             .unit = unit,
             .meaning = meaning,
             .titles = {title},
             .evaluate = [level](const Instant& at, double* out) { *out = (at.residuals().*level).value; }});
  };
  residual("residuals/position", "m or rad", "largest absolute row of g(q, t)", "position residual",
           &Residuals::position);
  residual("residuals/velocity", "m/s or rad/s", "largest absolute row of G v + g_t and of velocity rows",
           "velocity residual", &Residuals::velocity);
  residual("residuals/acceleration", "m/s^2 or rad/s^2",
           "largest absolute row of the time derivative of that", "acceleration residual",
           &Residuals::acceleration);
}

void add_worst_rows(QuantityCatalog& all) {
  all.add({.name = "residuals/worst",
           .meaning = "constraints of these three rows, numbers in /constraints; -1: no rows",
           .components = {"position", "velocity", "acceleration"},
           .whole = true,
           .evaluate = [](const Instant& at, double* out) {
             const Residuals& r = at.residuals();
             out[0] = r.position.constraint;
             out[1] = r.velocity.constraint;
             out[2] = r.acceleration.constraint;
           }});
}

void add_peaks(QuantityCatalog& all) {
  for (const NamedPeak& peak : named_peaks())
    all.add({.name = peak.name,
             .unit = peak.unit,
             .meaning = peak.meaning,
             .standard = false,
             .needs = Needs::monitor,
             .evaluate = [which = peak.peak](const Instant& at, double* out) {
               *out = (at.peaks().*which).value;
             }});
}

}  // namespace catena::detail
