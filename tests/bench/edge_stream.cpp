// edge_stream: the edges of a large graph as text, as fast as they are made, in no memory.
//
//   edge_stream rmat 25 300000000 | gssl convert - rmat.gssl --compress
//   edge_stream grid 5000 10000 > grid.tsv
//
// rmat SCALE EDGES: quadrants 0.57, 0.19, 0.19, 0.05, ids in no order; some edges come twice.
// grid ROWS COLUMNS: a plane grid, row after row.
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "gssl/core/rng.hpp"

namespace {

// "u<tab>v<newline>" to standard output; ends the program when nobody reads on.
class Lines {
 public:
  Lines() = default;
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() { flush(); }

  void put(std::uint64_t u, std::uint64_t v) {
    constexpr std::size_t longest = 48;
    if (text_.size() - used_ < longest) flush();
    number(u, '\t');
    number(v, '\n');
  }

 private:
  void number(std::uint64_t value, char after) {
    char* const end = text_.data() + text_.size();
    char* const at = std::to_chars(text_.data() + used_, end, value).ptr;
    *at = after;
    used_ = static_cast<std::size_t>(at + 1 - text_.data());
  }

  void flush() {
    if (std::fwrite(text_.data(), 1, used_, stdout) != used_) std::_Exit(74);
    used_ = 0;
  }

  std::array<char, 1 << 16> text_{};
  std::size_t used_ = 0;
};

// Every number below 2^scale once more, in no order.
std::uint64_t scrambled(std::uint64_t id, int scale) {
  const std::uint64_t mask = (std::uint64_t{1} << scale) - 1;
  for (int round = 0; round < 3; ++round) {
    id = (id * 0x9e3779b97f4a7c15ULL + 0x7f4a7c15ULL) & mask;  // an odd factor: one to one
    id ^= id >> (scale / 2 + 1);
  }
  return id;
}

void rmat(int scale, std::uint64_t edges) {
  gssl::Rng rng(1);
  Lines lines;
  for (std::uint64_t e = 0; e < edges; ++e) {
    std::uint64_t u = 0, v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double x = rng.uniform();
      u = u * 2 + (x >= 0.76 ? 1 : 0);
      v = v * 2 + ((x >= 0.57 && x < 0.76) || x >= 0.95 ? 1 : 0);
    }
    lines.put(scrambled(u, scale), scrambled(v, scale));
  }
}

void grid(std::uint64_t rows, std::uint64_t columns) {
  Lines lines;
  for (std::uint64_t v = 0; v < rows * columns; ++v) {
    if ((v + 1) % columns != 0) lines.put(v, v + 1);
    if (v + columns < rows * columns) lines.put(v, v + columns);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view kind = argc == 4 ? argv[1] : "";
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  if (kind == "rmat" && number(2) > 0 && number(2) <= 40) {
    rmat(static_cast<int>(number(2)), number(3));
  } else if (kind == "grid" && number(3) > 0) {
    grid(number(2), number(3));
  } else {
    std::fputs("edge_stream rmat SCALE EDGES | grid ROWS COLUMNS\n", stderr);
    return 64;
  }
}
