#include "temporary_file.hpp"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gssl/io/output_file.hpp"

namespace gssl {
namespace {

// Names of temporaries that exist now, in memory a signal handler may read. A slot is free, being
// filled, or holds a path; only `held` paths are looked at.
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

std::string directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// At most `size` bytes of a name, without half a UTF-8 character at the end.
std::string cut_name(std::string name, std::size_t size) {
  if (name.size() <= size) return name;
  constexpr unsigned continuation_mask = 0xC0, continuation = 0x80;
  while (size > 0 && (static_cast<unsigned char>(name[size]) & continuation_mask) == continuation)
    --size;
  name.resize(size);
  return name;
}

constexpr std::size_t letter_count = 6;

// What the hidden names beside `target` begin with; letter_count letters follow.
std::string temporary_stem(const std::string& target) {
  constexpr std::size_t usual_longest = 255;
  const std::string ending = ".gssl-";
  const long limit = ::pathconf(directory_of(target).c_str(), _PC_NAME_MAX);
  const std::size_t longest = limit > 0 ? static_cast<std::size_t>(limit) : usual_longest;
  return cut_name("." + std::filesystem::path(target).filename().string(),
                  longest - ending.size() - letter_count) +
         ending;
}

// Six letters and digits that differ from those of other processes and of other calls.
std::string random_letters() {
  static std::atomic<std::uint64_t> calls{0};
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  std::uint64_t bits = static_cast<std::uint64_t>(now) + (calls.fetch_add(1) << 40);
  bits = (bits ^ static_cast<std::uint64_t>(::getpid()) << 20) * 0x9E3779B97F4A7C15ULL;
  std::string text;
  for (bits >>= 16; text.size() < letter_count; bits /= letters.size())
    text += letters[bits % letters.size()];
  return text;
}

// Calls make(name) with hidden names beside `target` until one is new; the name, or "" with errno.
template <class Make>
std::string make_beside(const std::string& target, Make&& make) {
  constexpr int tries = 100;
  const std::filesystem::path path(target);
  const std::string stem = temporary_stem(target);
  for (int i = 0; i < tries; ++i) {
    std::string name = (path.parent_path() / (stem + random_letters())).string();
    remember_temporary(name);  // before it exists: a signal may come right after
    if (make(name)) return name;
    const int error = errno;
    forget_temporary(name);
    errno = error;
    if (errno != EEXIST) return {};
  }
  return {};
}

// Some file systems cannot flush a directory; the file itself is safe by then.
void flush_directory(const std::string& path) {
  const int directory = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace

int remove_stale_temporaries(const std::string& path) {
  const std::string stem = temporary_stem(path);
  int removed = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory_of(path), error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() != stem.size() + letter_count || !name.starts_with(stem)) continue;
    std::error_code ignored;
    if (entry.is_regular_file(ignored) && ::unlink(entry.path().c_str()) == 0) ++removed;
  }
  return removed;
}

void remove_temporary_outputs() noexcept {
  const int saved = errno;
  for (TemporarySlot& slot : temporary_slots) {
    if (slot.state.load() == slot_held) ::unlink(slot.path);
  }
  errno = saved;
}

namespace detail {

TemporaryFile::TemporaryFile(std::string target, mode_t permissions, Start start,
                             std::string own_descriptors)
    : target_(std::move(target)), own_descriptors_(std::move(own_descriptors)) {
#ifdef O_TMPFILE
  if (start == Start::unnamed_if_possible) {
    // Read again only if it has to be copied.
    descriptor_ = ::open(directory_of(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  }
#endif
  if (descriptor_ < 0 && !open_named()) return;
  ::fchmod(descriptor_, permissions);
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (name_.empty()) return;
  ::unlink(name_.c_str());
  forget_name();
}

void TemporaryFile::forget_name() {
  forget_temporary(name_);
  name_.clear();
}

bool TemporaryFile::open_named() {
  name_ = make_beside(target_, [&](const std::string& name) {
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return descriptor_ >= 0;
  });
  return !name_.empty();
}

bool TemporaryFile::link_target() {
  const std::string shown = own_descriptors_ + "/" + std::to_string(descriptor_);
  const auto link_to = [&](const std::string& name) {
    return ::linkat(AT_FDCWD, shown.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  };
  if (link_to(target_)) return true;
  if (errno == EEXIST) name_ = make_beside(target_, link_to);
  return false;
}

// Where a file without a name cannot be given one (no /proc, a policy against links).
bool TemporaryFile::copy_to_named() {
  const int unnamed = std::exchange(descriptor_, -1);
  struct stat status {};
  bool copied = ::fstat(unnamed, &status) == 0 && open_named() &&
                ::fchmod(descriptor_, status.st_mode & 07777U) == 0;
  off_t at = 0;
  while (copied && at < status.st_size) {
    const ssize_t sent =
        ::sendfile(descriptor_, unnamed, &at, static_cast<std::size_t>(status.st_size - at));
    if (sent == 0) errno = EIO;
    copied = sent > 0 || (sent < 0 && errno == EINTR);
  }
  const int error = errno;
  ::close(unnamed);
  errno = error;
  return copied && ::fsync(descriptor_) == 0;
}

const char* TemporaryFile::take_place() {
  if (::fsync(descriptor_) != 0) return "flush to disk";
  const bool unnamed = name_.empty();
  const bool linked = unnamed && link_target();
  if (unnamed && !linked && name_.empty() && !copy_to_named()) return "rename";
  if (::close(std::exchange(descriptor_, -1)) != 0) return "close";
  if (!linked) {
    if (::rename(name_.c_str(), target_.c_str()) != 0) return "rename";
    forget_name();
  }
  flush_directory(directory_of(target_));
  return nullptr;
}

}  // namespace detail
}  // namespace gssl
