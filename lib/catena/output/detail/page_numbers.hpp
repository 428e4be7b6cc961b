// Numbers as the page of a report holds them: little-endian bytes, deflated, in base64. The page inflates them by
// DecompressionStream; apps/page/src/numbers.js is the other half of this file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace catena::detail {

// A JSON object {"type": "f64", "count": 3, "data": "..."}.
std::string page_doubles(const std::vector<double>& values);
std::string page_floats(const std::vector<double>& values);  // rounded to 32 bits

// Words of 16 bits. Each is stored as its difference modulo 65536 to the one `period` places before, which is small where
// the words are those of the same body one frame earlier, and all low bytes come before all high bytes: together these
// halve the size of a motion.
std::string page_words(const std::vector<std::uint16_t>& words, std::size_t period);

// {"least": ..., "largest": ..., "data": words}: numbers above zero on a logarithmic scale of 65535 marks between the
// least and the largest of them; the word 0 is a number that is zero, negative or not finite.
std::string page_logarithms(const std::vector<double>& values, std::size_t period);

// Positions against a box: {"box": [x0, y0, z0, x1, y1, z1], "data": words}, three words a position, of each component all
// frames. xyz: frame by frame, body by body. The error is at most 1/131070 of an edge of the box.
std::string page_positions(const std::vector<double>& xyz, std::size_t bodies);

// Unit quaternions (w, x, y, z), by the smallest three of their numbers in 15 bits each: two bits say which one is left out,
// its sign is made positive. Three words a quaternion; the error of a number is at most 1/46339.
std::string page_quaternions(const std::vector<double>& wxyz, std::size_t bodies);

// Vectors of several items over frames, each component in 16 bits against the largest of its item: {"scales": floats,
// "data": words}.
std::string page_vectors(const std::vector<double>& xyz, std::size_t items);

// Indices of at most `most` points of a curve, its first and last among them, chosen by the largest triangle with the point
// chosen before and the mean of the next bucket (S. Steinarsson, Downsampling Time Series for Visual Representation, 2013,
// LTTB). All of them where there are no more.
std::vector<std::size_t> chosen_points(const std::vector<double>& x, const std::vector<double>& y,
                                       std::size_t most);

}  // namespace catena::detail
