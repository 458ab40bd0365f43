// Packed data in pieces of any length, into rooms of any length, and with a byte that is another.
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crc32.hpp"
#include "gssl/core/rng.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "unpackers.hpp"
#include "vector_registers.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// All of `packed`, of which up to `most_in` bytes are known at a time, by up to `most_out` bytes.
std::string unpacked(std::string_view packed, std::size_t most_in, std::size_t most_out, Rng& rng) {
  const auto unpacker = detail::make_unpacker(detail::sniff_compression(packed), "x");
  std::string text, room(most_out, '\0');
  std::string_view known;
  std::size_t begin = 0;
  for (bool full = false; full || begin < packed.size();) {
    if (!full) {
      const std::size_t more = 1 + rng.below(most_in);
      known = packed.substr(begin, known.size() + more);
    }
    const std::size_t space = 1 + rng.below(most_out);
    const std::size_t held = known.size();
    const std::size_t written = unpacker->unpack(known, {room.data(), space});
    begin += held - known.size();
    text.append(room, 0, written);
    full = written == space;
    if (!full && held == known.size() && begin + held == packed.size()) break;
  }
  unpacker->check_end();
  return text;
}

// Words that come again near and far, and bytes that no word makes shorter.
std::string mixed_text(std::size_t length, Rng& rng) {
  std::string text;
  while (text.size() < length) {
    if (rng.below(50) == 0)
      for (int i = 0; i < 300; ++i) text += static_cast<char>(rng.below(256));
    else
      text += std::to_string(rng.below(1000)) + (rng.below(2) == 0 ? "\t" : "\n");
  }
  return text;
}

}  // namespace

TEST_CASE("Packed data is one text, in whichever pieces it comes and goes") {
  Rng rng(4);
  const std::string text = mixed_text(150'000, rng), other = mixed_text(100, rng);
  for (const auto& packed : {gzip(text) + gzip("") + gzip(other), zstd(text) + zstd(other),
                             xz(text) + xz(other), bzip2(text) + bzip2(other)}) {
    for (const auto& [in, out] : std::vector<std::pair<std::size_t, std::size_t>>{
             {1, 1000}, {7, 3}, {100, 70'000}, {65'536, 1}, {65'536, 33'000}, {200'000, 200'000}}) {
      CAPTURE(packed.substr(0, 2), in, out);
      CHECK((unpacked(packed, in, out, rng) == text + other));
    }
  }
}

TEST_CASE("A byte of packed data that is another is noticed, or says nothing of the text") {
  Rng rng(5);
  const std::string text = mixed_text(600, rng);
  for (const std::string& whole : {gzip(text), xz(text), bzip2(text)}) {
    std::size_t noticed = 0;
    for (std::size_t at = detail::magic_bytes; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << rng.below(8)));
      std::string found;
      const auto error = error_of([&] { found = unpacked(damaged, 1000, 5000, rng); });
      CAPTURE(whole.substr(0, 2), at);
      if (error)
        CHECK(error->code() == ErrorCode::bad_data);
      else
        CHECK((found == text));
      noticed += error ? 1 : 0;
    }
    CHECK(noticed + 4 >= whole.size() - detail::magic_bytes);
  }
}

#ifdef __x86_64__

namespace {

// Whether the processor has AVX and tells which of its registers hold something.
bool registers_listed() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("avx") != 0 && __get_cpuid_count(13, 1, &a, &b, &c, &d) != 0 &&
         (a & 4U) != 0;
}

// Whether those above the 128 bits of SSE do: bits 2 and 6 of XINUSE.
bool upper_halves_in_use() {
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
  return (low & 0x44U) != 0;
}

void use_upper_halves() {
  const float one = 1.0F;
  asm volatile("vbroadcastss %0, %%ymm0" : : "m"(one) : "xmm0");
}

// Some emulators list all registers always.
bool registers_told() {
  if (!registers_listed()) return false;
  use_upper_halves();
  const bool used = upper_halves_in_use();
  asm volatile("vzeroupper" : : : "xmm0");
  return used && !upper_halves_in_use();
}

}  // namespace

TEST_CASE("Checksums and unpacking leave no vector register in use that slows down what follows") {
  if (!registers_told()) {
    WARN("skipped: this processor does not tell which registers are in use");
    return;
  }
  use_upper_halves();
  detail::clear_vector_registers();
  const bool after_clearing = upper_halves_in_use();
  CHECK_FALSE(after_clearing);

  const std::string text = random_edges(300, 20000, false, "", 5);
  detail::crc32_of(text);
  const bool after_sum = upper_halves_in_use();
  CHECK_FALSE(after_sum);
  for (const std::string& packed : {gzip(text), zstd(text), xz(text), bzip2(text)}) {
    const auto unpacker = detail::make_unpacker(detail::sniff_compression(packed), "x");
    std::string room(text.size(), '\0');
    std::string_view known = packed;
    unpacker->unpack(known, room);
    const bool after_unpacking = upper_halves_in_use();
    CHECK_FALSE(after_unpacking);
    CHECK(room.substr(0, 100) == text.substr(0, 100));
  }
}

#endif
