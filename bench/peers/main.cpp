// catena-peer-simbody REQUEST RESULTS: the same mechanism by Simbody, for `catena compare --peers simbody`.
// docs/reference/compare.md#peers has both formats.
#include <catena/builtin/builtin.hpp>
#include <catena/io/read_model.hpp>

#include "plain_model.hpp"
#include "simbody_mechanism.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

Json json_of(const std::string& setting, const catena_peer::PlainRun& run,
             const std::vector<double>& instants) {
  Json at = Json::array();
  for (std::size_t k = 0; k < instants.size(); ++k) {
    Json bodies = Json::array();
    for (const catena_peer::PlainState& body : run.motion[k])
      bodies.push_back({{"position", body.position},
                        {"quaternion", body.quaternion},
                        {"velocity", body.velocity},
                        {"angular_velocity", body.angular_velocity}});
    at.push_back({{"time", instants[k]}, {"bodies", bodies}});
  }
  return {{"setting", setting}, {"steps", run.steps}, {"seconds", run.seconds}, {"instants", at}};
}

void answer(const std::string& asked, const std::string& results) {
  std::ifstream stream(asked);
  const Json request = Json::parse(stream);
  if (request.at("catena_request") != 1) throw std::runtime_error(asked + ": catena_request is not 1");
  const catena::ModelFile file =
      catena::read_model_file(request.at("model").get<std::string>(), catena::builtin().element_types());
  const catena_peer::PlainMechanism mechanism = catena_peer::plain(file.model);
  const auto instants = request.at("instants").get<std::vector<double>>();
  Json runs = Json::array();
  for (const double tolerance : request.at("tolerances").get<std::vector<double>>())
    runs.push_back(json_of(fmt::format("tol = {:g}", tolerance),
                           catena_peer::run_simbody(mechanism, request.at("begin").get<double>(), instants,
                                                    tolerance, request.at("repeat").get<int>()),
                           instants));
  std::ofstream out(results);
  out << Json{{"catena_results", 1},
              {"code", "Simbody " SIMBODY_VERSION},
              {"problem", request.at("problem")},
              {"runs", runs}};
  if (!out.flush()) throw std::runtime_error(results + " cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "catena-peer-simbody REQUEST RESULTS: run by catena compare --peers simbody\n";
    return 2;
  }
  try {
    answer(argv[1], argv[2]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
