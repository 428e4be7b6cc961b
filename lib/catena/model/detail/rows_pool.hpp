// All joints of one list of rows.
#pragma once
#include <catena/model/detail/element_pool.hpp>
#include <catena/model/parts/rows_joint.hpp>

#include <vector>

namespace catena::detail {

class RowsPool final : public ElementPool {
 public:
  explicit RowsPool(std::vector<std::string> rows);

  const std::vector<std::string>& row_names() const { return rows_; }
  void push_back(RowsJoint joint, int number);  // number: in an automatic name, -1: it has a name of its own
  int next_number() const { return next_number_; }

  std::unique_ptr<ElementPool> clone() const override { return std::make_unique<RowsPool>(*this); }
  const char* type_name() const override { return RowsJoint::type_name; }
  int size() const override { return static_cast<int>(joints_.size()); }
  int bodies() const override { return 2; }
  BodyId body(int element, int i) const override { return at(element).bodies[static_cast<std::size_t>(i)]; }
  std::string name(int element) const override { return at(element).name; }
  bool couples() const override { return couples_; }
  bool list_members(int element, ElementVisitor& visitor) const override;
  const Plan& plan() const override { return plan_; }
  void parameters(int element, double* out) const override;
  bool markers(int element, rows::Markers& out) const override { return out = at(element).markers(), true; }
  std::string defect_at(int, const BodyFrame<double>*, double) const override { return {}; }
  void evaluate(const KernelArgs& args, const ElementGroup& group) const override;
  int rows() const override { return row_count_; }

 private:
  const RowsJoint& at(int element) const { return joints_[static_cast<std::size_t>(element)]; }

  std::vector<std::string> rows_;
  Plan plan_;
  int row_count_ = 0;
  bool couples_ = false;
  std::vector<RowsJoint> joints_;
  int next_number_ = 0;
};

}  // namespace catena::detail
