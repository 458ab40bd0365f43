#include "gssl/core/machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>

#include "core/memory/free_memory.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {
namespace {

constexpr std::size_t kilobyte = 1024;
constexpr std::string_view suffixes = "KMGT";

// Bytes of a line "NAME:  123 kB" of /proc/meminfo or /proc/PID/status; 0 if there is none.
std::size_t kilobytes_of(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    std::istringstream rest(line.substr(name.size()));
    std::size_t kilobytes = 0;
    if (rest >> kilobytes) return kilobytes * kilobyte;
  }
  return 0;
}

// The number a file holds; none where it holds a word ("max") or does not exist.
bool read_number(const std::string& path, std::size_t& value) {
  std::ifstream file(path);
  return static_cast<bool>(file >> value);
}

class LeastLimit {
 public:
  void take(std::size_t bytes, const std::string& set_by, std::size_t reserved = 0) {
    if (bytes >= least_) return;
    least_ = bytes;
    set_by_ = set_by;
    reserved_ = reserved;
  }
  MemoryLimit limit() && {
    if (least_ == none) return {};
    const double share = used_share * static_cast<double>(least_);
    return {std::max<std::size_t>(1, static_cast<std::size_t>(share)), std::move(set_by_),
            reserved_};
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::size_t least_ = none;
  std::string set_by_;
  std::size_t reserved_ = 0;
};

// The group and every one above it, up to the root of the mount.
void take_group(const std::string& root, std::string group, const char* file, LeastLimit& least) {
  for (;;) {
    std::size_t bytes = 0;
    if (read_number(root + group + "/" + file, bytes))
      least.take(bytes, std::string(file) + " of " + (group.empty() ? "/" : group));
    if (group.empty()) return;
    group.erase(group.find_last_of('/'));
  }
}

// Lines "ID:CONTROLLERS:PATH"; version 2 has no controllers. In a container the path may be that of
// the host, which is not mounted there; the groups that are mounted count.
void take_control_groups(const MachineFiles& files, LeastLimit& least) {
  std::ifstream groups(files.proc + "/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view text = line;
    std::string controllers(1, ',');
    controllers.append(text.substr(first + 1, second - first - 1)).append(1, ',');
    std::string path(text.substr(second + 1));
    if (path == "/") path.clear();
    if (controllers == ",,") take_group(files.control_groups, path, "memory.max", least);
    if (controllers.find(",memory,") != std::string::npos)
      take_group(files.control_groups + "/memory", path, "memory.limit_in_bytes", least);
  }
}

// Of what the limit counts, `counted` bytes are taken and `resident` of these are memory.
void take_process_limit(int resource, const char* name, std::size_t counted, std::size_t resident,
                        LeastLimit& least) {
  struct rlimit limit = {};
  if (getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) != 0) return;
  if (limit.rlim_cur == RLIM_INFINITY) return;
  const std::size_t reserved = counted > resident ? counted - resident : 0;
  const auto bytes = static_cast<std::size_t>(limit.rlim_cur);
  least.take(bytes > reserved ? bytes - reserved : 1, name, reserved);
}

}  // namespace

double MemoryLimit::wanted(double resident) const {
  return resident / used_share + static_cast<double>(reserved);
}

HeldMemory held_memory(const MachineFiles& files) {
  const std::string status = files.proc + "/self/status";
  return {.resident = kilobytes_of(status, "VmRSS:"),
          .anonymous = kilobytes_of(status, "RssAnon:"),
          .addresses = kilobytes_of(status, "VmSize:"),
          .data = kilobytes_of(status, "VmData:")};
}

std::size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(bytes)
                                : 0;
}

MemoryLimit memory_limit(std::size_t asked, const MachineFiles& files,
                         const std::string& asked_by) {
  LeastLimit least;
  if (asked > 0) least.take(asked, asked_by);
  take_control_groups(files, least);
  const HeldMemory held = held_memory(files);
  take_process_limit(RLIMIT_AS, "ulimit -v", held.addresses, held.resident, least);
  take_process_limit(RLIMIT_DATA, "ulimit -d", held.data, held.anonymous, least);
  const std::size_t available = kilobytes_of(files.proc + "/meminfo", "MemAvailable:");
  if (available > 0) least.take(available + held.resident, "free memory");
  return std::move(least).limit();
}

std::size_t memory_room(const MemoryLimit& limit) {
  if (limit.bytes == 0) return 0;
  solve::return_free_memory();
  const std::size_t held = held_memory().resident;
  return limit.bytes > held ? limit.bytes - held : 1;
}

std::size_t parse_bytes(std::string_view text) {
  const auto refuse = [given = text] {
    throw Error(ErrorCode::usage, "'" + std::string(given) +
                                      "' is not a size of memory: give bytes, as in 8G or 500M");
  };
  for (const std::string_view end : {"iB", "B", "b"}) {
    if (!text.ends_with(end)) continue;
    text.remove_suffix(end.size());
    break;
  }
  double scale = 1.0;
  if (!text.empty()) {
    const auto upper = static_cast<char>(text.back() & ~0x20);
    const std::size_t power = suffixes.find(upper);
    if (power != std::string_view::npos) {
      scale = std::pow(static_cast<double>(kilobyte), static_cast<double>(power + 1));
      text.remove_suffix(1);
    }
  }
  const auto value = parse_number<double>(text);
  constexpr double most = 9e18;
  if (!value || !(*value * scale >= 1.0) || *value * scale > most) refuse();
  return static_cast<std::size_t>(*value * scale);
}

std::string bytes_text(double bytes) {
  double value = std::max(0.0, bytes);
  std::size_t power = 0;
  constexpr double whole = 1000.0;
  while (value >= whole && power < suffixes.size()) {
    value /= static_cast<double>(kilobyte);
    ++power;
  }
  const int digits = power == 0 ? 0 : value < 10.0 ? 2 : value < 100.0 ? 1 : 0;
  const double unit = std::pow(10.0, -digits);
  std::array<char, 32> text;
  const double rounded = std::max(0.0, std::ceil(value / unit - 1e-9) * unit);
  std::snprintf(text.data(), text.size(), "%.*f", digits, rounded + 0.0);
  return text.data() + (power == 0 ? std::string() : std::string(1, suffixes[power - 1]));
}

MemoryError::MemoryError(std::string_view work, std::size_t needed, std::size_t allowed)
    : Error(ErrorCode::out_of_memory,
            std::string(work) + ": needs " + bytes_text(static_cast<double>(needed)) +
                " of memory beside its input and may take " +
                (allowed <= 1 ? "none" : bytes_text(static_cast<double>(allowed)))),
      needed_(needed) {}

}  // namespace gssl
