// Ends the process it is loaded into (LD_PRELOAD) by SIGKILL at one system call of many:
//
//   GSSL_KILL_AT="before rename 2"     before the second rename, or after it
//
// Calls are fsync, linkat, rename and write (of 1000 bytes or more, to what is no standard stream).

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Moment {
  char when[16] = {};
  char call[16] = {};
  int number = 0;
};

const Moment& moment() {
  static const Moment read = [] {
    Moment found;
    const char* text = std::getenv("GSSL_KILL_AT");
    if (text == nullptr ||
        std::sscanf(text, "%15s %15s %d", found.when, found.call, &found.number) != 3)
      found.number = 0;
    return found;
  }();
  return read;
}

void end_if(const char* when, const char* call, int number) {
  const Moment& at = moment();
  if (number == at.number && std::strcmp(when, at.when) == 0 && std::strcmp(call, at.call) == 0)
    ::kill(::getpid(), SIGKILL);
}

template <class Function, class... Arguments>
auto counted(const char* call, std::atomic<int>& calls, Arguments... arguments) {
  const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, call));
  const int number = ++calls;
  end_if("before", call, number);
  const auto result = real(arguments...);
  end_if("after", call, number);
  return result;
}

std::atomic<int> fsyncs, links, renames, writes;

}  // namespace

extern "C" {

int fsync(int descriptor) { return counted<int (*)(int)>("fsync", fsyncs, descriptor); }

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return counted<int (*)(int, const char*, int, const char*, int)>("linkat", links, from_folder,
                                                                   from, to_folder, to, flags);
}

int rename(const char* from, const char* to) noexcept {
  return counted<int (*)(const char*, const char*)>("rename", renames, from, to);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  constexpr size_t large = 1000;
  if (descriptor <= STDERR_FILENO || count < large) {
    static const auto real =
        reinterpret_cast<ssize_t (*)(int, const void*, size_t)>(::dlsym(RTLD_NEXT, "write"));
    return real(descriptor, bytes, count);
  }
  return counted<ssize_t (*)(int, const void*, size_t)>("write", writes, descriptor, bytes, count);
}

}  // extern "C"
