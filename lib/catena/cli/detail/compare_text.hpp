// A comparison of methods as tables for people.
#pragma once
#include <catena/study/detail/method_comparison.hpp>

#include <set>
#include <string>
#include <vector>

namespace catena::detail {

// Names of the tables, in their order: errors, end, kept, work, orders.
const std::vector<std::string>& comparison_tables();

struct ComparisonText {
  std::set<std::string> tables = {};  // empty: all
  bool markdown = false;
};

// What the problem is, what it is measured against, and the tables.
std::string to_text(const ProblemComparison& comparison, const ComparisonText& wanted);

}  // namespace catena::detail
