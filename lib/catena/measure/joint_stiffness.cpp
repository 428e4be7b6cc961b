#include <catena/assembly/parts/body_system.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/math/detail/nearest.hpp>
#include <catena/measure/detail/joint_stiffness.hpp>
#include <catena/measure/parts/quantity_catalog.hpp>

#include <algorithm>

namespace catena::detail {

std::string plain_name(const std::string& label) {
  const std::size_t begin = label.find('"');
  const std::size_t end = label.rfind('"');
  return begin == end ? label : label.substr(begin + 1, end - begin - 1);
}

std::vector<JointStiffness> joint_stiffness(const System& system, const ReactionRule& rule) {
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr || bodies->model().constraints().empty())
    throw SelectionError("there are no joints of bodies whose reactions could be shared");
  std::vector<std::string> names;
  for (std::size_t c = 0; c < bodies->model().constraints().size(); ++c)
    names.push_back(plain_name(system.constraint_name(static_cast<int>(c))));
  std::vector<JointStiffness> stiffness(names.size(), rule.common);
  for (const ReactionRule::Joint& joint : rule.joints) {
    const auto found = std::find(names.begin(), names.end(), joint.name);
    if (found == names.end()) {
      const std::string hint = nearest_hint(joint.name, names);
      throw SelectionError("there is no joint \"" + joint.name + "\"" + (hint.empty() ? "" : ": " + hint));
    }
    stiffness[index(static_cast<int>(found - names.begin()))] = joint.stiffness;
  }
  return stiffness;
}

}  // namespace catena::detail
