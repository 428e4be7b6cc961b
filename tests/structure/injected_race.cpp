// Two programs that run under the thread sanitizer with the suppressions of .ci/tsan.supp. With the argument
// "race", the bodies of a parallel loop write to one variable: this must be reported, or the suppressions
// would hide our own mistakes. Without it, a chain of loops that read what the loop before wrote: this must
// pass, or the sanitizer would cry at every correct use.
#include <catena/math/parts/threads.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int kCount = 2000;

int racing_sum() {
  int sum = 0;
  catena::parallel_for(kCount, [&](int i) { sum += i; });
  return sum;
}

int correct_sum() {
  std::vector<int> squares(kCount), shifted(kCount);
  for (int round = 0; round < 20; ++round) {
    for (int& square : squares) square = round;
    catena::parallel_for(kCount, [&](int i) { squares[static_cast<std::size_t>(i)] += i; });
    catena::parallel_for(kCount, [&](int i) {
      shifted[static_cast<std::size_t>(i)] = squares[static_cast<std::size_t>((i + 1) % kCount)];
    });
  }
  int sum = 0;
  for (const int value : shifted) sum += value;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const catena::ThreadScope four(4);
  const bool race = argc > 1 && std::strcmp(argv[1], "race") == 0;
  std::printf("%d\n", race ? racing_sum() : correct_sum());
}
