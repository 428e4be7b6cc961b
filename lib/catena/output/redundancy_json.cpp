#include <catena/output/detail/redundancy_json.hpp>

#include <nlohmann/json.hpp>

#include <utility>

namespace catena::detail {

nlohmann::ordered_json redundancy_json(const Redundancy& r) {
  using Json = nlohmann::ordered_json;
  Json dependencies = Json::array(), open = Json::array();
  for (const Redundancy::Dependency& d : r.dependencies)
    dependencies.push_back({{"rows", d.rows}, {"constraints", d.constraints}});
  for (const Redundancy::Open& o : r.open)
    open.push_back({{"constraint", o.name},
                    {"force", o.force},
                    {"torque", o.torque},
                    {"axes", o.joint_axes ? "joint" : "world"}});
  return {
      {"suspected", r.suspected},
      {"weakest", {{"name", r.weakest.name}, {"quantity", r.weakest.quantity}, {"value", r.weakest.value}}},
      {"proven", r.proven()},
      {"rows", r.rows},
      {"here_only", r.here_only},
      {"rank", r.rank_known || !r.suspected ? Json(r.rank) : Json()},
      {"redundant_rows", r.rows - r.rank},
      {"dependencies", std::move(dependencies)},
      {"open", std::move(open)}};
}

}  // namespace catena::detail
