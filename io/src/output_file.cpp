#include "gssl/io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "temporary_file.hpp"

namespace gssl {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t output_buffer_bytes = std::size_t{1} << 18;
constexpr int most_links = 40;  // as many as Linux follows

[[noreturn]] void cannot_create(const std::string& path, int error) {
  throw Error(ErrorCode::cannot_create, path + ": cannot create: " + std::strerror(error) +
                                            "; choose another output or fix its permissions");
}

mode_t current_umask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return mask;
}

// Where a symbolic link points; nothing if `path` is none.
std::optional<fs::path> link_at(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return std::nullopt;
  const fs::path next = fs::read_symlink(path, error);
  if (error) return std::nullopt;
  return next.is_absolute() ? next : path.parent_path() / next;
}

// The file a chain of symbolic links ends at, whether or not it exists.
fs::path link_target(fs::path path) {
  for (int i = 0; i < most_links; ++i) {
    const std::optional<fs::path> next = link_at(path);
    if (!next) break;
    path = *next;
  }
  return path;
}

}  // namespace

std::optional<int> own_descriptor(const std::string& path) {
  if (path == "-") return STDOUT_FILENO;
  std::error_code error;
  const fs::path own = fs::canonical("/proc/self/fd", error);
  if (error) return std::nullopt;
  std::optional<fs::path> at = path;
  for (int i = 0; at && i < most_links; ++i) {
    const fs::path folder = fs::canonical(at->has_parent_path() ? at->parent_path() : ".", error);
    if (error) return std::nullopt;
    if (folder == own) return parse_number<int>(at->filename().string());
    at = link_at(*at);
  }
  return std::nullopt;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) cannot_create("''", ENOENT);
  if (const std::optional<int> own = own_descriptor(path_)) {
    const int flags = ::fcntl(*own, F_GETFL);
    if (flags < 0) cannot_create(path_, errno);
    if ((flags & O_ACCMODE) == O_RDONLY) {
      errno = EBADF;
      fail("write");
    }
    in_place_ = *own;
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) cannot_create(path_, errno);
  if (exists && S_ISDIR(status.st_mode)) cannot_create(path_, EISDIR);
  if (exists && S_ISBLK(status.st_mode)) cannot_create(path_, ENOTSUP);
  if (exists && !S_ISREG(status.st_mode)) {
    in_place_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (in_place_ < 0) cannot_create(path_, errno);
    close_in_place_ = true;
    return;
  }
  const std::string target = link_target(path_).string();
  // A rename needs no right to the file itself, but to replace a protected file would surprise.
  if (exists && ::access(target.c_str(), W_OK) != 0) cannot_create(path_, errno);
  constexpr mode_t permissions = 0777;
  constexpr mode_t new_file = 0666;
  temporary_ = std::make_unique<detail::TemporaryFile>(
      target, exists ? status.st_mode & permissions : new_file & ~current_umask());
  if (temporary_->descriptor() < 0) cannot_create(path_, errno);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      buffer_(std::exchange(other.buffer_, {})),
      in_place_(std::exchange(other.in_place_, -1)),
      close_in_place_(std::exchange(other.close_in_place_, false)),
      committed_(other.committed_) {}

OutputFile::~OutputFile() {
  if (close_in_place_) ::close(in_place_);
}

int OutputFile::descriptor() const { return temporary_ ? temporary_->descriptor() : in_place_; }

void OutputFile::write(std::string_view text) {
  GSSL_ASSERT(!committed_);
  if (text.size() >= output_buffer_bytes) {  // not copied
    flush();
    hand_on(text);
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= output_buffer_bytes) flush();
}

void OutputFile::fail(const char* action) const {
  const std::string name = path_ == "-" ? "<stdout>" : path_;
  if (errno == EPIPE) {
    throw Error(ErrorCode::io_failure, name + ": cannot " + action + ": closed pipe");
  }
  throw Error(ErrorCode::io_failure, name + ": cannot " + action + ": " + std::strerror(errno));
}

void OutputFile::write_at(std::uint64_t offset, std::string_view text) {
  GSSL_ASSERT(!committed_ && is_replaceable());
  flush();
  while (!text.empty()) {
    const ssize_t written =
        ::pwrite(descriptor(), text.data(), text.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) fail("write");
    if (written <= 0) continue;
    text.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void OutputFile::flush() {
  hand_on(buffer_);
  buffer_.clear();
}

void OutputFile::hand_on(std::string_view rest) const {
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor(), rest.data(), rest.size());
    if (written < 0 && errno != EINTR) fail("write");
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  GSSL_ASSERT(!committed_);
  flush();
  if (temporary_) {
    if (const char* step = temporary_->take_place()) fail(step);
  } else if (close_in_place_) {
    close_in_place_ = false;
    if (::close(std::exchange(in_place_, -1)) != 0) fail("close");
  }
  committed_ = true;
}

}  // namespace gssl
