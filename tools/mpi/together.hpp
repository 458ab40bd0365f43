#pragma once
// Work that may fail on one rank, which must then end on all.
//
//   together(ranks, [&] { parse(my_part); });     // no messages inside
//
// A rank that left alone would let the others wait in the next exchange for ever. So what throws is
// done here: every rank hears of it, and all throw the same AgreedError, that of the lowest rank
// that failed. An exception that is no AgreedError and reaches main() ends the job by MPI_Abort.

#include <exception>
#include <new>
#include <string>

#include "communicator.hpp"
#include "gssl/core/error.hpp"
#include "remedy_words.hpp"

namespace gssl::mpi {

class AgreedError : public Error {
 public:
  using Error::Error;
};

struct Failure {
  bool failed = false;
  ErrorCode code = ErrorCode::internal;
  std::string message;  // with the flags that help
};

// What `work` threw.
template <class Work>
Failure attempt(Work&& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return {true, error.code(), tool::with_flags(error)};
  } catch (const std::bad_alloc&) {
    return {true, ErrorCode::out_of_memory,
            "out of memory on one of the ranks: give the job more memory for each rank, or more "
            "ranks on more machines"};
  } catch (const std::exception& error) {
    return {true, ErrorCode::internal, std::string("internal error: ") + error.what()};
  }
}

// Throws on every rank if one has failed. Collective.
void agree(const Communicator& ranks, const Failure& failure);

template <class Work>
void together(const Communicator& ranks, Work&& work) {
  agree(ranks, attempt(work));
}

// The same error on every rank, by what all of them know.
[[noreturn]] inline void refuse(ErrorCode code, const std::string& message) {
  throw AgreedError(code, message);
}

}  // namespace gssl::mpi
