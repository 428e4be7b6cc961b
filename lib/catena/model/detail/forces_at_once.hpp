// Forces whose law is evaluated for all of them in one call, for laws whose calls are what costs: functions of Python over
// arrays. The law is the contract; a type of such forces derives from ForceAtOnce<N> and has a type_name.
#pragma once
#include <catena/model/detail/at_once.hpp>
#include <catena/model/detail/force_evaluation.hpp>
#include <catena/model/detail/typed_pool.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace catena::detail {

// What is returned of the force k of the rows depends on that force and its frames alone.
class LawAtOnce {
 public:
  virtual ~LawAtOnce() = default;
  // N wrenches each (force.hpp).
  virtual void wrenches(const ElementsOfLaw& rows, Vec<double, 6>* w) const = 0;
  // N x N blocks each, -dw_i/dq_j and -dw_i/dv_j (force.hpp).
  virtual void derivatives(const ElementsOfLaw& rows, Mat<double, 6, 6>* K, Mat<double, 6, 6>* D) const = 0;
  virtual bool has_potential() const = 0;
  virtual void potentials(const ElementsOfLaw& rows, double* energy) const = 0;  // [J]
};

template <int N>
struct ForceAtOnce {
  std::array<BodyId, N> bodies{};
  std::shared_ptr<const LawAtOnce> law;
  int number = 0;  // among the forces of the law
  std::string name;

  Vec<double, 6> wrench(const BodyFrame<double>& A, const double& t) const requires(N == 1) {
    Vec<double, 6> w;
    law->wrenches({1, &number, &A, t}, &w);
    return w;
  }
  std::array<Vec<double, 6>, 2> wrench(const BodyFrame<double>& A, const BodyFrame<double>& B,
                                       const double& t) const requires(N == 2) {
    const BodyFrame<double> f[] = {A, B};
    std::array<Vec<double, 6>, 2> w;
    law->wrenches({1, &number, f, t}, w.data());
    return w;
  }
};

// Pools of such forces.
class ForcesAtOnce : public AtOnce {
 public:
  virtual double potential_of_all(const KernelArgs& args, const ElementGroup* groups,
                                  std::size_t count) const = 0;
  // f: frames of the bodies of all elements of the pool.
  virtual std::vector<PowerParts> power_of_all(const BodyFrame<double>* f, double t) const = 0;
};

inline const ForcesAtOnce& forces_at_once(const ElementPool& pool) {
  return dynamic_cast<const ForcesAtOnce&>(pool);
}

template <class F>
class AtOncePool final : public TypedPool<F>, public ForcesAtOnce {
  static constexpr int n = of_element::body_count<F>;
  using Frame = BodyFrame<double>;
  using Wrench = Vec<double, 6>;
  using Block = Mat<double, 6, 6>;

 public:
  bool takes(const F& force) const { return this->size() == 0 || this->at(0).law == force.law; }

  std::unique_ptr<ElementPool> clone() const override { return std::make_unique<AtOncePool>(*this); }
  const char* type_name() const override { return F::type_name; }
  const Plan& plan() const override {
    static const Plan plan{{Stage{.function = all_at_once}}, {}, 0};
    return plan;
  }
  void evaluate(const KernelArgs& args, const ElementGroup& group) const override {
    evaluate_all(args, &group, 1);
  }
  double potential(const KernelArgs& args, const ElementGroup& group) const override {
    return potential_of_all(args, &group, 1);
  }
  PowerParts power(int element, const Frame* f, double t, const double*, const double*) const override {
    return powers({1, &this->at(element).number, f, t}).front();
  }

