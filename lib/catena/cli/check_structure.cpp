#include <catena/cli/detail/check_structure.hpp>
#include <catena/math/detail/index.hpp>
#include <catena/model/detail/parts.hpp>
#include <catena/model/parts/inertia.hpp>
#include <catena/system/detail/evaluations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace catena::detail {
namespace {

class Structure {
 public:
  Structure(const System& system, const Model* model, const State& state, CheckReport& report)
      : system_(system), model_(model), state_(state), report_(report) {}

  void operator()() {
    count();
    connect();
    scale();
  }

 private:
  const BlockPattern& pattern() const { return *system_.layout().pattern; }

  void count() {
    report_.blocks = pattern().primal_count();
    report_.velocities = system_.layout().v_size();
    report_.constraints = pattern().dual_count();
    for (int d = 0; d < pattern().dual_count(); ++d)
      (system_.layout().level[index(d)] == Level::velocity ? report_.velocity_rows : report_.position_rows) +=
          pattern().dual_size[index(d)];
    report_.redundancy.rank = report_.redundancy.rows = system_.layout().lambda_size();
    if (model_ == nullptr) return;
    report_.bodies = model_->body_count();
    for (const Body& body : model_->bodies()) report_.fixed_bodies += body.fixed ? 1 : 0;
    report_.forces = static_cast<int>(model_->forces().size());
    for (const auto& pool : model_->pools())
      if (pool->size() > 0)
        report_.kinds.push_back({pool->type_name(), pool->size(), pool->size() * pool->rows()});
  }

  void connect() {
    report_.has_ground = model_ != nullptr;
    if (model_ == nullptr) return connect_blocks();
    for (const ModelPart& part : model_parts(*model_)) {
      PartReport& named =
          report_.parts.emplace_back(PartReport{{}, part.on_ground, part.forces_ground, part.forces_others});
      for (const BodyId id : part.bodies) named.bodies.push_back(model_->body(id).name);
    }
    const auto loose = std::count_if(report_.parts.begin(), report_.parts.end(),
                                     [](const PartReport& p) { return !p.on_ground; });
    if (report_.parts.size() > 1)
      report_.remarks.push_back(fmt::format("the bodies form {} separate parts: no joint ties one to another",
                                            report_.parts.size()));
    if (loose > 0)
      report_.remarks.push_back(fmt::format("{} not tied to the ground by a joint: {}",
                                            loose == 1 ? "one part is" : fmt::format("{} parts are", loose),
                                            loose_parts()));
  }

  // By their first bodies.
  std::string loose_parts() const {
    constexpr int shown = 3;
    std::string names;
    int count = 0;
    for (const PartReport& part : report_.parts) {
      if (part.on_ground || part.bodies.empty() || ++count > shown) continue;
      names += (names.empty() ? "" : ", ") + fmt::format("body \"{}\"", part.bodies.front());
      if (part.bodies.size() > 1) names += fmt::format(" and {} more", part.bodies.size() - 1);
    }
    return count > shown ? names + fmt::format("; {} more parts", count - shown) : names;
  }

  // Blocks that share rows or a coupling of H.
  void connect_blocks() {
    std::vector<int> root(index(pattern().primal_count()));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](int k) {
      while (root[index(k)] != k) k = root[index(k)] = root[index(root[index(k)])];
      return k;
    };
    std::vector<int> first(index(pattern().dual_count()), -1);
    for (const BlockPattern::Incidence& link : pattern().incidences) {
      int& other = first[index(link.dual)];
      if (other < 0) other = link.primal;
      root[index(find(link.primal))] = find(other);
    }
    for (const BlockPattern::Coupling& pair : pattern().couplings) root[index(find(pair.i))] = find(pair.j);
    std::vector<int> number(root.size(), -1);
    for (int p = 0; p < pattern().primal_count(); ++p) {
      int& part = number[index(find(p))];
      if (part < 0) {
        part = static_cast<int>(report_.parts.size());
        report_.parts.emplace_back();
      }
      report_.parts[index(part)].bodies.push_back(system_.velocity_block_name(p));
    }
    if (report_.parts.size() > 1)
      report_.remarks.push_back(fmt::format(
          "the coordinates form {} parts that share neither rows nor forces", report_.parts.size()));
  }

  void widen(Scale& scale, double value, const std::string& name) {
    if (scale.smallest_of.empty() || value < scale.smallest) scale.smallest = value, scale.smallest_of = name;
    if (scale.largest_of.empty() || value > scale.largest) scale.largest = value, scale.largest_of = name;
  }

  void scale() {
    Scale mass{"mass", "kg"}, inertia{"principal inertia", "kg m^2"}, length{"rms radius", "m"};
    Scale diagonal{"diagonal of the mass matrix", ""};
    if (model_ != nullptr) {
      for (const Body& body : model_->bodies()) {
        if (body.fixed) continue;
        const std::string name = "body \"" + body.name + "\"";
        widen(mass, body.mass, name);
        if (body.motion == BodyMotion::point) continue;
        const Vec3 moments = principal_inertia(body.inertia).moments;
        widen(inertia, moments[0], name);
        widen(inertia, moments[2], name);
        widen(length, std::sqrt((moments[0] + moments[1] + moments[2]) / (2.0 * body.mass)), name);
      }
    } else {
      BlockMatrix matrix(system_.layout().pattern, Border::transposed);
      matrix.set_zero();
      evaluate_mass_and_rows(system_, point_of(state_), matrix);
      for (int p = 0; p < pattern().primal_count(); ++p)
        for (int c = 0; c < pattern().primal_size[index(p)]; ++c)
          widen(diagonal, matrix.H(p)(c, c),
                fmt::format("{}, component {}", system_.velocity_block_name(p), c + 1));
    }
    for (Scale& s : {std::ref(mass), std::ref(inertia), std::ref(length), std::ref(diagonal)}) {
      if (s.largest_of.empty()) continue;
      if (s.ratio() > check_largest_ratio)
        report_.remarks.push_back(
            fmt::format("{}: {:.3g} between {} and {}; solutions are verified up to {:.0g}", s.quantity,
                        s.ratio(), s.smallest_of, s.largest_of, check_largest_ratio));
      report_.scales.push_back(std::move(s));
    }
  }

  const System& system_;
  const Model* model_;
  const State& state_;
  CheckReport& report_;
};

}  // namespace

void inspect_structure(const System& system, const Model* model, const State& state, CheckReport& report) {
  Structure(system, model, state, report)();
}

}  // namespace catena::detail
