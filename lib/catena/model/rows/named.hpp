// Row primitives by name, for lists that are made while the program runs.
#pragma once
#include <catena/model/rows/markers.hpp>
#include <catena/model/rows/plan.hpp>

#include <string>
#include <vector>

namespace catena::rows {

struct NamedRows {
  const char* name;
  const char* summary;
  KernelInfo info;
  void (*save)(const Markers& markers, double* out);  // writes info.parameters numbers
};

const std::vector<NamedRows>& named_rows();
// Null: there is none of this name.
const NamedRows* find_rows(const std::string& name);

}  // namespace catena::rows
