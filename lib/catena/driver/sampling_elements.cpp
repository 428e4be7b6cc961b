#include <catena/assembly/parts/body_system.hpp>
#include <catena/driver/detail/sampling_elements.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace catena::detail {
namespace {

class SamplingElement final : public Controller {
 public:
  SamplingElement(const BodySystem& system, const Model::ElementRef& at, int offset, std::string label)
      : system_(system), at_(at), offset_(offset), label_(std::move(label)) {}

  std::string name() const override { return label_; }
  double period() const override { return pool().sampling_period(at_.element); }
  void sample(const State& state, double* values, double*) override {
    BodyFrame<double> f[max_bodies_per_element];
    system_.frames_of(state, pool(), at_.element, f);
    pool().sample(at_.element, f, state.t, values + offset_);
  }

 private:
  const ElementPool& pool() const { return *system_.model().pools()[static_cast<std::size_t>(at_.pool)]; }

  const BodySystem& system_;
  Model::ElementRef at_;
  int offset_;
  std::string label_;
};

}  // namespace

std::vector<std::unique_ptr<Controller>> sampling_elements(const System& system) {
  std::vector<std::unique_ptr<Controller>> found;
  const BodySystem* const bodies = bodies_of(system);
  if (bodies == nullptr) return found;
  const Model& model = bodies->model();
  if (std::none_of(model.pools().begin(), model.pools().end(),
                   [](const auto& pool) { return pool->samples(); }))
    return found;
  const auto add = [&](const Model::ElementRef& at, int offset, auto&& label) {
    const ElementPool& pool = *model.pools()[static_cast<std::size_t>(at.pool)];
    // ControllerSchedule::prepare() refuses those that are no periods.
    if (pool.sampling_period(at.element) != 0.0)
      found.push_back(std::make_unique<SamplingElement>(*bodies, at, offset, label()));
  };
  for (int k = 0; k < static_cast<int>(model.constraints().size()); ++k)
    add(model.constraints()[static_cast<std::size_t>(k)], bodies->discrete_offset(ConstraintId{k}),
        [&] { return model.constraint_label(ConstraintId{k}); });
  for (int k = 0; k < static_cast<int>(model.forces().size()); ++k)
    add(model.forces()[static_cast<std::size_t>(k)], bodies->discrete_offset(ForceId{k}),
        [&] { return model.force_label(ForceId{k}); });
  return found;
}

}  // namespace catena::detail
