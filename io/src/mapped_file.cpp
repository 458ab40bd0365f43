#include "mapped_file.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <utility>

#include "gssl/io/input_file.hpp"

namespace gssl {
namespace {

// What is mapped, in memory that a signal handler may read. `size` is set last and cleared first.
struct MappedSlot {
  std::atomic<bool> taken{false};
  std::atomic<char*> begin{nullptr};
  std::atomic<std::size_t> size{0};
  std::atomic<bool> lost{false};
  std::atomic<bool> in_use{false};
};
std::array<MappedSlot, 16> slots;

std::uintptr_t page_bytes() {
  static const auto size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

MappedSlot* slot_at(std::uintptr_t at) noexcept {
  for (MappedSlot& slot : slots) {
    const auto begin = reinterpret_cast<std::uintptr_t>(slot.begin.load());
    if (at >= begin && at < begin + slot.size.load()) return &slot;
  }
  return nullptr;
}

}  // namespace

bool replace_lost_input(void* address) noexcept {
  const int saved = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  MappedSlot* const slot = slot_at(at);
  if (slot == nullptr || slot->in_use.load()) return false;
  const std::uintptr_t end =
      reinterpret_cast<std::uintptr_t>(slot->begin.load()) + slot->size.load();
  const std::uintptr_t page = at / page_bytes() * page_bytes();
  // All that follows is lost as well.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the page was found by its number
  void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  slot->lost.store(true);
  errno = saved;
  return zeros != MAP_FAILED;
}

bool is_input_in_use(const void* address) noexcept {
  const MappedSlot* const slot = slot_at(reinterpret_cast<std::uintptr_t>(address));
  return slot != nullptr && slot->in_use.load();
}

namespace detail {

MappedFile::MappedFile(int descriptor, std::size_t size, int protection) {
  page_bytes();  // known before a signal handler needs it
  for (std::size_t i = 0; i < slots.size(); ++i) {
    MappedSlot& slot = slots[i];
    if (slot.taken.exchange(true)) continue;
    void* const mapping = ::mmap(nullptr, size, protection, MAP_PRIVATE, descriptor, 0);
    if (mapping == MAP_FAILED) {
      slot.taken.store(false);
      return;
    }
    slot.begin.store(static_cast<char*>(mapping));
    slot.lost.store(false);
    slot.in_use.store(false);
    slot.size.store(size);
    slot_ = static_cast<int>(i);
    return;
  }
}

MappedFile::~MappedFile() { unmap(); }

MappedFile::MappedFile(MappedFile&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this != &other) {
    unmap();
    slot_ = std::exchange(other.slot_, -1);
  }
  return *this;
}

std::string_view MappedFile::bytes() const {
  if (!mapped()) return {};
  const MappedSlot& slot = slots[static_cast<std::size_t>(slot_)];
  return {slot.begin.load(), slot.size.load()};
}

bool MappedFile::lost_bytes() const {
  return mapped() && slots[static_cast<std::size_t>(slot_)].lost.load();
}

void MappedFile::keep_in_use() const {
  if (mapped()) slots[static_cast<std::size_t>(slot_)].in_use.store(true);
}

void MappedFile::unmap() {
  if (!mapped()) return;
  MappedSlot& slot = slots[static_cast<std::size_t>(std::exchange(slot_, -1))];
  const std::size_t size = slot.size.exchange(0);
  ::munmap(slot.begin.exchange(nullptr), size);
  slot.taken.store(false);
}

}  // namespace detail
}  // namespace gssl
