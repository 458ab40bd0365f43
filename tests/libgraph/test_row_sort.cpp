#include <algorithm>
#include <numeric>

#include "graph/support/row_sort.hpp"
#include "gssl/core/rng.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;

struct Row {
  std::vector<std::uint32_t> entries;
  std::vector<double> weights;  // tell equal entries apart
};

Row random_row(std::size_t length, std::uint64_t range, Rng& rng) {
  Row row;
  for (std::size_t i = 0; i < length; ++i)
    row.entries.push_back(static_cast<std::uint32_t>(rng.below(range)));
  row.weights.resize(length);
  std::iota(row.weights.begin(), row.weights.end(), 1.0);
  return row;
}

Row stably_sorted(const Row& row, int shift) {
  std::vector<std::size_t> order(row.entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return row.entries[a] >> shift < row.entries[b] >> shift;
  });
  Row sorted;
  for (const std::size_t i : order) {
    sorted.entries.push_back(row.entries[i]);
    sorted.weights.push_back(row.weights[i]);
  }
  return sorted;
}

TEST_CASE("a row is sorted as the stable sort of the standard library does it") {
  Rng rng(5);
  detail::RowSorter sorter;  // one for all rows: no row may see what another has left
  constexpr std::size_t limit = detail::RowSorter::short_row;
  std::vector<std::size_t> lengths(3 * limit);
  std::iota(lengths.begin(), lengths.end(), std::size_t{0});
  lengths.insert(lengths.end(), {255, 256, 257, 5000, 70000});
  for (const std::size_t length : lengths) {
    // Few distinct entries, one digit, digits that all share, and all 32 bits.
    for (const std::uint64_t range : {3ULL, 256ULL, 65536ULL, 1ULL << 24, 1ULL << 32}) {
      for (const int shift : {0, 1}) {
        INFO(length << " entries below " << range << ", shift " << shift);
        const Row row = random_row(length, range, rng);
        const Row expected = stably_sorted(row, shift);
        Row sorted = row;
        sorter.sort(sorted.entries.data(), sorted.weights.data(), length, shift);
        CHECK((sorted.entries == expected.entries));
        CHECK((sorted.weights == expected.weights));
        if (shift == 0) {
          sorted = row;
          sorter.sort(sorted.entries.data(), length);
          CHECK((sorted.entries == expected.entries));
          CHECK((sorted.weights == row.weights));
        }
      }
    }
  }
}

TEST_CASE("rows that are sorted, reversed or constant come out sorted and stable") {
  detail::RowSorter sorter;
  for (const std::size_t length :
       {std::size_t{7}, detail::RowSorter::short_row + 1, std::size_t{999}}) {
    for (const int order : {-1, 0, 1}) {
      Row row;
      for (std::size_t i = 0; i < length; ++i) {
        row.entries.push_back(order == 0  ? 0xFFFFFFFFU
                              : order > 0 ? static_cast<std::uint32_t>(i)
                                          : 0xFFFFFFFFU - static_cast<std::uint32_t>(i));
        row.weights.push_back(static_cast<double>(i));
      }
      const Row expected = stably_sorted(row, 0);
      sorter.sort(row.entries.data(), row.weights.data(), length, 0);
      CHECK((row.entries == expected.entries));
      CHECK((row.weights == expected.weights));
    }
  }
}

}  // namespace
