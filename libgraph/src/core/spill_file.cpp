#include "gssl/core/spill_file.hpp"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "gssl/core/error.hpp"

namespace gssl {

SpillFile::SpillFile() {
  const char* const told = std::getenv("TMPDIR");
  folder_ = told != nullptr && *told != '\0' ? told : "/tmp";
  std::string name = folder_ + "/gssl-XXXXXX";
  descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0)
    throw Error(ErrorCode::cannot_create,
                folder_ + ": cannot create a temporary file: " + std::strerror(errno) +
                    "; name another folder by TMPDIR");
  ::unlink(name.c_str());
}

SpillFile::~SpillFile() { ::close(descriptor_); }

void SpillFile::fail(const char* action) const {
  throw Error(ErrorCode::io_failure, folder_ + ": cannot " + action + " a temporary file: " +
                                         std::strerror(errno) + "; name another folder by TMPDIR");
}

void SpillFile::require(std::uint64_t bytes) const {
  struct statvfs status {};
  if (::fstatvfs(descriptor_, &status) != 0) return;  // then writing tells
  const std::uint64_t room = std::uint64_t{status.f_bavail} * status.f_frsize;
  if (bytes <= room) return;
  throw Error(ErrorCode::io_failure, folder_ + ": has room for " + std::to_string(room) +
                                         " bytes; temporary files take " + std::to_string(bytes) +
                                         "; name another folder by TMPDIR");
}

void SpillFile::write_bytes(std::uint64_t offset, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor_, at, size, static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) fail("write");
    if (written <= 0) continue;
    at += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void SpillFile::read_bytes(std::uint64_t offset, void* room, std::size_t size) const {
  auto* at = static_cast<char*>(room);
  while (size > 0) {
    const ssize_t got = ::pread(descriptor_, at, size, static_cast<off_t>(offset));
    if (got == 0) errno = EIO;  // past the end: what was written is gone
    if (got == 0 || (got < 0 && errno != EINTR)) fail("read");
    if (got < 0) continue;
    at += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace gssl
