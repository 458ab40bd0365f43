#pragma once
// What the library throws when it is handed wrong input, and how it checks itself.
//
// Wrong input throws gssl::Error before any work starts. A numerical outcome (not converged, out of
// time) is data in a report; only a run that is stopped where half of the work answers nothing
// throws (a shortest path, a maximum flow, a file half read), with ErrorCode::cancelled or
// ErrorCode::time_limit. A broken promise of our own is GSSL_ASSERT, which throws
// ErrorCode::internal so that a caller can still clean up.
//
//   try {
//     gssl::GraphFile file = gssl::read_graph("edges.txt");
//   } catch (const gssl::Error& error) {
//     return gssl::exit_status(error.code());
//   }

#include <stdexcept>
#include <string>

#include "gssl/core/remedy.hpp"

namespace gssl {

enum class ErrorCode {
  usage,          // an option or argument is wrong
  bad_data,       // the input was read and is not what it should be
  cannot_open,    // an input does not exist or may not be read
  internal,       // a bug of ours
  out_of_memory,  // an allocation failed
  cannot_create,  // an output may not be written
  io_failure,     // a read or a write failed half-way
  cancelled,      // RunContext::cancel was raised where no partial answer exists
  time_limit      // RunContext::deadline passed where no partial answer exists
};

// Process exit status of an error, after sysexits.h: 64, 65, 66, 70, 71, 73, 74. A run that was
// cancelled or out of time is 1.
int exit_status(ErrorCode code) noexcept;

class Error : public std::runtime_error {
 public:
  // `message` names the place, the value found, the rule and what helps, in words of the library.
  Error(ErrorCode code, const std::string& message, Remedies remedies = {})
      : std::runtime_error(message), code_(code), remedies_(remedies) {}
  ErrorCode code() const noexcept { return code_; }
  Remedies remedies() const noexcept { return remedies_; }
  // The same with more in its message, as the name of a file.
  Error with_message(const std::string& message) const { return {code_, message, remedies_}; }

 private:
  ErrorCode code_;
  Remedies remedies_;
};

namespace detail {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}

}  // namespace gssl

// The name of a file without its folders, which are of the machine that compiled it.
#ifdef __FILE_NAME__
#define GSSL_FILE_NAME __FILE_NAME__
#else
#define GSSL_FILE_NAME __FILE__
#endif

#define GSSL_ASSERT(condition)        \
  ((condition) ? static_cast<void>(0) \
               : ::gssl::detail::assertion_failed(#condition, GSSL_FILE_NAME, __LINE__))
