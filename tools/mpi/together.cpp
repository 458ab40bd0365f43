#include "together.hpp"

#include <limits>

namespace gssl::mpi {

void agree(const Communicator& ranks, const Failure& failure) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = ranks.min(failure.failed ? std::int64_t{ranks.rank()} : none);
  if (first == none) return;
  const int speaker = static_cast<int>(first);
  std::string message = failure.message;
  ranks.broadcast(message, speaker);
  const auto code =
      static_cast<ErrorCode>(ranks.broadcast(static_cast<std::int64_t>(failure.code), speaker));
  throw AgreedError(code, message);
}

}  // namespace gssl::mpi
