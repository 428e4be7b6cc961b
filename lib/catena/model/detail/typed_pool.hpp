// Pools: all constraints or forces of one C++ type, stored by value and evaluated lane by lane.
#pragma once
#include <catena/model/constraint.hpp>
#include <catena/model/detail/alike.hpp>
#include <catena/model/detail/constraint_evaluation.hpp>
#include <catena/model/detail/discrete.hpp>
#include <catena/model/detail/element_plan.hpp>
#include <catena/model/detail/force_evaluation.hpp>
#include <catena/model/detail/force_power.hpp>
#include <catena/model/detail/listed_pool.hpp>
#include <catena/model/detail/rows_pool.hpp>
#include <catena/model/force.hpp>

#include <utility>
#include <vector>

namespace catena::detail {

// What constraints and forces have in common whose rows and bodies are known at compile time.
template <class E>
class TypedPool : public ListedPool<E> {
 public:
  int bodies() const override { return of_element::body_count<E>; }
  bool couples() const override { return of_element::couples_of<E>(); }
  const Plan& plan() const override { return of_element::plan_of<E>(); }
  void parameters(int element, double* out) const override {
    if constexpr (rows::MadeOfRows<E>)
      rows::save_parameters(this->at(element), out);
    else if constexpr (of_element::HasKernel<E>)
      of_element::kernel_of<double>(this->at(element)).save(out);
    else if constexpr (of_element::JoinsPoints<E>)
      for (std::size_t i = 0; i < E::joins.size(); ++i)
        save_vector(out + 3 * i, this->at(element).*(E::joins[i]));
    else
      (void)element, (void)out;
  }

  int discrete_size() const override { return of_element::discrete_size<E>; }
  // Of counted angles 0: they start in (-pi, pi], the assembly brings them up to the initial poses.
  void initial_discrete(int element, double* out) const override {
    of_element::initial_discrete(this->at(element), out);
  }
  bool follows_motion() const override { return of_element::Follows<E>; }
  void follow_motion(int element, const BodyFrame<double>* f, double t, double* values) const override {
    if constexpr (of_element::Follows<E>)
      of_element::follow(this->at(element), f, t, values);
    else
      (void)element, (void)f, (void)t, (void)values;
  }
  bool integrates(int element) const override {
    if constexpr (requires(const E& e) { e.integrates(); })
      return this->at(element).integrates();
    else
      return (void)element, false;
  }

  bool samples() const override { return of_element::Samples<E>; }
  double sampling_period(int element) const override {
    if constexpr (of_element::Samples<E>)
      return this->at(element).sampling_period();
    else
      return (void)element, 0.0;
  }
  void sample(int element, const BodyFrame<double>* f, double t, double* values) const override {
    if constexpr (of_element::Samples<E>)
      this->at(element).sample(f, t, values);
    else
      (void)element, (void)f, (void)t, (void)values;
  }

  // One pool holds every element of the type.
  static constexpr bool takes(const E&) { return true; }

 protected:
  // A kernel of the library's at the parameters of the group, which may be at points of fixed bodies (null: its own), and
  // at the discrete values.
  auto kernel_at(const LaneIo<double>& io, const KernelArgs& args, const ElementGroup& group) const {
    auto kernel = group.parameters != nullptr
                      ? of_element::KernelOf<E>::load(io, group.parameters)
                      : of_element::kernel_of<double>(this->at(group.first + io.lane));
    if constexpr (of_element::HasDiscreteKernel<E>)
      if (args.discrete != nullptr) kernel.read_discrete(io, args.discrete, group.discrete_at);
    if constexpr (of_element::ReadsReaction<E>)
      if (args.lambda != nullptr && group.reaction != nullptr)
        kernel.read_reaction(args.lambda + group.reaction->lambda_at[io.lane], group.reaction->rows);
    // What it has beside parameters: functions.
    if constexpr (requires(const E& e) { e.complete(kernel); })
      this->at(group.first + io.lane).complete(kernel);
    return kernel;
  }
};

template <Constraint C>
class ConstraintPool final : public TypedPool<C> {
 public:
  std::unique_ptr<ElementPool> clone() const override { return std::make_unique<ConstraintPool>(*this); }
  const char* type_name() const override { return of_element::type_name_of<C>("constraint"); }
  int rows() const override { return of_element::row_count<C>; }
  Level level() const override { return of_element::level_of<C>(); }
  bool couples() const override {
    if constexpr (of_element::couplings_are_found<C>())
      return coupled_;
    else
      return TypedPool<C>::couples();
  }
  void evaluate(const KernelArgs& args, const ElementGroup& group) const override {
    if constexpr (of_element::JoinsPoints<C>)
      if (group.parameters != nullptr) return evaluate_joined(args, group);
    if constexpr (of_element::in_lanes<C>() && !of_element::JoinsPoints<C>)
      if (evaluated_in_lanes(args, group)) return;
    evaluate_one_by_one(args, group);
  }

