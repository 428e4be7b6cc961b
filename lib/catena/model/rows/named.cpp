#include <catena/model/rows/list.hpp>
#include <catena/model/rows/named.hpp>

namespace catena::rows {
using namespace detail;
namespace {

template <template <class> class P>
void save_from_markers(const Markers& markers, double* out) {
  FromMarkers<P>::make(markers).save(out);
}

template <template <class> class P>
NamedRows named_rows_of(const char* name, const char* summary) {
  using K = P<double>;
  return {name, summary, info_of_compiled<K>(), &save_from_markers<P>};
}

}  // namespace

const std::vector<NamedRows>& named_rows() {
  static const std::vector<NamedRows> all = {
      named_rows_of<Coincide>("coincide", "the two points coincide"),
      named_rows_of<OnLine>("on_line", "the second point stays on the line along axis_a"),
      named_rows_of<InPlane>("in_plane", "the second point stays in the plane normal to axis_a"),
      named_rows_of<Distance>("distance", "the two points keep the distance length"),
      named_rows_of<Displacement>("displacement",
                                  "the second point moves along axis_a as a function of time"),
      named_rows_of<Parallel>("parallel", "the axes stay parallel"),
      named_rows_of<Perpendicular>("perpendicular", "the axes stay perpendicular"),
      named_rows_of<Locked>("locked", "the triads of axes and sides do not turn against each other"),
      named_rows_of<Angle>("angle", "side_b turns about axis_a as a function of time")};
  return all;
}

const NamedRows* find_rows(const std::string& name) {
  for (const NamedRows& rows : named_rows())
    if (name == rows.name) return &rows;
  return nullptr;
}

}  // namespace catena::rows
