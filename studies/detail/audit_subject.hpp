// A problem of the audit in one kind of coordinates, and what of its states is compared between steppers.
#pragma once
#include <catena/model/model.hpp>
#include <catena/problems/problem.hpp>
#include <catena/stepper/stepper.hpp>

#include <memory>
#include <string>
#include <vector>

namespace catena::detail::audit_detail {

using Vector = std::vector<double>;

// What can be compared between steppers that work in different coordinates: positions and rotation matrices,
// velocities in world axes and angular ones in body axes; of systems without bodies q and v.
struct Sample {
  Vector q, v;
  Vector lambda;
  Vector invariants;  // as they are minus as they should be
};

struct ReferenceError {
  double q = -1.0, v = -1.0;
};

// A problem in one kind of coordinates.
class Subject {
 public:
  // problem must outlive the subject.
  Subject(const Problem& problem, Coordinates coordinates);

  const System& system() const { return *system_; }
  const std::vector<Invariant>& invariants() const { return invariants_; }
  // What an error of 1 m/s in every velocity makes of a linear momentum [kg m/s]; 1 for the others.
  double scale(const Invariant& invariant) const;
  // Names of invariants of the problem that the audit cannot measure.
  const std::vector<std::string>& unknown_invariants() const { return unknown_; }
  Sample sample(const State& state) const;
  // Largest distances of the state from the references at its instant; -1: there are none.
  ReferenceError reference_error(const State& state) const;
  // Multipliers that mean the same in all coordinates, the first of lambda: bodies in seven coordinates have those of
  // their norm rows behind them.
  int common_multipliers() const { return common_multipliers_; }
  // Largest 2-norm of a row of G at the start.
  double largest_row() const { return largest_row_; }

 private:
  double measure(const Invariant& invariant, const State& state) const;
  void measure_rows(const State& state);

  const Problem& problem_;
  std::unique_ptr<System> system_;
  const Model* model_ = nullptr;
  std::vector<Invariant> invariants_;
  std::vector<std::string> unknown_;
  int common_multipliers_ = 0;
  double largest_row_ = 0.0;
};

double distance(const Vector& a, const Vector& b);

}  // namespace catena::detail::audit_detail