  // The frames of the bodies of an element that is about to be added. What discrete values make of couplings is not known.
  void find_couplings(const of_element::Bound<C>& element, const BodyFrame<double>* f) {
    if constexpr (of_element::couplings_are_found<C>() && of_element::HasDiscrete<C>)
      coupled_ = true, (void)element, (void)f;
    else if constexpr (of_element::couplings_are_found<C>())
      coupled_ = coupled_ || of_element::finds_couplings(element, f);
    else
      (void)element, (void)f;
  }

  void push_back(C element, int number = -1) {
    if constexpr (of_element::JoinsPoints<C>) {
      bare_.push_back(of_element::without_points(element));
      const std::size_t n = bare_.size();
      like_previous_.push_back(n > 1 && of_element::alike(bare_[n - 2], bare_[n - 1]) ? 1 : 0);
    } else if constexpr (of_element::in_lanes<C>()) {
      like_previous_.push_back(
          this->size() > 0 && of_element::alike(of_element::without_points(this->at(this->size() - 1)),
                                                of_element::without_points(element))
              ? 1
              : 0);
    }
    TypedPool<C>::push_back(std::move(element), number);
  }

 private:
  void evaluate_one_by_one(const KernelArgs& args, const ElementGroup& group) const {
    for (int l = 0; l < group.count; ++l) try {
        const LaneIo<double> io{l};
        if constexpr (of_element::HasKernel<C>) {
          evaluate_constraint_group(this->kernel_at(io, args, group), io, args, group);
        } else {
          const of_element::AtDiscrete<C> element(this->at(group.first + l), args.discrete, group.discrete_at,
                                                  l);
          auto kernel = constraint_kernel(element.get());
          if constexpr (of_element::couplings_are_found<C>()) kernel.coupled = coupled_;
          evaluate_constraint_group(kernel, io, args, group);
        }
      } catch (...) {
        this->rethrow("joint", group.first + l);
      }
  }
  bool all_alike(const ElementGroup& group) const {
    bool alike = true;
    for (int l = 1; l < group.count; ++l)
      alike = alike && like_previous_[static_cast<std::size_t>(group.first + l)] != 0;
    return alike;
  }
  // Whether all lanes take the same branches. Branches depend on values, which are the same in every derivative.
  template <class Kernel>
  static bool branches_agree(const Kernel& kernel, const LaneIo<Pack8>& io, const KernelArgs& args,
                             const ElementGroup& group) {
    BodyFrame<Pack8> f[Kernel::bodies];
    read_frames<Kernel>(io, args, group, true, f);
    lanes_disagree() = false;
    if constexpr (Kernel::level == Level::position)
      (void)kernel.gap(f, Pack8(args.t));
    else
      (void)kernel.rate(f, Pack8(args.t));
    return !lanes_disagree();
  }

  // Four elements in packs cost what they cost one by one, without vector instructions beyond SSE2.
  static constexpr int enough_for_lanes = 4;
  bool evaluated_in_lanes(const KernelArgs& args, const ElementGroup& group) const {
    if (group.count < enough_for_lanes || !all_alike(group)) return false;
    ConstraintKernel<C, Pack8> kernel{this->at(group.first)};
    if constexpr (of_element::couplings_are_found<C>()) kernel.coupled = coupled_;
    const LaneIo<Pack8> io{group.count};
    try {
      if (!branches_agree(kernel, io, args, group)) return false;
    } catch (...) {
      return false;  // one by one, for the name of the element that throws
    }
    try {
      evaluate_constraint_group(kernel, io, args, group);
    } catch (...) {
      rethrow_guilty(group, [&] { evaluate_one_by_one(args, group); });
    }
    return true;
  }

  // In a handler, where one of eight has thrown: evaluates them again, for the name of the one that does. What was written
  // is lost with the exception. Of a type that throws over packs alone, the first of them.
  template <class OneByOne>
  [[noreturn]] void rethrow_guilty(const ElementGroup& group, OneByOne&& one_by_one) const {
    one_by_one();
    this->rethrow("joint", group.first);
  }

  // At frames and points of the assembly, eight at once where they differ by their points alone.
  void evaluate_joined(const KernelArgs& args, const ElementGroup& group) const {
    if constexpr (of_element::in_lanes<C>())
      if (all_alike(group)) try {
          const LaneIo<Pack8> io{group.count};
          const auto kernel = joined_kernel(io, group, group.first);
          if (branches_agree(kernel, io, args, group))
            return evaluate_constraint_group(kernel, io, args, group);
        } catch (...) {
          rethrow_guilty(group, [&] { evaluate_joined_one_by_one(args, group); });
        }
    evaluate_joined_one_by_one(args, group);
  }
  void evaluate_joined_one_by_one(const KernelArgs& args, const ElementGroup& group) const {
    // In the order of lanes: to all first bodies, then to all second ones.
    for (int i = 0; i < of_element::body_count<C>; ++i)
      for (int l = 0; l < group.count; ++l) try {
          const LaneIo<double> io{l, i};
          evaluate_constraint_group(joined_kernel(io, group, group.first + l), io, args, group);
        } catch (...) {
          this->rethrow("joint", group.first + l);
        }
  }
  template <class S>
  JoinedGap<C, S> joined_kernel(const LaneIo<S>& io, const ElementGroup& group, int element) const {
    JoinedGap<C, S> kernel;
    kernel.bare = &bare_[static_cast<std::size_t>(element)];
    if constexpr (of_element::couplings_are_found<C>()) kernel.coupled = coupled_;
    for (int i = 0; i < JoinedGap<C, S>::bodies; ++i)
      kernel.point[i] = load_vector<S>(io, group.parameters, 3 * i);
    return kernel;
  }

