// Joints whose gap or rate is evaluated for all of one law in one call: functions of Python over arrays. What their rows need of
// derivatives comes from second derivatives of the law (rows_by_derivatives.hpp).
#pragma once
#include <catena/model/detail/at_once.hpp>
#include <catena/model/detail/rows_by_derivatives.hpp>
#include <catena/model/detail/typed_pool.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace catena::detail {

// Numbers of rows, without those that are zero in all of them.
struct NumbersOfRows {
  std::vector<int> places;  // in the numbers of a row (numbers_of_row), ascending; the first is 0, the value
  std::vector<double> numbers;  // [joint][row][place]
};

// What is returned of the joint k of the rows depends on that joint and its frames alone.
class JointLawAtOnce {
 public:
  virtual ~JointLawAtOnce() = default;
  // order: of the derivatives that are wanted, 0, 1 or 2.
  virtual NumbersOfRows rows(const ElementsOfLaw& joints, int order) const = 0;
};

// A type of such joints derives from it and has a type_name.
struct JointAtOnce {
  std::vector<BodyId> bodies;
  int rows = 1;
  Level level = Level::position;
  std::shared_ptr<const JointLawAtOnce> law;
  int number = 0;  // among the joints of the law
  std::string name;

  catena::rows::Shape shape() const { return shape_by_derivatives(bodies, rows, level, all_at_once); }
  void save(double*) const {}
};

template <class J>
class JointsAtOncePool final : public RowsPool<J>, public AtOnce {
 public:
  using RowsPool<J>::RowsPool;

  bool takes(const J& joint) const { return this->size() == 0 || this->at(0).law == joint.law; }

  std::unique_ptr<ElementPool> clone() const override { return std::make_unique<JointsAtOncePool>(*this); }
  void evaluate(const KernelArgs& args, const ElementGroup& group) const override {
    evaluate_all(args, &group, 1);
  }
  void evaluate_all(const KernelArgs& args, const ElementGroup* groups, std::size_t count) const override {
    const int order = order_of(args);
    const TakenElements all(*this, args, groups, count);
    const ElementsOfLaw rows = all.rows(args.t);
    NumbersOfRows numbers;
    if (order >= 0)
      call_for_all(
          rows, static_cast<std::size_t>(this->bodies()),
          [&](const ElementsOfLaw& some) { numbers = this->at(0).law->rows(some, order); },
          [&](std::size_t k) { this->rethrow("joint", all.elements[k]); });
    Known known(this->rows(), this->level());
    const double* next = numbers.numbers.data();
    for (const ElementGroup* g = groups; g != groups + count; ++g)
      for (int l = 0; l < g->count; ++l) {
        next = known.take(numbers.places, next);
        evaluate_by_derivatives(known, this->bodies(), this->rows(), this->level(), LaneIo<double>{l}, args,
                                *g);
      }
  }

 private:
  // The numbers of one joint after the other.
  struct Known final : RowNumbers {
    int rows, each;
    std::vector<double> all;
    Known(int row_count, Level level)
        : rows(row_count),
          each(numbers_of_row(level)),
          all(static_cast<std::size_t>(row_count * numbers_of_row(level))) {}
    const double* take(const std::vector<int>& places, const double* next) {
      for (int r = 0; r < rows; ++r)
        for (const int place : places) all[static_cast<std::size_t>(r * each + place)] = *next++;
      return next;
    }
    void values(const BodyFrame<double>*, double, double* out) const override {
      for (int r = 0; r < rows; ++r) out[r] = all[static_cast<std::size_t>(r * each)];
    }
    const void* derivatives(const BodyFrame<double>*, double) const override { return all.data(); }
  };

  // The derivatives that evaluate_constraint_group reads; -1: not even values.
  int order_of(const KernelArgs& args) const {
    const bool position = this->level() == Level::position;
    const bool stiff = args.H != nullptr && args.lambda != nullptr && args.stiffness != 0.0;
    const bool rates = args.C != nullptr && args.row_rate != 0.0;
    if (stiff || (position && (args.acceleration != nullptr || rates))) return 2;
    if (args.balance != nullptr || args.velocity != nullptr || args.acceleration != nullptr ||
        args.C != nullptr)
      return 1;
    return position && args.position != nullptr ? 0 : -1;
  }
};

namespace of_element {
template <class J>
concept JointOfLaw = RowsAtRunTime<J> && std::is_base_of_v<JointAtOnce, J>;
template <JointOfLaw J>
struct PoolType<J> {
  using type = JointsAtOncePool<J>;
};
}  // namespace of_element

}  // namespace catena::detail
