// How a kernel over scalar S reaches State and pools: S = double works on lane `lane` of a group,
// S = Pack<8> on all lanes at once. The only place that knows both.
#pragma once
#include <catena/math/parts/pack_rows.hpp>
#include <catena/model/detail/kernel_args.hpp>
#include <catena/model/detail/kernel_traits.hpp>
#include <catena/model/parts/frame.hpp>

CATENA_BEGIN_DETAIL_ISA

template <class S>
struct LaneIo;

// Groups of so few are evaluated one by one, to the same bits: all but the baseline multiply and add at once over numbers as
// over lanes. With AVX2, whose packs are two registers, an element alone takes 0.29 to 0.39 of the instructions of a pack.
constexpr int too_few_for_lanes = CATENA_ISA_LEVEL == 0 ? 0 : CATENA_ISA_LEVEL == 1 ? 2 : 1;

template <>
struct LaneIo<double> {
  int lane;
  // Lanes add to their first bodies, then to their second ones; so do single elements in passes, one a body.
  int only_body = -1;
  bool adds_to(int i) const { return only_body < 0 || only_body == i; }
  static constexpr int stride() { return 8; }  // between parameters
  double read(const double* base, const int* index) const { return base[index[lane]]; }
  // Parameter or slot entry e of the group that starts at base.
  double entry(const double* base, int e) const { return base[8 * e + lane]; }
  // Of numbers that all elements of a group have in common.
  double first(const double* base, int e) const { return entry(base, e); }
  void set_entry(double* base, int e, double value) const { base[8 * e + lane] = value; }
  // Discrete value k of the element, size of them each from base + at on.
  double discrete(const double* base, int at, int size, int k) const { return base[at + size * lane + k]; }
  void write(double* base, const int* index, int k, double value) const { base[index[lane] + k] = value; }
  // n numbers that lie side by side: out[k] = base[index + k], and back.
  template <int n>
  void read_all(const double* base, const int* index, double* out) const {
    for (int k = 0; k < n; ++k) out[k] = base[index[lane] + k];
  }
  template <int n>
  void write_all(double* base, const int* index, const double* value) const {
    for (int k = 0; k < n; ++k) base[index[lane] + k] = value[k];
  }
  template <int n>
  void add_all(double* base, const int* index, const double* value) const {
    for (int k = 0; k < n; ++k) base[index[lane] + k] += value[k];
  }
  // base[at + stride k] += value[k], k < n
  template <class Index>
  void add(double* base, const Index* at, int stride, int n, const double* value) const {
    double* p = base + at[lane];
    for (int k = 0; k < n; ++k) p[stride * k] += value[k];
  }
  double mask(const std::uint8_t* flag, const int* block) const { return flag[block[lane]] != 0 ? 0.0 : 1.0; }
};

template <>
struct LaneIo<Pack8> {
  int count;  // lanes in use
  bool adds_to(int) const { return true; }
  static constexpr int stride() { return 8; }
  Pack8 read(const double* base, const int* index) const { return gather(base, index); }
  Pack8 entry(const double* base, int e) const { return load(base + 8 * e); }
  double first(const double* base, int e) const { return base[8 * e]; }
  void set_entry(double* base, int e, const Pack8& value) const { store(base + 8 * e, value); }
  Pack8 discrete(const double* base, int at, int size, int k) const {
    alignas(64) double x[8];
    for (int l = 0; l < 8; ++l) x[l] = base[at + size * (l < count ? l : 0) + k];
    return load(x);
  }
  void write(double* base, const int* index, int k, const Pack8& value) const {
    alignas(64) double x[8];
    store(x, value);
    for (int l = 0; l < count; ++l) base[index[l] + k] = x[l];
  }
  template <int n>
  void read_all(const double* base, const int* index, Pack8* out) const {
    load_rows<n>(base, index, out);
  }
  template <int n>
  void write_all(double* base, const int* index, const Pack8* value) const {
    store_rows<n>(base, index, count, value);
  }
  template <int n>
  void add_all(double* base, const int* index, const Pack8* value) const {
    store_rows<n, true>(base, index, count, value);
  }
  // Lane after lane, so that two lanes may add to the same place; all at once where they lie side by side.
  template <class Index>
  void add(double* base, const Index* at, int stride, int n, const Pack8* value) const {
    bool side_by_side = count == 8 && stride >= 8;
    for (int l = 1; l < 8; ++l) side_by_side = side_by_side && at[l] == at[0] + static_cast<Index>(l);
    if (side_by_side) {
      double* p = base + at[0];
      for (int k = 0; k < n; ++k) store(p + stride * k, load(p + stride * k) + value[k]);
      return;
    }
    alignas(64) double x[36][8];
    for (int k = 0; k < n; ++k) store(x[k], value[k]);
    for (int l = 0; l < count; ++l) {
      double* p = base + at[l];
      for (int k = 0; k < n; ++k) p[stride * k] += x[k][l];
    }
  }
  Pack8 mask(const std::uint8_t* flag, const int* block) const {
    alignas(64) double x[8];
    for (int l = 0; l < 8; ++l) x[l] = flag[block[l]] != 0 ? 0.0 : 1.0;
    return load(x);
  }
};

