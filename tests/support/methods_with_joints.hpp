// The methods that run models with joints, one of each index.
#pragma once
#include <catena/solvers/alpha_rattle.hpp>
#include <catena/solvers/dormand_prince.hpp>
#include <catena/solvers/generalized_alpha.hpp>
#include <catena/solvers/lie_dae.hpp>

#include <memory>
#include <vector>

namespace catena_test {

inline std::vector<std::unique_ptr<catena::Stepper>> methods_with_joints() {
  using namespace catena;
  std::vector<std::unique_ptr<Stepper>> all;
  for (const auto index : {GeneralizedAlphaOptions::Index::three, GeneralizedAlphaOptions::Index::two})
    all.push_back(std::make_unique<GeneralizedAlpha>(GeneralizedAlphaOptions{.index = index}));
  for (const auto index : {LieDaeOptions::Index::three, LieDaeOptions::Index::two, LieDaeOptions::Index::one,
                           LieDaeOptions::Index::stabilized})
    all.push_back(std::make_unique<LieDae>(LieDaeOptions{.index = index}));
  all.push_back(std::make_unique<AlphaRattle>());
  all.push_back(std::make_unique<DormandPrince>());
  return all;
}

}  // namespace catena_test
