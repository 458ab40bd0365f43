#pragma once
// What this process may take of the machine's memory, and what it holds.
//
//   const MemoryLimit limit = memory_limit(asked);           // bytes, and who says so
//   run.memory_limit = memory_room(limit);                   // beside what is held now
//   if (need > run.memory_limit) throw MemoryError("spectrum", need, run.memory_limit);
//
// The limit is 0.9 of the least of: what the caller asked for; memory.max of the control group
// (version 2) that the process is in, and of every group above it; memory.limit_in_bytes (version
// 1), the same; RLIMIT_AS and RLIMIT_DATA less what they count and is no memory (reserved
// addresses, shared libraries); and the memory that is free or can be freed, with what the process
// itself holds. It is a limit of resident memory. Linux alone shows all of it; elsewhere only the
// limits of the process count, and 0 means that none is known.

#include <cstddef>
#include <string>
#include <string_view>

#include "gssl/core/error.hpp"

namespace gssl {

// Of the least limit, this share is used: the rest is for what no model sees.
inline constexpr double used_share = 0.9;

struct MemoryLimit {
  std::size_t bytes = 0;  // 0: none is known
  // As `asked_by` says, "memory.max of /a/b", "ulimit -v", "ulimit -d" or "free memory"
  std::string set_by;
  std::size_t reserved = 0;  // bytes that this one counts and that are no memory

  // What it would have to be for the process to hold `resident` bytes.
  double wanted(double resident) const;
};

// Where the system tells about itself; another folder in tests.
struct MachineFiles {
  std::string proc = "/proc";
  std::string control_groups = "/sys/fs/cgroup";
};

// `asked`: bytes that the caller allows, 0 if it does not say; `asked_by` is what it calls them.
// O(1), some 20 small files read.
MemoryLimit memory_limit(std::size_t asked = 0, const MachineFiles& files = {},
                         const std::string& asked_by = "the caller");

// What the process holds now, in bytes; 0 where the system does not say.
struct HeldMemory {
  std::size_t resident = 0;   // in memory: anonymous pages and those of mapped files
  std::size_t anonymous = 0;  // of these, pages that no file backs
  std::size_t addresses = 0;  // address space, which RLIMIT_AS counts
  std::size_t data = 0;       // private writable address space, which RLIMIT_DATA counts
};
HeldMemory held_memory(const MachineFiles& files = {});

// Bytes of memory that the machine has.
std::size_t physical_memory();

// Gives freed memory back to the system, and returns the bytes that are left below the limit: at
// least 1, or 0 (no limit) where the limit is 0.
std::size_t memory_room(const MemoryLimit& limit);

// "8G", "1.5GiB", "300M", "4096": K, M, G, T are powers of 1024, with or without B or iB. Throws
// ErrorCode::usage on anything else, and on 0.
std::size_t parse_bytes(std::string_view text);
// "1.5G": three digits, rounded up, so that a limit of the text allows the bytes.
std::string bytes_text(double bytes);

// ErrorCode::out_of_memory: nothing that is known fits. `needed` bytes beside what the arguments
// hold would do.
class MemoryError : public Error {
 public:
  // "WORK: needs 1.5G of memory beside its input and may take 800M"
  MemoryError(std::string_view work, std::size_t needed, std::size_t allowed);
  std::size_t needed() const noexcept { return needed_; }

 private:
  std::size_t needed_;
};

}  // namespace gssl
