#include "gssl/core/error.hpp"

namespace gssl {

int exit_status(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::usage: return 64;
    case ErrorCode::bad_data: return 65;
    case ErrorCode::cannot_open: return 66;
    case ErrorCode::internal: return 70;
    case ErrorCode::out_of_memory: return 71;
    case ErrorCode::cannot_create: return 73;
    case ErrorCode::io_failure: return 74;
    case ErrorCode::cancelled:
    case ErrorCode::time_limit: return 1;
  }
  return 70;
}

void detail::assertion_failed(const char* condition, const char* file, int line) {
  throw Error(ErrorCode::internal, std::string(file) + ":" + std::to_string(line) +
                                       ": internal error, please report it: expected " + condition);
}

}  // namespace gssl
