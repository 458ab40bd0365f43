#pragma once
// How much memory this process has held at once.
//
//   std::int64_t bytes = gssl::peak_memory_bytes();

#include <cstdint>

namespace gssl {

// Largest resident size since the program was started, in bytes: the high-water mark of its own
// memory (VmHWM on Linux). getrusage() would count what the process that started it held. Where the
// system shows no such mark, that is what is returned.
std::int64_t peak_memory_bytes();

}  // namespace gssl