  bool coupled_ = false;  // where that is found out: of any of them so far
  std::vector<C> bare_;   // of types that join points: what is left without them
  std::vector<char>
      like_previous_;  // of types in lanes: whether an element differs from that before by its bodies,
                       // name and points alone
};

template <Force F>
class ForcePool final : public TypedPool<F> {
 public:
  std::unique_ptr<ElementPool> clone() const override { return std::make_unique<ForcePool>(*this); }
  const char* type_name() const override { return of_element::type_name_of<F>("force"); }
  void evaluate(const KernelArgs& args, const ElementGroup& group) const override {
    for (int l = 0; l < group.count; ++l)
      with_kernel(l, args, group,
                  [&](const auto& kernel) { evaluate_force_group(kernel, LaneIo<double>{l}, args, group); });
  }
  double potential(const KernelArgs& args, const ElementGroup& group) const override {
    double sum = 0.0;
    for (int l = 0; l < group.count; ++l)
      with_kernel(l, args, group,
                  [&](const auto& kernel) { sum += potential_of(kernel, LaneIo<double>{l}, args, group); });
    return sum;
  }
  ReactionOf reaction_of(int element) const override {
    if constexpr (of_element::ReadsReaction<F>)
      return this->at(element).reaction;
    else
      return (void)element, ReactionOf{};
  }
  PowerParts power(int element, const BodyFrame<double>* f, double t, const double* discrete,
                   const double* reaction) const override {
    try {
      const of_element::AtDiscrete<F> force(this->at(element), discrete, 0, 0);
      return of_element::power(force.get(), f, t, discrete, reaction);
    } catch (...) {
      this->rethrow("force", element);
    }
  }
  double net_power(int element, const BodyFrame<double>* f, double t, const double* discrete,
                   const double* reaction) const override {
    if constexpr (of_element::HasKernel<F>) {
      if constexpr (requires(const of_element::KernelOf<F>& kernel) { kernel.power(f, t); }) {
        try {
          return of_element::kernel_at_values<double>(this->at(element), discrete, reaction).power(f, t);
        } catch (...) {
          this->rethrow("force", element);
        }
      }
    }
    return ElementPool::net_power(element, f, t, discrete, reaction);
  }
  bool has_coordinates() const override { return along_coordinates_; }
  void along_coordinates(int element, const BodyFrame<double>* f, double t, const double* discrete,
                         AlongCoordinates& out) const override {
    if constexpr (along_coordinates_)
      out = of_element::kernel_at_values<double>(this->at(element), discrete).along_coordinates(f, t);
    else
      ElementPool::along_coordinates(element, f, t, discrete, out);
  }
  std::optional<bool> does_work(int element) const override {
    if constexpr (requires(const F& f) { f.does_work(); })
      return this->at(element).does_work();
    else
      return (void)element, std::nullopt;
  }

 private:
  static constexpr bool has_along_coordinates() {
    if constexpr (of_element::HasKernel<F>)
      return requires(const of_element::KernelOf<F>& kernel, const BodyFrame<double>* f) {
        kernel.along_coordinates(f, 0.0);
      };
    else
      return false;
  }
  static constexpr bool along_coordinates_ = has_along_coordinates();

  template <class What>
  void with_kernel(int l, const KernelArgs& args, const ElementGroup& group, What&& what) const {
    try {
      if constexpr (of_element::HasKernel<F>) {
        what(this->kernel_at(LaneIo<double>{l}, args, group));
      } else {
        const of_element::AtDiscrete<F> element(this->at(group.first + l), args.discrete, group.discrete_at,
                                                l);
        what(force_kernel(element.get()));
      }
    } catch (...) {
      this->rethrow("force", group.first + l);
    }
  }
  template <class Kernel>
  static double potential_of(const Kernel& kernel, const LaneIo<double>& io, const KernelArgs& args,
                             const ElementGroup& group) {
    BodyFrame<double> f[of_element::body_count<F>];
    read_frames<Kernel>(io, args, group, true, f);
    return kernel.potential(f, args.t);
  }
};

namespace of_element {
template <class E>
struct PoolType {
  using type = ForcePool<E>;
};
template <Constraint C>
struct PoolType<C> {
  using type = ConstraintPool<C>;
};
template <RowsAtRunTime C>
struct PoolType<C> {
  using type = RowsPool<C>;
};
}  // namespace of_element
template <class E>
using PoolOf = typename of_element::PoolType<E>::type;

}  // namespace catena::detail
