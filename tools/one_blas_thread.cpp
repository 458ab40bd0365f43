// OpenBLAS, which CHOLMOD loads, starts its threads before main(). They spin for 0.13 s on cores that
// the reading wants; where the system gives it none it raises SIGINT, and where memory is short they
// never end. CHOLMOD is kept to one thread of it anyway (cholesky.cpp).
//
// So it is told to have one, whatever the environment says, before any code of ours runs: the dynamic
// linker takes this function for that of the C library, in all libraries.

#include <unistd.h>

#include <cstring>

extern "C" [[gnu::visibility("default")]] char* getenv(const char* name) noexcept {
  static char one[] = "1";
  if (std::strcmp(name, "OPENBLAS_NUM_THREADS") == 0) return one;
  const std::size_t length = std::strlen(name);
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  return nullptr;
}
