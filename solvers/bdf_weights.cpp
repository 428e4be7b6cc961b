#include <catena/math/detail/index.hpp>
#include <catena/solvers/detail/bdf_weights.hpp>

#include <cassert>

namespace catena::detail {
namespace {

using Row = std::array<double, bdf_largest_order + 1>;

// Divided differences of P over t_n ... t_{n-m}, m = 1 ... order + 1, by d_0 ... d_order.
struct DividedDifferences {
  std::array<Row, bdf_largest_order + 1> of{};  // of[m - 1]
  Row back{};                                   // back[m - 1] = t_n - t_{n-m}

  DividedDifferences(int order, const BdfSteps& h) {
    assert(order >= 1 && order <= bdf_largest_order);
    const int count = order + 1;
    std::array<Row, bdf_largest_order + 1> now{};  // now[j]: over t_{n-j} ... t_{n-j-m}
    for (int j = 0; j < count; ++j) {
      now[index(j)][index(j)] = 1.0;
      back[index(j)] = h[index(j)] + (j > 0 ? back[index(j - 1)] : 0.0);
    }
    of[0] = now[0];
    for (int m = 2; m <= count; ++m) {
      for (int j = 0; j + m <= count; ++j) {
        const double span = back[index(j + m - 1)] - (j > 0 ? back[index(j - 1)] : 0.0);
        for (int i = 0; i < count; ++i)
          now[index(j)][index(i)] = (now[index(j)][index(i)] - now[index(j + 1)][index(i)]) / span;
      }
      of[index(m - 1)] = now[0];
    }
  }
};

}  // namespace

BdfWeights bdf_weights(int order, const BdfSteps& h) {
  const DividedDifferences difference(order, h);
  BdfWeights w;
  double product = 1.0;  // of t_n - t_{n-1} ... t_n - t_{n-m+1}
  for (int m = 1; m <= order; ++m) {
    for (int i = 0; i < order; ++i) w.derivative[index(i)] += product * difference.of[index(m - 1)][index(i)];
    product *= difference.back[index(m - 1)];
  }
  const Row& next = difference.of[index(order)];
  for (int i = 0; i < order; ++i) w.predicted[index(i)] = -next[index(i + 1)] / next[0];
  return w;
}

Row bdf_error(int order, const BdfSteps& h) {
  const DividedDifferences difference(order, h);
  double product = h[0];
  for (int m = 1; m <= order; ++m) product *= difference.back[index(m - 1)];
  Row error = difference.of[index(order)];
  for (double& weight : error) weight *= product;
  return error;
}

}  // namespace catena::detail
