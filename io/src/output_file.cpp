#include "gssl/io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

// Temporaries that exist now, in memory a signal handler may read. A slot is free, being filled, or
// holds a path; only `held` paths are looked at.
enum SlotState : int { slot_free, slot_filling, slot_held };
struct TemporarySlot {
  std::atomic<int> state{slot_free};
  char path[PATH_MAX] = {};
};
std::array<TemporarySlot, 16> temporary_slots;

void remember_temporary(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (TemporarySlot& slot : temporary_slots) {
    int expected = slot_free;
    if (!slot.state.compare_exchange_strong(expected, slot_filling)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.state.store(slot_held);
    return;
  }
}

void forget_temporary(const std::string& path) {
  for (TemporarySlot& slot : temporary_slots) {
    if (slot.state.load() == slot_held && path == slot.path) slot.state.store(slot_free);
  }
}

[[noreturn]] void cannot_create(const std::string& path, int error) {
  throw Error(ErrorCode::cannot_create, path + ": cannot create: " + std::strerror(error) +
                                            "; choose another output or fix its permissions");
}

mode_t current_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

// The file a chain of symbolic links ends at, whether or not it exists.
std::filesystem::path link_target(std::filesystem::path path) {
  constexpr int most_links = 40;
  std::error_code error;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(path, error); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

void remove_temporary_outputs() noexcept {
  const int saved = errno;
  for (TemporarySlot& slot : temporary_slots) {
    if (slot.state.load() == slot_held) ::unlink(slot.path);
  }
  errno = saved;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  if (path_.empty()) cannot_create("''", ENOENT);
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) cannot_create(path_, EISDIR);
  // /dev/stdout may be a regular file by redirection; it is still the caller's to write, not to
  // replace.
  if (exists && (!S_ISREG(status.st_mode) || path_.starts_with("/dev/"))) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) cannot_create(path_, errno);
    return;
  }
  target_ = link_target(path_).string();
  // A rename needs no right to the file itself, but to replace a protected file would surprise.
  if (exists && ::access(target_.c_str(), W_OK) != 0) cannot_create(path_, errno);
  const std::filesystem::path target(target_);
  const std::string hidden = std::string(".").append(target.filename().string());
  temporary_ = (target.parent_path() / (hidden + ".gssl-XXXXXX")).string();
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    const int error = errno;
    temporary_.clear();
    cannot_create(path_, error);
  }
  remember_temporary(temporary_);
  constexpr mode_t permissions = 0777;
  constexpr mode_t new_file = 0666;
  ::fchmod(descriptor_, exists ? status.st_mode & permissions : new_file & ~current_umask());
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::exchange(other.buffer_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      committed_(other.committed_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (!temporary_.empty() && !committed_) {
    ::unlink(temporary_.c_str());
    forget_temporary(temporary_);
  }
}

void OutputFile::write(std::string_view text) {
  GSSL_ASSERT(!committed_);
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes) flush();
}

void OutputFile::fail(const char* action) const {
  const std::string name = path_ == "-" ? "<stdout>" : path_;
  if (errno == EPIPE) {
    throw Error(ErrorCode::io_failure, name + ": cannot " + action + ": closed pipe");
  }
  throw Error(ErrorCode::io_failure, name + ": cannot " + action + ": " + std::strerror(errno));
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) fail("write");
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void OutputFile::commit() {
  GSSL_ASSERT(!committed_);
  flush();
  if (!temporary_.empty()) {
    if (::fsync(descriptor_) != 0) fail("flush to disk");
    if (::close(std::exchange(descriptor_, -1)) != 0) fail("close");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename");
    forget_temporary(temporary_);
    // Some file systems cannot flush a directory; the file itself is safe by now.
    const int directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_CLOEXEC);
    if (directory >= 0) {
      ::fsync(directory);
      ::close(directory);
    }
  }
  committed_ = true;
}

}  // namespace gssl
