// Two kernels of rows on the same bodies as one: the rows of `first`, then those of `rest`, which may be a stack itself.
#pragma once
#include <catena/math/parts/level.hpp>
#include <catena/model/detail/kernel_traits.hpp>
#include <catena/model/rows/parameters.hpp>

namespace catena::rows {
inline namespace CATENA_ISA {

template <class First, class Rest>
struct Stack {
  static constexpr int bodies = First::bodies, rows = First::rows + Rest::rows,
                       parameters = First::parameters + Rest::parameters;
  static constexpr Level level = First::level;
  static constexpr bool couples = First::couples || Rest::couples;
  static_assert(First::bodies == Rest::bodies && First::level == Rest::level,
                "rows of one joint act on the same bodies and have one level");
  static constexpr bool turning_stiffness =
      detail::stiffness_begins_at<First>() == 3 && detail::stiffness_begins_at<Rest>() == 3;
  static constexpr PositionUse positions = detail::positions_of<First>() > detail::positions_of<Rest>()
                                               ? detail::positions_of<First>()
                                               : detail::positions_of<Rest>();
  using Frame = typename First::Frame;
  using S = typename decltype(Frame::x)::Scalar;

  First first;
  Rest rest;

  template <class Io>
  static Stack load(const Io& io, const double* p) {
    return {First::load(io, p), Rest::load(io, p + io.stride() * First::parameters)};
  }
  void save(double* out) const {
    first.save(out);
    rest.save(out + First::parameters);
  }

  Vec<S, rows> gap(const Frame* f, const S& t) const requires(First::level == Level::position) {
    return joined(first.gap(f, t), rest.gap(f, t));
  }
  Vec<S, rows> rate(const Frame* f, const S& t) const requires(First::level == Level::velocity) {
    return joined(first.rate(f, t), rest.rate(f, t));
  }
  void jacobian(const Frame* f, const S& t, Mat<S, rows, 6>* G) const {
    Mat<S, First::rows, 6> a[bodies];
    Mat<S, Rest::rows, 6> b[bodies];
    first.jacobian(f, t, a);
    rest.jacobian(f, t, b);
    join(a, b, G);
  }
  Vec<S, rows> drift(const Frame* f, const S& t) const { return joined(first.drift(f, t), rest.drift(f, t)); }
  Vec<S, rows> bias(const Frame* f, const S& t) const { return joined(first.bias(f, t), rest.bias(f, t)); }
  void rate_jacobian(const Frame* f, const S& t, Mat<S, rows, 6>* N) const {
    Mat<S, First::rows, 6> a[bodies];
    Mat<S, Rest::rows, 6> b[bodies];
    first.rate_jacobian(f, t, a);
    rest.rate_jacobian(f, t, b);
    join(a, b, N);
  }
  void turning(const Frame* f, const S& t, const Vec<S, rows>& lambda, Mat<S, 3, 3>* K) const
      requires(detail::gives_turning<First>() && detail::gives_turning<Rest>()) {
    const auto [a, b] = parted(lambda);
    Mat<S, 3, 3> more[bodies * bodies];
    first.turning(f, t, a, K);
    rest.turning(f, t, b, more);
    for (int i = 0; i < bodies; ++i)
      for (int j = 0; j < bodies; ++j) {
        Mat<S, 3, 3>& k = K[i * bodies + j];
        // A part that does not couple leaves its blocks between bodies unset.
        if (i != j && !First::couples && Rest::couples)
          k = more[i * bodies + j];
        else if (i == j || Rest::couples)
          k += more[i * bodies + j];
      }
  }
  void geometric_stiffness(const Frame* f, const S& t, const Vec<S, rows>& lambda, Mat<S, 6, 6>* K) const {
    const auto [a, b] = parted(lambda);
    Mat<S, 6, 6> more[bodies * bodies];
    first.geometric_stiffness(f, t, a, K);
    rest.geometric_stiffness(f, t, b, more);
    for (int i = 0; i < bodies; ++i)
      for (int j = 0; j < bodies; ++j) {
        Mat<S, 6, 6>& k = K[i * bodies + j];
        // A part that does not couple leaves its blocks between bodies unset.
        const bool of_first = i == j || First::couples, of_rest = i == j || Rest::couples;
        if (!of_first) k = Mat<S, 6, 6>::Zero();
        // Rotations alone where `rest` couples nothing else: the other entries of its blocks are zero.
        constexpr int begin = detail::stiffness_begins_at<Rest>();
        for (int r = begin; r < 6 && of_rest; ++r)
          for (int c = begin; c < 6; ++c) k(r, c) = k(r, c) + more[i * bodies + j](r, c);
      }
  }

 private:
  struct Parts {
    Vec<S, First::rows> a;
    Vec<S, Rest::rows> b;
  };
  static Parts parted(const Vec<S, rows>& lambda) {
    Parts p;
    for (int k = 0; k < First::rows; ++k) p.a[k] = lambda[k];
    for (int k = 0; k < Rest::rows; ++k) p.b[k] = lambda[First::rows + k];
    return p;
  }
  // In place, because GCC copies a matrix of packs that is returned.
  static void join(const Mat<S, First::rows, 6>* a, const Mat<S, Rest::rows, 6>* b, Mat<S, rows, 6>* both) {
    for (int i = 0; i < bodies; ++i) {
      set_block(both[i], 0, 0, a[i]);
      set_block(both[i], First::rows, 0, b[i]);
    }
  }
  template <int a, int b, int c>
  static Mat<S, a + b, c> joined(const Mat<S, a, c>& x, const Mat<S, b, c>& y) {
    Mat<S, a + b, c> m;
    set_block(m, 0, 0, x);
    set_block(m, a, 0, y);
    return m;
  }
};

}  // namespace CATENA_ISA
}  // namespace catena::rows