  void evaluate_all(const KernelArgs& args, const ElementGroup* groups, std::size_t count) const override {
    const bool blocks = args.H != nullptr && (args.stiffness != 0.0 || args.damping != 0.0);
    if (!args.forces || (args.balance == nullptr && !blocks)) return;
    const TakenElements all(*this, args, groups, count);
    const ElementsOfLaw rows = all.rows(args.t);
    std::vector<Wrench> w(n * rows.count);
    std::vector<Block> K(blocks ? n * w.size() : 1), D(K.size());
    if (args.balance != nullptr)
      call(rows, [&](const ElementsOfLaw& some) { law().wrenches(some, w.data()); });
    if (blocks) call(rows, [&](const ElementsOfLaw& some) { law().derivatives(some, K.data(), D.data()); });
    std::size_t k = 0;
    for (const ElementGroup* g = groups; g != groups + count; ++g)
      for (int l = 0; l < g->count; ++l, ++k) {
        const std::size_t block = blocks ? n * n * k : 0;
        const Known kernel{&w[n * k], &K[block], &D[block]};
        evaluate_force_group(kernel, LaneIo<double>{l}, args, *g);
      }
  }
  double potential_of_all(const KernelArgs& args, const ElementGroup* groups,
                          std::size_t count) const override {
    if (!law().has_potential()) return 0.0;
    const TakenElements all(*this, args, groups, count);
    double sum = 0.0;
    for (const double energy : potentials(all.rows(args.t))) sum += energy;
    return sum;
  }
  std::vector<PowerParts> power_of_all(const Frame* f, double t) const override {
    std::vector<int> numbers;
    for (int e = 0; e < this->size(); ++e) numbers.push_back(this->at(e).number);
    return powers({numbers.size(), numbers.data(), f, t});
  }

 private:
  // A force whose numbers are there already.
  struct Known {
    static constexpr int bodies = n;
    static constexpr bool couples = n > 1;
    const Wrench* w;
    const Block *K, *D;
    void wrench(const Frame*, double, Wrench* out) const { std::copy_n(w, n, out); }
    void derivatives(const Frame*, double, Block* stiffness, Block* damping) const {
      std::copy_n(K, n * n, stiffness);
      std::copy_n(D, n * n, damping);
    }
  };
  const LawAtOnce& law() const { return *this->at(0).law; }

  template <class Call>
  void call(const ElementsOfLaw& rows, Call&& what) const {
    call_for_all(rows, n, what, [&](std::size_t k) { this->rethrow("force", rows.number[k]); });
  }
  std::vector<double> potentials(const ElementsOfLaw& rows) const {
    std::vector<double> out(rows.count);
    call(rows, [&](const ElementsOfLaw& some) { law().potentials(some, out.data()); });
    return out;
  }
  std::vector<PowerParts> powers(const ElementsOfLaw& rows) const {
    std::vector<Wrench> w(n * rows.count);
    call(rows, [&](const ElementsOfLaw& some) { law().wrenches(some, w.data()); });
    std::vector<PowerParts> out(rows.count);
    double speed = 1.0;  // [1/s, m/s]
    for (std::size_t i = 0; i < w.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const Frame& f = rows.frames[i];
        out[i / n].of_wrenches += w[i][k] * f.v[k] + w[i][3 + k] * f.omega[k];
        speed = std::max({speed, std::abs(f.v[k]), std::abs(f.omega[k])});
      }
    if (!law().has_potential()) return out;
    // As of one force (force_power.hpp), with one step of the time for all.
    const double h = std::cbrt(std::numeric_limits<double>::epsilon()) / speed;  // [s]
    const auto at = [&](double dt) {
      std::vector<Frame> moved(rows.frames, rows.frames + w.size());
      for (Frame& f : moved) {
        f.x += dt * f.v;
        f.R = f.R * rotation_matrix(exponential(Vec3(dt * f.omega)));
      }
      return potentials({rows.count, rows.number, moved.data(), rows.t + dt});
    };
    const std::vector<double> after = at(h), before = at(-h);
    for (std::size_t k = 0; k < out.size(); ++k) {
      out[k].of_potential = (after[k] - before[k]) / (2.0 * h);
      out[k].error = error_of_difference(after[k], before[k], h);
    }
    return out;
  }
};

namespace of_element {
template <class F>
requires std::same_as < std::shared_ptr<const LawAtOnce>,
decltype(F::law) > struct PoolType<F> { using type = AtOncePool<F>; };
}  // namespace of_element

}  // namespace catena::detail
