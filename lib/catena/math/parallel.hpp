// The one arena in which everything parallel runs. Work is cut by its pattern, never by the number of
// threads, so results carry the same bits for any number of them.
#pragma once
#include <functional>

namespace catena {

// Sets the number of threads of the arena (0: as many as the machine offers). Call it between steps.
void set_threads(int count);
int threads();

// Runs body(i) for i in [0, count), in any order and on any thread. The caller guarantees that different
// i write to different memory. With one thread it is a plain loop.
void parallel_for(int count, const std::function<void(int)>& body);

// Runs work inside the arena, so that nested parallel calls share it.
void in_arena(const std::function<void()>& work);

}  // namespace catena
