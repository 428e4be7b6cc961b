// The integral z of the error e of a controller whose demand Q = Kp e + Ki z + Kd e' is limited: z' = e, but z does not grow
// where |Q| has reached the limit and e leads further beyond it. Where Q would fall below the limit with the z that it has, and
// rise beyond it with z' = e, it stays at the limit, and z follows from that.
#pragma once

namespace catena::detail {

struct LimitedIntegral {
  double proportional = 0.0, integral = 0.0, derivative = 0.0,
         limit = 0.0;  // integral and limit are not zero

  struct Error {
    double value = 0.0, rate = 0.0;
  };
  struct Value {
    double value = 0.0, by_error = 0.0, by_rate = 0.0;  // z, and its derivatives by e and e'
  };
  // After a time tau > 0 from z, in which the error goes from one to the other along the cubic with their rates.
  Value at(double z, const Error& before, const Error& now, double tau) const;
};

}  // namespace catena::detail
