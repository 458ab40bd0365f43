#pragma once
// How much memory a piece of work adds to what this process holds. Internal: not installed.
//
//   AddedMemory memory;
//   …                                   // the work, alone in the process
//   std::int64_t bytes = memory.bytes();

#include <cstdint>

namespace gssl::detail {

class AddedMemory {
 public:
  // Gives back what is free and sets the high-water mark of the process to what it holds now.
  AddedMemory();
  // The most that was held since, above what was held then; −1 where the system does not tell.
  std::int64_t bytes() const;

 private:
  std::int64_t before_ = -1;
};

}  // namespace gssl::detail
