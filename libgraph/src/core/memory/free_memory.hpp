#pragma once
// Memory that was freed and is still held by the heap, between pieces that are in use, goes back to
// the system. Worth its milliseconds after work that took and freed many large arrays, before more
// of other sizes are taken.
//
//   return_free_memory();

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace gssl::solve {

inline void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace gssl::solve
