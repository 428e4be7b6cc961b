// Joints whose rows are known at run time only, all of one shape (rows/plan.hpp). Such a type has
//
//   std::array<BodyId, N> or std::vector<BodyId> bodies;
//   rows::Shape shape() const;               what they are made of
//   void save(double* out) const;            the parameters of their kernels, one behind the other
//   void follow(const BodyFrame<double>* f, double* values) const;   where the shape has discrete values, which begin at 0
//   FunctionValue target_at(double t) const;   where its rows follow a function of time
//   void join(const Model& model);           optional: completes its members from the model it is added to
//   void evaluate(const LaneIo<double>& io, const KernelArgs& args, const ElementGroup& group) const;   where its kernels are
//                                            not among the compiled ones: one element
//
// and the optional members of other constraints (constraint.hpp).
#pragma once
#include <catena/model/detail/lane_io.hpp>
#include <catena/model/detail/listed_pool.hpp>
#include <catena/model/parts/function.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace catena::detail {

// By the baseline functions; the assembly calls those of the processor.
void evaluate_rows(const ElementPool& pool, const KernelArgs& args, const ElementGroup& group);

template <of_element::RowsAtRunTime E>
class RowsPool : public ListedPool<E> {
 public:
  explicit RowsPool(rows::Shape shape) : shape_(std::move(shape)), plan_(rows::plan_rows(shape_.kernels)) {}

  bool takes(const E& element) const { return shape_.same_as(element.shape()); }

  std::unique_ptr<ElementPool> clone() const override { return std::make_unique<RowsPool>(*this); }
  const char* type_name() const override { return E::type_name; }
  int bodies() const override { return shape_.bodies; }
  bool couples() const override {
    return std::any_of(shape_.kernels.begin(), shape_.kernels.end(),
                       [](const rows::KernelInfo& k) { return k.couples; });
  }
  int rows() const override {
    int count = 0;
    for (const rows::KernelInfo& k : shape_.kernels) count += k.rows;
    return count;
  }
  Level level() const override { return shape_.kernels.front().level; }
  const Plan& plan() const override { return plan_; }
  void parameters(int element, double* out) const override { this->at(element).save(out); }
  void evaluate(const KernelArgs& args, const ElementGroup& group) const override {
    if constexpr (requires(const LaneIo<double>& io) { this->at(0).evaluate(io, args, group); }) {
      for (int l = 0; l < group.count; ++l) try {
          this->at(group.first + l).evaluate(LaneIo<double>{l}, args, group);
        } catch (...) {
          this->rethrow("joint", group.first + l);
        }
    } else {
      evaluate_rows(*this, args, group);
    }
  }

  // Lanes without an element repeat the first.
  void targets(const ElementGroup& group, double t, double* out) const override {
    if constexpr (requires { this->at(0).target_at(t); }) {
      for (int l = 0; l < 8; ++l) try {
          const FunctionValue u = this->at(group.first + (l < group.count ? l : 0)).target_at(t);
          out[l] = u.value;
          out[8 + l] = u.slope;
          out[16 + l] = u.curvature;
        } catch (...) {
          this->rethrow("joint", group.first + l);
        }
    } else {
      ElementPool::targets(group, t, out);
    }
  }

  int discrete_size() const override { return shape_.discrete; }
  void initial_discrete(int, double* out) const override { std::fill(out, out + shape_.discrete, 0.0); }
  bool follows_motion() const override { return shape_.discrete > 0; }
  void follow_motion(int element, const BodyFrame<double>* f, double t, double* values) const override {
    (void)t;
    if constexpr (requires { this->at(element).follow(f, values); })
      this->at(element).follow(f, values);
    else
      (void)element, (void)f, (void)values;
  }

 private:
  rows::Shape shape_;
  Plan plan_;
};

}  // namespace catena::detail