// The lanes of a group that S covers: [lane_begin, lane_end).
inline int lane_begin(const LaneIo<double>& io) { return io.lane; }
inline int lane_end(const LaneIo<double>& io) { return io.lane + 1; }
inline int lane_begin(const LaneIo<Pack8>&) { return 0; }
inline int lane_end(const LaneIo<Pack8>& io) { return io.count; }

// f = pose of body i of a group, and its velocity where v is given and wanted.
template <class S>
inline void read_frame(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& g, int i, bool moving,
                       BodyFrame<S>& f) {
  const bool fixed = (g.fixed >> i & 1U) != 0;
  const double* q = fixed ? args.fixed_q : args.q;
  const int* at = g.q_at[i];
  S pose[7];
  io.template read_all<7>(q, at, pose);
  for (int k = 0; k < 3; ++k) f.x[k] = pose[k];
  f.R = rotation_matrix(Quaternion<S>{pose[3], pose[4], pose[5], pose[6]});
  if (fixed || args.v == nullptr || !moving) {
    f.v = Vec<S, 3>::Zero();
    f.omega = Vec<S, 3>::Zero();
  } else {
    S motion[6];
    io.template read_all<6>(args.v, g.v_at[i], motion);
    for (int k = 0; k < 3; ++k) f.v[k] = motion[k];
    for (int k = 0; k < 3; ++k) f.omega[k] = motion[3 + k];
  }
}
template <class S>
inline BodyFrame<S> read_frame(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& g, int i) {
  BodyFrame<S> f;
  read_frame(io, args, g, i, true, f);
  return f;
}

// Moves the origin into the first body, x_i <- (x_i - x_0) + (low_i - low_0): neighbours far from the world's
// origin keep the digits of their distance. For elements that depend on relative positions only.
template <class S>
inline void shift_to_first(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& g, int n,
                           BodyFrame<S>* f) {
  const Vec<S, 3> origin = f[0].x;
  Vec<S, 3> origin_low = Vec<S, 3>::Zero();
  for (int i = 0; i < n; ++i) {
    Vec<S, 3> low = Vec<S, 3>::Zero();
    if (args.x_low != nullptr && (g.fixed >> i & 1U) == 0) {
      int at[8];
      for (int l = 0; l < 8; ++l) at[l] = 3 * g.block[i][l];
      io.template read_all<3>(args.x_low, at, low.e);
    }
    if (i == 0) origin_low = low;
    f[i].x = (f[i].x - origin) + (low - origin_low);
  }
}

// The frames of an element whose kernel is K, in the coordinates that it works in.
template <class K, class S>
inline void read_frames(const LaneIo<S>& io, const KernelArgs& args, const ElementGroup& g, bool moving,
                        BodyFrame<S>* f) {
  for (int i = 0; i < K::bodies; ++i) read_frame(io, args, g, i, moving, f[i]);
  if constexpr (positions_of<K>() == PositionUse::difference) shift_to_first(io, args, g, K::bodies, f);
}

// Six components of a velocity-like vector of body i; zero for a fixed body or a missing vector.
template <class S>
inline Vec<S, 6> read_velocity(const LaneIo<S>& io, const double* v, const ElementGroup& g, int i) {
  if (v == nullptr || (g.fixed >> i & 1U) != 0) return Vec<S, 6>::Zero();
  Vec<S, 6> x;
  io.template read_all<6>(v, g.v_at[i], x.e);
  return x;
}

CATENA_END_DETAIL_ISA
