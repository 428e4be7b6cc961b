// A system at a moving point, and the derivatives of its quantities along the motion. It allocates: for set-up only.
#pragma once
#include <catena/system/system.hpp>

#include <vector>

namespace catena::detail::derivative_probe {

using Values = std::vector<double>;

enum class Of { position, velocity, acceleration, balance };

// How the point moves with s: q exp(s dq), v + s dv, a + s da, t + s dt.
struct Way {
  const double* dq = nullptr;
  const double* dv = nullptr;
  const double* da = nullptr;
  double dt = 0.0;
  bool motion = false;  // q exp(s v + s^2/2 a), v + s a, t + s instead
};

// Which terms take part.
struct Terms {
  bool forces = true, multipliers = true, accelerations = true;
};

struct Slope {
  Values value;
  Values doubt;  // distance of the slopes with two step sizes
};

class Prober {
 public:
  Prober(const System& system, const State& state);

  double t;
  Values q;
  int n, m;
  Values v, a, lambda;

  // The point, with t, q and v; until the next call of another member.
  Point here();
  // A quantity of the system at the point, moved by s along the way.
  Values get(Of what, const Terms& terms, const Way& way = {}, double s = 0.0);
  // Its derivative by s at 0, to fourth order with h and h/2: errors h^4 f^(5)/30 + 1.5 eps |f|/h.
  // The h that is usual balances them: h^4/30 = 3e-14 and 1.5 eps/h = 3e-13 for derivatives of order 1.
  static constexpr double usual_step = 1e-3;
  Slope slope(Of what, const Terms& terms, const Way& way, double h = usual_step);
  // Fills the matrix and multiplies it by a direction of velocities: n values of H w, then m of C w.
  Values times(Linearization lin, const Terms& terms, const double* w);

  static Values zeros(int size) { return Values(static_cast<std::size_t>(size), 0.0); }

 private:
  void move(const Way& way, double s);
  Point point(const Terms& terms, double time) const;

  const System& system_;
  Values discrete_;
  BlockMatrix matrix_;
  Values q_, v_, a_, delta_;
};

}  // namespace catena::detail::derivative_probe
