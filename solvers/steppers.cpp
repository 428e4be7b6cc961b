#include <catena/solvers/steppers.hpp>

namespace catena {

std::vector<StepperEntry> builtin_steppers() {
  return {
      stepper_entry<GeneralizedAlpha, GeneralizedAlphaOptions>("generalized_alpha"),
      stepper_entry<Hht, HhtOptions>("hht"),
      stepper_entry<Newmark, NewmarkOptions>("newmark"),
      stepper_entry<AlphaRattle, AlphaRattleOptions>("alpha_rattle"),
      stepper_entry<DiscreteAction, DiscreteActionOptions>("discrete_action"),
#ifdef CATENA_HAS_SUNDIALS
      stepper_entry<Ida, IdaOptions>("ida"),
#endif
      stepper_entry<DormandPrince>("dormand_prince"),
      stepper_entry<Dop853>("dop853"),
      stepper_entry<LieBdf, LieBdfOptions>("lie_bdf"),
      stepper_entry<LieDae, LieDaeOptions>("lie_dae"),
      stepper_entry<Radau>("radau"),
      stepper_entry<Rattle>("rattle"),
      stepper_entry<RungeKutta4>("runge_kutta_4"),
  };
}

std::vector<LeftOutStepper> left_out_steppers() {
#ifdef CATENA_HAS_SUNDIALS
  return {};
#else
  return {
      {"ida",
       "the stepper ida was left out of this build, which found no SUNDIALS or was configured without it: "
       "install "
       "libsundials-dev and configure with -DCATENA_WITH_SUNDIALS=ON"}};
#endif
}

}  // namespace catena
