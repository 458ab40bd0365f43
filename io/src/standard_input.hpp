#pragma once
// Standard input. It can be read once; what is read under a LookAtStandardInput comes again.
//
//   {
//     LookAtStandardInput look;
//     ByteStream stream("-", run);   // its first bytes tell what it is
//   }
//   TextSource::open("-");           // from the first byte on
//
// For one thread at a time.

#include <sys/types.h>

#include <span>

namespace gssl::detail {

class LookAtStandardInput {
 public:
  LookAtStandardInput();
  LookAtStandardInput(const LookAtStandardInput&) = delete;
  LookAtStandardInput& operator=(const LookAtStandardInput&) = delete;
  ~LookAtStandardInput();
};

// There are bytes that were looked at and come again: the next read does not wait.
bool standard_input_comes_again();

// As read(2).
ssize_t read_standard_input(std::span<char> room);

}  // namespace gssl::detail
