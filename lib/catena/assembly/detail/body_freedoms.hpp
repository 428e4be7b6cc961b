// Which velocities the moving bodies of a model have: those of the system against the six of a rigid body, v of the centre of
// mass in the world frame and Omega in the body frame.
//
//     six = P v,   P of a point: [1 0],   of a planar body: [across_0 across_1 0; 0 0 axis],   constant for every body
//
// Since P does not change along the motion, P^T (M six' - f + G^T lambda) = 0 are the equations of motion, and G P the rows.
#pragma once
#include <catena/model/model.hpp>
#include <catena/sparse/parts/block_matrix.hpp>

#include <memory>
#include <vector>

namespace catena::detail {

class BodyFreedoms {
 public:
  BodyFreedoms(const Model& model, const std::vector<int>& body_of_block);

  bool all_six() const { return all_six_; }
  int blocks() const { return static_cast<int>(own_.size()); }
  int offset(int block) const { return at(block).offset; }  // in the velocities of the system
  int count(int block) const { return at(block).motion == BodyMotion::rigid ? 6 : 3; }

  // six [6] = P v of one body, of the velocities of all bodies; and v = P^T six.
  void expand(int block, const double* v, double* six) const;
  void reduce(int block, const double* six, double* v) const;
  void reduce_one(int block, const double* six, double* own) const;  // own: its velocities alone
  // The same of all bodies; null stays null.
  const double* expand(const double* v, std::vector<double>& six) const;
  void reduce(const double* six, double* v) const;

  // The pattern of the six-velocity blocks with what is left of each. Storage places are left to the matrix: no lane kernel
  // writes these slots.
  std::shared_ptr<const BlockPattern> pattern(const BlockPattern& six) const;
  // Blocks of P^T H P, and of C P.
  void reduce_H(const BlockMatrix& six, BlockMatrix& out) const;
  void reduce_C(const BlockMatrix& six, BlockMatrix& out) const;
  void reduce_Bt(const BlockMatrix& six, BlockMatrix& out) const;

 private:
  struct Own {
    BodyMotion motion = BodyMotion::rigid;
    int offset = 0;
    Vec3 across[2] = {Vec3::Zero(), Vec3::Zero()}, axis = Vec3::Zero();  // of planar bodies; axis: body frame
  };
  const Own& at(int block) const { return own_[static_cast<std::size_t>(block)]; }
  void reduce_block(int left, int right, const ConstBlockRef& six, const BlockRef& out) const;
  void reduce_rows(int right, const ConstBlockRef& six, const BlockRef& out) const;

  std::vector<Own> own_;
  bool all_six_ = true;
};

}  // namespace catena::detail
