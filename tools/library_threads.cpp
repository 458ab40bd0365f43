// How the threads of libraries behave is asked of the environment before main(). The dynamic linker
// takes this getenv for that of the C library, in all libraries, so that they are told what fits:
//
// OpenBLAS, which CHOLMOD loads, starts threads that spin for 0.13 s on cores that the reading wants;
// where the system gives it none it raises SIGINT, and where memory is short they never end. CHOLMOD
// is kept to one thread of it anyway (cholesky.cpp). It is told to have one, whatever is set.
//
// A thread of OpenMP that waits for another looks 300,000 times, for some milliseconds, before
// it sleeps. Where a second program has the core of that other, each of thousands of short loops
// takes as long. It is told to look 1,000 times, 10 to 50 microseconds, which covers the waits
// between the loops of a program that is alone, unless OMP_WAIT_POLICY or GOMP_SPINCOUNT are
// set. GCC 13 and later read the environment without getenv, so that there
// OMP_WAIT_POLICY=passive must be set.

#include <unistd.h>

#include <cstring>

namespace {

char* value_of(const char* name) {
  const std::size_t length = std::strlen(name);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  return nullptr;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] char* getenv(const char* name) noexcept {
  static char threads_of_blas[] = "1";
  static char looks[] = "1000";
  if (std::strcmp(name, "OPENBLAS_NUM_THREADS") == 0) return threads_of_blas;
  char* const value = value_of(name);
  const bool chosen = value != nullptr || value_of("OMP_WAIT_POLICY") != nullptr;
  return std::strcmp(name, "GOMP_SPINCOUNT") == 0 && !chosen ? looks : value;
}
