#include "standard_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

namespace gssl::detail {
namespace {

struct SeenInput {
  std::string bytes;
  std::size_t given = 0;  // of them, how many were read again
  bool looking = false;
};

SeenInput& seen_input() {
  static SeenInput here;
  return here;
}

}  // namespace

LookAtStandardInput::LookAtStandardInput() { seen_input().looking = true; }

LookAtStandardInput::~LookAtStandardInput() {
  seen_input().looking = false;
  seen_input().given = 0;
}

bool standard_input_comes_again() { return seen_input().given < seen_input().bytes.size(); }

ssize_t read_standard_input(std::span<char> room) {
  SeenInput& seen = seen_input();
  if (standard_input_comes_again()) {
    const std::size_t count = std::min(room.size(), seen.bytes.size() - seen.given);
    std::copy_n(seen.bytes.data() + seen.given, count, room.data());
    seen.given += count;
    if (!seen.looking && !standard_input_comes_again()) seen = {};
    return static_cast<ssize_t>(count);
  }
  const ssize_t got = ::read(STDIN_FILENO, room.data(), room.size());
  if (seen.looking && got > 0) {
    seen.bytes.append(room.data(), static_cast<std::size_t>(got));
    seen.given = seen.bytes.size();
  }
  return got;
}

}  // namespace gssl::detail
